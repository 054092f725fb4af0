"""Find the tables of a page."""

from collections.abc import Sequence
from dataclasses import replace

from pincite_papers.pdf.captions import CaptionDraft, CaptionKind
from pincite_papers.pdf.elements import PageLayout
from pincite_papers.pdf.layout.turned import TurnedPage, turned_page
from pincite_papers.pdf.tables.doubts import find_doubts, has_wide_space
from pincite_papers.pdf.tables.draft import TableDraft
from pincite_papers.pdf.tables.lattice import read_lattice, rules_part_rows
from pincite_papers.pdf.tables.notes import find_notes, without_notes
from pincite_papers.pdf.tables.region import Region, inner_frame
from pincite_papers.pdf.tables.regions import Regions
from pincite_papers.pdf.tables.stream import read_stream
from pincite_papers.pdf.tables.textrows import lines_in
from pincite_papers.pdf.tables.unruled import find_unruled

_LEAST_RULES = 2
"""Count of level rules on a page without a table's caption; one with fewer is not searched. Lowered from 3 with the
reading of tables that a page breaks."""
_LONG = 8.0
"""Points: a level rule must be longer to count for ``_LEAST_RULES``. Lowered from 100 with the first tests of tables;
the same as ``rulings._SHORTEST``."""
_FILLED = 0.5
"""The share of its places, rows by columns: what has no caption and fewer cells than this is not a table. Set by
judgement."""
_OPEN = 0.5
"""The share of rows with a wide space in a cell over several columns, from which on the rules between columns are not
those of every row. Set by judgement."""
_MOST_ROWS = 0.6
"""The share of the rows that the print shows which the rules must show at least. Set by judgement."""


def find_tables(page: PageLayout, captions: Sequence[CaptionDraft]) -> list[TableDraft]:
    """The tables of ``page`` from top to bottom; ``captions`` are those of the page.

    A table in landscape is read where its caption is in landscape too.
    """
    level = [index for index, caption in enumerate(captions) if not caption.turn]
    tables = [_rename(table, level) for table in _find_level(page, [captions[index] for index in level])]
    for turn in sorted({caption.turn for caption in captions if caption.turn}):
        own = [index for index, caption in enumerate(captions) if caption.turn == turn]
        view = turned_page(page, turn)
        shown = [replace(captions[index], bbox=view.show(captions[index].bbox)) for index in own]
        tables += [_restore(_rename(table, own), view, page) for table in _find_level(view.page, shown)]
    return sorted(tables, key=lambda table: (table.bbox.y0, table.bbox.x0))


def _rename(table: TableDraft, captions: Sequence[int]) -> TableDraft:
    """The table with the index of its caption among all captions of the page."""
    return table if table.caption is None else replace(table, caption=captions[table.caption])


def _restore(table: TableDraft, view: TurnedPage, page: PageLayout) -> TableDraft:
    """A table of a turned view with its boxes and words on the page."""
    words = {id(word.glyphs): word for line in page.lines for word in line.words}
    cells = tuple(
        replace(
            cell,
            bbox=view.restore(cell.bbox),
            lines=tuple(tuple(words[id(word.glyphs)] for word in line) for line in cell.lines),
        )
        for cell in table.cells
    )
    return replace(table, bbox=view.restore(table.bbox), cells=cells)


def _find_level(page: PageLayout, captions: Sequence[CaptionDraft]) -> list[TableDraft]:
    named = any(caption.kind is CaptionKind.TABLE for caption in captions)
    if not named and sum(rule.horizontal and rule.x1 - rule.x0 > _LONG for rule in page.rules) < _LEAST_RULES:
        return []
    search = Regions(page, captions)
    regions = search.captioned()
    ruled = {region.caption for region in regions}
    for index, caption in enumerate(captions):
        if caption.kind is CaptionKind.TABLE and index not in ruled:
            unruled = find_unruled(page, captions, index)
            regions += [unruled] if unruled is not None else []
    read = [(region, read_region(page, region)) for region in regions]
    read += [(region, _clear(read_region(page, region))) for region in search.uncaptioned()]
    found = [(region, table) for region, table in read if table is not None]
    taken = {line for caption in captions for line in caption.lines}
    taken |= {line for _, table in found for line in table.lines}
    return [
        replace(
            table,
            notes=find_notes(page, table, captions, taken),
            doubts=find_doubts(page, table, region, captions, taken),
        )
        for region, table in found
    ]


def read_region(page: PageLayout, region: Region) -> TableDraft | None:
    """The table in a region: by its grid where rules close the cells, else by its columns and lines."""
    words = [word for index in lines_in(page, region.box) for word in page.lines[index].words]
    region = inner_frame(region, [((word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2) for word in words])
    region = without_notes(page, region)
    lattice = read_lattice(page, region) if len(region.upright) > 1 else None
    stream = read_stream(page, region)
    if lattice is None or stream is None:
        return lattice or stream
    open_cells = [cell for cell in lattice.cells if cell.column_span > 1 and has_wide_space(cell)]
    closed = sum(cell.row_span for cell in open_cells) <= _OPEN * lattice.rows
    whole = lattice.rows >= _MOST_ROWS * stream.rows or rules_part_rows(lattice)
    return lattice if closed and whole else stream


def _clear(table: TableDraft | None) -> TableDraft | None:
    """A table without a caption only where most of its cells, and at least two of its first row, are filled."""
    if table is None or len(table.cells) < _FILLED * table.rows * table.columns:
        return None
    return table if sum(cell.row == 0 for cell in table.cells) > 1 else None
