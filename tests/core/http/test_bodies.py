import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator

import pytest

from pincite_core.errors import LimitReachedError
from pincite_core.http.bodies import read_body
from pincite_core.http.transport import TransferError, WireResponse

TEXT = b"the temperature was 92 K. " * 400


def _packed(data: bytes, compresslevel: int = 9) -> bytes:
    """Without the time in its head: what names a test must be the same in every process."""
    return gzip.compress(data, compresslevel, mtime=0)


async def _read(*pieces: bytes, most: int = 1 << 20, **headers: str) -> bytes:
    async def stream() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    return await read_body(
        WireResponse(200, {name.replace("_", "-"): value for name, value in headers.items()}, stream()), most
    )


def _raw(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


async def test_a_plain_body_is_its_pieces() -> None:
    assert await _read(b"ab", b"", b"c") == b"abc"
    assert await _read(b"ab", content_encoding="Identity") == b"ab"
    assert await _read() == b""


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", _packed(TEXT)),
        ("X-GZIP", _packed(TEXT)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", _raw(TEXT)),
        ("gzip", _packed(TEXT[:999]) + _packed(TEXT[999:])),
        ("gzip", _packed(TEXT) + b"\0" * 700),
    ],
)
@pytest.mark.parametrize("step", [1, 7, 1 << 20])
async def test_a_packed_body_is_unpacked_however_it_arrives(encoding: str, packed: bytes, step: int) -> None:
    pieces = [packed[at : at + step] for at in range(0, len(packed), step)]
    assert await _read(*pieces, content_encoding=encoding) == TEXT


async def test_an_empty_body_may_say_that_it_is_packed() -> None:
    assert await _read(content_encoding="gzip") == b""


@pytest.mark.parametrize("cut", [1, 8, 40])
async def test_a_packed_body_without_its_end_broke_off(cut: int) -> None:
    with pytest.raises(TransferError) as caught:
        await _read(_packed(TEXT)[:-cut], content_encoding="gzip")
    assert caught.value.cause == "truncated"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", b"<html>no gzip at all</html>"),
        ("gzip", _packed(TEXT)[:-8] + b"\0" * 8),
        ("gzip", _packed(TEXT) + b"what follows is no member"),
        ("br", b"\x0b\x02\x80"),
        ("zstd", b"x"),
        ("gzip, gzip", _packed(_packed(TEXT))),
    ],
)
async def test_a_body_that_cannot_be_unpacked_is_malformed(encoding: str, body: bytes) -> None:
    with pytest.raises(TransferError) as caught:
        await _read(body, content_encoding=encoding)
    assert caught.value.cause == "malformed"


async def test_a_body_ends_at_the_limit_on_the_wire_and_declared() -> None:
    assert await _read(b"x" * 100, most=100) == b"x" * 100
    with pytest.raises(LimitReachedError):
        await _read(b"x" * 101, most=100)
    with pytest.raises(LimitReachedError):
        await _read(most=100, content_length="101")
    with pytest.raises(LimitReachedError):
        await _read(_packed(TEXT, compresslevel=0), most=len(TEXT), content_encoding="gzip")


async def test_a_bomb_is_not_unpacked_beyond_the_limit() -> None:
    packer = zlib.compressobj(wbits=31)
    bomb = b"".join([packer.compress(bytes(1 << 20)) for _ in range(256)]) + packer.flush()
    assert len(bomb) < 1 << 19
    tracemalloc.start()
    try:
        with pytest.raises(LimitReachedError):
            await _read(bomb, most=1 << 19, content_encoding="gzip")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20


async def test_many_empty_members_do_not_loop() -> None:
    assert await _read(_packed(b"") * 1000 + _packed(b"end"), content_encoding="gzip") == b"end"
