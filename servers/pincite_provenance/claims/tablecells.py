"""A table as labels: what the row and the column of each cell are called, and the units that these give."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from pincite_materials.units import known
from pincite_materials.values import find_numbers
from pincite_papers.model import Cell, Paper, Table
from pincite_papers.passages import PerPaper
from pincite_provenance.claims.reading import clean

_BRACKETED = re.compile(r"[(\[]((?:[^()\[\]]|\([^()]*\))*)[)\]]")
_BEHIND = re.compile(r"(?:,\s|\s/\s?| in )\s*(?P<unit>[^,()]{1,30})$")
_FOOTNOTE = re.compile(r"(?<=[A-Za-z)\]])\s?\^\{?[a-z*†‡§,]{1,3}\}?(?=[\s(]|$)|[*†‡§]+(?=[\s(]|$)")
_BARE = re.compile(r"\(?(?:%|n|No\.?|SD|SE|SEM|±|95 ?% CI|CI|P|p)\)?")
"""A head that says only in what form the column before is given once more."""

_NOTE = 1200
"""Characters behind a table in which its notes are looked for."""


def _label(text: str) -> str:
    """A label in the spelling of ``clean``, without footnote marks (``Ea^a (kJ/mol)``)."""
    text = _FOOTNOTE.sub(" ", text)
    return _FOOTNOTE.sub(" ", clean(text)).replace("#", " number ").strip()


@dataclass(frozen=True)
class Grid:
    """The labels of a table: by row from the left, with the heading of its group before them; by column from above."""

    table: Table
    head: int
    labels: int
    rows: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    names: dict[int, dict[int, str]] = field(default_factory=dict[int, dict[int, str]])
    """The labels of each row by their columns."""
    columns: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    caption: str = ""
    notes: str = ""

    @property
    def row_headers(self) -> tuple[str, ...]:
        """What the columns of the rows' labels are called (``δ``, ``Sample``)."""
        found = (text for column in range(self.labels) for text in self.columns.get(column, ()))
        return tuple(dict.fromkeys(found))

    def values(self) -> Iterator[Cell]:
        """The cells that hold numbers."""
        for cell in self.table.cells:
            if cell.row >= self.head and cell.column >= self.labels and any(c.isdigit() for c in cell.text):
                yield cell


@dataclass(frozen=True, slots=True)
class Place:
    """A cell that a quote touches, its text spelled, in the grid of its table."""

    cell: Cell
    text: str
    grid: Grid

    @property
    def row(self) -> tuple[str, ...]:
        return self.grid.rows.get(self.cell.row, ())

    @property
    def column(self) -> tuple[str, ...]:
        return self.grid.columns.get(self.cell.column, ())

    def units(self) -> list[str]:
        """Units that the labels give for the cell's number, the column's first."""
        found = [unit for label in (*self.column, *self.row) for unit in units_of(label)]
        return list(dict.fromkeys(found))


def place_of(paper: Paper, table: Table, cell: Cell) -> Place:
    """The cell in the grid of its table."""
    return Place(cell, clean(cell.text), _grids.of(paper)(table))


class _Grids:
    """The grids of a paper's tables, each made when it is first asked for."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._made: dict[int, Grid] = {}

    def __call__(self, table: Table) -> Grid:
        if table.start not in self._made:
            self._made[table.start] = _grid(self._paper, table)
        return self._made[table.start]


_grids = PerPaper(_Grids)


def _grid(paper: Paper, table: Table) -> Grid:
    head = _head_rows(table)
    labels = _label_columns(table, head)
    rows: dict[int, list[str]] = {}
    columns: dict[int, list[str]] = {}
    names: dict[int, dict[int, str]] = {}
    for cell in table.cells:
        text = _label(cell.text)
        if not text:
            continue
        if cell.row < head:
            for column in range(cell.column, cell.column + cell.column_span):
                columns.setdefault(column, []).append(text)
        elif cell.column < labels or (sum(c.isalpha() for c in text) > 2 and not _is_value(text)):
            for row in range(cell.row, cell.row + cell.row_span):
                rows.setdefault(row, []).append(text)
                names.setdefault(row, {})[cell.column] = text
    for column in range(labels + 1, table.columns):
        bare = columns.get(column, [])
        if bare and all(_BARE.fullmatch(text) for text in bare[-1:]) and not bare[:-1]:
            columns[column] = [*columns.get(column - 1, []), *bare]
    for row, group in _groups(table, head).items():
        rows[row] = [group, *rows.get(row, [])]
    caption = clean(paper.text[table.caption.start : table.caption.end]) if table.caption else ""
    notes = clean(paper.text[table.end : table.end + _NOTE].split("\n\n\n")[0])
    return Grid(
        table,
        head,
        labels,
        {row: tuple(dict.fromkeys(texts)) for row, texts in rows.items()},
        names,
        {column: tuple(dict.fromkeys(texts)) for column, texts in columns.items()},
        caption,
        notes,
    )


def without_units(label: str) -> str:
    """A label without the units it has in brackets."""
    return _BRACKETED.sub(lambda group: " " if _is_unit(group[1].strip().lstrip("×x ")) else group[0], label).strip()


def units_of(label: str) -> Iterator[str]:
    """The units that a label gives in brackets, or behind a comma, a slash or "in", its power of ten included."""
    for inner in _BRACKETED.findall(label):
        for piece in (inner, *inner.split(",")):
            unit = piece.strip().lstrip("×x ").strip()
            if unit and _is_unit(unit):
                yield unit
    behind = _BEHIND.search(re.sub(r"\s*\([^()]*\)\s*$", "", label))
    if behind is not None and _is_unit(behind["unit"].strip()):
        yield behind["unit"].strip()
    if re.search(r"(?:^|[\s(,])%|[A-Za-z]%$", label):
        yield "%"


@lru_cache(maxsize=4096)
def _is_unit(text: str) -> bool:
    return bool(text) and not text.replace(".", "").isdigit() and known(text)


def _head_rows(table: Table) -> int:
    """Rows of the head, from the top: those marked so, else the first one."""
    rows = 0
    at = 0
    while at < table.rows:
        filled = [c for c in table.cells if c.row == at and c.text.strip()]
        if filled and not (any(c.header for c in filled) and all(c.header or c.column == 0 for c in filled)):
            break
        at += 1
        rows = at if filled else rows
    return _more_heads(table, rows or 1)


def _more_heads(table: Table, rows: int) -> int:
    """Rows of the head with those below that are not values either (``r value``, ``p value``) and not marked so."""
    for at in range(rows, min(rows + 3, table.rows - 1)):
        filled = [c for c in table.cells if c.row == at and c.text.strip()]
        named = [c.text.strip() for c in filled if c.column]
        if filled and (len(named) < max(2, table.columns // 2) or len(set(named)) < 2 or any(map(_is_value, named))):
            break
        rows = at + 1 if filled else rows
    return rows


def _label_columns(table: Table, head: int) -> int:
    """Columns at the left that name rows: the first, and those behind it without a number."""
    columns = 1
    while columns < table.columns - 1:
        cells = [c.text for c in table.cells if c.column == columns and c.row >= head and c.text.strip()]
        if not cells or 2 * sum(_is_value(text) for text in cells) >= len(cells):
            break
        columns += 1
    return columns


@lru_cache(maxsize=4096)
def _is_value(text: str) -> bool:
    """Whether a cell holds a number with its unit and marks, rather than a name with a number in it."""
    text = clean(text)
    if re.match(r"[A-Za-z]{2,}[@-]\d+$", text):
        return False
    letters, digits = sum(c.isalpha() for c in text), sum(c.isdigit() for c in text)
    return bool(find_numbers(text)) and letters <= digits + 4


def _groups(table: Table, head: int) -> dict[int, str]:
    """The heading above each row: the nearest row that has one cell only, or one text in all its cells."""
    by_row: dict[int, list[Cell]] = {}
    for cell in table.cells:
        if cell.row >= head and cell.text.strip():
            by_row.setdefault(cell.row, []).append(cell)
    found: dict[int, str] = {}
    heading = ""
    for row in range(head, table.rows):
        filled = by_row.get(row, [])
        texts = {" ".join(cell.text.split()) for cell in filled}
        alone = len(filled) == 1 and filled[0].column == 0 and table.columns > 2
        if len(texts) == 1 and (alone or len(filled) > 2) and not find_numbers(next(iter(texts))):
            heading = _label(filled[0].text)
        elif heading:
            found[row] = heading
    return found
