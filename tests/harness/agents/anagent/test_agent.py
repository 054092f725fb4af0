"""anagent as an agent of a trial: its options, and one whole trial in a sandbox behind the doors."""

import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from PIL import Image

from pincite_core.errors import BadInputError
from pincite_doors.testing import ScriptedModel
from pincite_harness.agents.agent import Briefing, Ending, Launch
from pincite_harness.agents.registry import get_agent, options_of
from pincite_harness.cli.main import main
from pincite_harness.trial.brief import write_brief
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.scaling import scaled
from pincite_models.choice import ModelChoice
from pincite_tasks.family import load_family
from pincite_tasks.files import read_json

CHOICE = ModelChoice.parse("openai:scripted", "http://127.0.0.1:9")
KEY = "key-of-the-model-1"


def test_options_are_checked_before_a_run() -> None:
    rows = [
        ("variant", "omnions", "baseline or omnion"),
        ("turns", "0", "from 1 to 50"),
        ("stop_at", "11", "off or a whole number from 0 to 10"),
        ("shots", "-1", "from 0 to 20"),
        ("format", "xml", "tool or tags"),
        ("tokens", "many", "a number from 0 on"),
        ("steps", "3", "refinements"),
    ]
    for option, value, says in rows:
        with pytest.raises(BadInputError, match=says):
            get_agent("anagent", {option: value}, CHOICE)
    good = {"variant": "omnion", "stop_at": "off", "shots": "3", "format": "tags", "tokens": "90000", "cost": "0.5"}
    assert get_agent("anagent", good, CHOICE).scorers == ("figure_analysis",)
    assert options_of("anagent")["turns"].endswith("5 by default: a whole number from 1 to 50")


def test_prompts_and_options_are_in_the_lock_and_metadata_only_where_asked_for() -> None:
    plain, other = (get_agent("anagent", options, CHOICE) for options in ({}, {"state": "all"}))
    digests = plain.digests()
    assert {".agent/anagent/prompts/critic.md", ".agent/anagent/options.toml", ".agent/crew/ask.py"} <= set(digests)
    assert {name for name, digest in other.digests().items() if digests[name] != digest} == {"options"}
    assert (plain.metadata_keys, other.metadata_keys) == ((), ("dimensions.width", "dimensions.depth"))


def test_pictures_of_the_task_are_scaled_to_the_squares_that_are_asked_for(stage: Any, tmp_path: Path) -> None:
    folder = one_task(stage, tmp_path / "figure_analysis", "sparse_router-figure-1")
    name = "sparse_router-figure-1.png"
    wide = Image.new("RGBA", (1500, 300), (0, 90, 0, 128))
    wide.save(folder / "files" / name)
    family = load_family(folder)

    def sizes(**options: str) -> tuple[int, int]:
        agent = get_agent("anagent", options, CHOICE)
        [plan] = plan_trials([(family, family.tasks[0])], agent, 1)
        briefing = Briefing(prompt="Go.", workdir="/work", tools={}, token="t", seconds=60)
        return Image.open(io.BytesIO(write_brief(plan, briefing, Launch(()))[name])).size

    assert sizes() == (1500, 300), "within 1024 squared"
    assert sizes(pixels="own") == (1500, 300)
    assert sizes(pixels="16-300") == (670, 134)
    assert sizes(pixels="1000") == (2237, 448)
    for wrong in ("1024-128", "8", "all"):
        with pytest.raises(BadInputError, match="LOW-HIGH"):
            get_agent("anagent", {"pixels": wrong}, CHOICE)
    (folder / "files" / name).write_bytes(b"no picture")
    agent = get_agent("anagent", {}, CHOICE)
    assert scaled(folder / "files" / name, agent.picture_squares) == b"no picture"


def test_a_role_that_could_not_be_asked_is_the_models_failure() -> None:
    agent = get_agent("anagent", {}, CHOICE)
    failure = agent.diagnose(Ending(1, b"", b"anagent: Outage: planner: ModelHTTPError: status_code: 429"))
    assert failure is not None and failure.cause == "model_failed" and "429" in failure.detail
    others = [Ending(0), Ending(1, b"", b"anagent: ThinkingError: there is no analysis")]
    assert [agent.diagnose(one) for one in others] == [None, None]


def one_task(stage: Any, folder: Path, name: str = "sparse_router-table-1") -> Path:
    """A copy of the family with one of its tasks."""
    record = stage.records[name]
    inputs = record["inputs"]
    for name in ("family.toml", "prompt.md", "schema.json", *inputs["papers"], *inputs["files"]):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(stage.family / name, folder / name)
    (folder / "records.jsonl").write_text(json.dumps(record))
    return folder


def test_a_trial_behind_the_doors(
    stage: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    faults_in_desk: Any,
) -> None:
    """The doors keep the labels, so that the script is one for all roles, in their order."""
    cast = stage.cast()
    script = [*cast["planner"], *cast["expert"], cast["solver"][0], *cast["critic"], cast["solver"][1]]
    family = one_task(stage, tmp_path / "figure_analysis")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", KEY)
    with ScriptedModel(script) as model:
        words = [
            "run",
            "figure_analysis",
            "--tasks",
            str(family),
            "--agent",
            "anagent",
            "--sandbox",
            "local",
            "--unsafe",
        ]
        words += ["--agent-option", "state=width", "--model", "openai:scripted", "--model-url", model.url]
        monkeypatch.setattr(sys, "argv", ["pincite", *words, "--name", "one"])
        with pytest.raises(SystemExit):
            main()
        said = capsys.readouterr()
        told = [request.first for request in model.requests]
    trial = tmp_path / "runs" / "one" / "trials" / "sparse_router-table-1__1"
    log = (trial / "agent.log").read_text() if trial.exists() else said.out + said.err
    assert "anagent: done" in log, log
    assert (trial / "answer.md").read_text() == "Second."
    assert all("Its width is expected to be: internal" in text for text in told)
    [path] = (trial / "agent").rglob("state.jsonl")
    kinds = [orjson.loads(line)["kind"] for line in path.read_bytes().splitlines()]
    assert (kinds[0], kinds[-2:]) == ("Began", ["Answered", "Ended"])
    assert read_json(trial / "trial.json")["model_calls"] == 6
    score = read_json(trial / "score.json")
    assert score["status"] == "scored"
    assert KEY not in json.dumps([path.read_text(errors="replace") for path in trial.rglob("*") if path.is_file()])
    assert not faults_in_desk(trial)
