"""What of the gold's evidence reached a trial, counted by hand over recorded calls."""

from pathlib import Path
from typing import Any

import orjson

from pincite_doors.recorder import WireRecorder
from pincite_doors.redactor import Redactor
from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.gathered import gathered

ONE = {"doi": "10.5555/aio.1", "title": "Nightly layers of herring larvae", "quoted_span": "caught at 12 m"}
TWO = {"doi": "10.5555/aio.2", "title": "Salinity and the eggs of capelin", "quoted_span": "hatched in all"}
FIGURE = {"doi": "10.5555/aio.1", "title": "Nightly layers of herring larvae", "place": "figure", "label": "Figure 2"}
FIGURE |= {"quote": "Depths of the larvae."}


def record(trial: Path, calls: list[tuple[str, str, dict[str, Any], list[dict[str, Any]]]]) -> Path:
    recorder = WireRecorder(trial / "wire" / "mcp.jsonl", Redactor([]))
    for server, tool, arguments, content in calls:
        params = {"name": tool, "arguments": arguments}
        sequence = recorder.request(server, "tools/call", params, size=1, protocol="2025-06-18")
        recorder.response(sequence, {"result": {"content": content}}, size=1)
    recorder.close()
    return trial


def said(value: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": value if isinstance(value, str) else orjson.dumps(value).decode()}]


def passages(*found: tuple[str, str]) -> list[dict[str, Any]]:
    return said({"passages": [{"paper": paper, "text": text} for paper, text in found], "next_cursor": None})


def test_works_count_at_any_place_and_as_the_first(tmp_path: Path) -> None:
    gold = {"sources": [ONE], "measurements": [{"sources": [TWO, ONE]}]}
    works = said({"works": [{"title": "Another", "doi": "10.5555/x"}, {"title": "-", "doi": "10.5555/AIO.1"}]})
    trial = record(tmp_path / "a", [("literature", "search_papers", {"query": "eggs"}, works)])
    assert gathered(Case(None, gold, trial=trial)) == {"doi_recall": 0.5, "doi_recall_top": 0.0}
    first = passages(("Salinity and the eggs of capelin", "…"), ("Nightly Layers of Herring Larvae", "…"))
    trial = record(tmp_path / "b", [("library", "search_passages", {"query": "x"}, first)])
    assert gathered(Case(None, gold, trial=trial)) == {"doi_recall": 1.0, "doi_recall_top": 0.5}
    assert gathered(Case(None, gold)) == {} and gathered(Case(None, {"answer": "x"}, trial=trial)) == {}


def test_a_figure_is_brought_with_its_paper_and_inspected_where_it_is_looked_at(tmp_path: Path) -> None:
    gold = {"kind": "text", "answer": "12 m", "source": FIGURE}
    title = "Nightly layers of herring larvae"
    picture = [{"type": "image", "data": "", "mimeType": "image/png"}, *said("Fig. 2, 400 x 300")]
    rows: list[tuple[list[tuple[str, str, dict[str, Any], list[dict[str, Any]]]], float, float]] = [
        ([("library", "search_passages", {"query": "x"}, passages(("Other", "Fig. 2"), (title, "Fig. 21")))], 0, 0),
        ([("library", "search_passages", {"query": "x"}, passages((title, "Fig. 2. Depths of the larvae.")))], 1, 0),
        ([("figures", "view_figure", {"paper": "a1b2c3d4", "figure": "Fig. 2"}, picture)], 1, 1),
    ]
    for number, (calls, brought, inspected) in enumerate(rows):
        found = gathered(Case(None, gold, trial=record(tmp_path / str(number), calls)))
        assert (found["figure_recall"], found["figure_inspected"]) == (brought, inspected), number
        assert "evidence_shown" not in found, "no model was asked"


def test_quotes_that_models_were_given_count_in_every_family(tmp_path: Path) -> None:
    """Of three quotes one is of a figure, and of the others the model was given one."""
    trial = record(tmp_path, [])
    wire = trial / "wire" / "llm.jsonl"
    body = {"model": "m", "messages": [{"role": "user", "content": "The gap of tin is 1.15 meV, they say."}]}
    asked = {"kind": "request", "seq": 1, "at": "2026-01-01T00:00:00+00:00", "dialect": "openai.chat", "body": body}
    message = {"choices": [{"message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}]}
    told = {"kind": "response", "seq": 1, "at": "2026-01-01T00:00:01+00:00", "status": 200, "body": message}
    more = {"operation": "generate", "method": "POST", "path": "/v1/chat/completions", "model": "m", "streamed": False}
    wire.write_bytes(orjson.dumps(asked | more) + b"\n" + orjson.dumps(told | {"usage": None}) + b"\n")

    def found(evidence: str, source: str, **more: Any) -> dict[str, Any]:
        where = {"page": 1, "source_type": source, "evidence": evidence, **more}
        fields = {"material_or_system": "Sn", "property_name": "gap", "category": "other", "value_string": "1.15"}
        return {**fields, "value_unit": "meV", "location": where}

    gold = {
        "properties": [
            found("The gap of tin is 1.15 meV", "text"),
            found("its gap was 1.15 meV before", "text"),
            found("1.15", "figure", section="Fig. 1"),
        ]
    }
    made = score("property_extraction", Case({"properties": []}, gold, trial=trial), ScoringOptions())
    assert made.metrics["evidence_shown"] == 0.5
    assert made.metrics["figure_recall"] == 0.0 and "doi_recall" not in made.metrics
