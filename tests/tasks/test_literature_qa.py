"""The bundled questions: sound, built from their sources, and hard in the ways that the README says."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from pincite_harness.curation.validation.check import check_family
from pincite_papers.pdf.parse import parse_pdf
from pincite_tasks.corpus.corpus import read_corpus
from pincite_tasks.family import load_family

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / "tasks" / "literature_qa"


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


def test_twenty_distractors_have_a_table_and_a_figure_each_and_an_open_work() -> None:
    papers = sorted((FOLDER / "distractors").glob("*.pdf"))
    assert len(papers) == 20
    corpus = read_corpus(FOLDER / "corpora" / "fjord")
    for path in papers:
        paper = parse_pdf(path.read_bytes(), max_pages=5)
        assert ([one.label for one in paper.tables], len(paper.figures)) == (["Table 1"], 1), path.name
        work = next(work for work in corpus.works if work.id == path.stem)
        assert (work.title, work.doi) == (paper.title, paper.doi), path.name
        assert "Table 1." in corpus.text(work)
    held = {
        task.gold["source"]["paper"] for task in load_family(FOLDER).tasks if "paper" in task.gold.get("source", {})
    }
    assert not held & {path.name for path in papers}, "no question is about a distractor"


def test_distractors_are_built_the_same_from_their_sources(
    module_at: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("typst")
    monkeypatch.syspath_prepend(REPOSITORY / "scripts")
    kept = ("corpora/fjord/works.jsonl", *(f"distractors/{path.name}" for path in (FOLDER / "distractors").glob("*")))
    shutil.copytree(FOLDER / "corpora", tmp_path / "corpora")
    built = module_at(REPOSITORY / "scripts" / "build_question_distractors.py").build(tmp_path)
    assert len(built) == 20
    for name in (*kept, *(f"corpora/fjord/texts/{path.stem}.txt" for path in built)):
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), name
