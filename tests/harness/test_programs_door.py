"""The programs' MCP client against the real documents server, and against servers that break the protocol."""

import importlib.util
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = Path(__file__).parents[2] / "harness" / "pincite_harness" / "agents" / "programs"


def load_door() -> Any:
    spec = importlib.util.spec_from_file_location("program_door", PROGRAMS / "door.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


door = load_door()


class Handler(BaseHTTPRequestHandler):
    """Answers initialize properly and everything else with what the test asks for."""

    protocol_version = "HTTP/1.1"
    reply: tuple[int, str, bytes] = (200, "application/json", b"")
    seen: list[dict[str, str]]

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append(dict(self.headers))
        if message["method"] == "initialize":
            result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}
            body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
            self.send(200, "application/json", body, session="session-1")
        elif "id" not in message:
            self.send(202, "text/plain", b"")
        else:
            status, kind, body = self.reply
            self.send(status, kind, body.replace(b"$ID", str(message["id"]).encode()))

    def do_DELETE(self) -> None:
        self.seen.append(dict(self.headers))
        self.send(200, "text/plain", b"")

    def send(self, status: int, kind: str, body: bytes, session: str | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if session:
            self.send_header("Mcp-Session-Id", session)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep quiet."""


@contextmanager
def serving(status: int, kind: str, body: bytes) -> Iterator[tuple[str, list[dict[str, str]]]]:
    seen: list[dict[str, str]] = []
    handler = type("TestHandler", (Handler,), {"reply": (status, kind, body), "seen": seen})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_session_version_and_token_go_with_every_request() -> None:
    body = b'{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"fine"}]}}'
    token = {"Authorization": "Bearer t"}
    with serving(200, "application/json", body) as (url, seen), door.Door(url, token, timeout=5) as opened:
        assert opened.text("any", x=1) == "fine"
        assert opened.calls == 1
    assert all(headers["Authorization"] == "Bearer t" for headers in seen)
    assert all(headers["Mcp-Session-Id"] == "session-1" for headers in seen[1:])
    assert all(headers["MCP-Protocol-Version"] == "2025-06-18" for headers in seen[1:])
    assert len(seen) == 4, "initialize, initialized, the call, and the end of the session"


def test_an_event_stream_may_hold_other_messages_comments_and_lines_of_data() -> None:
    body = (
        b': comment\r\n\r\nevent: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\r\n\r\n'
        b'data: {"jsonrpc":"2.0","id":$ID,\ndata: "result":{"structuredContent":{"a":1}}}\n\n'
    )
    with serving(200, "text/event-stream", body) as (url, _), door.Door(url, {}, timeout=5) as opened:
        assert opened.data("any") == {"a": 1}


@pytest.mark.parametrize(
    ("status", "kind", "body", "said"),
    [
        (500, "text/plain", b"out of order", "HTTP 500 Internal Server Error: out of order"),
        (401, "application/json", b'{"error":"token"}', "HTTP 401"),
        (200, "application/json", b"{broken", "broken JSON"),
        (200, "application/json", b"[]", "not a message"),
        (200, "text/html", b"<html>", "unknown content type 'text/html'"),
        (200, "text/event-stream", b"data: {}\n\n", "closed the stream before the answer"),
        (200, "application/json", b'{"jsonrpc":"2.0","id":$ID,"error":{"code":-1,"message":"no"}}', "no (code -1)"),
        (200, "application/json", b'{"jsonrpc":"2.0","id":$ID,"result":3}', "has no result"),
        (200, "application/json", b'{"jsonrpc":"2.0","id":$ID,"result":{}}', "no structured content"),
    ],
)
def test_a_door_that_breaks_the_protocol_is_a_clear_error(status: int, kind: str, body: bytes, said: str) -> None:
    with (
        serving(status, kind, body) as (url, _),
        door.Door(url, {}, timeout=5) as opened,
        pytest.raises(door.DoorError) as caught,
    ):
        opened.data("any")
    assert said in str(caught.value)


def test_a_tool_that_fails_says_why() -> None:
    result = b'{"isError":true,"content":[{"type":"text","text":"no such paper"}]}'
    body = b'{"jsonrpc":"2.0","id":$ID,"result":' + result + b"}"
    with (
        serving(200, "application/json", body) as (url, _),
        door.Door(url, {}, timeout=5) as opened,
        pytest.raises(door.ToolError, match="any: no such paper"),
    ):
        opened.call("any")


def test_a_silent_door_times_out_and_a_closed_one_cannot_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        with pytest.raises(door.DoorError, match=r"did not answer within 0\.2 s"):
            door.Door(url, {}, timeout=0.2).__enter__()
    with pytest.raises(door.DoorError, match="cannot be reached"):
        door.Door(url, {}, timeout=5).__enter__()


def test_an_address_that_is_no_http_address_is_refused() -> None:
    with pytest.raises(door.DoorError, match="not an http address"):
        door.Door("file:///etc/passwd", {})
