"""Response bodies: bounded on the wire and decompressed, and either complete or an error."""

import zlib
from collections.abc import AsyncIterator

from pincite_core.errors import LimitReachedError
from pincite_core.http.transport import TransferError, WireResponse

ENCODINGS = "gzip"
"""What we ask for; deflate is understood too."""

_STEP = 1 << 20
"""Bytes that a decompressor gives at once, so that a bomb is noticed before it fills the memory."""
_GZIP_OR_ZLIB, _RAW = 47, -15
"""The ``wbits`` of zlib: 32 + 15 takes gzip or zlib by the header, -15 a raw stream."""
_HEAD_BYTES = 2
"""So many bytes tell a packing with a head from a raw one."""


async def read_body(reply: WireResponse, most: int) -> bytes:
    """The body without its content encoding; at most ``most`` bytes, packed and unpacked.

    LimitReachedError above that; TransferError when it breaks off ("truncated") or is packed in a way that cannot be
    read ("malformed").
    """
    declared = reply.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared) > most:
        raise _too_large(most)
    encoding = reply.headers.get("content-encoding", "").strip().lower()
    if encoding in ("", "identity"):
        return await _plain(reply.pieces, most)
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise TransferError("malformed", f"the content encoding {encoding[:40]!r}")
    return await _unpacked(reply.pieces, most)


async def _plain(pieces: AsyncIterator[bytes], most: int) -> bytes:
    received = bytearray()
    async for piece in pieces:
        received += piece
        if len(received) > most:
            raise _too_large(most)
    return bytes(received)


async def _unpacked(pieces: AsyncIterator[bytes], most: int) -> bytes:
    unpacker = _Unpacker(most)
    wire = 0
    async for piece in pieces:
        wire += len(piece)
        if wire > most:
            raise _too_large(most)
        unpacker.feed(piece)
    if wire and not unpacker.whole:
        raise TransferError("truncated", "the packed body has no end")
    return bytes(unpacker.content)


class _Unpacker:
    """gzip (of one or more members), zlib and raw deflate, a mebibyte at a time, never beyond ``most``."""

    def __init__(self, most: int) -> None:
        self.content = bytearray()
        self._most = most
        self._engine = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._start = b""
        self._fresh = True
        self._members = 0

    @property
    def whole(self) -> bool:
        """Whether the input so far ends at the end of a compressed member."""
        return self._engine.eof or (self._fresh and self._members > 0)

    def feed(self, piece: bytes) -> None:
        if self._fresh and not self._members:
            self._start += piece
            if len(self._start) < _HEAD_BYTES:
                return
            piece = self._start
        while piece:
            if self._engine.eof:
                self._engine, self._fresh = zlib.decompressobj(_GZIP_OR_ZLIB), True
                self._members += 1
            if self._fresh and self._members and not piece.strip(b"\0"):
                return  # padding after the last member
            piece = self._step(piece)

    def _step(self, piece: bytes) -> bytes:
        try:
            made = self._engine.decompress(piece, _STEP)
        except zlib.error as error:
            if not self._fresh or self._members:
                raise TransferError("malformed", f"the packed body: {error}") from error
            self._engine, self._fresh = zlib.decompressobj(_RAW), False
            return piece
        self._fresh = False
        self.content += made
        if len(self.content) > self._most:
            raise _too_large(self._most)
        return self._engine.unused_data if self._engine.eof else self._engine.unconsumed_tail


def _too_large(most: int) -> LimitReachedError:
    return LimitReachedError(
        "The response is too large to be read.",
        seen=f"more than {most} bytes",
        next="Ask for less: fewer results, or a narrower query.",
    )
