"""People's labels: a queue of runs, two people's files, an arbiter, and what the labels that hold are good for."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, NotFoundError, UnavailableError
from pincite_harness.cli.main import app
from pincite_harness.labels.label_file import Given, LabelFile
from pincite_harness.labels.queue import LabelQueue, QueueItem, read_queue
from pincite_scoring.judging.labelled import read_labelled
from pincite_scoring.judging.rubrics import find_rubric

PAPERS = Path(__file__).parents[3] / "tasks" / "property_extraction" / "papers"
PROGRAMS = Path(__file__).parents[3] / "harness" / "pincite_harness" / "agents" / "programs"


def pincite(*words: object) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output


@pytest.fixture(scope="module")
def runs(make_run: Any, answer_of: Any, task: Any, tmp_path_factory: Any) -> tuple[Path, Path]:
    """Two runs of one task: in the first a quote that nobody printed and a value that the gold does not have."""
    folder = tmp_path_factory.mktemp("label-runs")
    broken = answer_of("ybco_oxygen", {1: {"evidence": "words that nobody ever printed in this paper"}})
    broken["properties"][4]["value_string"] = "<img src=x onerror=alert(1)>"
    first = make_run(folder / "first", {"ybco_oxygen": broken})
    return first, make_run(folder / "second", {"ybco_oxygen": answer_of("ybco_oxygen")})


def queue_of(folder: Path, *words: object) -> LabelQueue:
    pincite("label", "make", *words, "--out", folder)
    return read_queue(folder)


@pytest.fixture(scope="module")
def evidence(runs: tuple[Path, Path], tmp_path_factory: Any) -> Path:
    """The folder of a queue of the ten most doubtful quotes."""
    folder = tmp_path_factory.mktemp("queues") / "evidence"
    queue_of(folder, *runs, "--rubric", "labels/evidence", "--doubtful", "--sample", 10)
    return folder


def lost_and_changed(queue: LabelQueue) -> tuple[QueueItem, QueueItem]:
    """The item whose quote nobody printed, and that whose value one attempt alone has."""
    lost = next(item for item in queue.items if item.subject["quote"].startswith("words that nobody"))
    return lost, next(item for item in queue.items if "onerror" in item.subject["record"])


def test_the_doubtful_come_first_with_why_and_a_quote_that_cannot_be_placed_marks_nothing(evidence: Path) -> None:
    queue = read_queue(evidence)
    lost, changed = lost_and_changed(queue)
    assert "quote: not found" in lost.why
    assert "1 of 2 attempts found it" in changed.why
    assert queue.items.index(lost) < 4 and queue.items.index(changed) < 4
    assert lost.place is not None
    assert (lost.place.boxes, lost.place.note) == ([], "The quote does not stand on this page.")
    assert "passage" not in lost.subject
    sure = queue.items[-1]
    assert sure.place is not None and sure.place.boxes and not sure.why
    assert sure.subject["quote"][:10] in sure.subject["passage"]
    assert (evidence / sure.place.picture).read_bytes()[8:12] == b"WEBP"


def test_a_sample_is_fixed_by_its_seed_and_a_blind_queue_names_nobody(runs: tuple[Path, Path], tmp_path: Path) -> None:
    words = (*runs, "--rubric", "labels/candidate", "--sample", 12, "--blind")
    one, other = queue_of(tmp_path / "a", *words), queue_of(tmp_path / "b", *words, "--seed", 1)
    assert {item.id for item in one.items} != {item.id for item in other.items}
    assert len({json.dumps(item.subject) for item in one.items}) == 12, "equal records are asked about once"
    text = (tmp_path / "a" / "queue.json").read_text()
    assert not any(name in text for name in ("react", "ybco_oxygen__1", '"first"', "scorer", "attempts"))
    key = json.loads((tmp_path / "a" / "key.json").read_text())
    assert {entry["run"] for entry in key.values()} <= {"first", "second"}


def test_what_cannot_be_labelled_says_so_and_leaves_no_folder(runs: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="nothing to label by labels/error_patterns"):
        queue_of(tmp_path / "q", *runs, "--rubric", "labels/error_patterns")
    assert not (tmp_path / "q").exists()
    with pytest.raises(BadInputError, match="What of the runs is labelled"):
        queue_of(tmp_path / "q", *runs, "--rubric", "record_filling/same_value")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(BadInputError, match="not empty"):
        queue_of(tmp_path / "full", *runs, "--rubric", "labels/evidence")


def test_questions_of_a_judge_are_labelled_too(tmp_path: Path) -> None:
    line = {"subject": {"first record": "a", "second record": "b"}, "labels": {"match": "no"}, "by": "model"}
    (tmp_path / "asked.jsonl").write_text(json.dumps(line) + "\n")
    queue = queue_of(tmp_path / "q", tmp_path / "asked.jsonl", "--rubric", "property_extraction/same_measurement")
    assert [item.subject for item in queue.items] == [line["subject"]]
    assert "model" not in (tmp_path / "q" / "queue.json").read_text()


def test_two_people_an_arbiter_and_the_uses_of_what_holds(evidence: Path, tmp_path: Path) -> None:
    queue = read_queue(evidence)
    lost, changed = lost_and_changed(queue)
    judged = [item for item in queue.items if item not in (lost, changed)]
    by_ann = dict.fromkeys((item.id for item in queue.items), "right") | {lost.id: "wrong"}
    by_ben = by_ann | {judged[0].id: "wrong", judged[1].id: "wrong", judged[2].id: "unsure"}
    for by, said in (("ann", by_ann), ("ben", by_ben)):
        kept = LabelFile(evidence, queue, by)
        for name, label in said.items():
            given = Given(
                id=name, labels={"property": "right", "value": label, "quote": label}, note="?" * (label == "unsure")
            )
            kept.put(given)
    ann, ben = (evidence / "labels" / f"{by}.jsonl" for by in ("ann", "ben"))
    told = pincite("label", "compare", ann, ben, "--arbitrate", tmp_path / "r", "--out", tmp_path / "agreed.jsonl")
    assert "10 items labelled by ann and ben" in told
    # Of value: 7 of 10 equal; by chance .9 x .6 + .1 x .3 = .57, so kappa is .13 / .43.
    assert "0.700" in told and "0.302" in told
    assert "7 items in" in told and "3 items not arbitrated and left out" in told
    arbitrated = read_queue(tmp_path / "r")
    assert {item.id for item in arbitrated.items} == {item.id for item in judged[:3]}
    assert [each.by for each in arbitrated.items[0].earlier] == ["person 1", "person 2"]
    assert all((tmp_path / "r" / item.place.picture).is_file() for item in arbitrated.items if item.place)
    arbiter = LabelFile(tmp_path / "r", arbitrated, "eve")
    for item in arbitrated.items:
        arbiter.put(Given(id=item.id, labels={"property": "right", "value": "wrong", "quote": "right"}))
    final = tmp_path / "final.jsonl"
    pincite("label", "compare", ann, ben, "--arbiter", arbiter.path, "--out", final)
    held = read_labelled(final, find_rubric("labels/evidence"))
    assert [each.labels["value"] for each in held].count("wrong") == 4
    assert {each.by for each in held} == {"ann and ben", "arbitrated by eve"}
    calibrated = CliRunner().invoke(app, ["judge", "calibrate", str(final), "--rubric", "labels/evidence"])
    assert "10 labelled answers" in calibrated.output

    gold_of(tmp_path / "gold.json")
    words = ("--papers", PAPERS, "--gold", tmp_path / "gold.json", "--corrections", final)
    told = pincite("tasks", "import", "property_extraction", *words, "--out", tmp_path / "tasks")
    assert "corrections: 1 to replace" in told, told
    text = (tmp_path / "tasks" / "property_extraction" / "records.jsonl").read_text()
    (task,) = map(json.loads, text.splitlines())
    assert "<img src=x onerror=alert(1)>" in [record["value_string"] for record in task["gold"]["properties"]]
    assert task["metadata"]["corrected"] == 1

    archive = tmp_path / "archive.jsonl"
    assert "6 records of 1 task" in pincite("label", "archive", final, "--out", archive)
    records = read_archive(archive)
    assert len(records) == 6 and not any({"location", "evidence"} & set(record) for record in records)


def read_archive(path: Path) -> list[Any]:
    """The records as sudokufill's own reader gives them: its program imports nothing of pincite."""
    code = f"import sys; sys.path.insert(0, {str(PROGRAMS)!r})\nfrom sudokufill import archive\nimport json, pathlib"
    code += f"\nprint(json.dumps(archive.read(pathlib.Path({str(path)!r}))))"
    return json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def gold_of(path: Path) -> None:
    """The gold of the runs' task as a file of a user's own."""
    records = map(json.loads, (PAPERS.parent / "records.jsonl").read_text().splitlines())
    task = next(each for each in records if each["task_id"] == "ybco_oxygen")
    paper = Path(task["inputs"]["papers"][0]).name
    path.write_text(json.dumps([{"paper": paper, "properties": task["gold"]["properties"]}]))


def test_a_file_of_labels_refuses_what_the_queue_does_not_ask(evidence: Path, tmp_path: Path) -> None:
    folder, queue = tmp_path, read_queue(evidence)
    kept = LabelFile(folder, queue, "ann")
    for given, part in (
        (Given(id="none", labels={"value": "right"}), "no such item"),
        (Given(id=queue.items[0].id, labels={"value": "yes"}), "no such label"),
        (Given(id=queue.items[0].id, labels={"other": "right"}), "no such label"),
        (Given(id=queue.items[0].id, corrections={"other": "x"}), "no such item"),
    ):
        with pytest.raises(BadInputError, match=part):
            kept.put(given)
    assert not kept.path.exists()
    kept.put(Given(id=queue.items[1].id, flagged=True))
    kept.put(Given(id=queue.items[0].id, labels={"value": "wrong"}, corrections={"value": "4.2"}))
    again = LabelFile(folder, queue, "ann").given()
    assert again[queue.items[0].id]["corrections"] == {"value": "4.2"}
    assert again[queue.items[1].id]["flagged"]
    kept.put(Given(id=queue.items[1].id))
    assert list(LabelFile(folder, queue, "ann").given()) == [queue.items[0].id], "what is taken back is gone"
    with (
        kept.held(),
        pytest.raises(UnavailableError, match="by another process"),
        LabelFile(folder, queue, "ann").held(),
    ):
        pass
    for name in ("../ann", "", "a/b", ".", "a" * 41):
        with pytest.raises(BadInputError, match="cannot name who labels"):
            LabelFile(folder, queue, name)
