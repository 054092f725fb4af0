"""Merging: rows of many parts become rows of one table, by their keys; conflicts are kept with both sources."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .said import Conflict, Design, Row

BLANK = ""


@dataclass
class Merged:
    """A row of the table: values by column or input, with the part that each came from."""

    values: dict[str, str] = field(default_factory=dict[str, str])
    sources: dict[str, str] = field(default_factory=dict[str, str])


@dataclass
class Table:
    """The merged rows in the order in which they were first met, with what did not agree."""

    rows: list[Merged] = field(default_factory=list[Merged])
    conflicts: list[Conflict] = field(default_factory=list[Conflict])
    nameless: int = 0
    """Rows without a key: nothing says which row they belong to."""


def merge(found: Iterable[tuple[str, Row]], design: Design) -> Table:
    """Rows (with the part that each is from) merged where all keys that both have are the same and at least one is. A
    row that lacks a key and fits several rows is nameless, and so is one without any key."""
    table = Table()
    for source, row in found:
        values = {cell.column: cell.value.strip() for cell in row.cells if cell.value.strip()}
        home = _home(table.rows, values, design.keys)
        if home is None:
            table.nameless += 1
            continue
        if home not in table.rows:
            table.rows.append(home)
        _add(table, home, values, source, design.keys)
    return table


def same(first: str, second: str) -> bool:
    """Whether two cells say the same, but for case, spaces, widths of characters and thousands separators."""
    return _folded(first) == _folded(second)


def _home(rows: Sequence[Merged], values: dict[str, str], keys: Sequence[str]) -> Merged | None:
    own = [key for key in keys if key in values]
    if not own:
        return None
    fitting = [row for row in rows if _fits(row, values, own)]
    whole = [row for row in fitting if all(key in row.values for key in keys)]
    if len(own) == len(keys):
        exact = [row for row in whole if all(same(row.values[key], values[key]) for key in keys)]
        partial = [row for row in fitting if row not in whole]
        return (exact or (partial if len(partial) == 1 else []) or [Merged()])[0]
    if len(fitting) > 1:
        return None
    return fitting[0] if fitting else Merged()


def _fits(row: Merged, values: dict[str, str], keys: Sequence[str]) -> bool:
    """Whether at least one key is in both, and none differs."""
    both = [key for key in keys if key in row.values]
    return bool(both) and all(same(row.values[key], values[key]) for key in both)


def _add(table: Table, home: Merged, values: dict[str, str], source: str, keys: Sequence[str]) -> None:
    for name, value in values.items():
        known = home.values.get(name)
        if known is None:
            home.values[name], home.sources[name] = value, source
        elif not same(known, value):
            named = [home.values.get(key, BLANK) for key in keys]
            table.conflicts.append(
                Conflict(
                    row=named, column=name, kept=known, kept_from=home.sources[name], other=value, other_from=source
                )
            )


def _folded(text: str) -> str:
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    bare = plain.replace(",", "")
    return bare if bare.replace(".", "", 1).lstrip("-").isdigit() else plain
