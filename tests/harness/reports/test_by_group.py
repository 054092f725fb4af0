"""Reports by what tasks are about: groups, macro means, and reports of some tasks alone."""

import io
import json
import math
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from pincite_core.errors import BadInputError
from pincite_harness.reports import Selection, write_reports
from pincite_harness.reports.breakdown import macro_mean
from pincite_harness.runs.lock import Lock
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_tasks.failure import Status
from pincite_tasks.trial_record import TrialRecord

TASKS = {
    "one": ({"language": "en", "kind": {"of": "join"}, "tags": ["a", "b"]}, 1.0),
    "two": ({"language": "en", "kind": {"of": "join"}, "tags": ["a"]}, 0.0),
    "three": ({"language": "en", "kind": {"of": "list"}}, 1.0),
    "four": ({"language": "de", "kind": {"of": "list"}}, 0.0),
}


def make_family(folder: Path) -> None:
    """A family of literature questions with metadata, broken down by language."""
    folder.mkdir(parents=True)
    (folder / "family.toml").write_text(
        'name = "asked"\ntitle = "Asked"\nscorer = "literature_qa"\n[report]\nby = ["language"]\n'
    )
    (folder / "prompt.md").write_text("Answer.")
    (folder / "schema.json").write_text('{"type": "object"}')
    lines = [json.dumps({"task_id": name, "inputs": {}, "metadata": about}) for name, (about, _) in TASKS.items()]
    (folder / "records.jsonl").write_text("\n".join(lines))


def make_run(path: Path, family: Path) -> None:
    folder = RunFolder(path)
    for task, (_, value) in TASKS.items():
        name = f"{task}__1"
        where = folder.trial(name)
        where.mkdir(parents=True)
        record = TrialRecord(
            name=name, task_id=task, family="asked", attempt=1, agent="a", agent_version="1", status=Status.COMPLETED
        )
        (where / "trial.json").write_text(record.model_dump_json())
        score: dict[str, Any] = {"family": "asked", "scorer": "literature_qa", "scorer_version": "1", "matcher": "m"}
        score |= {"status": "scored", "metrics": {"accuracy": value}, "records": []}
        (where / "score.json").write_text(json.dumps(score))
    folder.create(
        RunDocument(
            name=path.name,
            created_at="2026-01-01T00:00:00+00:00",
            specification=RunSpecification(families={"asked": str(family)}),
            lock=Lock(digests={}, agent_version="1", versions={}, python="3.11", platform="Linux", git=None),
            trials=[f"{task}__1" for task in TASKS],
        )
    )


@pytest.fixture
def run(tmp_path: Path) -> Path:
    make_family(tmp_path / "asked")
    make_run(tmp_path / "runs" / "first", tmp_path / "asked")
    return tmp_path / "runs" / "first"


def report(run: Path, selection: Selection, out: Path | None = None) -> tuple[dict[str, Any], str]:
    """What report.json says of the run, and the terminal's text."""
    stream = io.StringIO()
    write_reports([run], Console(file=stream, width=160, color_system=None), out, selection)
    told = json.loads(((out or run) / "report.json").read_text())
    return told["families"]["asked"]["runs"]["first"], stream.getvalue()


def test_a_family_names_the_keys_that_its_reports_are_broken_down_by(run: Path) -> None:
    told, text = report(run, Selection())
    by = told["by"]["language"]
    # English: 1, 0, 1; German: 0. The mean over the groups is (2/3 + 0) / 2, over the trials 2/4.
    assert by["groups"]["en"]["metrics"]["accuracy"]["mean"] == pytest.approx(2 / 3)
    assert by["groups"]["en"]["trials"] == 3
    assert by["groups"]["de"]["metrics"]["accuracy"]["n"] == 1
    assert by["macro"]["accuracy"]["mean"] == pytest.approx(1 / 3)
    assert by["macro"]["accuracy"]["standard_error"] is None
    assert told["metrics"]["accuracy"]["mean"] == 0.5
    assert "By language" in text
    assert "macro mean of 2" in text
    assert "By group" in (run / "report.html").read_text()


def test_keys_inside_objects_lists_and_tasks_without_a_key(run: Path) -> None:
    told, _ = report(run, Selection(by=("metadata.kind.of", "tags")))
    assert "language" not in told["by"]
    kinds = told["by"]["metadata.kind.of"]
    assert [kinds["groups"][kind]["metrics"]["accuracy"]["mean"] for kind in ("join", "list")] == [0.5, 0.5]
    tags = told["by"]["tags"]
    assert {tag: group["tasks"] for tag, group in tags["groups"].items()} == {"a": 2, "b": 1}
    assert tags["overlapping"]
    assert tags["without"] == 2


def test_a_report_of_some_tasks_stands_apart(run: Path, tmp_path: Path) -> None:
    told, _ = report(run, Selection(where=(("language", "en"), ("kind.of", "join"))), tmp_path / "out")
    assert (told["trials"], told["metrics"]["accuracy"]["mean"]) == (2, 0.5)
    assert not (run / "report.json").exists()
    assert "Only tasks with language=en, kind.of=join" in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.parametrize(
    ("selection", "seen"),
    [
        (Selection(by=("colour",)), "known keys: family, task, kind.of, language, set, tags"),
        (Selection(where=(("language", "fr"),)), "values of language: de, en"),
    ],
)
def test_keys_and_values_that_no_task_has_are_told(run: Path, selection: Selection, seen: str) -> None:
    with pytest.raises(BadInputError) as error:
        write_reports([run], Console(file=io.StringIO()), None, selection)
    assert seen in str(error.value)


def test_the_error_of_a_macro_mean_by_hand() -> None:
    mean = macro_mean([[(1.0, "a"), (0.0, "b")], [(1.0, "c"), (1.0, "d")], []])
    assert mean is not None
    assert (mean.n, mean.mean, mean.clusters) == (2, 0.75, 4)
    # Weights 1/4: deviations ±1/2 of the first group alone; √(4/3 · 2 · (1/8)²).
    assert mean.standard_error == pytest.approx(math.sqrt(4 / 3 * 2 / 64))
    assert macro_mean([[], []]) is None
