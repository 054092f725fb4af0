"""Assemble: blocks in reading order become the canonical text with its geometry, pages, sections and floats."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_papers.geometry import Geometry
from pincite_papers.model import Block, BlockKind, Section, Span
from pincite_papers.pdf.canonical import Canonical
from pincite_papers.pdf.glyphs import Glyphs
from pincite_papers.pdf.hyphens import Hyphenation
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.sectionnames import split_number

_BETWEEN = "\n\n"
_LINED = frozenset((BlockKind.FIGURE, BlockKind.CODE))


@dataclass(slots=True)
class Assembled:
    """The canonical text and what counts in it."""

    text: str
    geometry: Geometry
    page_starts: list[int]
    blocks: tuple[Block, ...]
    suspects: tuple[Span, ...]


def assemble(flow: Sequence[Draft], glyphs: Sequence[Glyphs], hyphenation: Hyphenation) -> Assembled:
    """The canonical text of ``flow``, the blocks in reading order; ``glyphs`` are those of each page.

    Sets the ``span`` of each draft and of its cells."""
    canonical = Canonical(hyphenation)
    blocks: list[Block] = []
    for draft in flow:
        if canonical.length:
            canonical.add_mark(_BETWEEN)
        start = canonical.length
        if draft.rows:
            _add_rows(canonical, draft)
        else:
            canonical.add_lines(draft.lines, "\n" if draft.kind in _LINED else " ")
        draft.span = Span(start, canonical.length)
        blocks.append(Block(draft.kind, start, canonical.length, draft.page + 1, draft.rect()))
    pages = canonical.page_of_character()
    starts = np.searchsorted(pages, np.arange(len(glyphs)), side="left").tolist() if len(pages) else [0] * len(glyphs)
    if starts:
        starts[0] = 0
    sources = canonical.glyph_of_character()
    rows, doubtful = _look_up(pages, sources, glyphs)
    return Assembled(canonical.text(), Geometry(rows), starts, tuple(blocks), _ranges(doubtful))


def _add_rows(canonical: Canonical, draft: Draft) -> None:
    """A table's rows, whose cells learn their ranges."""
    for r, row in enumerate(draft.rows):
        if r:
            canonical.add_mark("\n")
        for c, cell in enumerate(row):
            if c:
                canonical.add_mark("\t")
            start = canonical.length
            canonical.add_word_lines([(draft.page, words) for words in cell.lines])
            if cell.lines:
                cell.span = Span(start, canonical.length)


def _look_up(
    pages: npt.NDArray[np.int32], sources: npt.NDArray[np.int64], glyphs: Sequence[Glyphs]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """The box of each character, and whether its glyph is suspect."""
    rows = np.full((len(sources), 4), np.nan, np.float32)
    doubtful = np.zeros(len(sources), np.bool_)
    edges = np.searchsorted(pages, np.arange(len(glyphs) + 1), side="left").tolist()
    for k, page in enumerate(glyphs):
        part = slice(edges[k], edges[k + 1])
        source = sources[part]
        printed = source >= 0
        rows[part][printed] = page.boxes[source[printed]]
        doubtful[part][printed] = page.suspects[source[printed]]
    return rows, doubtful


def _ranges(marked: npt.NDArray[np.bool_]) -> tuple[Span, ...]:
    """The runs of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], marked, [False])).astype(np.int8))).tolist()
    return tuple(Span(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True))


def build_sections(flow: Sequence[Draft], assembled: Assembled) -> tuple[Section, ...]:
    """The sections that the headings open, in order, each up to the next of its level or above."""
    headings = [draft for draft in flow if draft.kind is BlockKind.HEADING]
    sections: list[Section] = []
    for k, draft in enumerate(headings):
        span = draft.place
        following = next((other for other in headings[k + 1 :] if other.level <= draft.level), None)
        end = following.place.start if following is not None else len(assembled.text)
        number, title = split_number(assembled.text[span.start : span.end])
        sections.append(Section(number, title, max(draft.level, 1), draft.page + 1, span.start, span.end, end))
    return tuple(sections)
