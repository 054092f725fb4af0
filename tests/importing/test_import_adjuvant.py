"""Records of adjuvants: every plausible shape of a file gives the same tasks, and their schema fits what it holds."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError
from pincite_harness.curation.importing.adjuvant import field_names, read_adjuvants
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_scoring import Case, ScoringOptions
from pincite_scoring.record_filling.schema import Schema, schema_of
from pincite_scoring.record_filling.scorer import SCORER

TEXT = "Mice got 50 µg of Alum with OVA under the skin.\nMF59 went in, too."
ONE = {"Adjuvant Name": "Alum", "adjuvantType": "mineral salt", "Species": "mouse", "Dose": "50 µg", "Size (nm)": 120}
TWO = {"Adjuvant Name": "MF59", "adjuvantType": "emulsion", "Species": "mouse", "Dose": "not reported"}

SHAPES: dict[str, Any] = {
    "papers": [{"pmid": "17", "text": TEXT, "records": [ONE, TWO]}],
    "papers with other names": [{"paper": "17", "full_text": TEXT, "adjuvants": [ONE, TWO]}],
    "papers with records as a text": [{"id": "17", "content": TEXT, "output": orjson.dumps([ONE, TWO]).decode()}],
    "papers by name": {"17": {"text": TEXT, "records": [ONE, TWO]}},
    "one paper": {"pmid": "17", "text": TEXT, "gold": [ONE, TWO]},
    "rows": [{"pmid": "17", "text": TEXT, **ONE}, {"pmid": "17", **TWO}],
    "wrapped values": [{"pmid": 17, "text": TEXT, "rows": [{**ONE, "Dose": {"value": 50, "unit": "µg"}}, TWO]}],
}


def read(path: Path, content: Any, **options: Any) -> list[DatasetEntry]:
    path.write_bytes(orjson.dumps(content))
    return list(read_adjuvants(path, ImportOptions(**options)))


def schema_in(entry: DatasetEntry) -> Schema:
    return schema_of(entry.record.inputs.parameters)


def values(entry: DatasetEntry) -> list[dict[str, Any]]:
    gold: Any = entry.record.gold
    return [{name: value for name, value in each.items() if name != "evidence"} for each in gold["objects"]]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_same_task(shape: str, tmp_path: Path) -> None:
    entry, *others = read(tmp_path / "adjuvants.json", SHAPES[shape])
    assert others == []
    assert entry.record.task_id == "17"
    assert values(entry) == [
        {"adjuvant": "Alum", "adjuvant_class": "mineral salt", "host": "mouse", "dose": "50 µg", "size_nm": "120"},
        {"adjuvant": "MF59", "adjuvant_class": "emulsion", "host": "mouse"},
    ]
    page = entry.sources["papers/17.html"]
    assert isinstance(page, bytes)
    assert "Mice got 50 µg of Alum" in page.decode()


def test_gold_keeps_its_own_schema(tmp_path: Path) -> None:
    entry = read(tmp_path / "a.json", SHAPES["papers"])[0]
    case = Case(entry.record.gold, entry.record.gold, {}, entry.record.inputs.parameters)
    assert [problem for problem in SCORER.check(case) if problem.fatal] == []
    assert SCORER.score(case, ScoringOptions()).metrics["overall"] == 1


def test_labels_and_dependencies_are_kept_as_far_as_they_hold(tmp_path: Path) -> None:
    fitting = schema_in(read(tmp_path / "a.json", SHAPES["papers"])[0])
    kind = fitting.field("adjuvant_class")
    assert kind is not None
    assert "emulsion" in kind.labels
    other = [{"pmid": "17", "text": TEXT, "records": [{**ONE, "adjuvantType": "salt"}, {**TWO, "Species": ["mouse"]}]}]
    schema = schema_in(read(tmp_path / "a.json", other)[0])
    kind, host = schema.field("adjuvant_class"), schema.field("host")
    assert kind is not None
    assert kind.kind == "text"
    assert host is not None
    assert host.many
    target = {"Adjuvant": "QS", "class": "saponin", "target": "TLR4", "components": ["x"]}
    broken = schema_in(read(tmp_path / "a.json", [{"pmid": "1", "text": TEXT, "records": [target]}])[0])
    assert {str(each.when) for each in broken.dependencies} == {
        "{'adjuvant_class': 'combination'}",
        "{'target': 'STING'}",
        "{'adjuvant_class': 'STING agonist'}",
        "{'adjuvant_class': 'TLR agonist'}",
        "{'adjuvant': 'poly(I:C)'}",
    }


def test_papers_come_from_a_folder(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "17.pdf").write_bytes(b"%PDF-1.7 stands for a paper")
    (papers / "10.1_2.txt").write_text(TEXT, encoding="utf-8")
    notes: list[str] = []
    listed = [{"pmid": "17", "records": [ONE]}, {"doi": "10.1/2", "records": [TWO]}, {"pmid": "18", "records": [TWO]}]
    entries = read(tmp_path / "a.json", listed, papers=papers, note=notes.append)
    assert [min(entry.sources) for entry in entries] == ["papers/17.pdf", "papers/10.1-2.html"]
    assert len(notes) == 1
    assert "the paper '18'" in notes[0]


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        ([{"records": [ONE]}], "record 0 does not say which paper"),
        ([{"pmid": "1", "text": TEXT, "records": ["Alum"]}], "record 0: a record is not an object"),
        ([{"pmid": "1", "text": TEXT, "records": "Alum"}], "record 0: its records are not JSON"),
        ([{"pmid": "1", "text": TEXT, "records": []}], "holds no records"),
        ([7], "record 0 is neither a paper nor a record"),
    ],
)
def test_a_fault_names_the_record(content: Any, seen: str, tmp_path: Path) -> None:
    with pytest.raises(BadInputError) as caught:
        read(tmp_path / "a.json", content)
    assert seen in caught.value.what


def test_fields_take_the_names_of_the_schema() -> None:
    assert field_names(["Adjuvant", "RouteOfAdministration", "Immune response", "2nd dose"]) == {
        "Adjuvant": "adjuvant",
        "RouteOfAdministration": "route",
        "Immune response": "response",
        "2nd dose": "field_2nd_dose",
    }
    with pytest.raises(BadInputError, match="one name"):
        field_names(["Dose level", "dose_level"])
