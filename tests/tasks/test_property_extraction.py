"""The bundled family: papers rebuild to the same text, and gold evidence stands where it says."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pypdfium2
import pytest

from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf
from pincite_papers.quoting.skeleton import Skeleton
from pincite_scoring import Case, ScoringOptions, score
from pincite_tasks.family import load_family

REPOSITORY = Path(__file__).parents[2]
FAMILY = REPOSITORY / "tasks" / "property_extraction"
RECORDS = [json.loads(line) for line in (FAMILY / "records.jsonl").read_text(encoding="utf-8").splitlines()]
NAMES = [record["task_id"] for record in RECORDS]
PLACEHOLDERS = {"", "-", "–", "n/a", "na", "none", "unknown", "not given", "not stated", "null"}


def load_script(name: str) -> ModuleType:
    path = REPOSITORY / "scripts" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def papers() -> dict[str, Paper]:
    return {name: parse_pdf((FAMILY / "papers" / f"{name}.pdf").read_bytes(), max_pages=20) for name in NAMES}


@pytest.fixture(scope="session")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rebuilt")
    load_script("build_task_papers").build(FAMILY, out, [])
    return out


def properties(name: str) -> list[dict[str, Any]]:
    return next(record["gold"]["properties"] for record in RECORDS if record["task_id"] == name)


def raw_text(path: Path, page: int) -> str:
    document = pypdfium2.PdfDocument(path)
    try:
        return document[page - 1].get_textpage().get_text_range().replace("￾", "-")
    finally:
        document.close()


def test_the_family_loads_with_every_paper_it_has_sources_for() -> None:
    family = load_family(FAMILY)
    sources = {path.stem for path in (FAMILY / "sources").glob("*.typ")} - {"template"}
    assert {task.task_id for task in family.sets["standard"]} == sources
    assert len(sources) >= 8
    assert {path.stem for path in (FAMILY / "papers").iterdir()} == sources


@pytest.mark.parametrize("name", NAMES)
def test_a_paper_is_small_and_rebuilds_to_the_same_text(name: str, rebuilt: Path, papers: dict[str, Paper]) -> None:
    committed, again = FAMILY / "papers" / f"{name}.pdf", rebuilt / f"{name}.pdf"
    assert committed.stat().st_size < 200_000
    parsed = parse_pdf(again.read_bytes(), max_pages=20)
    assert parsed.text == papers[name].text
    assert len(parsed.pages) == len(papers[name].pages) <= 3


def test_a_second_build_gives_the_same_bytes(rebuilt: Path, tmp_path: Path) -> None:
    load_script("build_task_papers").build(FAMILY, tmp_path, NAMES[:2])
    for name in NAMES[:2]:
        assert (tmp_path / f"{name}.pdf").read_bytes() == (rebuilt / f"{name}.pdf").read_bytes()


def test_the_records_are_what_their_sources_give() -> None:
    content, faults = load_script("build_task_records").build(FAMILY)
    assert faults == []
    assert content == (FAMILY / "records.jsonl").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_gold_satisfies_the_schema_and_holds_no_placeholder(name: str) -> None:
    schema = json.loads((FAMILY / "schema.json").read_text(encoding="utf-8"))
    gold = {"properties": properties(name)}
    jsonschema.validate(gold, schema, cls=jsonschema.Draft202012Validator)

    def strings(value: Any) -> list[str]:
        if isinstance(value, dict):
            return [text for item in value.values() for text in strings(item)]
        return [value] if isinstance(value, str) else []

    for record in gold["properties"]:
        assert not {text.strip().casefold() for text in strings(record)} & PLACEHOLDERS
    assert len(gold["properties"]) >= 15


@pytest.mark.parametrize("name", NAMES)
def test_evidence_is_an_exact_quote_of_its_page(name: str, papers: dict[str, Paper]) -> None:
    paper = papers[name]
    for record in properties(name):
        place = record["location"]
        start = paper.text.find(place["evidence"])
        assert start >= 0, place["evidence"]
        assert paper.page_at(start) == place["page"]
        section = place.get("section")
        assert section is None or Skeleton.of(section).bare in Skeleton.of(paper.text).bare


@pytest.mark.parametrize("name", NAMES)
def test_evidence_stands_on_its_page_for_another_reader_too(name: str) -> None:
    path = FAMILY / "papers" / f"{name}.pdf"
    for record in properties(name):
        place = record["location"]
        assert Skeleton.of(place["evidence"]).bare in Skeleton.of(raw_text(path, place["page"])).bare


@pytest.mark.parametrize("name", NAMES)
def test_no_two_records_are_one_measurement(name: str) -> None:
    keys = [
        json.dumps(
            [record.get(key) for key in ("material_or_system", "property_name", "conditions", "method", "value_string")]
        )
        for record in properties(name)
    ]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("name", NAMES)
def test_gold_scores_one_and_an_empty_answer_zero(name: str, papers: dict[str, Paper]) -> None:
    gold = {"properties": properties(name)}
    library = {f"{name}.pdf": papers[name]}
    best = score("property_extraction", Case(gold, gold, library), ScoringOptions())
    assert best.status == "scored"
    for metric in ("precision", "recall", "f1", "f1_0.1%", "match_f1", "evidence_verified", "value_in_quote"):
        assert best.metrics[metric] == 1.0, metric
    nothing = score("property_extraction", Case({"properties": []}, gold, library), ScoringOptions())
    assert (nothing.status, nothing.metrics["f1"]) == ("scored", 0.0)


def test_the_prompt_names_every_source_type_and_the_schema_has_every_field_it_asks_for() -> None:
    prompt = (FAMILY / "prompt.md").read_text(encoding="utf-8")
    schema = json.loads((FAMILY / "schema.json").read_text(encoding="utf-8"))
    record = schema["properties"]["properties"]["items"]
    assert record["properties"]["location"]["properties"]["source_type"]["enum"] == [
        "text",
        "figure",
        "caption",
        "table",
    ]
    for field in record["required"]:
        assert field in prompt
    for word in ("text", "tables", "captions", "figures"):
        assert word in prompt.casefold()
