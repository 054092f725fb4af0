"""Words of folded text, by which segments that can hold a text are found in an index.

A word is what stands between white space, without the marks at its ends: from its first letter or digit to its last.
Where a text is found within another, its words are words of that one too, but for the first and the last, which may be
parts of longer ones: so each gives a condition that no match escapes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_](?:\S*[^\W_])?")
_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of a text that is looked for, or a part of one: ``starts`` and ``ends`` where the word's own ends are."""

    text: str
    starts: bool
    ends: bool


def words_of(folded: str) -> list[str]:
    """The words of folded, lower-case text, in order."""
    return _WORD.findall(folded)


def pieces_of(folded: str) -> list[Piece]:
    """What stands, one behind the other, among the words of any text that holds this one."""
    return list(_pieces(folded))


def _pieces(folded: str) -> Iterator[Piece]:
    for match in _WORD.finditer(folded):
        starts = _SPACE.search(folded, 0, match.start()) is not None
        ends = _SPACE.search(folded, match.end()) is not None
        yield Piece(match[0], starts, ends)
