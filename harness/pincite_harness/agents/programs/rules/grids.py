"""Records from tables: a property in the header of a column or a row, a material in the other."""

import re
from dataclasses import dataclass

from .context import Materials, conditions_of
from .lexicon import Property, find_mentions, from_header
from .quantities import parse_cell
from .reading import Cell, Table
from .records import Record, make_record

_UNIT = re.compile(r"(?<=\s)\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*(?P<rest>.*)$", re.DOTALL)
_CONDITION = re.compile(r"(?<![\w.])((?:−|-)?\d+(?:\.\d+)? ?(?:K|°C|GPa|T|kHz|MHz|[μµ]m))(?!\w)")
_KINDS = {"K": "temperature", "°C": "temperature", "GPa": "pressure", "T": "field"}
_DEFINITIONS = {"onset": "onset", "midpoint": "midpoint", "zero": "zero resistance"}


@dataclass(frozen=True)
class Header:
    """A header cell taken apart: what it names, its unit ("" without one) and a condition ("" without one)."""

    label: str
    unit: str
    condition: str


def records_of_table(table: Table, materials: Materials) -> list[Record]:
    """The records of a table, its properties in columns or in rows."""
    grid = _Grid(table)
    columns = {column: _split(grid.header(column)) for column in range(1, table.columns)}
    rows = {row: _split(grid.text(row, 0)) for row in range(grid.first_row, table.rows)}
    records: list[Record] = []
    for cell in table.cells:
        value = parse_cell(cell.text)
        if value is None or cell.row < grid.first_row or cell.column == 0 or cell.row not in table.lines:
            continue
        record = _of_cell(grid, cell, value, columns[cell.column], rows[cell.row], materials)
        if record is not None:
            records.append(record)
    return records


class _Grid:
    """A table by row and column, spanned cells repeated; ``first_row`` is the first one that is not a header."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._texts: dict[tuple[int, int], str] = {}
        for cell in table.cells:
            for row in range(cell.row, cell.row + cell.row_span):
                for column in range(cell.column, cell.column + cell.column_span):
                    self._texts[row, column] = cell.text
        numeric = [c.row for c in table.cells if c.column > 0 and parse_cell(c.text) is not None]
        self.first_row = max(1, min(numeric, default=table.rows))

    def text(self, row: int, column: int) -> str:
        return self._texts.get((row, column), "")

    def header(self, column: int) -> str:
        parts = [self.text(row, column) for row in range(self.first_row)]
        return "\n".join(dict.fromkeys(part for part in parts if part))


def _split(header: str) -> Header:
    match = _UNIT.search(header)
    label = header[: match.start()] if match else header
    unit = match[1].strip() if match else ""
    around = f"{label} {match['rest']}" if match else label
    condition = _CONDITION.search(around)
    if condition:
        label = label.replace(condition[0], "").strip()
    label = re.sub(r"\s+(?:at|in|along)?\s*$", "", " ".join(label.split()))
    return Header(label, unit, condition[1] if condition else "")


def _of_cell(grid: _Grid, cell: Cell, value: str, column: Header, row: Header, materials: Materials) -> Record | None:
    table = grid.table
    known, header, other = _property(column, row, table)
    if known is None:
        return None
    corner = _split(grid.header(0))
    material = materials.named(other.label)
    conditions = conditions_of(table.caption, 0)
    if material is None and (number := parse_cell(other.label)):
        material = materials.with_value(corner.label, number)
        if material is None and corner.unit:
            conditions |= _named_condition(f"{number} {corner.unit}")
    for condition in (header.condition, other.condition):
        if condition:
            conditions |= _named_condition(condition)
    return make_record(
        material=material or materials.main,
        name=_name(known, header),
        category=known.category,
        value=value,
        unit=header.unit or other.unit,
        conditions=conditions,
        location={
            "page": cell.page,
            "section": table.section,
            "figure_or_table": table.name if not table.name.startswith("#") else "",
            "source_type": "table",
            "evidence": table.lines[cell.row].strip(),
        },
    )


def _property(column: Header, row: Header, table: Table) -> tuple[Property | None, Header, Header]:
    """The property, the header that names it and the other one; a symbol may be explained in the caption."""
    for header, other in ((column, row), (row, column)):
        if found := from_header(header.label, header.unit) or _from_caption(header, table.caption):
            return found, header, other
    if column.label in ("Value", "value"):
        mentions = [m for m in find_mentions(f"{row.label} {table.caption}") if m.found.fits(column.unit)]
        if mentions:
            return mentions[0].found, column, Header("", "", row.condition)
    return None, column, row


def _from_caption(header: Header, caption: str) -> Property | None:
    """The fitting property that the caption names right before the header's symbol."""
    if not header.label:
        return None
    symbol = re.search(rf"(?<![\w]){re.escape(header.label)}(?![\w])", caption)
    if symbol is None:
        return None
    before = [m for m in find_mentions(caption) if m.end <= symbol.start() <= m.end + 30]
    return next((m.found for m in reversed(before) if m.found.fits(header.unit)), None)


def _named_condition(text: str) -> dict[str, str]:
    unit = text.rsplit(" ", 1)[-1]
    kind = _KINDS.get(unit, "frequency" if unit.endswith(("Hz", "m")) else "other_conditions")
    return {kind: text}


def _name(known: Property, header: Header) -> str:
    words = header.label.casefold()
    definition = next((full for word, full in _DEFINITIONS.items() if word in words), None)
    return f"{known.name} ({definition})" if definition and known.unit == "temperature" else known.name
