"""Every number of the bundled gold of three families, rewritten as people write it or made wrong in one way.

The rewrites are arithmetic on the gold's text and know nothing of the scorers' rules.
"""

import copy
import csv
import io
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pincite_harness.curation.validation.gold_check import GoldCheck
from pincite_scoring import ScoringOptions, score
from pincite_scoring.record_filling.schema import schema_of
from pincite_tasks.family import Family, load_family
from pincite_tasks.task import Task

TASKS = Path(__file__).resolve().parents[2] / "tasks"
TOP = {"record_filling": ("overall",), "table_construction": ("cell_f1", "row_f1"), "precedent_search": ("values_all",)}
STRIDE = {"record_filling": 13, "table_construction": 7, "precedent_search": 1}
"""Every so many rewrites are scored, for time: all of them take a minute."""
AMOUNT = re.compile(r"(-?\d+(?:\.\d+)?) ?([^\d\s].*)?")
SMALLER = {"µg": ("ng", 1000), "mg": ("µg", 1000), "K": ("mK", 1000), "GPa": ("MPa", 1000), "nm": ("pm", 1000)}
SUBSCRIPTS = str.maketrans("0123456789.", "₀₁₂₃₄₅₆₇₈₉.")
Rewrite = tuple[str, Any, bool]
"""What was done, the answer, and whether it is still right."""


@pytest.mark.parametrize("name", sorted(TOP))
def test_rewritten_numbers_stay_right_and_changed_ones_do_not(name: str) -> None:
    family = load_family(TASKS / name)
    counts = {True: 0, False: 0}
    failing: list[str] = []
    with GoldCheck(family, [TASKS / name, TASKS / "shared"]) as papers:
        for task in family.tasks:
            for what, answer, right in islice(REWRITES[name](family, task), None, None, STRIDE[name]):
                metrics = score(family.settings.scorer, papers.case(task, answer), ScoringOptions()).metrics
                counts[right] += 1
                if all(metrics[each] == 1 for each in TOP[name]) is not right:
                    failing.append(f"{task.task_id}: {what}: {'denied' if right else 'credited'}")
    assert not failing, (len(failing), failing[:40])
    assert min(counts.values()) >= 40, counts


def written(number: str, unit: str) -> Iterator[tuple[str, str, bool]]:
    """Other forms of an amount, and other amounts; the unit is empty where it stands elsewhere."""
    value, tail = Decimal(number), f" {unit}" if unit else ""
    power = value.adjusted()
    yield "scientific", f"{value.scaleb(-power)} × 10^{power}{tail}", True
    yield "exponent", f"{value.scaleb(-power)}e{power}{tail}", True
    yield "trailing blank", f" {number}{tail} ", True
    if unit in SMALLER:
        smaller, factor = SMALLER[unit]
        yield "smaller unit", f"{(value * factor).normalize():f} {smaller}", True
        yield "unit alone changed", f"{number} {smaller}", False
    yield "ten times", f"{value * 10}{tail}", False
    yield "first digit", f"{value + Decimal(1).scaleb(power)}{tail}", False
    yield "sign", f"{-value}{tail}", False


def of_records(_family: Family, task: Task) -> Iterator[Rewrite]:
    gold: Any = task.gold
    labels = {field.name for field in schema_of(task.parameters).fields if field.kind == "label"}
    for row, record in enumerate(gold["objects"]):
        for field, value in record.items():
            if field in labels:
                continue
            found = AMOUNT.fullmatch(value) if isinstance(value, str) else None
            if found is None or not found[2] or "10^" in found[2]:
                continue
            ways = list(written(found[1], found[2]))
            if field == "dose" and record.get("adjuvant") and found[2] in ("µg", "mg"):
                ways += [("of another", f"{value} of ovalbumin", False), ("per mass", f"{value}/kg", False)]
            for what, text, right in ways:
                answer = copy.deepcopy(gold)
                answer["objects"][row][field] = text
                yield f"{row} {field}: {text!r} ({what})", answer, right


def of_tables(_family: Family, task: Task) -> Iterator[Rewrite]:
    gold: Any = task.gold
    for row, cells in enumerate(gold["rows"]):
        for key in gold["keys"]:
            yield f"{row} {key}: blanks", _csv(gold, row, key, f"  {cells[key]} "), True
            yield f"{row} {key}: of another", _csv(gold, row, key, "Zymurgy 4711"), False
        for column in gold.get("numeric", []):
            bare = cells[column].replace(",", "")
            if column in gold["keys"] or not re.fullmatch(r"-?\d+(\.\d+)?", bare) or re.fullmatch("20[0-9][0-9]", bare):
                continue
            value = Decimal(bare)
            ways = [("separators", f"{value:,}", True), ("a zero more", f"{bare}{'0' if '.' in bare else '.0'}", True)]
            if value:
                ways += [("ten times", f"{value * 10}", False), ("sign", f"{-value}", False)]
            ways += [("about", f"about {bare}", True), ("weight", f"{bare} kg", False)]
            if "%" in column:
                ways += [("percent", f"{bare}%", True), ("in words", f"{bare} per cent", True)]
            if "(CNY)" in column:
                ways += [("yuan", f"{value:,} yuan", True), ("RMB", f"RMB {bare}", True), ("USD", f"USD {bare}", False)]
                ways += [("million", f"{value / 10**6} million", True), ("thousands", f"{bare} thousand", False)]
            for what, text, right in ways:
                yield f"{row} {column}: {text!r} ({what})", _csv(gold, row, column, text), right


def _csv(gold: dict[str, Any], row: int, column: str, text: str) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(gold["columns"])
    for number, cells in enumerate(gold["rows"]):
        changed = {**cells, column: text} if number == row else cells
        values: list[Any] = [changed[name] for name in gold["columns"]]
        writer.writerow(_text(value) for value in values)
    return out.getvalue()


def _text(cell: str | list[str]) -> str:
    return cell if isinstance(cell, str) else "; ".join(cell)


def of_precedents(_family: Family, task: Task) -> Iterator[Rewrite]:
    gold: Any = task.gold
    for heading in ("measurements", "negative_measurements"):
        for row, measured in enumerate(gold[heading]):
            number = measured["value"].split("(")[0]
            ways: list[tuple[str, dict[str, str], bool]] = []
            for what, text, right in written(number, measured["unit"]):
                if right or heading == "measurements":
                    ways.append((what, {"value": text, "unit": ""}, right))
            formula = re.match(r"[A-Z][A-Za-z0-9.]*$", measured["material"])
            if formula is not None:
                ways.append(("subscripts", {"material": formula[0].translate(SUBSCRIPTS)}, True))
                ways.append(("crystal", {"material": f"single crystals of {formula[0]}"}, True))
            series = re.fullmatch(r"(\S+) with (x = [\d.]+)", measured["material"])
            if series is not None:
                ways.append(("x first", {"material": f"{series[2]} in {series[1]}"}, True))
                ways.append(("another x", {"material": f"{series[1]} with {series[2]}1"}, False))
            for what, fields, right in ways:
                answer = copy.deepcopy(gold)
                answer[heading][row] |= fields
                yield f"{heading} {row}: {fields} ({what})", answer, right


REWRITES: dict[str, Callable[[Family, Task], Iterator[Rewrite]]] = {
    "record_filling": of_records,
    "table_construction": of_tables,
    "precedent_search": of_precedents,
}
