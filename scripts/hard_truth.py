"""Read the truth of the long papers in ``tasks/shared``: the cells of their tables, as printed and as numbers."""

import argparse
import re
import sys
import tomllib
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import orjson

TASKS = Path(__file__).resolve().parent.parent / "tasks"
SHARED = TASKS / "shared"
MARKS = re.compile(r"_\{([^}]*)\}|\*([^*]+)\*|<([A-Z(][^<>]*)>")
NOTE = re.compile(r"\^\{[^}]*\}$")
"""The mark of a note behind a cell's value."""
MOST_PAGES = 60


def plain(text: str) -> str:
    """A cell without marks of typesetting and of notes."""
    text = NOTE.sub("", text)
    return MARKS.sub(lambda found: found[1] or found[2] or found[3], text).replace("\u2212", "-").strip()


def number(text: str) -> Decimal | None:
    """The number that the whole of a cell is, None for another one."""
    try:
        return Decimal(plain(text).replace(",", ""))
    except InvalidOperation:
        return None


def mean_of(cell: str) -> str:
    """What stands before the ± of a cell; all of a cell without one."""
    return cell.partition("±")[0].strip()


def deviation_of(cell: str) -> str:
    """What stands behind the ± of a cell; nothing where it has none."""
    return cell.partition("±")[2].strip()


class Truth:
    """The truth of one paper."""

    def __init__(self, name: str, folder: Path = SHARED / "truth") -> None:
        self.name = name
        self.data: dict[str, Any] = orjson.loads((folder / f"{name}.json").read_bytes())
        self.facts: dict[str, str] = self.data["facts"]
        self.tables: dict[str, dict[str, Any]] = {table["id"]: table for table in self.data["tables"]}
        self.figures: dict[str, dict[str, Any]] = {figure["id"]: figure for figure in self.data["figures"]}

    def keys(self, table: str) -> list[str]:
        """The first cells of a table's rows."""
        return [plain(row[0]) for row in self._table(table)["rows"]]

    def row(self, table: str, key: str) -> list[str]:
        """The row of a table that begins with ``key``; KeyError where there is none."""
        for row in self._table(table)["rows"]:
            if plain(row[0]) == key:
                return row
        raise KeyError(f"{self.name}: {table} has no row {key}; there are {', '.join(self.keys(table))}")

    def column(self, table: str, column: str) -> int:
        """The index of a column by its full name, or by ``#index``."""
        if column.startswith("#"):
            return int(column[1:])
        names = [each["name"] for each in self._table(table)["columns"]]
        if names.count(column) != 1:
            raise KeyError(f"{self.name}: {table} has {names.count(column)} columns {column}: {', '.join(names)}")
        return names.index(column)

    def cell(self, table: str, key: str, column: str) -> str:
        """A cell without marks; for ``column`` ``=KEY`` asks a turned table: its row KEY, its column ``key``."""
        if column.startswith("="):
            heads = [plain(each["head"]) for each in self._table(table)["columns"]]
            return plain(self.row(table, column[1:])[heads.index(key)])
        return plain(self.row(table, key)[self.column(table, column)])

    def quote(self, table: str, key: str, column: str) -> str:
        """The row that holds a cell, as the paper prints it."""
        cells = self.row(table, column[1:] if column.startswith("=") else key)
        shown = [re.sub(r"\^\{([^}]*)\}", r"^\1", MARKS.sub(lambda m: m[1] or m[2] or m[3], each)) for each in cells]
        return "\t".join(each for each in shown if each)

    def translated(self, table: str, key: str) -> str:
        """The first cell of the row whose second is ``key``: the code that a table of codes gives it."""
        for row in self._table(table)["rows"]:
            if plain(row[1]) == key:
                return plain(row[0])
        raise KeyError(f"{self.name}: {table} translates no {key}")

    def value(self, table: str, key: str, column: str) -> float:
        """A cell as a number: the mean, where a deviation stands behind it."""
        found = number(mean_of(self.cell(table, key, column)))
        if found is None:
            raise KeyError(f"{self.name}: {table}, {key}, {column} is not a number: {self.cell(table, key, column)}")
        return float(found)

    def _table(self, name: str) -> dict[str, Any]:
        if name not in self.tables:
            raise KeyError(f"{self.name}: there is no table {name}; there are {', '.join(self.tables)}")
        return self.tables[name]


def told_tasks(family: Path) -> list[dict[str, Any]]:
    """What the sources of a family's hard tasks tell: ``hard.toml``, then ``hard-PAPER.toml`` by name."""
    folder = family / "sources"
    paths = [folder / "hard.toml", *sorted(folder.glob("hard-*.toml"))]
    return [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths]


def write_records(description: str, records: Callable[[], tuple[bytes, list[str]]], out: Path) -> None:
    """A script's work: write the file that ``records`` makes, to ``out`` or --out; exit 1 with the faults it found."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, default=out)
    out = parser.parse_args().out
    content, faults = records()
    if faults:
        sys.exit("\n".join(faults))
    out.write_bytes(content)
    print(f"{len(content.splitlines())} tasks")
