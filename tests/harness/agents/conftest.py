"""The programs zeroshot and react at work on a task, before real servers and a scripted model."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import uvicorn
from mcp.server import MCPServer

from pincite_core.serving import http_app
from pincite_core.settings import load_settings
from pincite_doors.testing import Request, ScriptedModel

REPOSITORY = Path(__file__).parents[3]
PAPERS = REPOSITORY / "tasks" / "property_extraction" / "papers"
PAPER = "ybco_oxygen.pdf"
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {"value": {"type": ["string", "null"], "maxLength": 20}},
    "type": "object",
    "properties": {"values": {"type": "array", "items": {"$ref": "#/$defs/value"}}},
    "required": ["values"],
    "additionalProperties": False,
}


NO_FILES: Mapping[str, bytes] = {}


@dataclass
class Ran:
    """How a program ended: its exit code, what it printed, what its model was asked, the answer it left."""

    code: int
    printed: str
    complained: str
    asked: list[Request]
    answer: Any
    left: int


@contextmanager
def served(server: MCPServer[Any]) -> Iterator[str]:
    """A server on a port of the loopback, in a thread of its own."""
    config = uvicorn.Config(http_app(server), log_config=None, access_log=False, timeout_graceful_shutdown=1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listening = uvicorn.Server(config)
        thread = threading.Thread(target=listening.run, kwargs={"sockets": [listener]})
        thread.start()
        while not listening.started:
            time.sleep(0.005)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        finally:
            listening.should_exit = True
            thread.join()


@pytest.fixture(scope="session")
def papers_folder() -> Path:
    """The folder of the papers that the programs read."""
    return PAPERS


@pytest.fixture(scope="session")
def serve() -> Callable[[MCPServer[Any]], Any]:
    """``with serve(server) as address:`` a server on a port of the loopback."""
    return served


@pytest.fixture(scope="session")
def program(program: Callable[[str], ModuleType]) -> Callable[[str], ModuleType]:
    """The same, where the library that these programs stand on is there."""
    pytest.importorskip("pydantic_ai")
    return program


@pytest.fixture(scope="module")
def addresses(
    tmp_path_factory: pytest.TempPathFactory, module_at: Callable[[Path], ModuleType]
) -> Iterator[dict[str, str]]:
    """The address of each server: documents and figures of the bundled papers, and demo."""
    from pincite_documents.server import create_server as documents
    from pincite_figures.server import create_server as figures

    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("PINCITE_ROOTS", str(PAPERS))
        patch.setenv("PINCITE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        settings = load_settings()
        demo = module_at(REPOSITORY / "tests" / "harness" / "programs" / "demo_server.py")
        servers = {"documents": documents(settings), "figures": figures(settings), "demo": demo.server}
        yield {name: stack.enter_context(served(server)) for name, server in servers.items()}


@pytest.fixture
def run(
    program: Callable[[str], ModuleType],
    addresses: Mapping[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Ran]:
    """Runs a program on a task with a paper and the servers named, in a working folder of its own."""

    def ran(
        agent: str,
        script: Sequence[Any],
        *,
        name: str = "m",
        dialect: str = "openai.chat",
        servers: Sequence[str] = ("documents",),
        papers: Sequence[str] = (PAPER,),
        schema: Any = SCHEMA,
        answer: str = "answer.json",
        files: Mapping[str, bytes] = NO_FILES,
        **options: str,
    ) -> Ran:
        with ScriptedModel(script) as model:
            task = {
                "papers": papers,
                "files": list(files),
                "answer": answer,
                "tools": {server: {"url": addresses[server], "headers": {}} for server in servers},
                "limits": {"wall_clock_seconds": 60},
                "model": {"url": model.url, "name": name, "dialect": dialect, "api_key": "token"},
            }
            (tmp_path / "task.json").write_text(json.dumps(task))
            for file, data in files.items():
                (tmp_path / file).write_bytes(data)
            (tmp_path / "prompt.md").write_text("Find the values and write answer.json.")
            (tmp_path / "schema.json").write_text(json.dumps(schema))
            (tmp_path / "options.json").write_text(json.dumps(options))
            module, thinking = program(agent), program("thinking")
            with monkeypatch.context() as patch:
                patch.chdir(tmp_path)
                patch.setattr(module, "OPTIONS", tmp_path / "options.json")
                patch.setattr(thinking.Patient.__init__, "__defaults__", ((0.0, 0.0, 0.0),))
                code = module.main()
        said = capsys.readouterr()
        left = tmp_path / answer
        text = left.read_text() if left.exists() else "null"
        kept = json.loads(text) if answer.endswith(".json") or text == "null" else text
        assert not model.troubles
        return Ran(code, said.out, said.err, model.requests, kept, model.left)

    return ran
