"""Models by role: a crew whose roles ask two providers in two APIs, and a third for vectors, behind the doors."""

import json
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.errors import BadInputError
from pincite_doors.testing import ScriptedModel, say
from pincite_harness.agents.registry import get_agent
from pincite_harness.agents.roles import check_roles, roles_in
from pincite_harness.cli.main import main
from pincite_models.choice import ModelChoice
from pincite_models.role_choice import parse_role_models, role_dialect, role_key
from pincite_tasks.files import read_json
from pincite_trajectory.validate import validate_trajectory

KEYS = {"": "key-of-the-main-model-1", "CRITIC": "key-of-the-critic-0123", "EMBEDDER": "key-of-the-vectors-42"}
VARIABLE = "PINCITE_MODEL_API_KEY"
PROGRAM = """
import sys
from crew import Crew, Role, Tags, run

MODELS = ("embedder",)
READER = Role("reader", "Say what stands there.", Tags(("words",)))
CRITIC = Role("critic", "Say what is wrong with it.", Tags(("words",)))

async def work(crew: Crew) -> None:
    said = await crew.ask(READER, ["A page."], who="r1")
    again = await crew.ask(CRITIC, [said.text], who="c1", parent="reader/r1")
    vectors = await crew.embed(["one", "two"], who="e1", step="index")
    print("read", said.value, again.value, [len(vector) for vector in vectors])
    crew.answer({"properties": []})

if __name__ == "__main__":
    sys.exit(run(work, name="pair", defaults={}))
"""


class Vectors(BaseHTTPRequestHandler):
    """A provider of vectors."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        known = self.path == "/v1/embeddings" and self.headers["authorization"] == f"Bearer {KEYS['EMBEDDER']}"
        data = [{"object": "embedding", "index": n, "embedding": [0.5] * 8} for n in range(len(body["input"]))]
        usage = {"prompt_tokens": 6, "total_tokens": 6}
        content = orjson.dumps({"object": "list", "model": body["model"], "data": data, "usage": usage})
        self.send_response(200 if known else 401)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


def pincite(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["pincite", *words])
    with pytest.raises(SystemExit):
        main()


def test_roles_ask_their_own_models(
    make_family: Any,
    endpoints: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "pair.py").write_text(PROGRAM)
    family = make_family(servers='["documents"]')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    for role, key in KEYS.items():
        monkeypatch.setenv(f"{VARIABLE}_{role}" if role else VARIABLE, key)
    reader, critic = "<words>It is a page.</words>", "<words>It is short.</words>"
    with (
        ScriptedModel([say(reader)], key=KEYS[""]) as first,
        ScriptedModel([say(critic)], key=KEYS["CRITIC"]) as second,
        endpoints.listening(Vectors) as third,
    ):
        words = ["run", "tiny", "--tasks", str(family), "--agent", "pair.py", "--sandbox", "local", "--unsafe"]
        words += ["--agent-option", "dialect=openai.chat", "--model", "openai:gpt-5-nano", "--model-url", first.url]
        words += ["--role-model", "critic=anthropic:claude-sonnet-4-5", "--role-model-url", f"critic={second.url}"]
        words += ["--role-model", "embedder=openai:text-embedding-3-small", "--role-model-url", f"embedder={third}"]
        pincite(monkeypatch, *words, "--role-model", "judge=openai:gpt-5", "--name", "none")
        refused = capsys.readouterr().err
        assert "has no role judge" in refused
        assert "reader, critic" in refused
        assert not (tmp_path / "runs" / "none").exists()
        pincite(monkeypatch, *words, "--name", "one")
        said = capsys.readouterr()
        assert (first.left, second.left) == (0, 0), said.out + said.err
        assert (first.requests[0].path, second.requests[0].path) == ("/v1/chat/completions", "/v1/messages")
        output = {"reader": first.usage.output_tokens, "critic": second.usage.output_tokens, "embedder": 0}
    run = tmp_path / "runs" / "one"
    trial = run / "trials" / "t1__1"
    log = (trial / "agent.log").read_text()
    assert "[8, 8]" in log, said.out + said.err + log
    record = read_json(trial / "trial.json")
    assert {role: spent["tokens"]["output"] for role, spent in record["roles"].items()} == output
    models = {"reader": "openai:gpt-5-nano", "critic": "anthropic:claude-sonnet-4-5"}
    models["embedder"] = "openai:text-embedding-3-small"
    assert {role: record["models"][name] for role, name in models.items()} == record["roles"]
    assert record["models"][models["embedder"]]["other_calls"] == 1
    assert record["model_calls"] == 2
    costs = [spent["cost_usd"] for spent in record["models"].values()]
    assert all(costs)
    assert record["cost_usd"] == pytest.approx(sum(costs))
    document = read_json(run / "run.json")
    assert document["specification"]["role_models"]["critic"]["name"] == "claude-sonnet-4-5"
    locked = document["lock"]["digests"]["role-model/critic"]
    assert locked.startswith("anthropic:claude-sonnet-4-5 at http://127.0.0.1:")
    subs = validate_trajectory(trial / "trajectory.json").subagent_trajectories or []
    assert {one.agent.name: one.agent.model_name for one in subs} == {
        "pair/reader": "gpt-5-nano",
        "pair/critic": "claude-sonnet-4-5",
    }
    assert ">Models</h2>" in (run / "report.html").read_text()
    assert "Models" in said.out
    [told] = [one["models"] for one in read_json(run / "report.json")["families"]["tiny"]["runs"].values()]
    assert told == {name: {"trials": 1, **spent} for name, spent in record["models"].items()}
    for path in [path for path in run.rglob("*") if path.is_file()]:
        assert not any(key.encode() in path.read_bytes() for key in KEYS.values()), path
    document["specification"]["role_models"]["critic"]["name"] = "claude-other"
    (run / "run.json").write_bytes(orjson.dumps(document))
    pincite(monkeypatch, "resume", str(run))
    assert "role-model/critic" in capsys.readouterr().err, "another model is another run"


def test_agents_name_their_roles(tmp_path: Path) -> None:
    main_model = ModelChoice.parse("openai:gpt-5")
    given = {"page": main_model}
    sudokufill = get_agent("sudokufill", {}, main_model)
    assert {"probe", "rank", "page", "row", "column", "coordinator"} <= set(sudokufill.roles or ())
    anagent = get_agent("anagent", {}, main_model)
    assert list(anagent.roles or ()) == ["planner", "expert", "solver", "critic"]
    check_roles(sudokufill, given, main_model)
    for agent, words in ((anagent, "no role page"), (get_agent("react", {}, main_model), "main model alone")):
        with pytest.raises(BadInputError) as raised:
            check_roles(agent, given, main_model)
        assert words in str(raised.value)
    with pytest.raises(BadInputError, match="no main model"):
        check_roles(get_agent("baseline"), given, None)
    program = tmp_path / "own.py"
    for text, roles in (
        ('A = Role("a", "", str)\nB = Role(name="b", prompt="", output=str, model="big")', ["a", "b", "big"]),
        ('MODELS = ["e"]\nA = Role("a", "", str)', ["e", "a"]),
        ('A = Role(f"a{1}", "", str)', None),
        ("A = (", None),
    ):
        program.write_text(text)
        assert roles_in([program]) == roles, text


def test_keys_stay_with_their_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (VARIABLE, "OPENAI_API_KEY", "ANTHROPIC_API_KEY", f"{VARIABLE}_CRITIC"):
        monkeypatch.delenv(name, raising=False)
    main_model = ModelChoice.parse("openai:gpt-5")
    found = parse_role_models({"critic": "anthropic:claude-next", "page": "openai:gpt-5-nano"}, {})
    monkeypatch.setenv(VARIABLE, "key-of-openai")
    assert role_key("page", found["page"], main_model) == "key-of-openai"
    assert role_key("critic", found["critic"], main_model) == "", "the main key goes to no other address"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-anthropic")
    assert role_key("critic", found["critic"], main_model) == "key-of-anthropic"
    monkeypatch.setenv(f"{VARIABLE}_CRITIC", "own")
    assert role_key("critic", found["critic"], main_model) == "own"
    assert role_dialect(found["page"], "openai.chat") == "openai.chat"
    assert role_dialect(found["critic"], "openai.chat") == "anthropic.messages"
    for named, urls in (({"a b": "openai:x"}, {}), ({}, {"critic": "http://a"}), ({"critic": "unknown"}, {})):
        with pytest.raises(BadInputError):
            parse_role_models(named, urls)
