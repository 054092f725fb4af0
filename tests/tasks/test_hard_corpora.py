"""The hard sets on large literatures: built from their sources, large, and without a word that gives a trap away."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pincite_materials.values import find_numbers
from pincite_tasks.corpus.check import check_corpus
from pincite_tasks.corpus.corpus import Corpus, open_corpus
from pincite_tasks.family import Family, load_family
from pincite_tasks.task import Task

ROOT = Path(__file__).parents[2]
FAMILIES = ("precedent_search", "literature_qa")
LABEL = re.compile(r"erratum|errata|corrig|correct(?:ion|ed)|retract|withdraw|preprint|supersed", re.IGNORECASE)
HINT = re.compile(r"unanswerable|if any|whether|no one|none|not measured|missing", re.IGNORECASE)


@pytest.fixture(scope="module", params=FAMILIES)
def family(request: Any) -> Family:
    return load_family(ROOT / "tasks" / request.param)


def hard(family: Family) -> tuple[Task, ...]:
    return family.sets["hard"]


def corpus_of(family: Family) -> Corpus:
    (folder,) = {task.corpus for task in hard(family) if task.corpus is not None}
    return open_corpus(folder)


def test_the_files_are_what_the_script_writes(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, ROOT / "scripts" / "build_hard_corpora.py", "--tasks", tmp_path],
        check=True,
        capture_output=True,
        timeout=120,
    )
    written = [path for path in tmp_path.rglob("*.jsonl") if path.is_file()]
    differing = [
        str(path.relative_to(tmp_path))
        for path in written
        if path.read_bytes() != (ROOT / "tasks" / path.relative_to(tmp_path)).read_bytes()
    ]
    assert len(written) >= 6
    assert differing == []


def test_a_literature_is_sound_large_and_told_apart_from_the_others(family: Family) -> None:
    corpus = corpus_of(family)
    assert check_corpus(corpus.folder) == []
    assert len(corpus.works) >= 300
    assert sum(work.open for work in corpus.works) >= 150
    others = {task.corpus for task in family.tasks if task.corpus is not None} - {corpus.folder}
    taken = {
        name for folder in others for work in open_corpus(folder).works for name in (work.doi, work.arxiv, work.pmcid)
    }
    assert not {name for work in corpus.works for name in (work.doi, work.arxiv, work.pmcid) if name} & taken


def test_no_record_gives_a_trap_away(family: Family) -> None:
    corpus = corpus_of(family)
    assert [work.title for work in corpus.works if LABEL.search(f"{work.title} {work.abstract}")] == []
    assert sum(work.retracted is not None for work in corpus.works) >= 3
    assert not any(work.labelled for work in corpus.works)
    assert any(work.corrects for work in corpus.works)


def test_materials_have_several_measurements_or_were_looked_at_in_vain() -> None:
    tasks = hard(load_family(ROOT / "tasks" / "precedent_search"))
    assert len(tasks) >= 10
    works: dict[str, set[str]] = {}
    for task in tasks:
        counted = [*task.gold["measurements"], *task.gold["negative_measurements"]]
        works[task.task_id] = {source["doi"] for each in counted for source in each["sources"]}
    positive = [task.task_id for task in tasks if task.gold["reported"] == "Yes"]
    assert 4 <= len(positive) <= len(tasks) - 4
    assert {name: len(works[name]) for name in positive if not 3 <= len(works[name]) <= 8} == {}


def test_no_abstract_has_a_value_of_the_gold() -> None:
    family = load_family(ROOT / "tasks" / "precedent_search")
    corpus = corpus_of(family)
    abstracts = {work.doi: set(find_numbers(work.abstract)) for work in corpus.works}
    given = [
        (task.task_id, each["value"])
        for task in hard(family)
        for each in (*task.gold["measurements"], *task.gold["negative_measurements"])
        for source in each["sources"]
        if set(find_numbers(each["value"])) <= abstracts.get(source["doi"], set())
    ]
    assert given == []


def test_a_third_of_the_questions_cannot_be_answered_and_none_says_so() -> None:
    tasks = hard(load_family(ROOT / "tasks" / "literature_qa"))
    missing = [task for task in tasks if task.gold["kind"] == "text"]
    assert len(tasks) >= 10
    assert len(missing) * 3 == len(tasks)
    told = [{str(task.parameters["given"]) for task in tasks if bool(task.papers) == given} for given in (False, True)]
    assert [len(texts) for texts in told] == [1, 1], "what counts is told alike where papers are given and where not"
    shown = {task.task_id: f"{task.task_id} {task.parameters['question']}" for task in tasks}  # a brief has both
    assert [name for name, text in shown.items() if HINT.search(text) or LABEL.search(text)] == []
    assert all(task.gold["kind"] == "number" for task in tasks if task not in missing)
    assert not any("options" in task.parameters and len(task.parameters["options"]) > 1 for task in tasks)
