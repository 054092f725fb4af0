"""Addresses that lead inside, in every disguise, asked for directly and by redirects; none of them connects."""

import select
import socket
from collections.abc import Awaitable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from anyio import to_thread

from pincite_core import errors
from pincite_core.addresses import look_up
from pincite_core.http.exchange import Request
from pincite_core.http.live import Live
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_papers.opening.fetch import fetch_source

POLICY = SourcePolicy("source", "Source", "https://api.example.org", Rate(100, 1.0))

LOOPBACK_BY_NUMBER = [
    "127.0.0.1", "127.0.0.2", "127.255.255.254", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1",
    "0x7F.0x0.0x0.0x1", "017700000001", "0177.0.0.1", "0177.0.0.01", "00000177.0.0.1", "127.000.000.001", "0x7f.0.0.1",
    "127.0.0.1.", "0", "0.0.0.0", "0x0", "00", "0.0", "127.0.0.0x1", "0x000000007f000001",
]  # fmt: skip
"""Spellings that a resolver takes for this machine."""

LOOPBACK_BY_NAME = ["localhost", "LOCALHOST", "LocalHost", "localhost."]

IN_IPV6 = [
    "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::127.0.0.1]", "[::7f00:1]", "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]",
    "[2002:c0a8:0101::1]", "[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[2606:4700::5efe:127.0.0.1]",
    "[2606:4700::200:5efe:10.0.0.1]", "[fe80::1]", "[fe80::1%25lo]", "[fe80::1%lo]", "[::1%25lo]", "[fec0::1]",
    "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[::ffff:169.254.169.254]", "[::ffff:10.0.0.1]", "[100::1]",
    "[2001:db8::1]",
]  # fmt: skip

PRIVATE = [
    "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "169.254.169.254", "169.254.170.2",
    "100.100.100.200", "192.0.0.192", "198.18.0.1", "224.0.0.1", "239.255.255.250", "255.255.255.255", "240.0.0.1",
    "192.0.2.1", "203.0.113.1", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.16689662", "0xA9.0xFE.43518",
    "192.88.99.1",
]  # fmt: skip

NAMED = {
    "metadata.google.internal": ["169.254.169.254"],
    "metadata": ["169.254.169.254"],
    "instance-data": ["169.254.169.254"],
    "127.0.0.1.nip.example": ["127.0.0.1"],
    "intranet.example": ["10.1.2.3"],
    "half.example": ["93.184.215.14", "127.0.0.1"],
    "six.example": ["::ffff:7f00:1"],
    "scoped.example": ["fe80::1%1"],
    "xn--bcher-kva.example": ["192.168.1.1"],
}
"""Names that a resolver sends inside."""

DISGUISED = [
    "①②⑦.⓪.⓪.①", "１２７.０.０.１", "127。0。0。1", "127．0．0．1", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "ｌｏｃａｌｈｏｓｔ",
    "%31%32%37.0.0.1", "127.0.0.1%00.example.org", "127.0.0.1%2f.example.org", "localhost%2eexample.org", "127.0.0.1 ",
    " 127.0.0.1", "127.0.0.1\t", "127.0.0.1\r\nHost: example.org", "example.org\r\n\r\nGET / HTTP/1.1", "127.0.0.1\\",
    "localhost..", ".localhost", "xn--n3h", "[127.0.0.1]", "[v1.127.0.0.1]", "[::1", "::1", "-", "xn--", "",
]  # fmt: skip
"""What is no host at all, or is none once it is read strictly."""

WHOLE = [
    "http://user@127.0.0.1:{port}/", "http://user:word@127.0.0.1:{port}/", "http://@127.0.0.1:{port}/",
    "http://example.org@127.0.0.1:{port}/", "http://127.0.0.1:{port}\\@example.org/",
    "http://example.org%20@127.0.0.1:{port}/", "http://[::1]@example.org:{port}/", "http://example.org:80@127.0.0.1/",
    "http://127.0.0.1:{port}:80/", "http://example.org:0/", "http://example.org:65536/", "http://example.org:-1/",
    "http://example.org:٨٠/", "http://93.184.215.14:22/", "http://93.184.215.14:25/", "https://93.184.215.14:389/",
    "http://93.184.215.14:1/", "http:///127.0.0.1:{port}/", "http:127.0.0.1:{port}/", "http:\\\\127.0.0.1:{port}\\",
    "http://", "file:///etc/passwd", "file://127.0.0.1/etc/passwd", "gopher://127.0.0.1:{port}/_x", "ws://127.0.0.1/",
    "ftp://127.0.0.1:{port}/x", "data:text/plain,x", "dict://127.0.0.1:{port}/x", "ldap://127.0.0.1:{port}/",
    "jar:http://127.0.0.1:{port}/!/", "unix:///run/docker.sock", "http+unix://%2Frun%2Fdocker.sock/", "tftp://127.0.0.1/",
    "javascript://127.0.0.1:{port}/", "HTTP://LOCALHOST:{port}/", "hTTps://127.1:{port}/", "https://localhost:{port}/",
]  # fmt: skip
"""Whole addresses."""

RELATIVE = ("http:///127.0.0.1:{port}/", "http:127.0.0.1:{port}/", "http:\\\\127.0.0.1:{port}\\", "http://")
"""What a redirect takes for a path of the server that sends it (RFC 3986, 5.2): it leads in a circle."""

HOSTS = [*LOOPBACK_BY_NUMBER, *LOOPBACK_BY_NAME, *IN_IPV6, *PRIVATE, *NAMED, *DISGUISED]
ADDRESSES = [*(f"http://{host}:{{port}}/x" for host in HOSTS), *WHOLE]
REFUSED = (errors.ForbiddenError, errors.BadInputError)


class Trap:
    """Listens on every address of this machine, and knows whether anyone came."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
        self.port = int(self._socket.getsockname()[1])

    def caught(self) -> bool:
        return bool(select.select([self._socket], [], [], 0)[0])

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def trap() -> Iterator[Trap]:
    made = Trap()
    yield made
    made.close()


@pytest.fixture
def outside(source_servers: ModuleType) -> Iterator[Any]:
    """A source at an address that the user set; ``to`` is where it redirects."""
    with source_servers.SourceServer(lambda _asked: source_servers.Given(status=302)) as server:
        yield server


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path, source_seconds=5.0, allow_urls=True)


def _look_up(host: str, port: int) -> list[str]:
    return NAMED[host] if host in NAMED else look_up(host, port)


async def _ask(settings: Settings, url: str) -> None:
    live = Live(settings, lookup=_look_up)
    try:
        await live.answer(Request(POLICY, "GET", url, most_bytes=1000, seconds=settings.source_seconds))
    finally:
        await live.aclose()


async def _outcome(asked: Awaitable[object]) -> object:
    """What asking raised of our own errors, else what it gave."""
    try:
        return await asked
    except errors.PinciteError as error:
        return error


def _send_to(outside: Any, given: Any, location: str) -> str:
    outside.answer = lambda _asked: given(status=302, headers={"Location": location})
    return f"{outside.url}/start"


def test_there_are_at_least_sixty_tricks() -> None:
    assert len(set(ADDRESSES)) >= 60


async def test_an_address_that_leads_inside_is_refused_and_never_connected_to(settings: Settings, trap: Trap) -> None:
    let_through = []
    for address in ADDRESSES:
        outcome = await _outcome(_ask(settings, address.format(port=trap.port)))
        if not isinstance(outcome, REFUSED) or trap.caught():
            let_through.append((address, outcome))
    assert not let_through


async def test_a_redirect_that_leads_inside_is_refused_and_never_followed(
    settings: Settings, trap: Trap, outside: Any, source_servers: ModuleType
) -> None:
    moved = settings.model_copy(update={"source_urls": {"source": outside.url}})
    let_through = []
    for address in ADDRESSES:
        # A header line cannot carry what ends it, nor what is not Latin-1: the server sends what browsers would send.
        location = address.format(port=trap.port).replace("\r\n", "%0d%0a").encode().decode("latin-1")
        outcome = await _outcome(_ask(moved, _send_to(outside, source_servers.Given, location)))
        expected = errors.SourceError if address in RELATIVE else errors.ForbiddenError
        if not isinstance(outcome, expected) or trap.caught():
            let_through.append((address, outcome))
    assert not let_through


async def test_papers_are_fetched_by_the_same_rules(settings: Settings, trap: Trap) -> None:
    let_through = []
    for address in ADDRESSES:
        if any(name in address for name in NAMED):
            continue
        outcome = await _outcome(to_thread.run_sync(fetch_source, address.format(port=trap.port), settings))
        if not isinstance(outcome, REFUSED) or trap.caught():
            let_through.append((address, outcome))
    assert not let_through


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "0177.1", "127.1", "[::1]"])
async def test_without_the_rules_the_trap_would_catch_them(settings: Settings, trap: Trap, host: str) -> None:
    careless = settings.model_copy(update={"allow_private_addresses": True, "source_seconds": 2.0})
    with pytest.raises(errors.SourceError):
        await _ask(careless, f"http://{host}:{trap.port}/x")
    assert trap.caught()


async def test_the_origin_that_the_user_set_may_be_private_but_no_other_of_that_host(
    settings: Settings, trap: Trap, outside: Any, source_servers: ModuleType
) -> None:
    moved = settings.model_copy(update={"source_urls": {"source": outside.url}})
    outside.answer = lambda _asked: source_servers.Given("fine")
    await _ask(moved, f"{outside.url}/x")
    for other in (
        f"http://127.0.0.1:{trap.port}/",
        f"https://127.0.0.1:{outside.port}/",
        f"http://localhost:{outside.port}/",
    ):
        with pytest.raises(errors.ForbiddenError):
            await _ask(moved, other)
        with pytest.raises(errors.ForbiddenError):
            await _ask(moved, _send_to(outside, source_servers.Given, other))
    assert not trap.caught()
    assert {asked.headers["host"] for asked in outside.asked} == {f"127.0.0.1:{outside.port}"}


async def test_a_source_that_the_user_set_lets_no_other_source_inside(settings: Settings, outside: Any) -> None:
    moved = settings.model_copy(update={"source_urls": {"another": outside.url}})
    with pytest.raises(errors.ForbiddenError):
        await _ask(moved, f"{outside.url}/x")
    assert outside.asked == []


async def test_a_host_that_changes_its_address_is_resolved_once_for_each_connection(
    settings: Settings, outside: Any, source_servers: ModuleType
) -> None:
    outside.answer = lambda _asked: source_servers.Given("fine")
    moved = settings.model_copy(update={"source_urls": {"source": f"http://rebind.example:{outside.port}"}})
    answers = iter([["127.0.0.1"]])
    live = Live(moved, lookup=lambda _host, _port: next(answers))
    request = Request(POLICY, "GET", f"http://rebind.example:{outside.port}/", most_bytes=1000, seconds=5.0)
    assert [(await live.answer(request)).content for _ in range(2)] == [b"fine", b"fine"]
    await live.aclose()
    assert [asked.headers["host"] for asked in outside.asked] == [f"rebind.example:{outside.port}"] * 2


async def test_a_host_that_turns_private_between_two_tries_is_refused(settings: Settings, trap: Trap) -> None:
    answers = iter([OSError("no answer"), "127.0.0.1", "::1"])

    def rebinding(_host: str, _port: int) -> list[str]:
        said = next(answers)
        if isinstance(said, OSError):
            raise said
        return [said]

    live = Live(settings, lookup=rebinding)
    request = Request(POLICY, "GET", f"http://rebind.example:{trap.port}/", most_bytes=1000, seconds=5.0)
    for _ in range(2):
        with pytest.raises(errors.ForbiddenError):
            await live.answer(request)
    await live.aclose()
    assert not trap.caught()
