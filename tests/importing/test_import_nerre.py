"""NERRE: linked pairs become objects with their words in the abstract; faults name the record."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_harness.curation.importing.dataset import ImportOptions, Reader
from pincite_harness.curation.importing.nerre import read_nerre
from pincite_papers.html import parse_html
from pincite_scoring import Case, ScoringOptions
from pincite_scoring.record_filling.scorer import SCORER

PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "data" / "nerre" / "train.json"


def sentence(text: str, relevant: bool = True, **entities: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {
        "basemats": {},
        "dopants": {},
        "results": {},
        "dopants2basemats": {},
        "doping_modifiers": [],
    }
    return {"sentence_text": text, "sentence_cems": [], "relevant": relevant, **empty, **entities}


RECORD = {
    "doi": "10.9999/inv.1",
    "title": "Invented ZnO<inf>2</inf> with Al",
    "text": "We made ZnO with 2 at.% Al and with Ga. Al makes it n-type. A film of GaAs:Mn was grown. Nothing else.",
    "doping_sentences": [
        sentence(
            "Invented ZnO2 with Al.", basemats={"b0": "ZnO2"}, dopants={"d0": "Al"}, dopants2basemats={"d0": ["b0"]}
        ),
        sentence(
            "We made ZnO with 2 at.% Al and with Ga.",
            basemats={"b0": "ZnO"},
            dopants={"d0": "Al", "d1": "Ga"},
            dopants2basemats={"d0": ["b0"], "d1": ["b0"]},
            doping_modifiers=["2 at.%"],
        ),
        sentence("Al makes it n-type.", dopants={"d0": "Al"}, doping_modifiers=["n-type"]),
        sentence("A film of GaAs:Mn was grown.", results={"r0": "GaAs:Mn"}),
        sentence("Nothing else.", relevant=False, basemats={"b0": "else"}),
    ],
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "train.json"
    path.write_bytes(orjson.dumps([RECORD]))
    return path


def test_pairs_are_objects_with_what_their_sentences_say(source: Path) -> None:
    entry = next(read_nerre(source, ImportOptions()))
    gold: Any = entry.record.gold
    assert [{k: v for k, v in each.items() if k != "evidence"} for each in gold["objects"]] == [
        {"host": "ZnO2", "dopant": "Al"},
        {"host": "ZnO", "dopant": "Al", "modifiers": ["2 at.%"]},
        {"host": "ZnO", "dopant": "Ga", "modifiers": ["2 at.%"]},
        {"results": ["GaAs:Mn"]},
    ]
    page = entry.sources[entry.record.inputs.papers[0]]
    assert isinstance(page, bytes)
    paper = parse_html(page, max_pages=1)
    for each in gold["objects"]:
        assert {piece["field"] for piece in each["evidence"]} == set(each) - {"evidence"}
        for piece in each["evidence"]:
            assert paper.text[piece["start"] : piece["end"]] == piece["quote"]
            assert piece["quote"] in each[piece["field"]]


def test_what_stands_alone_belongs_to_its_only_pair(source: Path) -> None:
    record = {**RECORD, "doping_sentences": [RECORD["doping_sentences"][0], RECORD["doping_sentences"][2]]}  # type: ignore[index]
    source.write_bytes(orjson.dumps([record]))
    gold: Any = next(read_nerre(source, ImportOptions())).record.gold
    assert [each.get("modifiers") for each in gold["objects"]] == [["n-type"]]


def test_json_lines_and_a_folder_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(orjson.dumps(RECORD) + b"\n\n" + orjson.dumps({**RECORD, "doi": ""}) + b"\n")
    names = [entry.record.task_id for entry in read_nerre(tmp_path, ImportOptions())]
    assert names == ["10.9999-inv.1", "Invented-ZnO2-with-Al"]


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        (b"[{}]", "record 0 is not a record of NERRE"),
        (b"{", "not JSON"),
        (b"[1]", "record 0 is not a record of NERRE"),
        (orjson.dumps([{**RECORD, "doping_sentences": [3]}]), "record 0, sentence 0"),
        (
            orjson.dumps([{**RECORD, "doping_sentences": [sentence("x", dopants2basemats={"d0": ["b0"]})]}]),
            "record 0, sentence 0: its entities cannot be read",
        ),
    ],
)
def test_a_fault_names_the_record(
    content: bytes, seen: str, source: Path, faults: Callable[[Reader, Path], str]
) -> None:
    source.write_bytes(content)
    assert seen in faults(read_nerre, source)


def test_what_is_left_out_is_said(source: Path) -> None:
    source.write_bytes(orjson.dumps([{**RECORD, "text": ""}, {**RECORD, "doping_sentences": [sentence("Nothing.")]}]))
    notes: list[str] = []
    assert list(read_nerre(source, ImportOptions(note=notes.append))) == []
    assert [note.rpartition(": ")[2] for note in notes] == ["it has no text", "no sentence of it has an entity"]


@pytest.mark.skipif(not PUBLISHED.is_file(), reason="the published data set is not here (../shared/data/nerre)")
def test_the_published_records_import_and_get_full_marks() -> None:
    for entry in islice(read_nerre(PUBLISHED, ImportOptions()), 50):
        page = entry.sources[entry.record.inputs.papers[0]]
        assert isinstance(page, bytes)
        name = Path(entry.record.inputs.papers[0]).name
        papers = {name: parse_html(page, max_pages=1)}
        case = Case(entry.record.gold, entry.record.gold, papers, entry.record.inputs.parameters)
        assert [problem for problem in SCORER.check(case) if problem.fatal] == []
        metrics = SCORER.score(case, ScoringOptions()).metrics
        assert (metrics["overall"], metrics["span_f1"]) == (1, 1)
