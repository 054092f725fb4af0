"""Statements that a model finds and judges: what is not in the report or the passage is not heard."""

import functools
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import pytest

from pincite_core.errors import BadInputError, UnavailableError
from pincite_core.settings import Settings
from pincite_harness.audit.audited import audit_online
from pincite_harness.audit.data import to_json

PAPER = """<html><body><article><h1>Tin</h1><p>White tin superconducts below 3.72 K, as we found by its
diamagnetism.</p><p>Grey tin, its other form, is a semiconductor and does not superconduct at any temperature.</p>
<p>The samples were rolled before each run.</p></article></body></html>"""
REPORT = """White tin becomes a superconductor. Grey tin superconducts as well. The samples were cast. It was 3.72 K.
"""
WHITE, GREY, CAST = "White tin becomes a superconductor", "Grey tin superconducts as well", "The samples were cast"


def audited(folder: Path, settings: Settings) -> dict[str, Any]:
    (folder / "tin.html").write_text(PAPER)
    (folder / "report.md").write_text(REPORT)
    audit = functools.partial(audit_online, fetch=False, registry=False, model=True)
    audits, opened = anyio.run(functools.partial(audit, folder / "report.md", [folder / "tin.html"], settings))
    return to_json(audits, opened)["reports"][0]


def judge(body: dict[str, Any]) -> str:
    content = body["messages"][-1]["content"]
    asked = json.loads(content if isinstance(content, str) else content[-1]["text"])
    said = {
        WHITE: ("yes", "White tin superconducts below 3.72 K"),
        GREY: ("no", "does not superconduct at any temperature"),
        CAST: ("no", "The samples were never cast"),
    }
    answer, words = said[asked["claim"]["property"]]
    return json.dumps({"answer": answer, "words": words})


def settings_of(folder: Path, url: str) -> Settings:
    return Settings(text_url=url, text_model="m-1", text_seconds=5, cache_dir=folder / "cache", papers_dir=folder)


def test_statements_are_held_to_the_report_and_the_passage(tmp_path: Path, endpoints: ModuleType) -> None:
    listed = json.dumps({"statements": [WHITE, GREY, CAST, "Tin was found in Cornwall", "It was 3.72 K."]})
    answers = [endpoints.Answered(reply=listed), *[endpoints.Answered(reply=judge) for _ in range(3)]]
    with endpoints.scripted(*answers) as endpoint:
        report = audited(tmp_path, settings_of(tmp_path, endpoint.url))
    claims = {claim["text"]: claim for claim in report["claims"] if claim["kind"] == "statement"}
    verdicts = {text: claim["verdict"] for text, claim in claims.items()}
    assert verdicts == {WHITE: "borne out", GREY: "contradicted", CAST: "unsure"}
    assert "do not stand in the passage" in claims[CAST]["reason"]
    assert claims[GREY]["source_says"] == "does not superconduct at any temperature"
    assert REPORT[claims[GREY]["start"] : claims[GREY]["end"]] == GREY
    assert report["statements_not_in_report"] == 1
    assert [claim["text"] for claim in report["claims"] if claim["kind"] == "value"] == ["3.72 K"]


def test_a_model_that_cannot_be_asked_is_an_error(tmp_path: Path, endpoints: ModuleType) -> None:
    with endpoints.scripted(endpoints.Answered(status=401)) as endpoint, pytest.raises(UnavailableError):
        audited(tmp_path, settings_of(tmp_path, endpoint.url))
    with pytest.raises(BadInputError, match="PINCITE_TEXT_URL"):
        audited(tmp_path, Settings(cache_dir=tmp_path / "cache", papers_dir=tmp_path))
