"""The documents server as a process: stdio and HTTP, who is answered, progress, and calls beside a slow one."""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import typst
from mcp import Client, StdioServerParameters

from pincite_core.settings import Settings
from pincite_documents.server import create_server

PINCITE = str(Path(sys.executable).with_name("pincite"))


@pytest.fixture
def environment(settings: Settings) -> dict[str, str]:
    """The environment of a server process with the test's folder and cache."""
    return {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        "PINCITE_ROOTS": str(settings.roots[0]),
        "PINCITE_CACHE_DIR": str(settings.cache_dir),
    }


@contextlib.contextmanager
def serving(environment: dict[str, str]) -> Iterator[str]:
    """A documents server over HTTP at a free port: its address, http://127.0.0.1:PORT."""
    process = subprocess.Popen(
        [PINCITE, "serve", "documents", "--http", "127.0.0.1:0"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        match = re.search(r"listens on (http://127\.0\.0\.1:\d+)/mcp", line)
        assert match is not None, line + process.stderr.read()
        yield match[1]
    finally:
        process.terminate()
        out, _ = process.communicate(timeout=20)
    assert out == ""


@pytest.mark.parametrize(
    "command", [[PINCITE, "serve", "documents"], [sys.executable, "-m", "pincite_documents"]], ids=["pincite", "module"]
)
async def test_stdio(command: list[str], environment: dict[str, str], tmp_path: Path) -> None:
    parameters = StdioServerParameters(command=command[0], args=command[1:], env=environment, cwd=str(tmp_path))
    async with Client(parameters) as client:
        assert client.server_info.name == "pincite-documents"
        opened = await client.call_tool("open_paper", {"paper": "cuprate.pdf"})
        assert not opened.is_error
        outside = await client.call_tool("open_paper", {"paper": "/etc/passwd"})
        assert outside.is_error
        missing = await client.call_tool("open_paper", {"paper": "cuprat.pdf"})
        assert missing.is_error
        assert "cuprate.pdf" in missing.content[0].text  # pyright: ignore
        assert (await client.call_tool("grep_paper", {"paper": "cuprate.pdf", "pattern": "T_c"})).structured_content


HEAVY = ("numpy", "re2", "pypdf", "pypdfium2", "pypdfium2_raw", "PIL", "docker", "pincite_papers.opening.store")
LOADED = f"""
import sys, anyio
from mcp import Client
from pincite_documents.server import create_server
async def main():
    async with Client(create_server()) as client:
        assert (await client.list_tools()).tools
anyio.run(main)
print([name for name in {HEAVY} if name in sys.modules])
"""


def test_nothing_heavy_is_imported_before_the_first_call(environment: dict[str, str]) -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


async def test_http(environment: dict[str, str]) -> None:
    with serving(environment) as address:
        async with Client(f"{address}/mcp") as client:
            opened = await client.call_tool("open_paper", {"paper": "cuprate.pdf"})
            assert not opened.is_error
        with urllib.request.urlopen(f"{address}/health", timeout=10) as answer:
            assert json.load(answer)["status"] == "ok"


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [("Host", "evil.example", 421), ("Origin", "http://evil.example", 403), ("Host", "documents:8000", 421)],
)
def test_http_refuses_strangers(environment: dict[str, str], header: str, value: str, status: int) -> None:
    with serving(environment) as address:
        assert post(address, {header: value}) == status


def test_http_answers_the_hosts_that_are_named(environment: dict[str, str]) -> None:
    named = environment | {"PINCITE_ALLOWED_HOSTS": '["documents:*"]'}
    with serving(named) as address:
        assert post(address, {"Host": "documents:8000"}) == 200
        assert post(address, {"Host": "localhost:8000"}) == 421


def post(address: str, headers: dict[str, str]) -> int:
    """The status of an initialize request with these headers."""
    version = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": version}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    try:
        request = urllib.request.Request(f"{address}/mcp", body, headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


@pytest.mark.parametrize(
    ("arguments", "extra", "status", "message"),
    [
        (["nonsense"], {}, 2, "There is no server 'nonsense'"),
        (["documents", "--http", "8000"], {}, 2, "not an address"),
        (["documents"], {"PINCITE_MAX_PAGES": "many"}, 2, "PINCITE_MAX_PAGES"),
        (["documents", "--http", "127.0.0.1:0"], {"PINCITE_ALLOWED_HOSTS": "["}, 2, "PINCITE_ALLOWED_HOSTS"),
    ],
)
def test_wrong_starts_say_why(
    environment: dict[str, str], arguments: list[str], extra: dict[str, str], status: int, message: str
) -> None:
    done = run_serve(arguments, environment | extra)
    assert done.returncode == status
    assert message in done.stderr
    assert "Next: " in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_port_in_use_says_so(environment: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run_serve(["documents", "--http", f"127.0.0.1:{taken.getsockname()[1]}"], environment)
    assert done.returncode == 1
    assert "Cannot listen" in done.stderr


def run_serve(arguments: list[str], environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run pincite serve until it ends by itself."""
    return subprocess.run(
        [PINCITE, "serve", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("ending", ["eof", "SIGINT", "SIGTERM", "SIGKILL"])
def test_a_server_that_ends_leaves_no_process_behind(environment: dict[str, str], folder: Path, ending: str) -> None:
    source = f"#set page(width: 100mm, height: 50mm)\n= Ending\nThe server ends by {ending}."
    (folder / f"{ending}.pdf").write_bytes(typst.compile(source.encode(), format="pdf"))
    with subprocess.Popen(
        [PINCITE, "serve", "documents"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        call = {"name": "open_paper", "arguments": {"paper": f"{ending}.pdf"}}
        for message in (
            {"id": 1, "method": "initialize", "params": about},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": call},
        ):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()
            if "id" in message:
                assert "result" in json.loads(server.stdout.readline())
        workers = children(server.pid)
        if ending == "eof":
            server.stdin.close()
        else:
            server.send_signal(signal.Signals[ending])
        server.wait(timeout=20)
    assert workers
    for _ in range(100):
        if not any(running(worker) for worker in workers):
            return
        time.sleep(0.1)
    pytest.fail(f"of {workers} some still run")


def children(process: int) -> list[int]:
    """The processes that ``process`` started."""
    threads = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for path in threads for child in path.read_text().split()]


def running(process: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_a_slow_paper_reports_progress_and_keeps_nobody_waiting(folder: Path, settings: Settings) -> None:
    source = folder / "thick.typ"
    source.write_text('#set page(paper: "a5")\n#for n in range(250) [= Part #n\n#lorem(200)\n]')
    typst.compile(str(source), output=str(folder / "thick.pdf"))
    heard: list[str | None] = []
    ended: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)

    async with Client(create_server(settings)) as client:

        async def call(paper: str) -> None:
            result = await client.call_tool("open_paper", {"paper": paper}, progress_callback=hear)
            assert not result.is_error
            ended.append(paper)

        await call("cuprate.pdf")
        slow = asyncio.create_task(call("thick.pdf"))
        await asyncio.sleep(0.1)
        await call("cuprate.pdf")
        await slow
    assert ended == ["cuprate.pdf", "cuprate.pdf", "thick.pdf"]
    assert "reading thick.pdf" in heard


async def test_one_server_serves_clients_that_come_and_go(settings: Settings) -> None:
    server = create_server(settings)
    for _ in range(2):
        async with Client(server) as client:
            assert not (await client.call_tool("open_paper", {"paper": "cuprate.pdf"})).is_error
