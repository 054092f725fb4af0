"""Paging: opaque cursors bound to the call that returned them, and pages bounded in characters."""

import base64
import binascii
import hashlib
import struct
from collections.abc import Callable, Sequence
from typing import TypeVar

import orjson

from pincite_core.errors import BadInputError

_LAYOUT = struct.Struct(">I5s")
_DIGEST_BYTES = 5
"""Bytes that bind a cursor to its call: an accident passes once in 10^12. A cursor grants nothing, so no more."""
_Item = TypeVar("_Item")
_Shown = TypeVar("_Shown")

DEFAULT_CHARS = 10_000
"""Characters of one result: what every client shows a model whole."""


def encode_cursor(position: int, *query: object) -> str:
    """A cursor of 12 characters for ``position`` (0 to 2**32-1) in the listing that ``query`` names."""
    return base64.urlsafe_b64encode(_LAYOUT.pack(position, _digest(query))).decode()


def decode_cursor(cursor: str, *query: object) -> int:
    """The position of a cursor, 0 for an empty one; BadInputError when it belongs to another listing."""
    if not cursor:
        return 0
    try:
        position, digest = _LAYOUT.unpack(base64.b64decode(cursor.strip(), altchars=b"-_", validate=True))
    except (binascii.Error, struct.error, ValueError):
        position, digest = 0, b""
    if digest != _digest(query):
        raise _foreign(cursor)
    return position


def encode_token(token: str, *query: object) -> str:
    """A cursor that carries ``token``, by which a source finds a place in the listing that ``query`` names."""
    return base64.urlsafe_b64encode(_digest((token, *query)) + token.encode()).decode()


def decode_token(cursor: str, *query: object) -> str:
    """The token of a cursor, empty for an empty one; BadInputError when it belongs to another listing."""
    if not cursor:
        return ""
    try:
        content = base64.b64decode(cursor.strip(), altchars=b"-_", validate=True)
        token = content[_DIGEST_BYTES:].decode()
    except (binascii.Error, ValueError):
        content, token = b"", ""
    if not token or content[:_DIGEST_BYTES] != _digest((token, *query)):
        raise _foreign(cursor)
    return token


def fill_page(
    items: Sequence[_Item], start: int, render: Callable[[_Item], _Shown], *, max_chars: int, max_items: int
) -> tuple[list[_Shown], int]:
    """The rendered items from ``start`` that fit in ``max_chars`` of JSON, at least one, and where the rest starts."""
    shown: list[_Shown] = []
    used = 0
    for item in items[start : start + max_items]:
        rendered = render(item)
        used += len(orjson.dumps(rendered).decode()) + 1
        if shown and used > max_chars:
            break
        shown.append(rendered)
    return shown, start + len(shown)


def _foreign(cursor: str) -> BadInputError:
    return BadInputError(
        f"The cursor {cursor[:40]!r} does not belong to this call.",
        next="Repeat the call that returned it with the same arguments, or leave the cursor out to start again.",
    )


def _digest(query: tuple[object, ...]) -> bytes:
    return hashlib.blake2b(repr(query).encode("utf-8", "backslashreplace"), digest_size=_DIGEST_BYTES).digest()
