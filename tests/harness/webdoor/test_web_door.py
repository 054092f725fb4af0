"""The web door in front of real sites, with a real HTTP client that is told of a proxy."""

import asyncio
import base64
import ssl
from typing import Any

import httpx2
import pytest

from pincite_core.errors import BadInputError
from pincite_core.http.dialing import Dialer
from pincite_doors.redactor import Redactor
from pincite_doors.web.door import WebDoor

pytestmark = pytest.mark.anyio

PAPERS = "papers.example"


async def refusal(agent: httpx2.AsyncClient, target: str) -> str:
    """The proxy's status for a request that it must not let through."""
    try:
        return str((await agent.get(target)).status_code)
    except httpx2.ProxyError as error:
        return str(error)[:3]


def authorised(text: str) -> bytes:
    secret = base64.b64encode(b"agent:trial-token-of-the-web").decode()
    return f"{text}\r\nProxy-Authorization: Basic {secret}\r\n\r\n".encode()


async def test_https_and_http_pass_to_allowed_hosts_and_are_recorded(open_web: Any) -> None:
    async with open_web(PAPERS, "*.papers.example") as rig, rig.agent() as agent:
        secure = await agent.post("https://papers.example/a?b=c", content=b"question")
        plain = await agent.get("http://www.papers.example/d?token=trial-token-of-the-web")
        await agent.aclose()
        await rig.ended(2)
    assert secure.text == "POST papers.example /a?b=c question no secret"
    assert plain.text.startswith("GET www.papers.example /d?token=")
    assert plain.text.endswith(" no secret"), "the trial's token stays at the door"
    requests = [record for record in rig.wire() if record["kind"] == "request"]
    responses = {record["seq"]: record for record in rig.wire() if record["kind"] == "response"}
    assert [(record["method"], record["url"]) for record in requests] == [
        ("CONNECT", "https://papers.example"),
        ("GET", "http://www.papers.example/d?token=[trial token]"),
    ]
    tunnel, fetched = (responses[record["seq"]] for record in requests)
    assert (tunnel["status"], tunnel["cause"]) == (200, None)
    assert min(tunnel["sent"], tunnel["received"]) > 500
    assert (fetched["status"], fetched["media_type"], fetched["received"]) == (200, "text/plain", len(plain.content))
    assert fetched["digest"].startswith("sha256:")


@pytest.mark.parametrize(
    "target",
    [
        "https://other.example/",
        "https://papers.example.evil.example/",
        "https://evilpapers.example/",
        "https://papers.example:8443/",
        "http://papers.example:443/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2130706433/",
        "http://papers.example@evil.example/",
    ],
)
async def test_other_places_are_closed(open_web: Any, target: str) -> None:
    async with open_web(PAPERS) as rig:
        async with rig.agent() as agent:
            assert await refusal(agent, target) in ("400", "403")
        [record] = rig.wire()
        assert record["kind"] == "refused"
        assert rig.sites.opened == [], "nothing was connected to"


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("CONNECT papers.example:22 HTTP/1.1\r\nHost: papers.example:22", b"403"),
        ("CONNECT papers.example:80 HTTP/1.1\r\nHost: papers.example:80", b"403"),
        ("CONNECT http://papers.example:443 HTTP/1.1\r\nHost: papers.example", b"403"),
        ("CONNECT papers.example\u2024evil:443 HTTP/1.1\r\nHost: x", b"400"),
        ("GET / HTTP/1.1\r\nHost: papers.example", b"403"),
        ("GET ftp://papers.example/ HTTP/1.1\r\nHost: papers.example", b"403"),
        ("GET file:///etc/passwd HTTP/1.1\r\nHost: papers.example", b"403"),
    ],
)
async def test_odd_requests_are_turned_away(open_web: Any, head: str, status: bytes) -> None:
    async with open_web(PAPERS) as rig:
        answer = await rig.raw(authorised(head))
        assert answer.split(b" ", 2)[1] == status
        assert rig.sites.opened == []


async def test_only_the_trials_token_opens(open_web: Any) -> None:
    async with open_web(PAPERS) as rig:
        for proxy in (f"http://127.0.0.1:{rig.port}", f"http://agent:wrong@127.0.0.1:{rig.port}"):
            async with rig.agent(proxy) as agent:
                assert (await agent.get("http://papers.example/")).status_code == 407
                with pytest.raises(httpx2.ProxyError, match="407"):
                    await agent.get("https://papers.example/")
        assert rig.sites.opened == []
        assert {record["status"] for record in rig.wire()} == {407}


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "64:ff9b::7f00:1"])
async def test_allowed_names_that_resolve_to_private_addresses_are_refused(open_web: Any, address: str) -> None:
    network = Dialer("public", lookup=lambda host, port: ["93.184.215.14", address], allow_private=False, proxy=None)
    async with open_web(PAPERS, network=network) as rig:
        async with rig.agent() as agent:
            assert (await agent.get("http://papers.example/")).status_code == 403
            with pytest.raises(httpx2.ProxyError, match="403"):
                await agent.get("https://papers.example/")
        ends = [record for record in rig.wire() if record["kind"] == "response"]
    assert [record["cause"] for record in ends] == ["forbidden", "forbidden"]
    assert address in ends[0]["detail"]


async def test_a_tunnel_carries_tls_for_its_host_and_nothing_else(open_web: Any) -> None:
    connect = authorised("CONNECT papers.example:443 HTTP/1.1\r\nHost: papers.example:443")
    hello = ssl.MemoryBIO()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    fronting = context.wrap_bio(ssl.MemoryBIO(), hello, server_hostname="other.example")
    with pytest.raises(ssl.SSLWantReadError):
        fronting.do_handshake()
    other_name = hello.read()
    async with open_web(PAPERS) as rig:
        for first in (b"SSH-2.0-OpenSSH_9.2\r\n", b"GET / HTTP/1.1\r\nHost: papers.example\r\n\r\n", other_name):
            answer = await rig.raw(connect + first)
            assert answer == b"HTTP/1.1 200 Connection established\r\n\r\n", "and the end, not a byte of the site"
        ends = [record for record in rig.wire() if record["kind"] == "response"]
    assert [(record["cause"], record["sent"], record["received"]) for record in ends] == [("forbidden", 0, 0)] * 3
    assert "other.example" in ends[2]["detail"]


async def test_the_host_header_follows_from_the_address_and_one_request_passes(open_web: Any) -> None:
    smuggled = "GET http://papers.example/first HTTP/1.1\r\nHost: other.example"
    second = b"GET http://other.example/second HTTP/1.1\r\nHost: other.example\r\n\r\n"
    async with open_web(PAPERS) as rig:
        answer = await rig.raw(authorised(smuggled) + second)
    assert b"GET papers.example /first" in answer
    assert b"second" not in answer


async def test_answers_that_break_off_do_so_for_the_agent_too(open_web: Any) -> None:
    async with open_web(PAPERS) as rig:
        async with rig.agent() as agent:
            with pytest.raises(httpx2.RemoteProtocolError):
                await agent.get("http://papers.example/cut")
        [end] = [record for record in rig.wire() if record["kind"] == "response"]
    assert (end["cause"], end["status"]) == ("cut", 200)


async def test_a_site_that_is_down_is_an_error_by_its_name(open_web: Any, sites: dict[int, int]) -> None:
    sites[80] = 1
    async with open_web(PAPERS) as rig, rig.agent() as agent:
        answer = await agent.get("http://papers.example/")
        assert answer.status_code == 502
        assert "could not be reached" in answer.text


async def test_closing_the_door_ends_open_tunnels(open_web: Any) -> None:
    async with open_web(PAPERS) as rig:
        reader, writer = await asyncio.open_connection("127.0.0.1", rig.port)
        writer.write(authorised("CONNECT papers.example:443 HTTP/1.1\r\nHost: papers.example:443"))
        await reader.readuntil(b"\r\n\r\n")
        await rig.door.close()
        async with asyncio.timeout(30):
            assert await reader.read() == b""
        writer.close()


@pytest.mark.parametrize("host", ["*", "papers.example:443", "https://papers.example", "10.0.0.1", "*.*.x.org"])
def test_patterns_that_are_no_hosts_are_refused(tmp_path: Any, host: str) -> None:
    with pytest.raises(BadInputError):
        WebDoor(tmp_path / "s", "t", [host], tmp_path / "web.jsonl", Redactor([]))
