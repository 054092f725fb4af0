"""The bundled questions: sound, built from their sources, and hard in the ways that the README says."""

from pathlib import Path

from pincite_harness.curation.validation.check import check_family
from pincite_tasks.family import load_family

FOLDER = Path(__file__).parents[2] / "tasks" / "literature_qa"


def test_the_bundled_questions_have_no_fault() -> None:
    findings = check_family(load_family(FOLDER))
    assert not findings.faults
    assert not any("stands in the question" in note for note in findings.notes)


def test_there_are_questions_of_every_kind_of_source() -> None:
    tasks = load_family(FOLDER).sets["standard"]
    assert len(tasks) >= 10
    places = [task.gold.get("source", {}).get("place", "text") for task in tasks if task.papers]
    assert {place: places.count(place) >= 2 for place in ("text", "table", "figure")} == dict.fromkeys(
        ("text", "table", "figure"), True
    )
    assert sum(bool(task.files) for task in tasks) == 2
    assert sum(not task.papers and not task.files for task in tasks) == 5, "studies that must be found"
    assert all(task.corpus is not None for task in tasks), "nothing of the real web is asked"


def test_the_right_letter_shows_nothing() -> None:
    letters = [task.gold["answer"] for task in load_family(FOLDER).sets["standard"] if task.gold["kind"] == "choice"]
    assert len(letters) == 5
    assert len(set(letters)) >= 3
