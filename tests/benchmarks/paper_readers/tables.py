"""Answer a query of table_construction by rules: each column from the table whose words are most like its own."""

import csv
import io
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from paper_readers.pages import Grid, Reader, deviation_of, mean_of, rarity, words_of
from pincite_core.errors import PinciteError
from pincite_materials.units import convert
from pincite_scoring.table_construction.formulas import compute

_COLUMN = re.compile(r"`([^`]+)`: ([^;]*?)(?:;|\. Leave empty)")
_FORMULA = re.compile(r"computed as (.+), to (\d+) decimals?")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_AMOUNT = r"(\d+(?:\.\d+)?)"
_UNIT = re.compile(r"\(([^()]+)\)\s*$")
_LIST = re.compile(r"([a-z-]+ \d+ K)(?:,|\.| and)")
_STATE = re.compile(r"in each state: ([^.]+)\.")


@dataclass(frozen=True)
class Wanted:
    """A column of the query: its name and what is said of it."""

    name: str
    said: str


def wanted_of(query: str) -> list[Wanted]:
    """The columns that a query asks for."""
    return [Wanted(*found) for found in _COLUMN.findall(query)]


def answer(query: str, reader: Reader) -> str:
    """The table as CSV; empty where the reader has nothing to say."""
    key, *columns = wanted_of(query)
    listed = _STATE.search(query)
    states = [part.strip() for part in re.split(r",| and ", listed[1])] if listed else []
    if states:
        columns = columns[1:]
    rows = row_keys(reader, key.name, query)
    out: list[list[str]] = []
    for state in states or [""]:
        chosen = {column.name: choose(reader, rows, column, state) for column in columns}
        out += [fill(reader, row, state, columns, chosen) for row in rows]
    if not out:
        return ""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow([key.name, *(["State"] if states else []), *(column.name for column in columns)])
    writer.writerows(out)
    return made.getvalue()


def row_keys(reader: Reader, key: str, query: str) -> list[str]:
    """The first cells of the largest table whose first head is the key; only rows that have a word that the query
    asks for with "such"."""
    tables = [table for table in reader.tables if table.heads[0].lower() == key.lower()]
    if not tables:
        return list(dict.fromkeys(row[1] for table in codes(reader, key) for row in table.rows))
    table = max(tables, key=lambda each: len(each.rows))
    if " such " not in query:
        return [row[0] for row in table.rows]
    last = {row[-1] for row in table.rows}
    asked = last & set(query.partition("?")[0].replace(",", " ").split())
    return [row[0] for row in table.rows if row[-1] in asked]


def codes(reader: Reader, key: str) -> list[Grid]:
    """Tables of two columns that translate other codes into keys."""
    return [table for table in reader.tables if len(table.heads) == 2 and table.heads[1].lower() == key.lower()]


def translations(reader: Reader, key: str) -> list[Grid]:
    """Tables of two columns whose second holds a key."""
    return [table for table in reader.tables if len(table.heads) == 2 and any(row[1] == key for row in table.rows)]


def has_rows(reader: Reader, table: Grid, rows: list[str]) -> bool:
    """Whether a table has one of the rows, by its code or as a column where it has not."""
    names = {row[0] for row in table.rows} | set(table.heads)
    translated = {row[0] for other in reader.tables if len(other.heads) == 2 for row in other.rows if row[1] in rows}
    return bool(names & {*rows, *translated})


def choose(reader: Reader, rows: list[str], column: Wanted, state: str) -> tuple[Grid, int] | None:
    """The table and column that have most of a wanted column's words, of the tables that have its rows."""
    rare = rarity(reader)
    asked = words_of(f"{column.name} {column.said} {state}")
    coded = [table for table in reader.tables if len(table.heads) == 2 and has_rows(reader, table, rows)]
    if coded and "code" in asked:
        return coded[0], 0
    best: tuple[float, Grid, int] | None = None
    for table in reader.tables:
        if not has_rows(reader, table, rows):
            continue
        around = words_of(table.caption)
        for index in range(1, len(table.heads)):
            mine = table.column_words(index)
            head = sum(1 + rare.get(word, 0) for word in asked & mine) / (1 + len(mine - asked) / 4)
            if not asked & mine:
                continue
            score = 2 * head + sum(0.5 + rare.get(word, 0) for word in asked & around)
            if best is None or score > best[0]:
                best = (score, table, index)
    return (best[1], best[2]) if best is not None and best[0] >= LEAST_LIKE else None


LEAST_LIKE = 4.0
"""Likeness of a wanted column and a printed one below which a reader says that no paper gives it."""


def fill(
    reader: Reader, key: str, state: str, columns: list[Wanted], chosen: dict[str, tuple[Grid, int] | None]
) -> list[str]:
    """A row of the answer."""
    values: dict[str, str] = {}
    for column in columns:
        formula = _FORMULA.fullmatch(column.said)
        if formula is not None:
            values[column.name] = computed(formula[1], int(formula[2]), values)
        else:
            found = chosen[column.name]
            values[column.name] = "" if found is None else taken(reader, key, column, state, *found)
    return [key, *([state] if state else []), *values.values()]


def computed(formula: str, places: int, values: dict[str, str]) -> str:
    """A computed cell; empty where a part is missing."""
    try:
        exact: Fraction | None = compute(formula.replace("«", "{").replace("»", "}"), values)
    except PinciteError:
        return ""
    return "" if exact is None else f"{Decimal(exact.numerator) / Decimal(exact.denominator):.{places}f}"


def taken(reader: Reader, key: str, column: Wanted, state: str, table: Grid, index: int) -> str:
    """A cell, by the code of its row where the table has another, as corrected, in the unit that is asked for."""
    if key in table.heads:
        own = words_of(column.name)
        return next((each[table.heads.index(key)] for each in table.rows if each[0] in own), "")
    row = table.find(key)
    for other in translations(reader, key) if row is None else []:
        code = next((each[0] for each in other.rows if each[1] == key), "")
        row = table.find(code) if table is not other else None
        if table is other:
            return code
        if row is not None:
            break
    if row is None:
        return ""
    if "deviation" in column.said:
        return deviation_of(row[index])
    cell = corrected(reader, (key, row[0]), table, index, row[index])
    return in_unit(cell, _UNIT.search(table.heads[index]), _UNIT.search(column.name))


def corrected(reader: Reader, keys: tuple[str, ...], table: Grid, index: int, cell: str) -> str:
    """What a correction that names the table and one of the row's names gives for a cell; else the cell's mean."""
    mine = table.column_words(index)
    for text in reader.corrections:
        if f"{table.label} " not in text:
            continue
        for key in keys:
            name = re.escape(key)
            ways = (rf"the ([^.]*?)\b{name}\b[^.]*? is {_AMOUNT}", rf"\bfor {name} the ([^.]*?) is {_AMOUNT}")
            for said in filter(None, (re.search(way, text) for way in ways)):
                if len(words_of(said[1]) & mine) >= min(2, len(mine)):
                    return said[2]
    return mean_of(cell)


def in_unit(cell: str, printed: re.Match[str] | None, asked: re.Match[str] | None) -> str:
    """A number in the unit that is asked for, where both are known."""
    if printed is None or asked is None or not _NUMBER.fullmatch(cell) or printed[1] == asked[1]:
        return cell
    value = convert(float(cell), printed[1], asked[1])
    return cell if value is None else f"{value:.10g}"
