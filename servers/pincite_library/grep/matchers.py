"""Matchers: what is looked for in segments, with the meaning that ``pincite_core.patterns`` gives it in one paper.

A match lies in one block: blocks are parted by blank lines, which no literal crosses, and a regular expression starts
and ends within one (``\\A`` and ``\\z`` are its ends).
"""

import re
from collections.abc import Iterator
from typing import Protocol

from pincite_core.errors import BadInputError
from pincite_core.patterns import FoldedText, find_literal, find_regex, find_regex_bytes, is_whole_word
from pincite_library.grep.clauses import literal_clauses, regex_clauses
from pincite_library.model import Segment
from pincite_library.segments import BREAK, blocks_of, lowered
from pincite_library.store.store import Clauses

_RAISED = re.compile(r"\d\d")
_TIED = re.compile(r"\\[Az]|\(\?[imsU]*-[isU]*m")


class Matcher(Protocol):
    """Finds the spans of a pattern in a segment, as offsets in the segment's text."""

    clauses: Clauses
    """What a segment must hold to have a match."""

    def count(self, segment: Segment) -> int:
        """How many matches there are."""
        ...

    def spans(self, segment: Segment) -> list[tuple[int, int]]:
        """The matches in order, without overlap."""
        ...


def make_matcher(pattern: str, *, regex: bool, case_sensitive: bool, whole_word: bool) -> Matcher:
    """The matcher of a pattern; BadInputError where it cannot be searched for."""
    kind = RegexMatcher if regex else LiteralMatcher
    return kind(pattern, case_sensitive=case_sensitive, whole_word=whole_word)


class LiteralMatcher:
    """``find_literal`` on segments, by their stored folded text where that is enough."""

    def __init__(self, literal: str, *, case_sensitive: bool, whole_word: bool) -> None:
        self._literal, self._case_sensitive, self._whole_word = literal, case_sensitive, whole_word
        list(find_literal(FoldedText.of(""), literal))
        self._wanted = FoldedText.of(literal.strip())
        if "\n" in self._wanted.folded:
            raise BadInputError(
                "The pattern contains a blank line, but a match never runs from one block of a paper into the next.",
                next="Search for one paragraph's text at a time.",
            )
        needle = self._wanted.lowered
        self.clauses = literal_clauses(needle)
        self._bytes = needle.encode()
        self._marked = "^" in self._wanted.text or "_" in self._wanted.text
        # Without these, wherever the folded text stands is a match.
        self._plain = not (case_sensitive or whole_word or self._marked or _RAISED.search(needle))

    def count(self, segment: Segment) -> int:
        """How many matches there are."""
        if self._plain and segment.lowered:
            return segment.lowered.count(self._bytes)
        return len(self.spans(segment))

    def spans(self, segment: Segment) -> list[tuple[int, int]]:
        """The matches in order, without overlap."""
        text = segment.text
        folded = segment.lowered.decode() or lowered(text)
        if len(folded) == len(text):
            return list(self._in_plain(text, folded))
        options = {"case_sensitive": self._case_sensitive, "whole_word": self._whole_word}
        return list(find_literal(FoldedText.of(text), self._literal, **options))

    def _in_plain(self, text: str, folded: str) -> Iterator[tuple[int, int]]:
        """As ``find_literal`` in a text of which folding took nothing away: no script marks, offsets alike."""
        if self._marked:
            return
        needle = self._wanted.lowered
        at = folded.find(needle)
        while at >= 0:
            after = at + len(needle)
            same = not self._case_sensitive or FoldedText.of(text[at:after]).folded == self._wanted.folded
            if same and (not self._whole_word or is_whole_word(text, at, after)):
                yield at, after
                at = folded.find(needle, after)
            else:
                at = folded.find(needle, at + 1)


class RegexMatcher:
    """``find_regex`` on the blocks of segments."""

    def __init__(self, pattern: str, *, case_sensitive: bool, whole_word: bool) -> None:
        self._pattern, self._case_sensitive, self._whole_word = pattern, case_sensitive, whole_word
        list(find_regex("", pattern))
        self.clauses = regex_clauses(pattern)
        self._tied = _TIED.search(pattern) is not None

    def count(self, segment: Segment) -> int:
        """How many matches there are."""
        if self._whole_word or self._tied:
            return len(self.spans(segment))
        found = list(find_regex_bytes(segment.text, self._pattern, case_sensitive=self._case_sensitive))
        return len(self.spans(segment)) if any(b"\n" in match for match in found) else len(found)

    def spans(self, segment: Segment) -> list[tuple[int, int]]:
        """The matches in order, without overlap."""
        text = segment.text
        parted = BREAK in text
        if not parted or not self._tied:
            found = list(self._found(text))
            # What matches within a block without its ends being near also matches so in the block alone.
            if not parted or not any("\n" in text[start:end] for start, end in found):
                return found
        return [(low + start, low + end) for low, high in blocks_of(text) for start, end in self._found(text[low:high])]

    def _found(self, text: str) -> Iterator[tuple[int, int]]:
        return find_regex(text, self._pattern, case_sensitive=self._case_sensitive, whole_word=self._whole_word)
