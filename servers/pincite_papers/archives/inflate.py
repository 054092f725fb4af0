"""Inflating of gzip, bzip2 and xz streams piece by piece, within limits on bytes, ratio and number of streams."""

import bz2
import lzma
import zlib
from collections.abc import Iterator
from typing import Protocol

from pincite_core.errors import LimitReachedError

MIB = 1024 * 1024
"""Bytes of a mebibyte."""
MOST_INFLATED = 768 * MIB
MOST_RATIO = 250
"""Times that a stream may grow; texts grow by 3 to 20, bombs by 1,000. Set by judgement."""
RATIO_FREE = 32 * MIB
_MOST_STREAMS = 1000
"""Compressed streams behind each other in one file. Set by judgement."""
_INPUT = 64 * 1024
"""Bytes that are inflated at once."""
_OUTPUT = MIB
_XZ_MEMORY = 128 * MIB
GZIP, BZIP2, XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"


class _Inflater(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def pull(self, data: bytes) -> Iterator[bytes]:
        """The pieces that ``data`` inflates to."""
        ...


class _Gzip:
    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def pull(self, data: bytes) -> Iterator[bytes]:
        while data:
            yield self._inner.decompress(data, _OUTPUT)
            data = self._inner.unconsumed_tail


class _Other:
    def __init__(self, inner: bz2.BZ2Decompressor | lzma.LZMADecompressor) -> None:
        self._inner = inner

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def pull(self, data: bytes) -> Iterator[bytes]:
        yield self._inner.decompress(data, _OUTPUT)
        while not self._inner.needs_input and not self._inner.eof:
            yield self._inner.decompress(b"", _OUTPUT)


def is_compressed(data: bytes) -> bool:
    """Whether the bytes begin a gzip, bzip2 or xz stream."""
    return data.startswith((GZIP, BZIP2, XZ))


def inflate(data: bytes) -> Iterator[bytes]:
    """The pieces of a compressed stream, each of at most 1 MiB; a broken or cut stream just ends.

    Raises LimitReachedError beyond 768 MiB, beyond 250 times the compressed size (32 MiB are free), or after 1000
    streams set end to end.
    """
    budget = Budget(len(data))
    at, streams = 0, 0
    while at < len(data) and is_compressed(data[at : at + 6]):
        streams += 1
        if streams > _MOST_STREAMS:
            raise too_large("it is made of very many compressed streams", f"more than {_MOST_STREAMS}")
        inflater = _inflater(data[at : at + 6])
        try:
            while at < len(data) and not inflater.eof:
                piece = data[at : at + _INPUT]
                for out in inflater.pull(piece):
                    budget.spend(len(out))
                    yield out
                at += len(piece)
        except (zlib.error, OSError, lzma.LZMAError, EOFError):
            return
        at -= len(inflater.unused_data)


def _inflater(head: bytes) -> _Inflater:
    if head.startswith(GZIP):
        return _Gzip()
    if head.startswith(BZIP2):
        return _Other(bz2.BZ2Decompressor())
    return _Other(lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY))


class Budget:
    """What ``packed`` bytes may inflate to."""

    def __init__(self, packed: int) -> None:
        self._left = min(MOST_INFLATED, max(RATIO_FREE, packed * MOST_RATIO))
        self._most = self._left

    def spend(self, count: int) -> None:
        """Take ``count`` bytes; LimitReachedError when they are not left."""
        self._left -= count
        if self._left < 0:
            raise too_large("it inflates to more than it may", f"more than {self._most // MIB} MiB")


def too_large(why: str, seen: str) -> LimitReachedError:
    """The error for an archive beyond a limit."""
    return LimitReachedError(
        f"The archive cannot be read: {why}.",
        seen=seen,
        next="Unpack it yourself and open the .tex file, or open the paper's PDF.",
    )
