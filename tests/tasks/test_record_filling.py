"""The bundled family: sources build what is committed, gold is true to its papers, every task has its own schema."""

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pypdfium2
import pytest

from pincite_harness.curation.validation.gold_check import GoldCheck
from pincite_scoring.record_filling.schema import read_schema
from pincite_tasks.family import Family, load_family
from pincite_tasks.task import read_records

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / "tasks" / "record_filling"


@pytest.fixture(scope="session")
def script(module_at: Callable[[Path], ModuleType]) -> Callable[[str], ModuleType]:
    return lambda name: module_at(REPOSITORY / "scripts" / f"{name}.py")


@pytest.fixture(scope="session")
def family() -> Family:
    return load_family(FOLDER)


def test_records_and_schemas_are_what_the_sources_build(script: Callable[[str], ModuleType]) -> None:
    files, faults = script("build_record_filling").build(FOLDER)
    assert faults == []
    for name, content in files.items():
        assert (FOLDER / name).read_bytes() == content, name


def test_papers_are_what_the_sources_build(script: Callable[[str], ModuleType], tmp_path: Path) -> None:
    built = script("build_task_papers").build(FOLDER, tmp_path, [])
    assert [path.name for path in built] == sorted(path.name for path in (FOLDER / "papers").iterdir())
    for path in built:
        assert _text(path) == _text(FOLDER / "papers" / path.name)
        assert "Invented results" in _text(path)


def _text(path: Path) -> str:
    document = pypdfium2.PdfDocument(path)
    try:
        return "\f".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def test_gold_is_true_to_its_papers(family: Family) -> None:
    with GoldCheck(family, [FOLDER]) as gold_check:
        for task in family.sets["standard"]:
            gold_check.check(task)


def test_there_are_tasks_of_two_schemas_of_ten_fields(family: Family) -> None:
    standard = family.sets["standard"]
    schemas = {task.parameters["schema"] for task in standard}
    assert len(standard) >= 8
    assert sorted(len(read_schema(str(text)).fields) for text in schemas) == [10, 10]
    assert {task.metadata["licence"] for task in family.tasks} == {"Apache-2.0"}


def test_the_prompt_shows_the_schema_and_the_answer_is_checked_by_it(family: Family) -> None:
    for task in family.tasks:
        assert str(task.parameters["schema"]) in family.fill_prompt(task)
        check = jsonschema.Draft202012Validator(family.answer_schema(task))
        assert check.is_valid(task.gold)
        assert check.is_valid(json.loads(family.settings.nothing or ""))
        assert not check.is_valid({"objects": [{"no_such_field": "x"}]})
        assert jsonschema.Draft202012Validator(family.schema).is_valid(task.gold)


def test_every_value_that_is_not_implied_has_evidence(family: Family) -> None:
    implied = {"adjuvant_class", "target", "doping_type"}
    for task in family.sets["standard"]:
        gold: Any = task.gold
        for filled in gold["objects"]:
            proved = {piece["field"] for piece in filled["evidence"]}
            assert set(filled) - proved - {"evidence"} <= implied


def test_a_task_with_a_schema_of_its_own_is_another_task(tmp_path: Path, family: Family) -> None:
    with_schema = read_records(FOLDER / "records.jsonl")[0]
    without = with_schema.model_copy(
        update={"inputs": with_schema.inputs.model_copy(update={"answer_schema": None, "papers": []})}
    )
    for name in ("family.toml", "prompt.md", "schema.json"):
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    (tmp_path / "records.jsonl").write_text(without.model_dump_json(), encoding="utf-8")
    plain = load_family(tmp_path)
    task = plain.task(with_schema.task_id)
    assert plain.answer_schema(task) == plain.schema != family.answer_schema(family.task(task.task_id))
    assert task.digest() != family.task(task.task_id).digest()
