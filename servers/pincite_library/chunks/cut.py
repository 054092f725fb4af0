"""A paper cut into chunks by its structure."""

from bisect import bisect_right

from pincite_library.chunks.blocks import text_drafts
from pincite_library.chunks.context import Context, ContextParts, PaperContext, compose
from pincite_library.chunks.draft import Draft, Role
from pincite_library.chunks.figures import cut_figures, figures_by_caption
from pincite_library.chunks.sections import Outline
from pincite_library.chunks.tables import cut_table, table_notes
from pincite_library.model import Chunk, ChunkKind
from pincite_papers.model import Paper, Table

CHUNKER: str = "chunks-2"
"""Changes whenever chunks or contexts do; the digests in ``tests/library/chunks/test_versions.py`` watch over it."""


def cut_paper(paper: Paper, context: Context = "short") -> list[Chunk]:
    """The chunks of a paper in reading order, with deterministic contexts.

    Every block of the canonical text stands in one of them, but for headings, which are the ``section`` of what stands
    under them, and what later pages of a table repeat. No two have the same range.
    """
    return [chunk for chunk, _ in cut_with_sources(paper, context)]


def cut_with_sources(paper: Paper, context: Context = "short") -> list[tuple[Chunk, Draft]]:
    """The chunks with the drafts that they were made from, which say what a model is given to describe."""
    outline, shared = Outline(paper), PaperContext.of(paper, context)
    made: list[tuple[Chunk, Draft]] = []
    for ordinal, draft in enumerate(sorted(_drafts(paper, outline), key=lambda draft: (draft.start, draft.end))):
        section = outline.path(draft.start)
        chunk = Chunk(
            ordinal,
            draft.kind,
            section,
            paper.page_at(draft.start),
            draft.start,
            draft.end,
            draft.text or paper.text[draft.start : draft.end],
            exact=not draft.text,
            label=draft.label,
            rows=draft.rows,
            context=compose(_parts(shared, draft, section)),
            described_by="headers" if draft.description else "",
            spans=draft.spans,
        )
        made.append((chunk, draft))
    return made


def _drafts(paper: Paper, outline: Outline) -> list[Draft]:
    found: list[Draft] = []
    taken: set[int] = set()
    for table in paper.tables:
        notes = table_notes(paper, table)
        found += cut_table(paper, table, notes)
        taken |= {span.start for span in (table.caption, *notes) if span is not None} | _places(paper, table)
    for figures in figures_by_caption(paper):
        found += cut_figures(paper, figures)
        panels = (panel.caption for figure in figures for panel in figure.panels)
        parts = (part for figure in figures for part in (figure.caption, figure.text))
        taken |= {span.start for span in (*panels, *parts) if span is not None}
    return found + text_drafts(paper, outline, taken)


def _places(paper: Paper, table: Table) -> set[int]:
    """Where the blocks of a table start: one a page."""
    if not table.parts:
        return {table.start}
    inside = {bisect_right(paper.blocks, cell.start, key=lambda block: block.start) - 1 for cell in table.cells}
    return {paper.blocks[at].start for at in inside}


def _parts(shared: PaperContext, draft: Draft, section: str) -> ContextParts:
    if draft.kind in (ChunkKind.TABLE, ChunkKind.FIGURE):
        return shared.described(section, draft.description, draft.part)
    if draft.role is Role.TITLE:
        return shared.front_of()
    return shared.passage(section) if draft.role is Role.BODY else shared.headed(section)
