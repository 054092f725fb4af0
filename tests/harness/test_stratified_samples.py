"""Tasks chosen by their metadata, samples that keep shares, and what `pincite tasks stats` counts."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError
from pincite_harness.cli.main import app
from pincite_harness.runs.specification import RunSpecification, specify_families
from pincite_tasks.catalog import Catalog


@pytest.fixture
def folder(make_family: Any) -> Path:
    """Twelve tasks: t1 to t9 of tables, the others of figures; every third in Chinese; the gold of t2 has two
    objects with three fields in all."""
    made: Path = make_family(tasks=12, servers="[]")
    records = [orjson.loads(line) for line in (made / "records.jsonl").read_bytes().splitlines()]
    for number, record in enumerate(records, start=1):
        kind = "table" if number <= 9 else "figure"
        record["metadata"] = {
            "language": "zh" if number % 3 == 0 else "en",
            "dimensions": {"type": kind, "decided_by": {"type": "rule"}},
        }
    records[1]["gold"] = {"objects": [{"a": "1", "b": ["2"], "c": [], "evidence": [{}]}, {"a": "3", "b": None}]}
    (made / "records.jsonl").write_bytes(b"\n".join(map(orjson.dumps, records)))
    return made


def drawn(folder: Path, **fields: Any) -> list[Any]:
    families = specify_families([folder.name], Catalog(folder))
    specification = RunSpecification(families=families, agent="nop", **fields)
    return [plan.task for plan in specification.plan(specification.load_families())]


def test_a_sample_keeps_the_shares_of_its_strata_and_lies_in_a_larger_one(folder: Path) -> None:
    for seed in range(5):
        for strata in (["dimensions", "language"], ["dimensions.type", "language"]):
            tasks = drawn(folder, sample=4, seed=seed, strata=strata)
            types = Counter(task.metadata["dimensions"]["type"] for task in tasks)
            assert types == {"table": 3, "figure": 1}, "as of twelve, 9 and 3"
            assert sum(task.metadata["language"] == "zh" for task in tasks) in (1, 2), "of twelve, 4"
        ids = {task.task_id for task in tasks}
        larger = {task.task_id for task in drawn(folder, sample=7, seed=seed, strata=strata)}
        assert ids < larger
        even = drawn(folder, sample=6, seed=seed, strata=["dimensions.type"], balanced=True)
        assert Counter(task.metadata["dimensions"]["type"] for task in even) == {"table": 3, "figure": 3}
        short = drawn(folder, sample=8, seed=seed, strata=["dimensions.type"], balanced=True)
        assert Counter(task.metadata["dimensions"]["type"] for task in short) == {"table": 5, "figure": 3}
    assert len(drawn(folder, sample=99, strata=["language"])) == 12


def test_tasks_are_chosen_by_their_metadata(folder: Path) -> None:
    chosen = drawn(folder, where=[("dimensions.type", "figure"), ("language", "en")])
    assert [task.task_id for task in chosen] == ["t10", "t11"]
    assert [task.task_id for task in drawn(folder, where=[("language", "zh")], sample=9)] == ["t3", "t6", "t9", "t12"]
    for fields, words in (
        ({"where": [("language", "fr")]}, "values of language: en, zh"),
        ({"sample": 2, "strata": ["depth"]}, "known keys: set, language, dimensions.type"),
    ):
        with pytest.raises(BadInputError, match=words):
            drawn(folder, **fields)


def test_options_that_say_nothing_are_refused(folder: Path) -> None:
    for options, words in (
        (["--strata", "language"], "Add --sample N."),
        (["--sample", "2", "--balanced"], "Add --strata KEY."),
        (["--task", "t1", "--where", "language=en"], "--where cannot choose among them"),
        (["--where", "language"], "is not KEY=VALUE"),
    ):
        result = CliRunner().invoke(app, ["run", "tiny", "--tasks", str(folder), "--agent", "nop", *options])
        assert result.exit_code
        assert words in str(result.exception) + result.output


def test_what_tasks_hold_is_counted(folder: Path) -> None:
    def counted(*options: str) -> dict[str, Any]:
        result = CliRunner().invoke(app, ["tasks", "stats", "tiny", "--tasks", str(folder), "--json", *options])
        assert not result.exit_code, result.output
        return json.loads(result.output)[0]

    whole = counted("--by", "dimensions.type")
    assert (whole["tasks"], whole["with_gold"], whole["papers"]) == (12, 12, 1)
    assert whole["values"]["language"] == {"en": 8, "zh": 4}
    assert whole["values"]["dimensions.type"] == {"table": 9, "figure": 3}
    assert whole["sizes"]["pages"] == {
        "n": 12, "mean": 2.0, "deviation": 0.0, "least": 2, "quartiles": [2.0, 2.0, 2.0], "most": 2, "total": 24.0
    }  # fmt: skip
    assert whole["sizes"]["gold objects"]["total"] == 2
    assert whole["sizes"]["gold fields filled"]["total"] == 3
    assert whole["groups"]["figure"]["papers"]["n"] == 3
    part = counted("--where", "language=zh", "--no-papers")
    assert part["tasks"] == 4
    assert "pages" not in part["sizes"]
    shown = CliRunner().invoke(app, ["tasks", "stats", "tiny", "--tasks", str(folder)]).output
    assert "12 tasks, 12 with gold, 1 different papers" in shown
