"""Spelled: a piece of a report in the spelling in which quantities are found, with the way back to the piece."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from pincite_provenance.claims.reading import clean

_HALF = re.compile(r"(?<=[A-Za-zμΩ])½")
"""A root as a power behind a unit: ``MPa m½``; elsewhere it is half of one."""


@dataclass(frozen=True, slots=True)
class Spelled:
    """``text`` is ``clean`` of the piece; where its characters were taken from is told by ``back``."""

    text: str
    _starts: tuple[int, ...]
    _moves: tuple[tuple[int, int, int, int], ...]
    """Ranges (from, to) of ``text`` and (from, to) of the piece, in order, that stand for each other."""

    @classmethod
    def of(cls, piece: str) -> "Spelled":
        """The piece in one spelling; linear in its length but for what was respelled."""
        from rapidfuzz.distance import Levenshtein

        text = clean(_HALF.sub("^1/2", piece))
        codes = Levenshtein.opcodes(text, piece)
        moves = tuple((code.src_start, code.src_end, code.dest_start, code.dest_end) for code in codes)
        return cls(text, tuple(move[0] for move in moves), moves)

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The range of the piece that ``text[start:end]`` was spelled from."""
        if not self._moves:
            return start, end
        return self._place(start, is_end=False), self._place(end, is_end=True)

    def _place(self, at: int, *, is_end: bool) -> int:
        index = max(bisect_right(self._starts, at - (1 if is_end else 0)) - 1, 0)
        low, high, there, beyond = self._moves[index]
        if high - low == beyond - there:
            return there + min(at - low, beyond - there)
        return beyond if is_end else there
