"""A user's own schema and records become a family that loads, is true to its papers, and scores."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.curation.importing.dataset import ImportOptions, Reader, choose_dataset
from pincite_harness.curation.importing.own_records import read_own_records
from pincite_harness.curation.importing.write import import_dataset
from pincite_harness.curation.validation.gold_check import GoldCheck
from pincite_tasks.catalog import Catalog
from pincite_tasks.family import Family

SCHEMA = """
name = "alloys"
object = "One alloy."
identity = ["alloy"]
[[fields]]
name = "alloy"
definition = "Its formula."
kind = "formula"
[[fields]]
name = "strength"
definition = "Its yield strength."
kind = "number"
unit = "MPa"
"""
RECORD: dict[str, Any] = {
    "alloy": "CrCoNi",
    "strength": 362,
    "evidence": [{"field": "strength", "quote": "CrCoNi yields at 362 MPa."}],
}


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    (folder / "papers").mkdir(parents=True)
    (folder / "schema.toml").write_text(SCHEMA, encoding="utf-8")
    (folder / "papers" / "one.txt").write_text("CrCoNi yields at 362 MPa.\nNothing else does.", encoding="utf-8")
    (folder / "records.json").write_bytes(orjson.dumps({"one.txt": [RECORD]}))
    return folder


def imported(own: Path, out: Path) -> Family:
    like, dataset = Catalog().family("record_filling"), choose_dataset("record_filling", None, own)
    with GoldCheck(like, [out]) as gold_check:
        return import_dataset(like, dataset, own, out, gold_check.check, ImportOptions())


def test_a_family_is_made_that_is_true_to_its_papers(own: Path, tmp_path: Path) -> None:
    family = imported(own, tmp_path / "out")
    task = family.task("one")
    assert task.paper_names == ("one.html",)
    assert task.gold == {"objects": [{**RECORD, "strength": "362"}]}
    assert 'name = "alloys"' in family.fill_prompt(task)
    assert set(family.answer_schema(task)["properties"]["objects"]["items"]["properties"]) == set(RECORD)


def test_evidence_that_does_not_stand_stops_the_import(own: Path, tmp_path: Path) -> None:
    wrong = {**RECORD, "evidence": [{"field": "strength", "quote": "CrCoNi yields at 400 MPa."}]}
    (own / "records.json").write_bytes(orjson.dumps({"one.txt": [wrong]}))
    with pytest.raises(BadInputError) as caught:
        imported(own, tmp_path / "out")
    assert "does not stand in the paper" in caught.value.seen
    assert not (tmp_path / "out" / "record_filling").exists()


@pytest.mark.parametrize(
    ("name", "content", "seen"),
    [
        ("records.json", {"one.txt": [{**RECORD, "colour": "red"}]}, "no such fields: colour"),
        ("records.json", {"two.txt": [RECORD]}, "there is no paper 'two.txt'"),
        ("records.json", {"../schema.toml": [RECORD]}, "there is no paper '../schema.toml'"),
        ("schema.toml", {"name": "alloys"}, "schema.toml: This describes no objects"),
    ],
)
def test_a_fault_says_where(
    own: Path, name: str, content: Any, seen: str, faults: Callable[[Reader, Path], str]
) -> None:
    (own / name).write_bytes(orjson.dumps(content))
    assert seen in faults(read_own_records, own)


def test_a_folder_without_a_schema_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"schema\.toml"):
        list(read_own_records(tmp_path, ImportOptions()))
