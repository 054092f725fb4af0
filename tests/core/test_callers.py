"""Who may call a server over HTTP: nobody from elsewhere without proof, a shared token, tokens of an OAuth server."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from pincite_core.errors import BadInputError, ForbiddenError, UnavailableError
from pincite_core.http_settings import HttpSettings
from pincite_core.server import create
from pincite_core.serving import http_app, listen, serve_http
from pincite_core.tool import make_tool

TOKEN = "0123456789abcdef-secret"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


async def answer() -> str:
    """Answer."""
    return "42"


def made() -> Any:
    return create("test", title="T", description="D", instructions="I", tools=[make_tool(answer, title="Answer")])


@asynccontextmanager
async def served(settings: HttpSettings) -> AsyncGenerator[str]:
    """The server over HTTP on the listener that ``serve_http`` uses: its address, http://127.0.0.1:PORT."""
    with listen("127.0.0.1", 0) as listener:
        running = uvicorn.Server(uvicorn.Config(http_app(made(), settings), log_config=None, lifespan="on"))
        task = asyncio.create_task(running.serve(sockets=[listener]))
        while not running.started:
            await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            running.should_exit = True
            await task


async def asked(address: str, token: str = "", **headers: str) -> httpx2.Response:
    """The answer to ``initialize`` with this token."""
    sent = [(b"Accept", b"application/json, text/event-stream")]
    sent += [(name.encode(), value.encode()) for name, value in headers.items()]
    if token:
        sent.append((b"Authorization", f"Bearer {token}".encode()))
    async with httpx2.AsyncClient() as http:
        return await http.post(f"{address}/mcp", json=INITIALIZE, headers=sent)


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PINCITE_HTTP_TOKEN", "PINCITE_ALLOWED_HOSTS", "PINCITE_HTTP_OAUTH_ISSUER"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0"])
def test_an_address_that_others_reach_needs_proof(address: str) -> None:
    with pytest.raises(ForbiddenError, match="reached from other machines") as caught:
        serve_http(made(), address)
    assert "PINCITE_HTTP_TOKEN" in caught.value.next
    assert "Bearer" in caught.value.next


def test_a_host_name_counts_by_what_it_resolves_to() -> None:
    with pytest.raises((ForbiddenError, UnavailableError)):
        serve_http(made(), f"{socket.gethostname()}.invalid:0")


@pytest.mark.parametrize("token", ["short", "0123456789 äöü 0123456789", "0123456789abcdef\n0"])
def test_a_token_that_can_be_guessed_or_not_be_sent_is_refused(token: str) -> None:
    with pytest.raises(BadInputError, match="PINCITE_HTTP_TOKEN") as caught:
        HttpSettings(http_token=token).token()  # pyright: ignore[reportArgumentType]
    assert token not in str(caught.value)


async def test_a_token_is_asked_of_every_caller() -> None:
    async with served(HttpSettings(http_token=TOKEN)) as address:  # pyright: ignore[reportArgumentType]
        for wrong in ("", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "é"):
            refused = await asked(address, wrong)
            assert refused.status_code == 401, wrong
            assert refused.headers["www-authenticate"].startswith("Bearer ")
            assert TOKEN not in refused.text
        assert (await asked(address, TOKEN)).status_code == 200
        assert (await asked(address, TOKEN, Host="evil.example")).status_code == 421
        assert (await asked(address, TOKEN, Origin="http://evil.example")).status_code == 403
        async with httpx2.AsyncClient() as http:
            assert (await http.get(f"{address}/health")).json()["status"] == "ok"
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http,
            Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
        ):
            assert (await client.call_tool("answer", {})).content[0].text == "42"  # pyright: ignore


async def test_connections_send_at_once() -> None:
    with listen("127.0.0.1", 0) as listener:
        seen: list[int] = []

        async def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            seen.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(connected, sock=listener):
            reader, writer = await asyncio.open_connection(*listener.getsockname()[:2])
            await reader.read()
            writer.close()
        assert seen == [1]


class AuthorizationServer(BaseHTTPRequestHandler):
    """Introspection (RFC 7662) over the tokens in ``worth``; ``None`` stands for an outage."""

    worth: dict[str, dict[str, Any] | None]
    asked: list[tuple[str, str]]

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
        (token,) = form["token"]
        self.asked.append((token, self.headers.get("authorization", "")))
        told = self.worth.get(token, {"active": False})
        body = b"" if told is None else json.dumps(told).encode()
        self.send_response(500 if told is None else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def authorization_server(worth: dict[str, dict[str, Any] | None]) -> Generator[tuple[str, list[tuple[str, str]]]]:
    handler = type("Handler", (AuthorizationServer,), {"worth": worth, "asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", handler.asked  # pyright: ignore
        server.shutdown()


async def test_oauth_tokens_count_by_what_their_server_says(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PINCITE_SOURCE_SECONDS", "2")
    resource = "https://papers.example/mcp"
    good = {"active": True, "aud": resource, "scope": "read other", "client_id": "c", "sub": "u"}
    worth: dict[str, dict[str, Any] | None] = {
        "good": good,
        "listed": good | {"aud": ["https://else.example", resource + "/"]},
        "elsewhere": good | {"aud": "https://else.example/mcp"},
        "audienceless": {"active": True, "scope": "read"},
        "stranger": good | {"iss": "https://else.example"},
        "expired": good | {"exp": 1},
        "expired in words": good | {"exp": "1"},
        "without a readable end": good | {"exp": [time.time() + 60]},
        "lasting": good | {"exp": time.time() + 60.5},
        "inactive": {"active": False},
        "narrow": good | {"scope": "other"},
        "outage": None,
    }
    with authorization_server(worth) as (authority, asked_of):
        settings = HttpSettings(
            http_oauth_issuer=authority,
            http_oauth_resource=resource,
            http_oauth_introspection_url=f"{authority}/introspect",
            http_oauth_client_id="pincite",
            http_oauth_client_secret="of the server",  # pyright: ignore[reportArgumentType]
            http_oauth_scopes=("read",),
        )
        statuses: dict[str, int] = {}
        async with served(settings) as address:
            for token in ("", "unknown", *worth):
                statuses[token] = (await asked(address, token)).status_code
            before = len(asked_of)
            assert (await asked(address, "good")).status_code == 200
            assert len(asked_of) == before
            refused = await asked(address)
            async with httpx2.AsyncClient() as http:
                metadata = (await http.get(f"{address}/.well-known/oauth-protected-resource/mcp")).json()
    assert statuses == {
        "": 401, "unknown": 401, "good": 200, "listed": 200, "elsewhere": 401, "audienceless": 401, "stranger": 401,
        "expired": 401, "expired in words": 401, "without a readable end": 401, "lasting": 200,
        "inactive": 401, "narrow": 403, "outage": 503,
    }  # fmt: skip
    assert asked_of[0][1].startswith("Basic ")
    assert "/.well-known/oauth-protected-resource/mcp" in refused.headers["www-authenticate"]
    assert metadata["resource"] == resource
    assert [server.rstrip("/") for server in metadata["authorization_servers"]] == [authority]
    assert metadata["scopes_supported"] == ["read"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"http_oauth_issuer": "https://a.example"}, "partly set up"),
        ({"http_token": TOKEN}, "Both"),
        ({"http_oauth_introspection_url": "http://a.example/i"}, "not an https address"),
        ({"http_oauth_resource": "papers.example"}, "not an https address"),
    ],
)
def test_oauth_settings_that_cannot_be_used(given: dict[str, Any], message: str) -> None:
    whole: dict[str, Any] = {
        "http_oauth_issuer": "https://a.example",
        "http_oauth_resource": "https://b.example/mcp",
        "http_oauth_introspection_url": "https://a.example/introspect",
    }
    settings = HttpSettings(**(given if message == "partly set up" else whole | given))
    with pytest.raises(BadInputError, match=message):
        settings.oauth()
