"""Nearest: the passage that differs least from a quote which does not stand, and where the two differ.

Candidates come from short pieces of the quote that stand in the text (q-gram seeds, gathered by diagonal); in each
the best end and start are found by bit-parallel approximate matching (Myers, J. ACM 46, 1999: semi-global edit
distance), so that time is bounded whatever the paper's length.
"""

from collections import Counter
from dataclasses import dataclass

_SEED = 7
"""Letters of the pieces of a quote by which like passages are found. Set by judgement."""
_SEEDS = 48
"""Such pieces, evenly over the quote. Set by judgement."""
_HITS = 64
"""Places taken of one seed; a piece that stands oftener tells nothing."""

_BUCKET = 32
"""Letters by which places of one passage may differ: insertions and deletions. Set by judgement."""
_CANDIDATES = 4
"""Passages that are compared letter by letter. Set by judgement."""
MOST_DIFFERENT = 0.4
"""Share of the quote's characters that may differ; beyond it nothing is near."""


@dataclass(frozen=True, slots=True)
class Near:
    """``bare[start:end]`` of the paper's skeleton is at this edit distance from the quote's."""

    start: int
    end: int
    distance: int


def nearest(bare: str, lowered: str, quote: str) -> Near | None:
    """The place of least edit distance to ``quote``, or None where all differ too much. Case counts in the distance."""
    limit = int(len(quote) * MOST_DIFFERENT)
    best: Near | None = None
    for diagonal in _diagonals(lowered, quote.lower()):
        slack = limit + _BUCKET
        low = max(diagonal - slack, 0)
        high = min(diagonal + len(quote) + slack, len(bare))
        found = _best_in(bare[low:high], quote)
        if found.distance <= limit and (best is None or found.distance < best.distance):
            best = Near(low + found.start, low + found.end, found.distance)
    return best


def _diagonals(lowered: str, quote: str) -> list[int]:
    """Where the quote would begin, most votes first, by pieces of it that stand in the text."""
    size = min(_SEED, max(len(quote) // 3, 2))
    last = len(quote) - size
    places = sorted({round(i * last / max(_SEEDS - 1, 1)) for i in range(_SEEDS)}) if last > 0 else [0]
    votes: Counter[int] = Counter()
    for place in places:
        piece = quote[place : place + size]
        at, hits = lowered.find(piece), 0
        while at >= 0 and hits < _HITS:
            votes[(at - place) // _BUCKET] += 1
            at, hits = lowered.find(piece, at + 1), hits + 1
    joined = {bucket: votes[bucket] + votes.get(bucket + 1, 0) for bucket in votes}
    chosen: list[int] = []
    for bucket in sorted(joined, key=lambda bucket: (-joined[bucket], bucket)):
        if all(abs(bucket - other) > 2 for other in chosen):
            chosen.append(bucket)
        if len(chosen) == _CANDIDATES:
            break
    return [bucket * _BUCKET for bucket in chosen]


def _best_in(window: str, quote: str) -> Near:
    end, distance = _best_end(window, quote)
    length, _ = _best_end(window[:end][::-1], quote[::-1], anchored=True)
    return Near(end - length, end, distance)


def _best_end(text: str, pattern: str, *, anchored: bool = False) -> tuple[int, int]:
    """The end of the part of ``text`` nearest to ``pattern``, and its edit distance; the part begins anywhere, or
    with the text where it is ``anchored``.
    """
    size = len(pattern)
    masks: dict[str, int] = {}
    for index, character in enumerate(pattern):
        masks[character] = masks.get(character, 0) | 1 << index
    every, top = (1 << size) - 1, 1 << (size - 1)
    plus, minus, score = every, 0, size
    best_end, best = 0, size
    for index, character in enumerate(text):
        equal = masks.get(character, 0)
        vertical = equal | minus
        horizontal = (((equal & plus) + plus) ^ plus) | equal
        up = minus | ~(horizontal | plus) & every
        down = plus & horizontal
        if up & top:
            score += 1
        elif down & top:
            score -= 1
        up = (up << 1 | anchored) & every
        down = down << 1 & every
        plus = (down | ~(vertical | up)) & every
        minus = up & vertical
        if score < best:
            best_end, best = index + 1, score
    return best_end, best
