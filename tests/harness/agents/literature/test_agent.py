"""The literature agent as an agent of a trial: its options, its servers, and one whole trial behind the doors."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError
from pincite_doors.testing import ScriptedModel, say
from pincite_harness.agents.agent import Ending
from pincite_harness.agents.literature import Literature
from pincite_harness.agents.registry import get_agent, options_of
from pincite_harness.cli.main import main
from pincite_harness.runs.specification import RunSpecification
from pincite_models.choice import ModelChoice
from pincite_tasks.files import read_json

CHOICE = ModelChoice.parse("openai:scripted", "http://127.0.0.1:9")
TASKS = Path(__file__).parents[4] / "tasks"
KEY = "key-of-the-model-1"


def test_options_of_harness_and_program_are_the_same_and_are_checked(program: Any) -> None:
    kernel = {"format", "repairs", "pictures", "calls", "tokens", "seconds", "effort"}
    defaults = program("literature.settings").defaults()
    assert set(options_of("literature")) - kernel == set(defaults)
    for name, default in defaults.items():
        assert Literature.known_options[name].takes(default), name
    rows = [
        ("zoom", "no"),
        ("rerank", "all"),
        ("rounds", "7"),
        ("candidates", "51"),
        ("effort.gate", "most"),
        ("x", "1"),
    ]
    for option, value in rows:
        with pytest.raises(BadInputError):
            get_agent("literature", {option: value}, CHOICE)


def test_options_of_servers_become_variables_of_the_trials_servers() -> None:
    """What the user's own settings say of other things stays."""

    def asked(**options: str) -> dict[str, str]:
        return dict(get_agent("literature", options, CHOICE).server_environment)

    assert asked() == {} and asked(fusion="server", zoom="off") == {}
    assert asked(fusion="rrf") == {"PINCITE_LIBRARY_FUSION": "rrf"}
    given = {"PINCITE_LIBRARY_CONTEXT": "full_abstract", "PINCITE_LIBRARY_DESCRIBE": "figures"}
    assert asked(context="full_abstract", describe="figures") == given
    judge = {"PINCITE_TEXT_MODEL": "", "PINCITE_TEXT_URL": ""}
    assert asked(rerank="cross") == judge
    assert asked(rerank="judge") == {"PINCITE_RERANKER": ""}
    assert asked(rerank="off") == {**judge, "PINCITE_RERANKER": ""}


def test_an_outage_is_the_models_failure() -> None:
    agent = get_agent("literature", {}, CHOICE)
    failure = agent.diagnose(Ending(1, b"", b"literature: Outage: selector: ModelHTTPError: status_code: 429"))
    assert failure is not None and failure.cause == "model_failed" and "429" in failure.detail
    assert agent.diagnose(Ending(0)) is None


def test_its_servers_are_added_to_a_familys_own_and_can_be_left_out() -> None:
    families = {"precedent_search": str(TASKS / "precedent_search")}
    plain = RunSpecification(families=families).load_families()[0]
    assert list(plain.settings.servers) == ["literature", "documents"]
    added = RunSpecification(families=families, agent="literature").load_families()[0]
    assert list(added.settings.servers) == ["literature", "documents", "library", "figures", "provenance"]
    less = RunSpecification(families=families, agent="literature", less=["provenance"]).load_families()[0]
    assert "provenance" not in less.settings.servers


def test_a_trial_behind_the_doors(
    stage: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    faults_in_desk: Any,
) -> None:
    source, family = TASKS / "literature_qa", tmp_path / "literature_qa"
    record = json.loads((source / "records.jsonl").read_text(encoding="utf-8").splitlines()[0])
    shutil.copytree(source / "corpora" / "fjord", family / "corpora" / "fjord")
    for name in ("family.toml", "prompt.md", "schema.json", *record["inputs"]["papers"]):
        (family / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, family / name)
    (family / "records.jsonl").write_text(json.dumps(record))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", KEY)
    cast = stage.good()
    monkeypatch.setenv("PINCITE_PASS_LABELS", "yes")
    with ScriptedModel(cast=cast) as model, ScriptedModel([say("Growth saturates with nitrate.")] * 2) as seer:
        words = ["run", "literature_qa", "--tasks", str(family), "--agent", "literature", "--sandbox", "local"]
        words += [
            "--unsafe",
            "--agent-option",
            "status=off",
            "--agent-option",
            "fusion=rrf",
            "--agent-option",
            "describe=figures",
            "--server-model",
            "vision=openai:seer",
            "--server-model-url",
            f"vision={seer.url}",
            "--model",
            "openai:scripted",
            "--model-url",
            model.url,
        ]
        monkeypatch.setattr(sys, "argv", ["pincite", *words, "--name", "one"])
        with pytest.raises(SystemExit):
            main()
        said = capsys.readouterr()
    trial = tmp_path / "runs" / "one" / "trials" / f"{record['task_id']}__1"
    log = (trial / "agent.log").read_text() if trial.exists() else said.out + said.err
    assert "literature: done" in log, log
    assert read_json(trial / "answer.json")["answer"] == "phosphate"
    assert read_json(trial / "score.json")["metrics"]["accuracy"] == 1
    monkeypatch.setattr(sys, "argv", ["pincite", "report", "runs/one"])
    with pytest.raises(SystemExit):
        main()
    [run] = read_json(tmp_path / "runs" / "one" / "report.json")["families"]["literature_qa"]["runs"].values()
    searches = run["searches"]
    assert (searches["trials"], searches["outcomes"], searches["bases"]) == (1, {"answered": 1}, {"passages": 1})
    page = (tmp_path / "runs" / "one" / "report.html").read_text(encoding="utf-8")
    assert "Searches</h" in page and "answered 1" in page
    wire = [orjson.loads(line) for line in (trial / "wire" / "llm.jsonl").read_bytes().splitlines()]
    shown = [line for line in wire if line.get("label", {}).get("role") == "server:library.add_papers"]
    assert shown and all("media/" in json.dumps(line["body"]) for line in shown), "figures are sent as pictures"
    assert len(shown) == len(seer.requests)
    [path] = (trial / "agent").rglob("state.jsonl")
    kinds = [orjson.loads(line)["kind"] for line in path.read_bytes().splitlines()]
    assert (kinds[0], kinds[-2:]) == ("Began", ["Delivered", "Ended"])
    assert {request.label.role for request in model.requests if request.label is not None} == {
        "gate",
        "orchestrator",
        "reranker",
        "synthesis",
    }
    assert not faults_in_desk(trial)
