"""The bundled family: sources build what is committed, and every filled gold cell is proved or computed."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pypdfium2
import pytest

from pincite_harness.curation.validation.gold_check import GoldCheck
from pincite_tasks.family import Family, load_family

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / "tasks" / "table_construction"
UNPROVED = {"Label"}
"""What a citation serves as is a reader's judgement; keys name rows and are no finding."""


@pytest.fixture(scope="module")
def script(module_at: Callable[[Path], ModuleType]) -> Callable[[str], ModuleType]:
    return lambda name: module_at(REPOSITORY / "scripts" / f"{name}.py")


@pytest.fixture(scope="module")
def family() -> Family:
    return load_family(FOLDER)


def page_texts(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(path)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def test_records_and_reports_are_what_the_sources_build(script: Callable[[str], ModuleType]) -> None:
    module = script("build_table_tasks")
    reports = tomllib.loads((FOLDER / "sources" / "reports.toml").read_text(encoding="utf-8"))
    for name, report in reports.items():
        if report["language"] == "zh":
            assert (FOLDER / "papers" / f"{name}.html").read_text(encoding="utf-8") == module.to_html(report), name
    content, faults = module.build(reports)
    assert faults == []
    assert content == (FOLDER / "records.jsonl").read_bytes()


def test_hard_tasks_are_what_the_truth_gives(script: Callable[[str], ModuleType]) -> None:
    script("hard_truth")
    content, _ = script("build_hard_tables").records(None)
    assert content == (FOLDER / "records-hard.jsonl").read_bytes()
    assert len(content.splitlines()) >= 10


def test_the_papers_in_english_are_what_the_sources_build(script: Callable[[str], ModuleType], tmp_path: Path) -> None:
    for path in script("build_task_papers").build(FOLDER, tmp_path, []):
        texts = page_texts(path)
        assert texts == page_texts(FOLDER / "papers" / path.name)
        assert all("Invented for the pincite task set" in text for text in texts)


def test_every_type_is_asked_and_both_languages(family: Family) -> None:
    tasks = family.sets["standard"]
    types = {task.metadata["type"] for task in tasks}
    assert types == {"academic_0", "academic_1", "legal_0", "legal_1", *(f"financial_{n}" for n in range(7))}
    assert {task.metadata["language"] for task in tasks} == {"en", "zh"}


def test_gold_is_true_to_its_papers(family: Family) -> None:
    with GoldCheck(family, [FOLDER, FOLDER.parent / "shared"]) as check:
        for task in family.tasks:
            check.check(task)


def test_every_filled_cell_is_quoted_or_computed(family: Family) -> None:
    for task in family.tasks:
        gold: dict[str, Any] = task.gold
        if task.parameters["mode"] == "online":
            continue
        proved = {(each["row"], each["name"]) for each in gold["evidence"]}
        for number, row in enumerate(gold["rows"]):
            cells = {name for name, cell in row.items() if cell} - UNPROVED - set(gold["keys"])
            cells -= set(gold.get("derived", {}))
            assert {(number, name) for name in cells} <= proved, task.task_id
            for name in gold.get("inputs", [{}] * len(gold["rows"]))[number]:
                assert (number, name) in proved, task.task_id


def test_the_papers_to_be_found_say_what_the_given_ones_say(family: Family) -> None:
    task = family.task("perplexity_ledgertext_online")
    assert (task.papers, task.gold["rows"]) == ((), family.task("perplexity_ledgertext").gold["rows"])
    assert task.corpus is not None
    for text in (task.corpus / "texts").iterdir():
        paper = " ".join("".join(page_texts(FOLDER / "papers" / f"{text.stem}.pdf")).split())
        for block in text.read_text(encoding="utf-8").split("\n\n"):
            prose = " ".join(block.removeprefix("# ").split())
            if not prose.startswith("|"):
                assert _bare(prose) in _bare(paper), prose
        for row in task.gold["rows"]:
            assert (row["result"] in text.read_text()) or row["result"] not in paper


def _bare(text: str) -> str:
    """Letters and digits alone: hyphens at the ends of lines go."""
    return "".join(character for character in text if character.isalnum())


def test_prompts_name_no_column_of_the_gold(family: Family) -> None:
    for task in family.sets["standard"]:  # the hard set names them all: it asks where their cells stand
        prompt = family.fill_prompt(task)
        for column in task.gold["columns"]:
            if "(" in column or " " in column:
                assert column not in prompt, (task.task_id, column)
