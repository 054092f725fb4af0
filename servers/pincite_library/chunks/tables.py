"""Tables in chunks: whole where they are small, else groups of rows under caption and head."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice

from pincite_library.chunks.draft import Draft
from pincite_library.chunks.grid import Grid, extent
from pincite_library.chunks.headers import describe_table
from pincite_library.chunks.rows import groups
from pincite_library.model import ChunkKind
from pincite_papers.model import BlockKind, Paper, Span, Table
from pincite_papers.passages import cut_point, sentence_breaks

WHOLE = 1500
"""Most characters of a table that stays whole, caption and notes included."""
_GROUP = 1000
"""Characters of a group of rows with its caption and head, about. Set by judgement."""
_CAPTION = 300
"""Characters of a caption that each group repeats."""
_NOTES = 300
"""Characters of a table's notes that each group repeats."""
_NEAR = 24.0
"""Points below a table within which a block is its note: two lines. Set by judgement."""
_MOST_NOTES = 60
"""Blocks behind a table among which its notes are looked for."""


def cut_table(paper: Paper, table: Table, notes: Sequence[Span]) -> list[Draft]:
    """The chunks of a table. Each has the caption (shortened after the first), the names of its columns and its rows;
    short notes stand in each, long ones in the last. ``start`` to ``end`` are its own rows on their first page.
    """
    grid = Grid(table)
    caption = "" if table.caption is None else paper.text[table.caption.start : table.caption.end]
    said = "\n".join(paper.text[note.start : note.end] for note in notes)
    columns = range(grid.columns)
    lines = [grid.line(row, columns, first=False) for row in grid.body()]
    whole = "\n".join(filter(None, (caption, grid.head_line(columns), *lines, said)))
    fixed = [span for span in (table.caption, *notes) if span is not None]
    if len(whole) <= WHOLE or not lines:
        later = [place for place in extent(table.cells) if place[0] >= table.end]
        ranges = [(table.start, table.end), *later]
        spans = _spans(ranges, fixed)
        about = describe_table(grid, table.label, rows=True)
        return [Draft(ChunkKind.TABLE, *ranges[0], whole, table.label, spans=spans, description=about, whole=whole)]
    about = describe_table(grid, table.label, rows=False)
    fixed += [Span(*head) for head in extent(cell for row in grid.cells[: grid.head] for cell in row)]
    short = _shortened(caption)
    found = list(groups(paper.text, grid, _GROUP - len(short) - min(len(said), _NOTES)))
    drafts: list[Draft] = []
    for number, group in enumerate(found):
        below = said if len(said) <= _NOTES or number == len(found) - 1 else ""
        text = "\n".join(filter(None, (short if number else caption, group.head, *group.lines, below)))
        first, last = (row - grid.head + 1 for row in group.rows)
        part = f"Rows {first} to {last} of {len(lines)}."
        spans, place = _spans(group.ranges, fixed), group.ranges[0]
        drafts.append(Draft(ChunkKind.TABLE, *place, text, table.label, group.rows, spans, about, part, whole))
    return drafts


def table_notes(paper: Paper, table: Table) -> list[Span]:
    """The footnotes of a table: those that follow it, in a PDF those close under it on its page."""
    after = bisect_right(paper.blocks, table.start, key=lambda block: block.start)
    notes: list[Span] = []
    bottom = None if table.bbox is None else table.bbox.y1
    for block in islice(paper.blocks, after, after + _MOST_NOTES):
        far = block.page != table.page or (bottom is not None and block.bbox and block.bbox.y0 - bottom > _NEAR)
        if block.kind is not BlockKind.FOOTNOTE or far:
            break
        notes.append(Span(block.start, block.end))
        bottom = None if block.bbox is None else block.bbox.y1
    return notes


def _spans(ranges: Iterable[tuple[int, int]], fixed: Iterable[Span]) -> tuple[Span, ...]:
    return tuple(sorted({*(Span(*each) for each in ranges), *fixed}, key=lambda span: (span.start, span.end)))


def _shortened(caption: str) -> str:
    """The first sentences of a caption; the label before the first full stop ("Table 1.") is none."""
    if len(caption) <= _CAPTION:
        return caption
    ends = [at for at in sentence_breaks(caption, 0, len(caption)) if _CAPTION / 4 < at <= _CAPTION]
    return caption[: ends[-1] if ends else cut_point(caption, 0, _CAPTION)].strip()
