"""pincite run and score with a model as judge: what is kept, what an outage does, and what never leaves."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from pincite_doors.testing import Request, ScriptedModel, fail, say
from pincite_harness.cli.main import app
from pincite_tasks.files import read_json

GOLD = {
    "properties": [
        {
            "material_or_system": "YBa2Cu3O7",
            "property_name": "critical temperature",
            "value_string": "93",
            "value_unit": "K",
            "location": {"page": 1, "source_type": "text", "evidence": "words that stand nowhere"},
        }
    ]
}
Command = Callable[..., str]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """A pincite command in this process, with a cache of the test's own."""
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))

    def called(*words: object, code: int = 0) -> str:
        done = CliRunner().invoke(app, [*map(str, words)])
        assert done.exit_code == code, (done.output, done.exception)
        return done.output or str(done.exception)

    return called


def judging(match: str) -> Callable[[Request], Any]:
    """Answers the check before a run, then every question about a pair with ``match``."""

    def answer(request: Request) -> Any:
        labels = {"greeting": "yes"} if "greeting" in request.system else {"match": match}
        return say(json.dumps({"reason": f"I say {match}.", "labels": labels}))

    return answer


def run_words(family: Path, out: Path, model: ScriptedModel) -> list[object]:
    """By the published definitions a judge is asked about every candidate, also where rules would decide."""
    words = ["run", "tiny", "--tasks", family, "--agent", "oracle", "--sandbox", "local", "--out", out, "--name", "r"]
    return [*words, "--judge", "scripted", "--judge-url", model.url, "--compat", "reference"]


def test_a_judged_run_keeps_its_judge_its_record_and_its_verdicts(
    command: Command, make_family: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_JUDGE_API_KEY", "sk-planted-judge-key")
    family = make_family(servers="[]", gold=GOLD)
    run = tmp_path / "runs" / "r"
    with ScriptedModel([judging("no")] * 20, key="sk-planted-judge-key") as model:
        text = command(*run_words(family, tmp_path / "runs", model))
        assert len(model.requests) == 2, "the check, and one question"
        assert "Judge: compatible:scripted, temperature 0, 1 vote, prompt judge/1; 1 question," in " ".join(
            text.split()
        )
        trial = run / "trials" / "t1__1"
        score = read_json(trial / "score.json")
        assert score["metrics"]["match_f1"] == 0, "the judge's no outdoes the lexicon's yes"
        assert score["matcher"].startswith("property_extraction/same_measurement/1, compatible:scripted")
        assert score["records"][0]["reason"] == "I say no."
        assert score["judging"]["questions"] == 1
        (line,) = (trial / "judging.jsonl").read_bytes().splitlines()
        assert "critical temperature" in orjson.loads(line)["message"]
        assert "93" not in orjson.loads(line)["message"], "values are hidden from the judge"
        assert read_json(run / "run.json")["specification"]["judge"]["model"]["name"] == "scripted"

        before = len(model.requests)
        command("score", run)
        assert len(model.requests) == before + 1, "only the check: the verdicts are kept"
        command("score", run, "--judge", "rules")
        assert len(model.requests) == before + 1
    by_rules = read_json(trial / "score.json")
    assert (by_rules["matcher"], by_rules["metrics"]["match_f1"]) == ("lexicon/2", 1)
    assert not (trial / "judging.jsonl").exists(), "no record of a judge that no longer counts"
    assert read_json(run / "run.json")["specification"]["judge"] is None
    kept = [path for path in run.rglob("*") if path.is_file() and b"sk-planted" in path.read_bytes()]
    assert not kept


def test_a_judge_that_is_not_there_stops_a_run_before_its_trials(
    command: Command, make_family: Any, tmp_path: Path
) -> None:
    family = make_family(servers="[]", gold=GOLD)
    with ScriptedModel([fail(401, times=None)]) as model:
        assert "refused access" in command(*run_words(family, tmp_path / "runs", model), code=1)
    assert not (tmp_path / "runs").exists()


def test_an_outage_of_the_judge_is_a_failed_scorer_and_scored_later(
    command: Command, make_family: Any, tmp_path: Path
) -> None:
    family = make_family(servers="[]", gold=GOLD)
    run = tmp_path / "runs" / "r"
    trial = run / "trials" / "t1__1"
    with ScriptedModel([judging("yes"), fail(401)]) as model:
        command(*run_words(family, tmp_path / "runs", model), code=1)
        record, score = read_json(trial / "trial.json"), read_json(trial / "score.json")
        assert (record["cause"], score["status"], score["metrics"]) == ("scorer_failed", "unscored", {})
        assert "refused access" in record["detail"]
        assert not (trial / "judging.jsonl").exists()
    with ScriptedModel([fail(401, times=None)]) as broken:
        command("score", run, "--judge", "other", "--judge-url", broken.url, code=1)
    assert read_json(run / "run.json")["specification"]["judge"]["model"]["name"] == "scripted"
    assert read_json(trial / "score.json") == score, "a judge that is not there replaces no score"
    with ScriptedModel([judging("yes")] * 3) as model:
        command("score", run, "--judge", "scripted", "--judge-url", model.url, "--judge-votes", "1")
    assert read_json(trial / "trial.json")["status"] == "completed"
    assert read_json(trial / "score.json")["metrics"]["f1"] == 1


def test_repeated_judging_keeps_each_judging_and_says_how_far_they_agree(
    command: Command, make_family: Any, tmp_path: Path
) -> None:
    family = make_family(servers="[]", gold=GOLD)
    run, told = tmp_path / "runs" / "r", iter(["yes", "no", "yes"])

    def changing(request: Request) -> Any:
        return judging("yes" if "greeting" in request.system else next(told))(request)

    with ScriptedModel([changing] * 20) as model:
        command(*run_words(family, tmp_path / "runs", model))
        text = command("score", run, "--repeat", "3")
        asked = len(model.requests)
        assert "match_f1" in text
        # 1, 0 and 1: two pairs of three differ by 1; one trial has no correlation.
        found = read_json(run / "repeats.json")
        assert found["metrics"]["match_f1"] == {"trials": 1, "pearson": None, "difference": pytest.approx(2 / 3)}
        trial = run / "trials" / "t1__1"
        places = (trial, trial / "repeats" / "2", trial / "repeats" / "3")
        assert [read_json(place / "score.json")["metrics"]["match_f1"] for place in places] == [1, 0, 1]
        said = [orjson.loads((place / "judging.jsonl").read_bytes())["verdict"]["labels"]["match"] for place in places]
        assert said == ["yes", "no", "yes"]
        command("score", run, "--repeat", "3")
        assert len(model.requests) == asked + 2, "only the checks: the verdicts of each repeat are kept"
        assert read_json(run / "repeats.json") == found
        assert "Only what a model judges" in command("score", run, "--judge", "rules", "--repeat", "2", code=1)
