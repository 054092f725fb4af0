"""The web door, and the sites behind it: real servers on the loopback, one of them with TLS."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
import orjson
import pytest

from pincite_core.http.dialing import Dialer
from pincite_doors.redactor import Redactor
from pincite_doors.web.door import WebDoor
from pincite_sandbox.guest.relay import Relay

TOKEN = "trial-token-of-the-web"


class Sites(Dialer):
    """The checking dialer of the door, in a world where ``names`` resolve to the loopback and the web's ports are those
    of local servers."""

    def __init__(self, ports: dict[int, int]) -> None:
        super().__init__("public", lookup=lambda host, port: ["127.0.0.1"], allow_private=True, proxy=None)
        self._ports = ports
        self.opened: list[str] = []

    async def connect_tcp(self, host: str, port: int, *args: Any, **options: Any) -> Any:
        self.opened.append(host)
        return await super().connect_tcp(host, self._ports[port], *args, **options)


@dataclass
class WebRig:
    """An open web door, the proxy address inside a sandbox, and its record."""

    door: WebDoor
    proxy: str
    port: int
    folder: Path
    sites: Any
    certificates: ssl.SSLContext

    def agent(self, proxy: str = "") -> httpx2.AsyncClient:
        return httpx2.AsyncClient(proxy=proxy or self.proxy, verify=self.certificates, timeout=30)

    async def raw(self, data: bytes) -> bytes:
        """What a client gets that sends these bytes and waits for the end."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(data)
        try:
            async with asyncio.timeout(30):
                return await reader.read()
        finally:
            writer.close()

    async def ended(self, count: int) -> None:
        """Wait for the ends of so many requests."""
        async with asyncio.timeout(30):
            while sum(record["kind"] == "response" for record in self.wire()) < count:
                await asyncio.sleep(0.01)

    def wire(self) -> list[dict[str, Any]]:
        return [orjson.loads(line) for line in (self.folder / "web.jsonl").read_bytes().splitlines()]


class Site(BaseHTTPRequestHandler):
    """Answers with the method, the host asked for, the path and the body; ``/cut`` breaks off."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path == "/cut":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            self.close_connection = True
            return
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        via = self.headers.get("proxy-authorization", "no secret")
        text = f"{self.command} {self.headers['host']} {self.path} {body.decode()} {via}".encode()
        self.send_response(200)
        self.send_header("content-type", "text/plain")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def sites(endpoints: ModuleType, certificate: Path) -> Iterator[dict[int, int]]:
    """Local ports by the web's ports."""

    class Secure(Site):
        def setup(self) -> None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.request = context.wrap_socket(self.request, server_side=True, do_handshake_on_connect=False)
            super().setup()

        def handle(self) -> None:
            try:
                self.request.do_handshake()
                super().handle()
            except (ssl.SSLError, OSError):
                self.close_connection = True

        def finish(self) -> None:
            super().finish()
            self.request.close()

    with endpoints.listening(Site) as plain, endpoints.listening(Secure) as secure:
        yield {80: int(plain.rpartition(":")[2]), 443: int(secure.rpartition(":")[2])}


OpenWeb = Callable[..., AbstractAsyncContextManager[WebRig]]


@pytest.fixture
def open_web(tmp_path: Path, sockets: Path, sites: dict[int, int], certificate: Path) -> OpenWeb:
    @asynccontextmanager
    async def opened(*hosts: str, network: Any = None) -> AsyncGenerator[WebRig]:
        socket = sockets / "web.sock"
        behind = network or Sites(sites)
        door = WebDoor(socket, TOKEN, hosts, tmp_path / "web.jsonl", Redactor([TOKEN]), network=behind)
        relay = Relay(str(socket))
        port = await relay.start()
        try:
            async with door:
                proxy = f"http://agent:{TOKEN}@127.0.0.1:{port}"
                context = ssl.create_default_context(cafile=str(certificate))
                yield WebRig(door, proxy, port, tmp_path, behind, context)
        finally:
            await relay.close()

    return opened
