"""Each cell, row and column of each bundled gold table changed in one way: the score moves as the definition says."""

import csv
import io
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from pincite_scoring import Score
from pincite_scoring.table_construction.scorer import SCORER

TASKS = [
    "citations_long_documents", "debt_three_companies_zh", "financing_three_makers", "growth_chenghu",
    "growth_harbour_lantern", "owners_three_companies_zh", "per_share_three_makers", "perplexity_ledgertext",
    "perplexity_ledgertext_online",
    "profit_chenghu", "profit_three_makers", "sales_three_companies_zh", "sentences_lanzhou_cases",
    "statutes_lanzhou_cases",
]  # fmt: skip
LEAST = {"cells": 450, "rows": 100, "columns": 100}
Marker = Callable[..., Score]
Rows = list[dict[str, str]]


def rows_of(gold: dict[str, Any]) -> Rows:
    return list(csv.DictReader(io.StringIO(SCORER.ideal(gold))))


def to_text(columns: list[str], rows: Rows) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def near(score: Score, **wanted: Fraction | int) -> None:
    assert score.status == "scored", score.reason
    far = {name: score.metrics[name] for name, value in wanted.items() if not _same(score.metrics[name], value)}
    assert far == {}, wanted


def _same(found: float | None, wanted: Fraction | int) -> bool:
    """As pytest.approx, which takes longer than the scorer."""
    return found is not None and abs(found - float(wanted)) <= 1e-12


def other_number(text: str) -> str:
    """A number that is one part in a thousand and a bit away."""
    value = Decimal(text.replace(",", ""))
    return f"{value + abs(value) / 1000 + Decimal('0.02'):f}"


def respelled(column: str, text: str) -> list[str]:
    """Other ways to write a number of a column."""
    value = Decimal(text.replace(",", ""))
    if column.endswith("(%)"):
        return [f"{text}%", f"({abs(value)})%" if value < 0 else f" {text} %"]
    if column in {"Reporting Period", "报表所属期"}:
        return [f"{text}年", f"FY{text}"]
    if column.endswith(("(CNY)", "(元)")) and abs(value) > 1000:
        return [f"{value:,f}", f"{value / 10**8:f}亿元", f"RMB {value / 10**6:f} million"]
    return [f"{value:,f}", f"{value}0" if "." in text else f"{value}.0"]


def changes(gold: dict[str, Any], column: str, cell: Any) -> Iterator[tuple[str, Fraction]]:
    """Changed cells, and what each is worth by the definitions."""
    text = cell if isinstance(cell, str) else ""
    if isinstance(cell, list):
        items = cast("list[str]", cell)
        yield "", Fraction(0)
        yield str(items[1:]), Fraction(4, 5) * Fraction(len(items) - 1, len(items))
        yield "; ".join([*items, "《某法》第999条"]), Fraction(4, 5)
        yield "、".join(reversed(items)), Fraction(1)
    elif not text:
        yield "something of 7 days", Fraction(0)
        yield "n/a", Fraction(1)
        yield "无", Fraction(1)
    elif column in gold["numeric"]:
        yield "", Fraction(0)
        yield other_number(text), Fraction(0)
        for spelling in respelled(column, text):
            yield spelling, Fraction(1)
    else:
        yield "", Fraction(0)
        yield f"{text} 987", Fraction(0)
        yield f" {text}. ".upper(), Fraction(1)


def test_a_changed_cell_moves_the_score_by_its_own_part(records: dict[str, dict[str, Any]], mark: Marker) -> None:
    cases = 0
    for task_id in TASKS:
        gold: dict[str, Any] = {"numeric": [], **records[task_id]["gold"]}
        ideal = rows_of(gold)
        targets = [column for column in gold["columns"] if column not in gold["keys"]]
        total = len(ideal) * len(targets)
        near(mark(gold, to_text(gold["columns"], ideal)), cell_f1=1, row_f1=1, column_f1=1)
        for place, row in enumerate(gold["rows"]):
            for column in targets:
                for text, worth in changes(gold, column, row[column]):
                    rows = [dict(each) for each in ideal]
                    rows[place][column] = text
                    share = (total - 1 + worth) / Fraction(total)
                    scored = mark(gold, to_text(gold["columns"], rows))
                    wanted = dict.fromkeys(("cell_f1", "cell_precision", "cell_recall", "cell_score"), share)
                    near(scored, **wanted, row_f1=1, column_f1=1)
                    cases += 1
    assert cases >= LEAST["cells"]


def test_a_missing_extra_or_renamed_row_moves_the_score_by_its_own_part(
    records: dict[str, dict[str, Any]], mark: Marker
) -> None:
    cases = 0
    for task_id in TASKS:
        gold = records[task_id]["gold"]
        ideal, columns, n = rows_of(gold), gold["columns"], len(gold["rows"])
        for place in range(n):
            without = [row for number, row in enumerate(ideal) if number != place]
            recall, f1 = Fraction(n - 1, n), Fraction(2 * (n - 1), 2 * n - 1)
            near(mark(gold, to_text(columns, without)), row_recall=recall, cell_recall=recall, row_f1=f1, cell_f1=f1)
            twice = [*ideal, dict(ideal[place])]
            precision, f1 = Fraction(n, n + 1), Fraction(2 * n, 2 * n + 1)
            near(mark(gold, to_text(columns, twice)), row_precision=precision, cell_precision=precision, cell_f1=f1)
            strange = [dict(row) for row in ideal]
            strange[place][gold["keys"][0]] = "Zymurgy 4711"
            part = Fraction(n - 1, n)
            near(mark(gold, to_text(columns, strange)), row_f1=part, cell_f1=part, cell_score=1)
            cases += 3
        near(mark(gold, to_text(columns, ideal[::-1])), row_f1=1, cell_f1=1)
    assert cases >= LEAST["rows"]


def test_a_missing_or_strange_column_moves_the_score_by_its_own_part(
    records: dict[str, dict[str, Any]], mark: Marker
) -> None:
    cases = 0
    for task_id in TASKS:
        gold = records[task_id]["gold"]
        ideal, columns, keys = rows_of(gold), gold["columns"], gold["keys"]
        c, t = len(columns), len(columns) - len(keys)
        for column in columns:
            fewer = [name for name in columns if name != column]
            share = Fraction(t - 1, t) if column not in keys else Fraction(0)
            part = {"cell_f1": share, "row_f1": int(column not in keys), "column_recall": Fraction(c - 1, c)}
            near(mark(gold, to_text(fewer, ideal)), **part, column_precision=1)
            renamed = [*("qwertz" if name == column else name for name in columns), "notes"]
            rows = [{("qwertz" if name == column else name): cell for name, cell in row.items()} for row in ideal]
            near(mark(gold, to_text(renamed, rows)), **part, column_precision=Fraction(c - 1, c + 1))
            cases += 2
        near(mark(gold, to_text([*columns, "notes"], ideal)), cell_f1=1, column_precision=Fraction(c, c + 1))
        near(mark(gold, to_text(columns[::-1], ideal)), cell_f1=1, column_f1=1)
    assert cases >= LEAST["columns"]


def test_the_oracle_gets_full_marks_and_no_answer_none(records: dict[str, dict[str, Any]], mark: Marker) -> None:
    assert sorted(records) == TASKS
    for task_id, record in records.items():
        gold = record["gold"]
        for compat in ("strict", "reference"):
            best = mark(gold, SCORER.ideal(gold), compat=compat)
            near(best, **{"pass": 1, "row_f1": 1, "cell_f1": 1, "cell_score": 1})
            nothing = mark(gold, None, compat=compat)
            worst = {"pass": 0, "column_recall": 0, "row_f1": 0, "cell_precision": 0, "cell_recall": 0, "cell_f1": 0}
            near(nothing, **worst)
            assert nothing.metrics["column_f1"] == (0 if compat == "strict" else None)
            assert nothing.metrics.keys() == best.metrics.keys()
            assert nothing.reason == "no answer"
        derived = mark(gold, SCORER.ideal(gold)).metrics["derived_recall"]
        assert derived == (1.0 if gold.get("derived") else None), task_id
        assert best.metrics["quality"] is None


def test_every_paper_of_the_family_is_read_by_some_task(records: dict[str, dict[str, Any]]) -> None:
    named = {paper for record in records.values() for paper in record["inputs"]["papers"]}
    family = Path(__file__).resolve().parents[3] / "tasks" / "table_construction"
    assert named == {f"papers/{path.name}" for path in (family / "papers").iterdir()}
    assert sum(path.stat().st_size for path in family.rglob("*") if path.is_file()) < 800_000
