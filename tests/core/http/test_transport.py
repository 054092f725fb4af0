import asyncio
import base64
import datetime
import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pincite_core import errors
from pincite_core.http.client import Web
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.settings import Settings


async def test_a_connection_is_used_again(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"yes")) as server:
        made = source(server.url)
        for _ in range(3):
            assert (await made.get()).content == b"yes"
        assert [len(heads) for heads in server.heads] == [3]


async def test_a_connection_that_the_server_closed_is_replaced(raw: ModuleType, source: Callable[..., Any]) -> None:
    async def once(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(raw.reply(b"yes"))
        await writer.drain()

    async with raw.raw_server(once) as server:
        made = source(server.url)
        assert [(await made.get()).content for _ in range(3)] == [b"yes"] * 3
        assert [len(heads) for heads in server.heads] == [1, 1, 1]


async def test_the_next_address_is_tried_when_one_refuses(raw: ModuleType, source: Callable[..., Any]) -> None:
    async with raw.raw_server(raw.reply(b"yes")) as server:
        url = f"http://two.example:{server.port}"
        made = source(url, lookup=lambda _host, _port: ["127.0.0.9", "127.0.0.1"])
        assert (await made.get()).content == b"yes"


@pytest.fixture
def deaf() -> Iterator[Callable[[int], str]]:
    """Makes an address whose connections never open: its queue is full."""
    kept: list[socket.socket] = []

    def make(port: int) -> str:
        listener = socket.socket()
        listener.bind(("127.0.0.8", port))
        listener.listen(0)
        kept.append(listener)
        for _ in range(4):
            kept.append(socket.socket())
            kept[-1].setblocking(False)
            kept[-1].connect_ex(("127.0.0.8", port))
        return "127.0.0.8"

    yield make
    for each in kept:
        each.close()


async def test_an_address_that_does_not_connect_holds_the_next_up_for_a_moment_only(
    raw: ModuleType, source: Callable[..., Any], deaf: Callable[[int], str]
) -> None:
    async with raw.raw_server(raw.reply(b"yes")) as server:
        silent = deaf(server.port)
        made = source(f"http://two.example:{server.port}", lookup=lambda _host, _port: [silent, "127.0.0.1"])
        assert (await made.get(seconds=3.0)).content == b"yes"
        alone = source(f"http://deaf.example:{server.port}", lookup=lambda _host, _port: [silent])
        with pytest.raises(errors.SourceError) as caught:
            await alone.get(seconds=0.3)
        assert caught.value.what == "Source did not answer in 0.3 s."


async def test_resolving_does_not_block_the_event_loop(raw: ModuleType, source: Callable[..., Any]) -> None:
    resolving, go_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def slow(_host: str, _port: int) -> list[str]:
        loop.call_soon_threadsafe(resolving.set)
        go_on.wait(5)
        return ["127.0.0.1"]

    async with raw.raw_server(raw.reply(b"yes")) as server, anyio.create_task_group() as group:
        made = source(f"http://slow.example:{server.port}", lookup=slow)
        group.start_soon(made.get)
        await resolving.wait()
        go_on.set()


async def test_a_lookup_of_a_host_that_hangs_ends_with_the_time(source: Callable[..., Any]) -> None:
    release = threading.Event()

    def hang(_host: str, _port: int) -> list[str]:
        release.wait(5)
        return ["127.0.0.1"]

    made = source("http://slow.example:8080", lookup=hang)
    with pytest.raises(errors.SourceError) as caught:
        await made.get(seconds=0.2)
    release.set()
    assert caught.value.cause == "slow"


async def test_cancelling_closes_the_connection_and_gives_the_turn_back(
    raw: ModuleType, source: Callable[..., Any]
) -> None:
    async with raw.raw_server(raw.silence, raw.reply(b"yes")) as server:
        made = source(server.url, policy={"rate": Rate(100, 1.0, at_once=1)}, source_rates="published")
        async with anyio.create_task_group() as group:
            group.start_soon(made.get)
            while server.open == 0 or not server.heads[0]:
                await anyio.sleep(0.01)
            group.cancel_scope.cancel()
        assert (await made.get()).content == b"yes"
        with anyio.fail_after(5):
            while server.open > 1:
                await anyio.sleep(0.01)


def test_each_event_loop_has_connections_of_its_own(source_servers: ModuleType, tmp_path: Path) -> None:
    with source_servers.SourceServer(lambda _asked: source_servers.Given("yes")) as server:
        web = Web(Settings(cache_dir=tmp_path, source_urls={"source": server.url}))
        policy = SourcePolicy("source", "Source", "https://api.example.org", Rate(100, 1.0))

        async def ask() -> bytes:
            async with web.lifespan():
                return (await web.get(policy, "works")).content

        assert [anyio.run(ask) for _ in range(3)] == [b"yes"] * 3


@pytest.fixture
def certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ssl.SSLContext]:
    """Makes a server's context with a certificate for names, which this process trusts."""

    def make(*names: str) -> ssl.SSLContext:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0])])
        now = datetime.datetime.now(datetime.UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        pem = serialization.Encoding.PEM
        path = tmp_path / "server.pem"
        plain = serialization.NoEncryption()
        path.write_bytes(
            key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain) + certificate.public_bytes(pem)
        )
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    return make


def _here(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


async def test_the_name_stays_in_host_and_certificate_while_the_address_is_pinned(
    raw: ModuleType, source: Callable[..., Any], certified: Callable[..., ssl.SSLContext]
) -> None:
    async with raw.raw_server(raw.reply(b"yes"), context=certified("api.example.org")) as server:
        made = source(f"https://api.example.org:{server.port}", lookup=_here)
        assert (await made.get()).content == b"yes"
        assert f"Host: api.example.org:{server.port}\r\n" in server.heads[0][0]
        other = source(f"https://other.example.org:{server.port}", lookup=_here)
        with pytest.raises(errors.SourceError) as caught:
            await other.get()
        assert caught.value.cause == "unreachable"
        assert "certificate" in caught.value.seen


async def test_a_connection_that_is_tampered_with_broke_off(
    raw: ModuleType, source: Callable[..., Any], certified: Callable[..., ssl.SSLContext]
) -> None:
    async def tamper(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        os.write(writer.get_extra_info("socket").fileno(), b"\x17\x03\x03\x00\x20" + b"no record of ours" * 4)
        await reader.read()

    async with raw.raw_server(tamper, context=certified("api.example.org")) as server:
        made = source(f"https://api.example.org:{server.port}", lookup=_here)
        with pytest.raises(errors.SourceError) as caught:
            await made.get()
        assert caught.value.cause == "truncated"


async def test_certificates_that_cannot_be_read_are_named(
    source: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty.pem").write_text("no certificate")
    for name in ("missing.pem", "empty.pem"):
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / name))
        with pytest.raises(errors.BadInputError) as caught:
            await source("https://api.example.org", lookup=_here).get()
        assert "SSL_CERT_FILE" in caught.value.next


async def test_two_hosts_at_one_address_share_no_connection(
    raw: ModuleType, source: Callable[..., Any], certified: Callable[..., ssl.SSLContext]
) -> None:
    async with raw.raw_server(raw.reply(b"yes"), context=certified("api.example.org")) as server:
        made = source(f"https://api.example.org:{server.port}", lookup=_here, allow_private_addresses=True)
        await made.get()
        with pytest.raises(errors.SourceError):
            await made.get(f"https://other.example.org:{server.port}/works")
        assert sum(len(heads) for heads in server.heads) == 1


def _tunnels(asked: list[str], port: int, answer: bytes = b"HTTP/1.1 200 OK\r\n\r\n") -> Any:
    """What a proxy does with a connection: it notes the request, and leads wherever it is asked to ``port``."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
        writer.close()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()
        if not answer.startswith(b"HTTP/1.1 200"):
            return
        asked.append("opened")
        back, forth = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, forth), pump(back, writer), return_exceptions=True)

    return talk


async def test_a_proxy_is_asked_for_the_source_by_its_name(raw: ModuleType, source: Callable[..., Any]) -> None:
    opened: list[str] = []
    async with (
        raw.raw_server(raw.reply(b"yes")) as server,
        raw.raw_server(_tunnels(opened, server.port)) as proxy,
    ):
        made = source(
            "http://api.example.invalid", source_urls={}, http_proxy=f"http://me:p%40ss@127.0.0.1:{proxy.port}"
        )
        assert (await made.get("http://api.example.invalid/works")).content == b"yes"
        (head,) = proxy.heads[0]
        assert head.startswith("CONNECT api.example.invalid:80 HTTP/1.1\r\nHost: api.example.invalid:80\r\n")
        assert f"Proxy-Authorization: Basic {base64.b64encode(b'me:p@ss').decode()}\r\n" in head
        assert "proxy-authorization" not in server.heads[0][0].lower()


async def test_a_proxy_is_asked_for_the_checked_address_of_any_other_host(
    raw: ModuleType, source: Callable[..., Any]
) -> None:
    places = {"paper.example": ["93.184.215.14"], "inside.example": ["10.0.0.1"]}
    opened: list[str] = []
    async with (
        raw.raw_server(raw.reply(b"yes")) as server,
        raw.raw_server(_tunnels(opened, server.port)) as proxy,
    ):
        made = source(
            "http://api.example.invalid",
            source_urls={},
            http_proxy=f"http://127.0.0.1:{proxy.port}",
            lookup=lambda host, _port: places[host],
        )
        assert (await made.get("http://paper.example/x.pdf")).content == b"yes"
        assert proxy.heads[0][0].startswith("CONNECT 93.184.215.14:80 ")
        assert "Host: paper.example\r\n" in server.heads[0][0]
        with pytest.raises(errors.ForbiddenError):
            await made.get("http://inside.example/x.pdf")
        assert len(proxy.heads) == 1


async def test_a_host_that_stood_in_an_answer_is_checked_though_a_proxy_could_find_it(
    raw: ModuleType, source: Callable[..., Any]
) -> None:
    opened: list[str] = []
    async with (
        raw.raw_server(raw.reply(b"yes")) as server,
        raw.raw_server(_tunnels(opened, server.port)) as proxy,
    ):
        for place, allowed in (("93.184.215.14", True), ("10.0.0.1", False)):
            made = source(
                "http://paper.example",
                policy={"foreign": True},
                source_urls={},
                contact="ada@example.org",
                http_proxy=f"http://127.0.0.1:{proxy.port}",
                lookup=lambda _host, _port, place=place: [place],
            )
            if allowed:
                assert (await made.get("http://paper.example/x.pdf")).content == b"yes"
            else:
                with pytest.raises(errors.ForbiddenError):
                    await made.get("http://paper.example/x.pdf")
        assert [heads[0].split()[1] for heads in proxy.heads] == ["93.184.215.14:80"]
        assert "ada@example.org" not in server.heads[0][0]


async def test_tls_goes_through_the_tunnel(
    raw: ModuleType, source: Callable[..., Any], certified: Callable[..., ssl.SSLContext]
) -> None:
    opened: list[str] = []
    context = certified("api.example.invalid", "localhost")
    async with (
        raw.raw_server(raw.reply(b"yes"), context=context) as server,
        raw.raw_server(_tunnels(opened, server.port)) as proxy,
    ):
        made = source("https://api.example.invalid", source_urls={}, http_proxy=f"http://127.0.0.1:{proxy.port}")
        for _ in range(2):
            assert (await made.get("https://api.example.invalid/works")).content == b"yes"
        assert [len(heads) for heads in server.heads] == [2]
        assert opened == ["opened"]


async def test_the_proxy_may_want_tls_itself(
    raw: ModuleType, source: Callable[..., Any], certified: Callable[..., ssl.SSLContext]
) -> None:
    opened: list[str] = []
    context = certified("api.example.invalid", "localhost")
    async with (
        raw.raw_server(raw.reply(b"yes"), context=context) as server,
        raw.raw_server(_tunnels(opened, server.port), context=context) as proxy,
    ):
        made = source("https://api.example.invalid", source_urls={}, http_proxy=f"https://localhost:{proxy.port}")
        assert (await made.get("https://api.example.invalid/works")).content == b"yes"
        assert opened == ["opened"]


async def test_a_private_source_that_the_user_set_is_asked_beside_the_proxy(
    raw: ModuleType, source: Callable[..., Any]
) -> None:
    async with raw.raw_server(raw.reply(b"yes")) as server:
        made = source(server.url, http_proxy="http://127.0.0.1:9")
        assert (await made.get()).content == b"yes"


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 403 Forbidden\r\n\r\n",
        b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\nand what no server said yet",
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 20000,
        b"HTTP/1.1 2000 OK\r\n\r\n",
        b"",
    ],
)
async def test_a_proxy_that_opens_no_tunnel_is_named_without_its_password(
    raw: ModuleType, source: Callable[..., Any], answer: bytes
) -> None:
    async def refuse(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()

    async with raw.raw_server(refuse) as proxy:
        made = source(
            "http://api.example.invalid", source_urls={}, http_proxy=f"http://me:password@127.0.0.1:{proxy.port}"
        )
        with pytest.raises(errors.SourceError) as caught:
            await made.get("http://api.example.invalid/works")
        assert caught.value.what == "Source could not be reached."
        assert f"the proxy 127.0.0.1:{proxy.port} refused to open a tunnel" in caught.value.seen
        assert "password" not in str(caught.value)


async def test_a_proxy_that_is_not_there_is_named(source: Callable[..., Any], source_servers: ModuleType) -> None:
    port = source_servers.closed_port()
    made = source("http://api.example.invalid", source_urls={}, http_proxy=f"http://127.0.0.1:{port}")
    with pytest.raises(errors.SourceError) as caught:
        await made.get("http://api.example.invalid/works")
    assert f"the proxy 127.0.0.1:{port} could not be reached" in caught.value.seen


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1080", "127.0.0.1:3128", "http://", "ftp://x", "http://[::1"])
async def test_what_is_no_proxy_is_told_by_its_setting(source: Callable[..., Any], proxy: str) -> None:
    made = source("http://api.example.invalid", http_proxy=proxy)
    with pytest.raises(errors.BadInputError) as caught:
        await made.get()
    assert "PINCITE_HTTP_PROXY" in caught.value.what


async def test_the_environments_proxies_are_not_taken(
    raw: ModuleType, source: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with raw.raw_server(raw.reply(b"yes")) as server:
        assert (await source(server.url).get()).content == b"yes"


async def test_https_is_not_left_with_credentials(
    raw: ModuleType, source: Callable[..., Any], certified: Callable[..., ssl.SSLContext]
) -> None:
    async with (
        raw.raw_server(raw.reply(b"plain")) as plain,
        raw.raw_server(
            raw.reply(b"", "302 Found", Location=f"{plain.url}/there"), context=certified("api.example.org")
        ) as server,
    ):
        made = source(f"https://api.example.org:{server.port}", lookup=_here, allow_private_addresses=True)
        assert (await made.get()).content == b"plain"
        with pytest.raises(errors.ForbiddenError) as caught:
            await made.get(access=Access(headers={"X-Key": "a secret key"}))
        assert "from https to http://127.0.0.1" in caught.value.seen
        assert [len(heads) for heads in plain.heads] == [1]
