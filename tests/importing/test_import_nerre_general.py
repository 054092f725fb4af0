"""NERRE's general materials: completions become objects, empty ones too; scores by field and their mean."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_harness.curation.importing.dataset import ImportOptions
from pincite_harness.curation.importing.nerre_general import read_nerre_general
from pincite_scoring import Case, ScoringOptions
from pincite_scoring.record_filling.scorer import SCORER

FILM = {
    "acronym": "BTO",
    "applications": ["capacitors", "", "capacitors"],
    "name": "barium titanate",
    "formula": "BaTiO3",
    "structure_or_phase": ["perovskite", "tetragonal"],
    "description": ["thin film"],
}
EMPTY = {
    "acronym": "",
    "applications": [""],
    "name": "",
    "formula": "",
    "structure_or_phase": [""],
    "description": [""],
}
OTHER = {**EMPTY, "formula": "SrTiO3", "structure_or_phase": "cubic"}
TEXT = (
    "Thin films of barium titanate (BTO, BaTiO3), a tetragonal perovskite for capacitors, were grown on cubic SrTiO3."
)


def line(prompt: str, completion: Any) -> bytes:
    said = completion if isinstance(completion, str) else f" {orjson.dumps(completion).decode()}\n\nEND\n\n"
    return orjson.dumps({"prompt": f"{prompt}\n\n###\n\n", "completion": said})


@pytest.fixture
def folds(tmp_path: Path) -> Path:
    for number, lines in enumerate(
        [[line(f"Invented films\n{TEXT}", [FILM, OTHER, EMPTY])], [line("Batteries age in an invented way.", [])]]
    ):
        folder = tmp_path / f"fold_{number}"
        folder.mkdir()
        (folder / "val.jsonl").write_bytes(b"\n".join(lines))
        (folder / "train.jsonl").write_bytes(line("It stands in another fold.", []))
    return tmp_path


def test_each_abstract_of_the_folds_is_a_task_once(folds: Path) -> None:
    first, second = read_nerre_general(folds, ImportOptions())
    assert first.record.metadata["title"] == "Invented films"
    gold: Any = first.record.gold
    assert gold["objects"] == [
        {
            "formula": "BaTiO3",
            "name": "barium titanate",
            "acronym": "BTO",
            "applications": ["capacitors"],
            "structure_or_phase": ["perovskite", "tetragonal"],
            "description": ["thin film"],
        },
        {"formula": "SrTiO3", "structure_or_phase": ["cubic"]},
    ]
    assert second.record.gold == {"objects": []}, "an abstract without a material: whatever is filled is wrong"


def test_scores_by_field_and_their_mean(folds: Path) -> None:
    first, second = read_nerre_general(folds, ImportOptions())
    parameters = first.record.inputs.parameters
    answer = {"objects": [{"formula": "BaTiO3", "name": "barium titanate", "applications": ["capacitors", "sensors"]}]}
    found = SCORER.score(Case(answer, first.record.gold, parameters=parameters), ScoringOptions()).metrics
    fields = {name: found[f"f1_{name}"] for name in ("name", "formula", "acronym", "applications", "description")}
    assert fields == pytest.approx({"name": 1, "formula": 2 / 3, "acronym": 0, "applications": 2 / 3, "description": 0})
    assert found["macro_f1"] == pytest.approx((sum(fields.values()) + 0) / 6), "structure_or_phase is 0, too"
    wrong = SCORER.score(Case(answer, second.record.gold, parameters=parameters), ScoringOptions()).metrics
    assert wrong["entity_f1"] == 0


def test_what_is_broken_is_left_out_with_a_note(tmp_path: Path) -> None:
    source = tmp_path / "val.jsonl"
    lines = [
        line(TEXT, " [{"),
        line(TEXT, ' {"a": 1}\n\nEND\n\n'),
        line(TEXT, " [7]\n\nEND\n\n"),
        b'{"text": "x"}',
        b"{",
    ]
    source.write_bytes(b"\n".join([*lines, line("", []), line(TEXT, [OTHER])]))
    notes: list[str] = []
    (entry,) = read_nerre_general(source, ImportOptions(note=notes.append))
    assert entry.record.gold == {"objects": [{"formula": "SrTiO3", "structure_or_phase": ["cubic"]}]}
    assert len(notes) == 6
