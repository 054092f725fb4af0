"""A published list of 15 papers and 441 values without page or quote: what is imported scores 1, and nothing 0."""

import csv
import shutil
from pathlib import Path

import orjson

from pincite_harness.curation.importing.gold_file import read_gold
from pincite_harness.curation.importing.own_papers import import_family
from pincite_scoring import Case, ScoringOptions, score
from pincite_tasks.catalog import Catalog

TASKS = Path(__file__).resolve().parents[2] / "tasks" / "property_extraction"
PAPERS, RECORDS = 15, 441
KEYS = ("precision", "recall", "f1")
CONDITIONS = ("temperature", "pressure", "field", "frequency", "orientation", "sample_state", "environment")
COLUMNS = (
    "refno", "material_or_system", "property_name", "value_string", "value_unit", "value_detail", "qualifier", "method",
    *(f"conditions.{name}" for name in CONDITIONS),
)  # fmt: skip


def published(papers: Path, table: Path) -> None:
    """The bundled gold in the shape of a published list, some papers a second time, each under its own number."""
    tasks = [orjson.loads(line) for line in (TASKS / "records.jsonl").read_bytes().splitlines()]
    bundled = [(task["task_id"], task["gold"]["properties"]) for task in tasks]
    bundled.sort(key=lambda each: -len(each[1]))
    rows: list[dict[str, str]] = []
    again = bundled[: PAPERS - len(bundled)]
    again[-1] = (again[-1][0], [*again[-1][1], *bundled[len(again)][1]])
    for number, (name, records) in enumerate([*bundled, *again]):
        refno = f"PRB{number:03d}"
        shutil.copy(TASKS / "papers" / f"{name}.pdf", papers / f"{refno}.pdf")
        for record in records:
            row = {"refno": refno, **{key: str(record[key]) for key in COLUMNS if key in record}}
            row |= {f"conditions.{key}": str(value) for key, value in record.get("conditions", {}).items()}
            rows.append({key: value for key, value in row.items() if key in COLUMNS})
    while len(rows) > RECORDS:
        most = max({row["refno"] for row in rows}, key=lambda refno: sum(row["refno"] == refno for row in rows))
        rows.remove(next(row for row in reversed(rows) if row["refno"] == most))
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        writer.writerows(rows)


def test_a_list_of_fifteen_papers_without_places(tmp_path: Path) -> None:
    papers, table = tmp_path / "papers", tmp_path / "published.csv"
    papers.mkdir()
    published(papers, table)
    made = import_family(
        Catalog().family("property_extraction"), papers, read_gold(table), tmp_path / "out", lambda *_: None
    )
    golds = {task.task_id: task.gold for task in made.family.tasks}
    records = [record for gold in golds.values() for record in gold["properties"]]
    assert (len(golds), len(records)) == (PAPERS, RECORDS)
    assert not any("location" in record for record in records)
    wrong: list[object] = []
    for compat in ("strict", "reference"):
        options = ScoringOptions(compat=compat)
        for name, gold in golds.items():
            full = score("property_extraction", Case(gold, gold), options).metrics
            none = score("property_extraction", Case({"properties": []}, gold), options).metrics
            wanted = [(full[key], none[key]) for key in KEYS]
            wrong += [(name, compat, wanted)] * (wanted != [(1.0, 0.0)] * len(KEYS))
    assert wrong == []
