"""Running text in chunks: blocks of one section joined up to a size, long ones split where sentences end."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite_papers.model import Block, BlockKind
from pincite_papers.passages import cut_point, sentence_breaks, trim

TARGET = 900
"""Characters up to which blocks are joined: with a context of 150 it fills the 256 tokens of a small embedder."""
LONGEST = 1300
"""Most characters of a chunk: what is longer is split."""
_SMALL = 160
"""Characters below which a paragraph joins its neighbour. Set by judgement."""
_BOUND = frozenset((BlockKind.EQUATION, BlockKind.LIST, BlockKind.CODE))


@dataclass(frozen=True, slots=True)
class _Atom:
    """A range that stays together; ``bound`` where it reads on from what stands before it."""

    start: int
    end: int
    bound: bool = False


def pack(text: str, blocks: Sequence[Block], target: int = TARGET) -> list[tuple[int, int]]:
    """The ranges of the chunks of successive blocks, trimmed; equations, lists and code stay with what leads to them.

    Together they hold all of the blocks but white space.
    """
    packed: list[tuple[int, int]] = []
    for atom in _atoms(text, blocks):
        if packed:
            start, end = packed[-1]
            small = min(end - start, atom.end - atom.start) < _SMALL
            if atom.end - start <= (LONGEST if atom.bound or (small and target == TARGET) else target):
                packed[-1] = start, atom.end
                continue
        packed.append((atom.start, atom.end))
    return packed


def split(text: str, start: int, end: int, target: int = TARGET, longest: int = LONGEST) -> list[tuple[int, int]]:
    """``text[start:end]`` whole, or in parts of about one size, cut where sentences end, else between words."""
    count = -(-(end - start) // target)
    if end - start <= longest or count < 2:
        return [trim(text, start, end)]
    breaks = [at for at in sentence_breaks(text, start, end) if start < at < end]
    parts: list[tuple[int, int]] = []
    at = start
    while end - at > longest:
        size = (end - at) / max(-(-(end - at) // target), 2)
        near = breaks[bisect_left(breaks, at + size / 2) : bisect_right(breaks, at + longest)]
        cut = min(near, key=lambda each: abs(each - at - size)) if near else cut_point(text, at, at + target)
        parts.append(trim(text, at, cut))
        at = cut
    parts.append(trim(text, at, end))
    return [part for part in parts if part[0] < part[1]]


def _atoms(text: str, blocks: Sequence[Block]) -> Iterator[_Atom]:
    before: Block | None = None
    for block in blocks:
        bound = block.kind in _BOUND or (
            before is not None and before.kind is BlockKind.EQUATION and text[block.start : block.start + 1].islower()
        )
        for number, (start, end) in enumerate(split(text, block.start, block.end)):
            if start < end:
                yield _Atom(start, end, bound and not number)
        before = block
