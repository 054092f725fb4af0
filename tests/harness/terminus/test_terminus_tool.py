"""pincite-tool: the task's servers as a command, before a real tool door."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_sandbox.guest.relay import Relay

pytestmark = pytest.mark.anyio

SCHEMA = {
    "properties": {
        "path": {"type": "string"},
        "page": {"type": "integer"},
        "scale": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "whole": {"type": "boolean"},
        "names": {"type": "array", "items": {"type": "string"}},
        "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "kind": {"enum": ["a", "1"]},
    },
    "required": ["path"],
}


@pytest.fixture(scope="module")
def tool(program: Callable[[str], ModuleType]) -> Any:
    return program("tool_command")


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        (["path=a b.pdf"], {"path": "a b.pdf"}),
        (["path=3", "page=3"], {"path": "3", "page": 3}),
        (["path=x=y"], {"path": "x=y"}),
        (["path="], {"path": ""}),
        (["path=p", "scale=2.5", "whole=True"], {"path": "p", "scale": 2.5, "whole": True}),
        (["path=p", "scale=null", "whole=false"], {"path": "p", "scale": None, "whole": False}),
        (["path=p", "names=one"], {"path": "p", "names": ["one"]}),
        (["path=p", 'names=["one", "two"]'], {"path": "p", "names": ["one", "two"]}),
        (["path=p", 'names:=["one"]'], {"path": "p", "names": ["one"]}),
        (["path=p", "either=7"], {"path": "p", "either": 7}),
        (["path=p", "either=seven"], {"path": "p", "either": "seven"}),
        (["path=p", "kind=1"], {"path": "p", "kind": "1"}),
    ],
)
def test_words_become_arguments_by_the_tools_schema(tool: Any, words: list[str], arguments: Any) -> None:
    assert tool.arguments(words, SCHEMA) == arguments


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "needs path"),
        (["a.pdf"], "not an argument: write key=value"),
        (["=a"], "not an argument"),
        (["path=p", "pages=3"], "no argument 'pages'; there are path, page"),
        (["path=p", "page=three"], "'three' is not of the type integer"),
        (["path=p", "page=true"], "'true' is not of the type integer"),
        (["path=p", "names:=one"], "no JSON"),
    ],
)
def test_words_that_are_no_arguments_are_explained(tool: Any, words: list[str], said: str) -> None:
    with pytest.raises(tool.UsageError, match=said):
        tool.arguments(words, SCHEMA)


@pytest.fixture
def shell(tool: Any, open_door: Any, tmp_path: Path, monkeypatch: Any, capsys: Any) -> Callable[[], Any]:
    """``async with shell() as run``: ``await run("demo", "echo", "text=a")`` gives code, stdout and stderr."""

    @asynccontextmanager
    async def opened() -> AsyncGenerator[Any]:
        async with open_door() as rig:
            relay = Relay(str(rig.socket))
            port = await relay.start()
            headers = {"Authorization": f"Bearer {rig.token}"}
            servers = {"demo": {"url": f"http://127.0.0.1:{port}/mcp/demo", "headers": headers}}
            (tmp_path / "task.json").write_text(json.dumps({"tools": servers}))
            monkeypatch.chdir(tmp_path)

            async def run(*words: str) -> tuple[int, str, str]:
                code = await asyncio.to_thread(tool.main, words)
                printed = capsys.readouterr()
                return code, printed.out, printed.err

            try:
                yield run
            finally:
                await relay.close()

    return opened


async def test_it_lists_explains_and_calls(shell: Any, tmp_path: Path) -> None:
    async with shell() as run:
        code, listed, _ = await run()
        assert code == 0
        assert "demo:\n  echo text=\n      Say the text again\n" in listed
        assert (await run("demo"))[1] == listed
        _, told, _ = await run("demo", "echo", "--help")
        assert "Say the text again." in told
        assert '"what to say"' in told
        assert await run("demo", "echo", 'text=two words, "quoted" = ☃') == (0, 'two words, "quoted" = ☃\n', "")
        _, counted, _ = await run("demo", "count", "text=abc")
        assert counted == '{\n "letters": 3\n}\n', "structured content comes in lines"
        _, shown, _ = await run("demo", "picture")
        assert "image/png" in shown
        [image] = tmp_path.glob("*.png")
        assert image.name in shown
        assert image.read_bytes().startswith(b"\x89PNG")


async def test_what_goes_wrong_has_a_code_of_its_own(shell: Any, tmp_path: Path, monkeypatch: Any) -> None:
    async with shell() as run:
        code, out, error = await run("demo", "fail")
        assert (code, out) == (1, "")
        assert "fail" in error
        code, _, error = await run("nowhere", "echo")
        assert (code, error) == (2, "pincite-tool: there is no server 'nowhere'; there are demo\n")
        code, _, error = await run("demo", "ech")
        assert code == 2
        assert "has no tool 'ech'; it has echo, count" in error
        assert (await run("demo", "echo", "words=a"))[0] == 2
        monkeypatch.setenv("PINCITE_TASK", str(tmp_path / "task.json"))
        (tmp_path / "else").mkdir()
        monkeypatch.chdir(tmp_path / "else")
        assert (await run("demo", "echo", "text=from elsewhere"))[0] == 0
    code, _, error = await run("demo", "echo", "text=a")
    assert code == 3
    assert "cannot be reached" in error
