"""Segments: the pieces of a canonical text that exact search looks through, none of which a match can leave."""

import re

from pincite_core.patterns import FoldedText

SEGMENT_CHARS = 2400
"""Blocks are put together up to this length; a longer block stays whole."""

BREAK = "\n\n"
"""What parts blocks in a canonical text, and what no match crosses (``FoldedText`` keeps it as a line break)."""

_BREAKS = re.compile(r"\n\n+")


def segments_of(text: str) -> list[tuple[int, int]]:
    """The spans of the segments in order: whole blocks, all characters but the breaks between segments."""
    spans: list[tuple[int, int]] = []
    for start, end in blocks_of(text):
        if spans and end - spans[-1][0] <= SEGMENT_CHARS:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def blocks_of(text: str) -> list[tuple[int, int]]:
    """The spans between the breaks of a text, empty ones left out."""
    edges = [0, *(at for match in _BREAKS.finditer(text) for at in match.span()), len(text)]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return [(start, end) for start, end in pairs if start < end]


def lowered(text: str) -> str:
    """A text as clauses and the index of exact search see it: folded as ``FoldedText`` does, in lower case."""
    return FoldedText.of(text).lowered
