"""CacheEntry: an answer as the cache holds it, in memory and as bytes."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Self, cast

import orjson

from pincite_core.errors import NotFoundError
from pincite_core.http.exchange import Response

_OVERHEAD_BYTES = 1024
"""Bytes of Python objects around an entry, roughly; they count against the memory's bound. Set by judgement."""
_LARGEST_SHARE = 8
"""What is larger than this fraction of the memory is left to the disk."""


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """An answer, or that the source has nothing there: ``missing`` holds the words of its NotFoundError.

    ``checked`` is when the source was last asked, in seconds since the epoch.
    """

    checked: float
    retrieved: datetime
    status: int = 404
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    content: bytes = b""
    missing: tuple[str, str, str] | None = None

    @classmethod
    def of(cls, response: Response, checked: float) -> Self:
        """The cache entry of a response."""
        return cls(checked, response.retrieved, response.status, response.url, dict(response.headers), response.content)

    @classmethod
    def of_missing(cls, error: NotFoundError, checked: float) -> Self:
        """The cache entry of a NotFoundError."""
        return cls(checked, datetime.now(UTC).replace(microsecond=0), missing=(error.what, error.seen, error.next))


def write_entry(entry: CacheEntry) -> bytes:
    """One line of JSON, then the body."""
    head = {
        "checked": entry.checked,
        "retrieved": int(entry.retrieved.timestamp()),
        "status": entry.status,
        "url": entry.url,
        "headers": dict(entry.headers),
        "missing": entry.missing,
    }
    return orjson.dumps(head) + b"\n" + entry.content


def read_entry(stored: bytes) -> CacheEntry | None:
    """What ``write_entry`` wrote; None for what another version wrote otherwise."""
    line, _, content = stored.partition(b"\n")
    try:
        head = cast("dict[str, Any]", orjson.loads(line))
        missing = head["missing"]
        return CacheEntry(
            checked=float(head["checked"]),
            retrieved=datetime.fromtimestamp(head["retrieved"], UTC),
            status=head["status"],
            url=head["url"],
            headers=head["headers"],
            content=content,
            missing=None if missing is None else (missing[0], missing[1], missing[2]),
        )
    except (ValueError, KeyError, TypeError, IndexError, OverflowError):
        return None


class MemoryCache:
    """The answers used last, bounded by ``max_bytes`` of bodies and heads together."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._entries: OrderedDict[str, CacheEntry] = OrderedDict()

    def get(self, key: str) -> CacheEntry | None:
        """The entry, now the most recently used; None when it is not there."""
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
        return entry

    def put(self, key: str, entry: CacheEntry) -> bool:
        """Store the entry; False when it is too large."""
        self.remove(key)
        size = _size(entry)
        if size > self._max_bytes // _LARGEST_SHARE:
            return False
        self._entries[key] = entry
        self._bytes += size
        while self._bytes > self._max_bytes:
            _, oldest = self._entries.popitem(last=False)
            self._bytes -= _size(oldest)
        return True

    def remove(self, key: str) -> None:
        """Remove the entry, if it is there."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= _size(entry)


def _size(entry: CacheEntry) -> int:
    return len(entry.content) + sum(len(name) + len(value) for name, value in entry.headers.items()) + _OVERHEAD_BYTES
