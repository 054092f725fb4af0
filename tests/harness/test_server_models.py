"""Servers' own models in a trial: through the model door, recorded with their tool call, limited, costed, replayed."""

import json
import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError
from pincite_doors.testing import ScriptedModel, say
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.server_models import ServerModels
from pincite_harness.trial.servers import SERVERS
from pincite_models.choice import ModelChoice
from pincite_models.server_model import ServerModel, parse_server_models
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family
from pincite_tasks.trial_record import TrialRecord
from pincite_tasks.web import WebChoice
from pincite_trajectory.validate import validate_trajectory

REPOSITORY = Path(__file__).parents[2]
PAPER = REPOSITORY / "tasks" / "figure_analysis" / "papers" / "fare_floor.pdf"
KEY = "sk-of-the-model-that-sees-31415"
LOOK = {"action": "zoom", "bbox": [0, 0, 0.5, 0.5], "target": "a corner", "reason": "small"}
SURE = {"action": "answer", "answer": "It falls.", "evidence": "The line.", "confidence": 0.93, "reason": "seen"}
ASK = {"paper": "a.pdf", "figure": "Fig. 1", "question": "Does the fare rise or fall?"}
ANSWER = orjson.dumps({"properties": []}).decode()


async def run_trial(
    folder: Path, family: Path, actor: Any, models: ServerModels, web: WebChoice | None = None
) -> TrialRecord:
    """An agent without a model that asks for a figure to be looked at, and answers."""
    loaded = load_family(family)
    agent = actor("call", f"inspect_figure {json.dumps(ASK)}", "answer", ANSWER)
    [plan] = plan_trials([(loaded, loaded.tasks[0])], agent, 1)
    marker = Marker([plan.task], ScoringOptions())
    around = Surroundings("process", marker, SERVERS, web or WebChoice(), server_models=models, unsafe=True)
    try:
        return await TrialRun(plan, folder, around).run()
    finally:
        marker.close()


def seeing(url: str) -> ServerModels:
    return ServerModels(models=parse_server_models({"vision": "anthropic:claude-seer"}, {"vision": url}))


def script() -> list[Any]:
    return [say(json.dumps(LOOK)), say(json.dumps(SURE))]


def made(make_family: Any, name: str, limits: str = "wall_clock_seconds = 120\ntool_calls = 5") -> Path:
    family = make_family(name, servers='["figures"]', limits=limits)
    shutil.copyfile(PAPER, family / "papers" / "a.pdf")
    return family


@pytest.mark.anyio
async def test_a_look_at_a_figure_stands_on_the_wire_and_is_replayed(
    make_family: Any, actor: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_VISION_API_KEY", KEY)
    monkeypatch.setenv("PINCITE_VISION_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PINCITE_VISION_MODEL", "of-the-shell")
    store, family = tmp_path / "web", made(make_family, "tiny")
    with ScriptedModel(script(), key=KEY) as model:
        models, url = seeing(model.url), model.url
        web = WebChoice(mode="record", store=str(store), corpora=False)
        record = await run_trial(tmp_path / "one", family, actor, models, web)
        assert (model.left, model.troubles) == (0, [])
        assert {request.body["model"] for request in model.requests} == {"claude-seer"}
        usage = model.usage
    log = (tmp_path / "one" / "agent.log").read_text()
    assert "It falls." in log, log
    assert record.model_calls == 2
    assert record.tokens is not None
    assert (record.tokens.input, record.tokens.output) == (usage.input_tokens, usage.output_tokens)
    spent = record.roles["server:figures.inspect_figure"]
    assert (spent.model_calls, spent.tokens.output) == (2, usage.output_tokens)

    lines = [json.loads(line) for line in (tmp_path / "one" / "wire" / "llm.jsonl").read_text().splitlines()]
    asked = [line for line in lines if line["kind"] == "request"]
    calls = [json.loads(line) for line in (tmp_path / "one" / "wire" / "mcp.jsonl").read_text().splitlines()]
    [call] = [line["seq"] for line in calls if line["kind"] == "request" and line["method"] == "tools/call"]
    label = {"role": "server:figures.inspect_figure", "id": str(call), "parent": "main"}
    assert [line["label"] for line in asked] == [label | {"step": f"vision {number}"} for number in (1, 2)]
    assert all(line["route"] == "server/figures/vision" for line in asked)
    trajectory = validate_trajectory(tmp_path / "one" / "trajectory.json")
    [sub] = trajectory.subagent_trajectories or []
    results = [result for step in trajectory.steps for result in (step.observation.results if step.observation else [])]
    referring = [result for result in results if result.subagent_trajectory_ref]
    assert [result.source_call_id for result in referring] == [f"call_{call}"]
    assert referring[0].subagent_trajectory_ref[0].trajectory_id == sub.trajectory_id
    for path in [path for path in tmp_path.rglob("*") if path.is_file()]:
        assert KEY.encode() not in path.read_bytes(), path

    monkeypatch.delenv("PINCITE_VISION_API_KEY")
    again = await run_trial(
        tmp_path / "two", family, actor, models, WebChoice(mode="replay", store=str(store), corpora=False)
    )
    assert "It falls." in (tmp_path / "two" / "agent.log").read_text(), "nobody is asked: the model is gone"
    assert (again.model_calls, again.tokens, again.cost_usd) == (2, record.tokens, record.cost_usd)
    ended = [json.loads(line) for line in (tmp_path / "two" / "wire" / "llm.jsonl").read_text().splitlines()]
    assert [line.get("replayed") for line in ended if line["kind"] == "response"] == [True, True]
    other = ServerModels(models=parse_server_models({"vision": "anthropic:another"}, {"vision": url}))
    unasked = WebChoice(mode="replay", store=str(store), corpora=False)
    missed = await run_trial(tmp_path / "three", family, actor, other, unasked)
    assert "has no answer of the vision model" in (tmp_path / "three" / "agent.log").read_text()
    assert missed.model_calls <= 1


@pytest.mark.anyio
async def test_a_limit_of_cost_counts_a_servers_model(
    make_family: Any, actor: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_VISION_API_KEY", KEY)
    limits = "wall_clock_seconds = 120\ntool_calls = 5\ncost_usd = 0.0000001"
    with ScriptedModel(script(), key=KEY) as model:
        models = ServerModels(
            models=parse_server_models({"vision": "anthropic:claude-sonnet-4-5"}, {"vision": model.url})
        )
        record = await run_trial(tmp_path / "one", made(make_family, "dear", limits), actor, models)
        assert len(model.requests) == 1, "the second look is past the limit"
    assert (str(record.cause), record.detail) == ("limit_reached", "cost: 1e-07 USD")


def test_settings_and_models_are_checked_before_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    models = ServerModels(settings={"library.store": "lance", "figures.vision_effort": "low", "documents.ocr": "off"})
    models.check()
    assert models.settings_of("library") == {"PINCITE_LIBRARY_STORE": "lance"}
    assert models.settings_of("figures") == {"PINCITE_VISION_EFFORT": "low"}
    ServerModels(settings={"library.embedder": "local:/models/e5"}).check()
    for settings, words in (
        ({"library.fancy": "1"}, "no such setting"),
        ({"nowhere.ocr": "off"}, "no server"),
        ({"documents.ocr": "perhaps"}, "cannot be used"),
        ({"documents.roots": "/"}, "sets this itself"),
        ({"literature.ncbi_api_key": "x"}, "sets this itself"),
        ({"figures.vision_url": "http://a"}, "past its door"),
        ({"library.embedder": "openai"}, "past its door"),
    ):
        with pytest.raises(BadInputError, match=words):
            ServerModels(settings=settings).check()
    for named, urls, words in (
        ({"sight": "openai:a"}, {}, "no model for sight"),
        ({"vision": "google:gemini-3"}, {}, "do not speak"),
        ({"embedding": "anthropic:claude"}, {}, "do not speak"),
        ({"rerank": "openai:a"}, {}, "reranker"),
        ({"rerank": "tei:a"}, {}, "needs an address"),
        ({}, {"vision": "http://a"}, "has no model"),
    ):
        with pytest.raises(BadInputError, match=words):
            parse_server_models(named, urls)
    with pytest.raises(BadInputError, match="off"):
        ServerModels(door=False, models=parse_server_models({"vision": "openai:gpt"}, {})).check()
    for name in ("PINCITE_VISION_API_KEY", "OPENAI_API_KEY", "PINCITE_RERANK_API_KEY", "CO_API_KEY", "COHERE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    found = parse_server_models({"vision": "openai:gpt-5", "rerank": "cohere:rerank-v3.5"}, {})
    with pytest.raises(BadInputError, match="no key for openai"):
        found["vision"].check_key("vision")
    with pytest.raises(BadInputError, match="no key for cohere"):
        found["rerank"].check_key("rerank")
    monkeypatch.setenv("CO_API_KEY", "key-of-cohere")
    assert found["rerank"].key("rerank") == "key-of-cohere"
    named = ServerModels(models=found).digests()
    assert named == {
        "server-model/rerank": "cohere:rerank-v3.5 at https://api.cohere.com",
        "server-model/vision": "openai:gpt-5 at https://api.openai.com",
    }


def test_the_shells_models_are_told_of_and_not_passed_on() -> None:
    models = ServerModels()
    assert "PINCITE_VISION_MODEL" in models.notices({"PINCITE_VISION_MODEL": "m", "PINCITE_OCR": "off"})[0]
    names = ("VISION_URL", "VISION_API_KEY", "TEXT_MODEL", "EMBEDDER", "EMBEDDING_URL", "RERANKER", "RERANK_API_KEY")
    assert not any(models.keeps(f"PINCITE_{name}") for name in names)
    assert models.keeps("PINCITE_OCR")
    assert models.keeps("PINCITE_NCBI_API_KEY")
    assert ServerModels(door=False).keeps("PINCITE_VISION_URL")
    assert ServerModels(door=False).digests() == {"server-model": "of the shell"}


def test_each_use_is_asked_as_its_server_asks() -> None:
    reranker = ServerModel.parse("rerank", "tei:bge", "http://127.0.0.1:8080")
    tei = reranker.variables("rerank", "http://d/server/l/r", "t")
    assert (tei["PINCITE_RERANKER"], tei["PINCITE_RERANK_URL"]) == ("tei", "http://d/server/l/r/rerank")
    embedder = ServerModel(model=ModelChoice.parse("openai:text-embedding-3-small"))
    vectors = embedder.variables("embedding", "http://d", "t")
    assert (vectors["PINCITE_EMBEDDER"], vectors["PINCITE_EMBEDDING_URL"]) == ("openai", "http://d/v1")
