"""Differing: the words in which a quote and a passage differ."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pincite_papers.quoting.skeleton import Skeleton

_LONGEST = 160
"""Characters of a difference that are shown."""
_MOST = 12
"""Differences that are shown."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What the quote says and what the paper says instead, whole words; "" where one of them has nothing."""

    said: str
    printed: str


_Range = tuple[int, int, int, int]


def differences(quote: Skeleton, paper: Skeleton, start: int, end: int) -> tuple[Difference, ...]:
    """Where ``quote`` and ``paper.bare[start:end]`` differ, in order."""
    from rapidfuzz.distance import Levenshtein

    operations = Levenshtein.opcodes(quote.bare, paper.bare[start:end])
    ranges = (
        (op.src_start, op.src_end, start + op.dest_start, start + op.dest_end) for op in operations if op.tag != "equal"
    )
    return described(quote, paper, ranges)


def described(quote: Skeleton, paper: Skeleton, ranges: Iterable[_Range]) -> tuple[Difference, ...]:
    """The whole words around ranges ``(said from, to, printed from, to)`` of the skeletons; those that touch as one."""
    found: list[Difference] = []
    touched = (_words_of(quote, paper, each) for each in ranges)
    for said_low, said_high, low, high in _merged(touched):
        found.append(Difference(_clip(quote.text[said_low:said_high]), _clip(paper.text[low:high])))
        if len(found) == _MOST:
            break
    return tuple(found)


def _words_of(quote: Skeleton, paper: Skeleton, changed: _Range) -> _Range:
    """The words of both texts around a change. What only one has belongs to the word it is written in; whole words that
    one lacks are shown with their neighbours.
    """
    a, b, c, d = changed
    if a == b:
        a, b, c, d = _beside(quote, a, paper, c, d)
    elif c == d:
        c, d, a, b = _beside(paper, c, quote, a, b)
    return (*_words(quote, a, b), *_words(paper, c, d))


def _beside(lacking: Skeleton, at: int, having: Skeleton, low: int, high: int) -> _Range:
    """The character of ``lacking`` beside which ``having.bare[low:high]`` is missing, and that range; both with a
    character on each side where whole words are missing.
    """
    if 0 < high < len(having.offsets) and at < len(lacking.offsets) and _together(having, high - 1):
        return at, at + 1, low, high
    if low > 0 and at > 0 and _together(having, low - 1):
        return at - 1, at, low, high
    return max(at - 1, 0), min(at + 1, len(lacking.offsets)), max(low - 1, 0), min(high + 1, len(having.offsets))


def _together(skeleton: Skeleton, at: int) -> bool:
    """Whether no white space is between this character of the skeleton and the next."""
    gap = skeleton.text[int(skeleton.offsets[at]) : int(skeleton.offsets[at + 1])]
    return not any(character.isspace() for character in gap)


def _words(skeleton: Skeleton, low: int, high: int) -> tuple[int, int]:
    """The words of the text that hold ``bare[low:high]``; of an empty range, those on both sides of it."""
    last = len(skeleton.offsets) - 1
    first = min(low if high > low else max(low - 1, 0), last)
    final = min(high - 1 if high > low else high, last)
    start, end = int(skeleton.offsets[first]), int(skeleton.offsets[final]) + 1
    while start > 0 and not skeleton.text[start - 1].isspace():
        start -= 1
    while end < len(skeleton.text) and not skeleton.text[end].isspace():
        end += 1
    return start, end


def _merged(ranges: Iterator[_Range]) -> list[_Range]:
    """Ranges that touch or overlap on either side made one."""
    merged: list[_Range] = []
    for a, b, c, d in ranges:
        if merged and (a <= merged[-1][1] or c <= merged[-1][3]):
            w, x, y, z = merged[-1]
            merged[-1] = (min(w, a), max(x, b), min(y, c), max(z, d))
        else:
            merged.append((a, b, c, d))
    return merged


def _clip(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
