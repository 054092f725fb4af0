"""Tables without a grid of rules: columns from gaps, rows from lines, spans from runs and from short rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pincite_papers.pdf.elements import PageLayout, Word
from pincite_papers.pdf.tables.cells import make_cell, with_header
from pincite_papers.pdf.tables.centred import centred_groups
from pincite_papers.pdf.tables.columns import Columns, find_columns, with_empty
from pincite_papers.pdf.tables.draft import CellDraft, TableDraft
from pincite_papers.pdf.tables.floating import settle_floating, span_rows
from pincite_papers.pdf.tables.grouping import fill, group_rows, one_row, stacks_numbers
from pincite_papers.pdf.tables.groups import span_groups
from pincite_papers.pdf.tables.header import Level, header_levels, split_head
from pincite_papers.pdf.tables.region import Region
from pincite_papers.pdf.tables.shading import band_edges
from pincite_papers.pdf.tables.textrows import TextRow, lines_in, text_rows

_MOST = 0.7
"""The share of stretches between rules that could be one row each, from which on rules part every row. Set by
judgement."""
_FEW_BANDS = 3
"""Count of such stretches under the head: with fewer, rules are not taken to part every row. Set by judgement."""
_MOST_COLUMNS = 80
"""Count of columns: what has more is not read. A bound on cost, added with that on rules (``regions._MOST_RULES``)."""
_MOST_HEADER_ROWS = 8
"""Count of lines over the first inner rule that may be the head; more are the body. Set by judgement."""


_BAND_ROOM = 1.1
"""How many times the step within shaded bands the step from one to the next is, where each band is one row of cells.
Set by judgement."""
_MOST_STACKED = 0.1
"""The share of shaded bands with a number under a number at most, where each band is one row. Set by judgement."""


@dataclass(slots=True)
class _Bands:
    """The text rows between whole rules, from top to bottom; the first ``header`` bands are the header.

    ``shaded``: some of them are parted by the edges of their grounds.
    """

    rows: list[list[TextRow]]
    header: int
    shaded: bool = False


def read_stream(page: PageLayout, region: Region) -> TableDraft | None:
    """The table in ``region``, None where the text there has not two columns and two rows."""
    lines = lines_in(page, region.box)
    rows = text_rows([page.lines[index] for index in lines])
    if len(rows) < 2:
        return None
    printed = rows
    rows, names = settle_floating(rows)
    edges = band_edges(page, region)
    bands = _bands(rows, region, edges)
    body = [row for band in bands.rows[bands.header :] for row in band]
    forced = [r.at for r in region.upright if r.length > 0.5 * (region.box.y1 - region.box.y0)]
    inner = [x for x in (*forced, *region.joints) if region.box.x0 + 4 < x < region.box.x1 - 4]
    columns = find_columns(body if len(body) > 1 else rows, inner)
    if columns.count > _MOST_COLUMNS or (columns.count < 2 and not _is_list(rows, region)):
        return None
    if bands.header and not inner:
        columns = with_empty(columns, bands.rows[0])
    if names and _is_centred(printed, columns, region):
        bands = _bands(printed, region, edges)
        names.clear()
    head, below = bands.rows[: bands.header], bands.rows[bands.header :]
    bands.rows = [split_head(band, columns, region.partial) for band in head]
    for band in below:
        bands.rows.append([columns.split(row) for row in band])
    cells = span_groups(span_rows(_cells(bands, columns, region), names), columns.count)
    if not cells:
        return None
    height = max(cell.row + cell.row_span for cell in cells)
    if height < 2:
        return None
    ruled = len(region.full) >= 2
    cells = cells if bands.header else with_header(cells)
    return TableDraft(region.caption, region.box, ruled, height, columns.count, tuple(cells), tuple(lines))


def _is_list(rows: Sequence[TextRow], region: Region) -> bool:
    """Whether text in one column is a table: it has a caption, and rules at both ends and under its head."""
    whole = region.full
    framed = len(whole) > 2 and whole[0] < rows[0].baseline and whole[-1] > rows[-1].baseline
    return region.caption is not None and framed


def _is_centred(rows: list[TextRow], columns: Columns, region: Region) -> bool:
    """Whether the cells below the head are set to half the height of their rows."""
    bands = _bands(rows, region, ())
    for printed in filter(None, bands.rows[bands.header :]):
        band = [columns.split(row) for row in printed]
        if centred_groups(band, [fill(row, columns) for row in band]) is not None:
            return True
    return False


def _bands(rows: list[TextRow], region: Region, edges: Sequence[float]) -> _Bands:
    """Rows parted at the whole rules and, below the head, at the ``edges`` of shaded bands.

    What stands above the first inner rule is the header if it is the lesser part.
    """
    cuts = [height for height in region.full if rows[0].baseline < height < rows[-1].baseline]
    head = cuts[0] if cuts else 0.0
    shaded = [y for y in edges if head < y and rows[0].baseline < y < rows[-1].baseline]
    parted = _parted(rows, sorted([*cuts, *shaded]))
    header = 1 if cuts and len(parted) > 1 and len(parted[0]) <= min(_MOST_HEADER_ROWS, len(rows) - 1) else 0
    return _Bands(parted, header, bool(shaded))


def _parted(rows: Sequence[TextRow], cuts: Sequence[float]) -> list[list[TextRow]]:
    """The rows between cuts, which stand in order."""
    left = list(cuts)
    bands: list[list[TextRow]] = [[]]
    for row in rows:
        while left and row.baseline > left[0]:
            left.pop(0)
            if bands[-1]:
                bands.append([])
        bands[-1].append(row)
    return bands


def _cells(bands: _Bands, columns: Columns, region: Region) -> list[CellDraft]:
    cells: list[CellDraft] = []
    row = 0
    whole = _rules_part_rows(bands, columns)
    for number, band in enumerate(bands.rows):
        header = number < bands.header
        if header:
            levels = header_levels(band, columns, region.partial)
            cells += [_header_cell(level, row) for level in levels]
            row += max((level.row + level.row_span for level in levels), default=0)
            continue
        one = whole and (_is_even(band) if bands.shaded else one_row(band, columns))
        for group in [list(range(len(band)))] if one else group_rows(band, columns):
            cells += _row_cells([band[index] for index in group], columns, row)
            row += 1
    return cells


def _rules_part_rows(bands: _Bands, columns: Columns) -> bool:
    """Whether rules part every row of cells, so that the lines between two of them are one row."""
    body = bands.rows[bands.header :]
    if bands.shaded and len(body) > 1:
        return _is_row_a_band(body, columns)
    return len(body) >= _FEW_BANDS and sum(one_row(band, columns) for band in body) >= _MOST * len(body)


def _is_row_a_band(body: Sequence[Sequence[TextRow]], columns: Columns) -> bool:
    """Whether each shaded band is one row: the room at its edges is wider than inside, and no numbers are stacked."""
    inside = [lower.baseline - upper.baseline for band in body for upper, lower in pairwise(band)]
    across = [lower[0].baseline - upper[-1].baseline for upper, lower in pairwise(body)]
    if not inside or median(across) < _BAND_ROOM * median(inside):
        return False
    stacked = sum(stacks_numbers([fill(row, columns) for row in band]) for band in body)
    return stacked <= _MOST_STACKED * len(body)


def _is_even(band: Sequence[TextRow]) -> bool:
    """Whether no step between the lines of a band is clearly wider than the others, as between two rows."""
    steps = [lower.baseline - upper.baseline for upper, lower in pairwise(band)]
    return not steps or max(steps) < _BAND_ROOM * median(steps)


def _row_cells(rows: Sequence[TextRow], columns: Columns, index: int) -> list[CellDraft]:
    """The cells of one row: runs by the column that they start in; a run over several columns spans them."""
    lines: dict[int, list[list[Word]]] = {}
    last: dict[int, int] = {}
    for row in rows:
        here: dict[int, list[Word]] = {}
        for run, first, end in columns.place(row):
            here.setdefault(first, []).extend(run.words)
            last[first] = max(last.get(first, first), end)
        for column, words in here.items():
            lines.setdefault(column, []).append(words)
    cells: list[CellDraft] = []
    for column in sorted(lines):
        end = last[column]
        later = [other for other in lines if other > column]
        end = min(end, min(later) - 1) if later else end
        cells.append(make_cell(index, column, 1, end - column + 1, lines[column], header=False))
    return cells


def _header_cell(level: Level, row: int) -> CellDraft:
    return make_cell(row + level.row, level.column, level.row_span, level.column_span, level.lines, header=True)
