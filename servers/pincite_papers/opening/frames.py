"""Frames between a parsing process and its parent: two lengths, a JSON header, a body of bytes."""

import struct
from typing import Any, BinaryIO

import orjson

LENGTHS = struct.Struct("<IQ")


def pack(header: dict[str, Any], body: bytes = b"") -> tuple[bytes, bytes]:
    """The frame as two pieces, so that a large body is not copied."""
    head = orjson.dumps(header)
    return LENGTHS.pack(len(head), len(body)) + head, body


def write(stream: BinaryIO, header: dict[str, Any], body: bytes = b"") -> None:
    """Write one frame and flush."""
    stream.writelines(pack(header, body))
    stream.flush()


def read(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """The next frame, or None when the other side has closed."""
    lengths = stream.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    head, body = LENGTHS.unpack(lengths)
    return orjson.loads(stream.read(head)), stream.read(body)
