"""The first message of real TLS clients, whole, in pieces and mutilated."""

import random
import ssl

import pytest

from pincite_doors.web.client_hello import NotTLSError, server_name


def hello(host: str | None) -> bytes:
    """What OpenSSL says first."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.set_alpn_protocols(["h2", "http/1.1"])
    said = ssl.MemoryBIO()
    client = context.wrap_bio(ssl.MemoryBIO(), said, server_hostname=host)
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return said.read()


def test_the_name_is_known_as_soon_as_the_message_is_whole() -> None:
    data = hello("Papers.Example")
    assert [server_name(data[:size]) for size in range(len(data))] == [None] * len(data)
    assert server_name(data) == "papers.example"
    assert server_name(data + b"what follows") == "papers.example"


@pytest.mark.parametrize("place", [1, 3, 40, 100])
def test_a_message_may_lie_across_records(place: int) -> None:
    data = hello("papers.example")
    head, body = data[:3], data[5:]
    records = b"".join(head + len(part).to_bytes(2) + part for part in (body[:place], body[place:]))
    assert server_name(records) == "papers.example"


@pytest.mark.parametrize("data", [b"GET / HTTP/1.1\r\n", b"SSH-2.0", b"\x16\x02", b"\x15\x03\x01\x00\x02\x02\x28"])
def test_what_is_no_tls_is_told_at_once(data: bytes) -> None:
    with pytest.raises(NotTLSError):
        server_name(data + bytes(5))


def test_a_client_without_a_name_is_not_let_through() -> None:
    with pytest.raises(NotTLSError, match="names no host"):
        server_name(hello(None))


def test_broken_messages_never_name_another_host() -> None:
    data, dice = hello("papers.example"), random.Random(6)
    names: list[str] = []
    for _ in range(3000):
        broken = bytearray(data)
        for _ in range(dice.randint(1, 4)):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        try:
            name = server_name(bytes(broken))
        except NotTLSError:
            continue
        if name is not None and "\ufffd" not in name:
            names.append(name)
            assert name.encode() in bytes(broken).lower(), "no name but one that stands there"
    assert "papers.example" in names
