"""SudokuFill as an agent of the harness: its options, its files, and a trial of it behind the doors."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError
from pincite_doors.testing import ScriptedModel
from pincite_harness.agents.registry import get_agent, options_of
from pincite_harness.cli.main import main
from pincite_harness.reports.anchors import Anchors
from pincite_harness.reports.debates import kendall_tau
from pincite_models.choice import ModelChoice
from pincite_tasks.files import read_json

KERNEL = {"format", "repairs", "effort", "pictures", "calls", "tokens", "seconds"}


def choice() -> ModelChoice:
    return ModelChoice.parse("openai:m", "http://127.0.0.1:1")


def test_every_option_of_the_program_is_one_of_the_agent(program: Any) -> None:
    table = program("sudokufill.options")
    assert set(options_of("sudokufill")) == set(table.DEFAULTS) | KERNEL
    for name, default in table.DEFAULTS.items():
        get_agent("sudokufill", {name: default}, choice())
    assert table.Options.of({}).last_round == 6
    assert not table.Options.of({"reuse": "archive"}).column, "without document context there is no column agent"


def test_values_that_cannot_be_are_refused_on_both_sides(program: Any) -> None:
    wrong = [
        ("order", "random"),
        ("order", "random:x"),
        ("rounds", "0"),
        ("tau", "1.5"),
        ("most", "much"),
        ("row", "no"),
    ]
    for name, value in wrong:
        with pytest.raises(BadInputError):
            get_agent("sudokufill", {name: value}, choice())
        with pytest.raises(ValueError, match=name):
            program("sudokufill.options").Options.of({name: value})
    good = [("order", "random:0"), ("order", "schema"), ("rounds", "3"), ("tau", "0.9"), ("reopen", "0")]
    for name, value in good:
        get_agent("sudokufill", {name: value}, choice())
        program("sudokufill.options").Options.of({name: value})


def test_it_says_how_many_calls_a_task_needs(tasks: Any) -> None:
    family: Any = None
    task: Any = SimpleNamespace(papers=[Path("a.pdf")], parameters=tasks["zno_films"]["inputs"]["parameters"])
    for options, calls in (
        ({}, 4 + 1 + 10 * 3 * (2 * 6 + 1)),
        ({"rounds": "1", "row": "off", "order": "schema"}, 4 + 10 * (2 * 5 + 1)),
        ({"probe": "cell", "rebuttal": "off", "reuse": "off"}, 40 + 1 + 10 * 3 * 5),
        ({"mode": "sequential"}, 10),
        ({"calls": "50"}, 50),
    ):
        needs = get_agent("sudokufill", options, choice()).needs(family, task, lambda _: 4)
        assert needs is not None
        assert needs.calls == calls, options


def test_its_prompts_are_among_its_digests() -> None:
    digests = get_agent("sudokufill", {}, choice()).digests()
    for role in ("probe", "rank", "page", "row", "column", "coordinator", "sequential"):
        assert f".agent/sudokufill/prompts/{role}.md" in digests
    assert {".agent/crew/ask.py", ".agent/toolbox.py", ".agent/answering.py", "options"} <= set(digests)


def test_a_trial_of_it_in_a_sandbox(
    tasks: Any,
    rules: Any,
    schemas: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    faults_in_desk: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", "key-of-the-model-1")
    monkeypatch.setenv("PINCITE_PASS_LABELS", "yes")
    name = "influenza_emulsions"
    with ScriptedModel([rules.RuleCast(schemas[name])] * 100) as model:
        words = ["run", "record_filling", "--task", name, "--agent", "sudokufill", "--sandbox", "local", "--unsafe"]
        words += ["--agent-option", "calls=14", "--agent-option", "stable=1"]
        words += ["--model", "openai:scripted", "--model-url", model.url, "--name", "one"]
        monkeypatch.setattr(sys, "argv", ["pincite", *words])
        with pytest.raises(SystemExit):
            main()
        assert not model.troubles
        seeing = {request.label.role: request.images for request in model.requests if request.label}
    assert seeing == {"probe": 1, "rank": 0, "page": 1, "column": 0, "coordinator": 0}, "page agents see their page"
    said = capsys.readouterr()
    trial = tmp_path / "runs" / "one" / "trials" / f"{name}__1"
    log = (trial / "agent.log").read_text()
    assert "sudokufill: " in log, said.out + said.err + log
    record = read_json(trial / "trial.json")
    assert "archive of earlier papers is empty" in orjson.dumps(record).decode()
    assert len(read_json(trial / "answer.json")["objects"]) >= 3
    [path] = (trial / "agent").rglob("state.jsonl")
    kinds = [orjson.loads(line)["kind"] for line in path.read_bytes().splitlines()]
    assert kinds[0] == "Began"
    assert {"Probed", "Ranked", "RoundBegan", "Written", "Assembled"} <= set(kinds)
    assert kinds[-1] == "Ended"
    [family] = read_json(tmp_path / "runs" / "one" / "report.json")["families"].values()
    debates = family["runs"]["one"]["debates"]
    assert debates["orders"] == {"tasks": 0, "same": 0, "kendall_tau": None}
    assert set(debates["fields"]) == {field.name for field in schemas[name].fields}
    assert debates["fields"]["adjuvant"]["cells"] >= 3
    assert 0.3 <= debates["confidence_by_round"]["0"] <= 1
    anchors = debates["anchors"]
    assert anchors["shown"] == sum(each["shown"] for each in anchors["fields"].values()) > 0
    assert "every task was ordered once" in (tmp_path / "runs" / "one" / "report.html").read_text()
    assert not faults_in_desk(trial)


def test_orders_are_compared_by_kendalls_tau() -> None:
    assert kendall_tau(["a", "b", "c"], ["a", "b", "c"]) == 1
    assert kendall_tau(["a", "b", "c"], ["c", "b", "a"]) == -1
    assert kendall_tau(["a", "b", "c"], ["a", "c", "b"]) == pytest.approx(1 / 3)


def test_wrong_anchors_are_counted_with_what_stands_wrong_after_them() -> None:
    """By hand. Of one object its class is settled wrong and shown; its dose was right in the matrix and is lost after
    it, its route was wrong there too, its host is right. Another object's class is wrong and was not shown."""

    def claims(field: str, *held: tuple[str, str, float]) -> dict[str, Any]:
        stated = [{"object": thing, "value": value, "confidence": sure} for thing, value, sure in held]
        return {"kind": "Probed", "field": field, "claims": stated}

    def written(field: str, *shown: bool, **more: Any) -> dict[str, Any]:
        cells = [{"object": f"o{number}", "constrains": each} for number, each in enumerate(shown, 1)]
        return {"kind": "Written", "field": field, "cells": cells, **more}

    def row(answer: int, field: str, status: str, value: str, gold: str) -> dict[str, Any]:
        return {"answer": answer, "gold": answer, "field": field, "status": status, "value": value, "gold_value": gold}

    things = [{"id": "o1", "name": "SE-40 (pigs)", "value": "SE-40"}, {"id": "o2", "name": "alum", "value": "alum"}]
    events = [
        claims("dose", ("se-40", "5  mg", 0.9), ("se-40", "7 mg", 0.4)),
        claims("route", ("se-40", "oral", 0.4), ("se-40", "nasal", 0.9)),
        written("name", True, True, things=things),
        written("class", True, False), written("dose", True, True), written("route", True), written("host", True, True),
    ]  # fmt: skip
    rows = [
        row(0, "name", "correct", "SE-40", "SE-40"), row(0, "class", "wrong", "gel", "emulsion"),
        row(0, "dose", "wrong", "7 mg", "5 mg"), row(0, "route", "missed", "", "oral"),
        row(0, "host", "correct", "pig", "pig"), row(1, "name", "correct", "alum", "alum"),
        row(1, "class", "wrong", "emulsion", "mineral salt"), row(1, "dose", "correct", "1 mg", "1 mg"),
    ]  # fmt: skip
    anchors = Anchors()
    anchors.add(events, rows)
    for broken in ({"kind": "Written", "field": "class"}, written("name", True, things=[{"id": "o1"}])):
        anchors.add([broken], rows)  # a file that is not as the agent writes it
    assert (anchors.shown, anchors.wrong, anchors.lost) == (8, 2, 1)
    counted = {name: (each.shown, each.wrong, each.lost) for name, each in anchors.fields.items()}
    assert counted["class"] == (1, 1, 1)
    assert counted["dose"] == (2, 1, 0), "its own wrong value broke nothing later"
    assert (counted["name"], counted["route"], counted["host"]) == ((2, 0, 0), (1, 0, 0), (2, 0, 0))
