"""What the truth of a long paper is written with: samples, facts, tables, figures and the gold that follows from them.

Texts use the marks of ``long.typ``: ``_{low}``, ``^{high}``, ``*italic*`` and ``<formula>``.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Json = dict[str, Any]
MINUS = "\u2212"
_MARKS = (
    (re.compile(r"_\{([^}]*)\}"), r"_\1"),
    (re.compile(r"\^\{([^}]*)\}"), r"^\1"),
    (re.compile(r"\*([^*]+)\*"), r"\1"),
    (re.compile(r"<([^>]+)>"), r"\1"),
)


def plain(text: str) -> str:
    """A text without marks, as a reader of the paper would copy it."""
    for pattern, into in _MARKS:
        text = pattern.sub(into, text)
    return text


def shown(value: float, digits: int) -> str:
    """A number as a table prints it."""
    return f"{value:.{digits}f}".replace("-", MINUS)


def column(head: str, name: str = "", unit: str = "", **more: Any) -> Json:
    """A column: its printed head, the full name of what it holds, and the unit that the head gives."""
    return {"head": head, "name": name, "unit": unit, **more}


class Book:
    """The truth of one paper; ``as_json`` is what typst reads and what ``tasks/shared/truth`` keeps."""

    def __init__(self, name: str, title: str, field: str, seed: int) -> None:
        self.name, self.title, self.field = name, title, field
        self.random = random.Random(seed)  # noqa: S311  the same numbers at each build
        self.facts: dict[str, str] = {}
        self.samples: dict[str, Json] = {}
        self.tables: list[Json] = []
        self.figures: list[Json] = []
        self.traps: list[Json] = []
        self.property_tasks: list[Json] = []
        self.filling_tasks: list[Json] = []

    def near(self, value: float, spread: float, digits: int) -> str:
        """A value with a normal error of relative ``spread``, as printed."""
        return shown(value * (1 + self.random.gauss(0, spread)), digits)

    def table(
        self, key: str, caption: str, columns: Sequence[Json], rows: Sequence[Sequence[str]], **more: Any
    ) -> Json:
        """Add a table. ``kind`` says whose values it holds: own, literature, simulation, preparation or log."""
        appendix = more.pop("appendix", False)
        prefix = more.pop("prefix", "Table A" if appendix else "Table ")
        number = 1 + sum(1 for each in self.tables if each["prefix"] == prefix)
        table: Json = {
            "id": key, "prefix": prefix, "label": f"{prefix}{number}", "caption": caption, "kind": "own",
            "style": "booktabs", "columns": list(columns), "rows": [list(row) for row in rows], **more,
        }  # fmt: skip
        wrong = [row for row in table["rows"] if len(row) != len(table["columns"])]
        if wrong:
            raise ValueError(f"{self.name}, {key}: rows of another length: {wrong}")
        self.tables.append(table)
        return table

    def figure(self, key: str, caption: str, plot: Json, raster: bool = False) -> None:
        """Add a figure, drawn by ``figures.py`` from ``plot``."""
        number = f"Fig. {1 + len(self.figures)}"
        self.figures.append({"id": key, "label": number, "caption": caption, "raster": raster, "plot": plot})

    def trap(self, kind: str, where: str, right: str, wrong: str = "") -> None:
        """Say what a careless reader would take, and what is right."""
        self.traps.append({"kind": kind, "where": where, "right": right, "wrong": wrong})

    def of(self, key: str) -> Json:
        """A table by its key."""
        return next(table for table in self.tables if table["id"] == key)

    def row(self, key: str, first: str) -> list[str]:
        """The row of a table that begins with ``first``."""
        return next(row for row in self.of(key)["rows"] if plain(row[0]) == first)

    def records(
        self,
        key: str,
        heads: Sequence[str],
        material: Callable[[list[str]], Json | None],
        **shared: Any,
    ) -> list[Json]:
        """Gold records of a table: for each row for which ``material`` gives fields, one for each named column."""
        table = self.of(key)
        named = {each["name"]: index for index, each in enumerate(table["columns"])}
        found: list[Json] = []
        for row in table["rows"]:
            fields = material(row)
            if fields is None:
                continue
            for head in heads:
                cell = plain(row[named[head]])
                if cell in ("–", "", "n.d."):
                    continue
                found.append(self._record(table, row, named[head], cell, merged(shared, fields)))
        return found

    def _record(self, table: Json, row: list[str], index: int, cell: str, fields: Json) -> Json:
        spec = table["columns"][index]
        bound = cell[0] if cell[0] in "<>" else ""
        record: Json = {"property_name": spec["name"], "value_string": cell.lstrip("<> ")}
        if spec["unit"]:
            record["value_unit"] = spec["unit"]
        if bound:
            record["qualifier"] = bound
        place = {
            "figure_or_table": table["label"],
            "source_type": "table",
            "evidence": "\t".join(plain(each) for each in row if each),
        }
        return merged(record, merged({"location": place}, fields))

    def properties(self, task_id: str, scope: str, records: Sequence[Json], features: Sequence[str]) -> None:
        """Add a task of property_extraction."""
        self.property_tasks.append(
            {"task_id": task_id, "scope": scope, "records": list(records), "features": list(features)}
        )

    def objects(self, task_id: str, schema: str, objects: Sequence[Json], features: Sequence[str]) -> None:
        """Add a task of record_filling: objects of {field: (value, quote or None)}."""
        self.filling_tasks.append(
            {"task_id": task_id, "schema": schema, "objects": list(objects), "features": list(features)}
        )

    def as_json(self) -> Json:
        """All of it, in the order that the files keep."""
        return {
            "name": self.name, "title": self.title, "field": self.field, "facts": self.facts,
            "samples": self.samples, "tables": self.tables, "figures": self.figures, "traps": self.traps,
            "property_tasks": self.property_tasks, "filling_tasks": self.filling_tasks,
        }  # fmt: skip


def merged(shared: Mapping[str, Any], own: Mapping[str, Any]) -> Json:
    """``own`` over ``shared``, tables merged."""
    result = dict(shared)
    for key, value in own.items():
        below = result.get(key)
        result[key] = merged(below, value) if isinstance(value, dict) and isinstance(below, dict) else value
    return result
