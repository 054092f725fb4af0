"""Third-party MCP servers in runs and trials: real processes, a real HTTP server, a real agent program."""

import os
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
import uvicorn
from mcp.server import MCPServer
from starlette.responses import PlainTextResponse

from pincite_doors.testing import ScriptedModel, call, say
from pincite_harness.agents.agent import Program
from pincite_harness.agents.registry import get_agent
from pincite_harness.cli.main import main
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_models.choice import ModelChoice
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TrialRecord
from pincite_trajectory.validate import validate_trajectory

PROGRAMS = Path(__file__).parent / "programs"
SERVER = PROGRAMS / "foreign_server.py"
SECRET = "chemistry-is-4-secrets"


@pytest.fixture
def caller(tmp_path: Path) -> Callable[[str], Path]:
    """An agent's program that makes these calls."""

    def made(calls: str) -> Path:
        path = tmp_path / "caller.py"
        path.write_text((PROGRAMS / "caller.py").read_text().replace("$CALLS", calls))
        return path

    return made


@pytest.fixture
def pincite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The command; what it says is returned when it ends with ``code``."""
    monkeypatch.chdir(tmp_path)

    def called(*words: str | Path, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["pincite", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert (ended.value.code or 0) == code, out + err
        return out + err

    return called


@pytest.fixture
def family(make_family: Any) -> Path:
    """A family with a server of its own beside family.toml, of 120 tools on three pages."""
    folder = make_family(servers="[]", limits="wall_clock_seconds = 60\ntool_calls = 6")
    settings = (folder / "family.toml").read_text().replace("servers = []\n", "")
    table = f'name = "chem"\ncommand = ["{sys.executable}", "server.py"]\nargs = ["114"]\ndeny = ["extra_1"]\n'
    env = 'env = { CHEM_KEY = "${CHEM_SECRET}", PAPERS = "${PINCITE_PAPERS}" }\n'
    (folder / "family.toml").write_text(f"{settings}\n[[servers]]\n{table}{env}")
    shutil.copyfile(SERVER, folder / "server.py")
    return folder


def results(trial: Path) -> list[Any]:
    """What each call brought, as the tool door recorded it."""
    lines = [orjson.loads(line) for line in (trial / "wire" / "mcp.jsonl").read_bytes().splitlines()]
    calls = {line["seq"] for line in lines if line["kind"] == "request" and line["method"] == "tools/call"}
    return [line["result"] for line in lines if line["kind"] == "response" and line["seq"] in calls]


def is_gone(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return not Path(f"/proc/{pid}").exists()


def test_a_run_with_a_server_of_the_family_and_one_of_the_command_line(
    family: Path, caller: Any, pincite: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls = "chem.variable CHEM_KEY;chem.variable STRANGE;chem.where;chem.shape;chem.spawn;chem.extra_1;more.variable M"
    words = ("run", "tiny", "--tasks", family, "--agent", caller(f"{calls};more.shape"), "--sandbox", "local")
    words += ("--unsafe", "--name", "one", "--without", "more.die")
    words += ("--with", f"more=M=2 {sys.executable} {SERVER} 1 7.1")
    monkeypatch.delenv("CHEM_SECRET", raising=False)
    assert "CHEM_SECRET, which is not set" in pincite(*words, code=2)
    assert not (tmp_path / "runs" / "one").exists()
    monkeypatch.setenv("CHEM_SECRET", SECRET)
    monkeypatch.setenv("STRANGE", "not for it")
    said = pincite(*words)
    assert "the server chem may reach the live web" in said

    run = tmp_path / "runs" / "one"
    trial = run / "trials" / "t1__1"
    texts = [result["content"][0]["text"] for result in results(trial)]
    assert texts[0] == "CHEM_KEY=[key]", "the server had it, and no record has"
    assert texts[1] == "STRANGE=None"
    assert texts[2].endswith("/chem []"), "it runs in a folder of its own"
    assert results(trial)[3]["structuredContent"] == {"atoms": 3}
    assert results(trial)[3]["content"][1]["type"] == "image"
    assert list((trial / "media").glob("*.png"))
    assert is_gone(int(texts[4])), "what a server started ends with it"
    assert "not offered" in texts[5]
    assert texts[6] == "M=2"
    assert "The limit of 6 tool calls is reached" in texts[7], "the denied one was no call"
    record = read_json(trial / "trial.json")
    assert (record["cause"], record["tool_calls"], record["live_servers"]) == ("limit_reached", 6, ["chem", "more"])
    names = [
        called.function_name
        for step in validate_trajectory(trial / "trajectory.json").steps
        for called in step.tool_calls or []
    ]
    assert names[:2] == ["mcp__chem__variable", "mcp__chem__variable"]
    assert names[6] == "mcp__more__variable"

    lock = read_json(run / "run.json")["lock"]
    assert set(lock["servers"]) == {"tiny/chem", "tiny/more"}
    assert lock["servers"]["tiny/more"]["version"] == "7.1"
    assert "die" not in lock["servers"]["tiny/more"]["tools"]
    assert len(lock["servers"]["tiny/chem"]["tools"]) == 119
    held = [path for path in run.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert not held
    assert "asked for CHEM_KEY=[key]" in (trial / "wire" / "chem.stderr.log").read_text()

    text = (family / "server.py").read_text()
    (family / "server.py").write_text(text.replace("Does {name}.", "Now does {name}."))
    assert "server/tiny/chem" in pincite("resume", run, code=2)
    (family / "server.py").write_text("import sys; sys.exit('no licence')")
    assert "no licence" in pincite("resume", run, code=1)


def test_a_tool_that_the_server_lacks_is_told_before_the_run(
    family: Path, pincite: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CHEM_SECRET", SECRET)
    said = pincite("run", "tiny", "--tasks", family, "--agent", "nop", "--without", "chem.melt", code=1)
    assert "has no tool melt" in said
    assert not (tmp_path / "runs").exists()


@pytest.fixture
def trial(tmp_path: Path, make_family: Any, caller: Any) -> Callable[..., Any]:
    """Runs the task of a family with these server tables, and an agent or these calls."""

    async def run(tables: str, calls: str, agent: Any = None, model: ModelChoice | None = None) -> TrialRecord:
        folder = make_family(servers="[]")
        settings = (folder / "family.toml").read_text().replace("servers = []\n", "")
        (folder / "family.toml").write_text(f"{settings}\n{tables}")
        program = Program("caller", "1", ("python3", ".agent/caller.py"), {".agent/caller.py": caller(calls)})
        family = load_family(folder)
        [plan] = plan_trials([(family, family.tasks[0])], agent or program, 1, model)
        marker = Marker([plan.task], ScoringOptions())
        try:
            return await TrialRun(plan, tmp_path / "trial", Surroundings("process", marker, {})).run()
        finally:
            marker.close()

    return run


def table(more: str = "", words: str = f'"{SERVER}"') -> str:
    return f'[[servers]]\nname = "chem"\ncommand = ["{sys.executable}", {words}]\n{more}\n'


@pytest.mark.anyio
async def test_a_server_that_dies_ends_the_trial(trial: Any, tmp_path: Path) -> None:
    record = await trial(table(), "chem.die;chem.shape")
    assert (record.status, record.cause) == ("failed", "server_failed")
    assert "chem: it closed the connection; out of luck" in str(record.detail)
    log = (tmp_path / "trial" / "agent.log").read_text()
    assert log.count("an outage, not an empty result; the trial ends") == 2


@pytest.mark.anyio
async def test_a_server_that_is_slow_or_does_not_start(trial: Any) -> None:
    code = "import sys, time; print('loading', file=sys.stderr, flush=True); time.sleep(60)"
    record = await trial(table("start_timeout = 2", f'"-c", "{code}"'), "")
    assert (record.cause, record.exit_code) == ("server_failed", None)
    assert "chem did not start" in str(record.detail)
    assert "no answer within 2 s; loading" in str(record.detail)


@pytest.mark.anyio
async def test_a_call_that_takes_too_long_is_an_outage_of_that_call(trial: Any, tmp_path: Path) -> None:
    record = await trial(table("timeout = 0.5"), "chem.sleep 1.5;chem.shape")
    assert (record.status, record.cause) == ("completed", None)
    log = (tmp_path / "trial" / "agent.log").read_text()
    assert "no answer to tools/call within 0.5 s" in log
    assert "try again, or go on without it" in log


@pytest.fixture
def http_server() -> Iterator[Callable[[str], str]]:
    """Starts a server of two tools on the loopback, open to one value of the header Authorization."""
    with ExitStack() as stack:

        def started(authorization: str) -> str:
            server = MCPServer("web", version="3")
            for name, size in {"large": 2_000_000, "small": 2}.items():
                server.add_tool(saying("x" * size), name=name, description="x", structured_output=False)
            application = server.streamable_http_app()

            async def guarded(scope: Any, receive: Any, send: Any) -> None:
                refused = scope["type"] == "http" and authorization.encode() not in dict(scope["headers"]).values()
                await (PlainTextResponse("Who are you?", 401) if refused else application)(scope, receive, send)

            return stack.enter_context(listening(guarded)) + "/mcp"

        yield started


def saying(text: str) -> Callable[[], str]:
    """A tool that says this."""

    def tool() -> str:
        return text

    return tool


@contextmanager
def listening(application: Any) -> Generator[str]:
    config = uvicorn.Config(application, log_config=None, access_log=False, timeout_graceful_shutdown=1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            time.sleep(0.005)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@pytest.mark.anyio
async def test_a_model_uses_a_server_over_http(
    trial: Any, tmp_path: Path, http_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHEM_SECRET", SECRET)
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", "key-of-the-model-1")
    url = http_server(f"Bearer {SECRET}")
    tables = f'[[servers]]\nname = "web"\nurl = "{url}"\nheaders = {{ Authorization = "Bearer ${{CHEM_SECRET}}" }}\n'
    script = [[call("web.large")], call("write_answer", answer={"properties": []}), say("Done.")]
    with ScriptedModel(script, key="key-of-the-model-1") as model:
        choice = ModelChoice.parse("anthropic:claude-opus-4-8", model.url)
        record = await trial(tables + 'tools = ["large"]\n', "", get_agent("react", {}, choice), choice)
    folder = tmp_path / "trial"
    assert (record.cause, record.tool_calls, record.live_servers) == (None, 1, ["web"]), (
        folder / "agent.log"
    ).read_text()
    assert len(results(folder)[0]["content"][0]["text"]) == 2_000_000
    offered = [tool.name for tool in model.turns[0].tools]
    assert any("large" in tool for tool in offered)
    assert not any("small" in tool for tool in offered)
    assert not [path for path in folder.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


@pytest.mark.anyio
async def test_an_http_server_that_refuses(trial: Any, http_server: Any) -> None:
    record = await trial(f'[[servers]]\nname = "web"\nurl = "{http_server("Bearer other")}"\n', "")
    assert record.cause == "server_failed"
    assert "web did not start" in str(record.detail)
    assert os.environ.get("CHEM_SECRET") is None
