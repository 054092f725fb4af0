"""A content-addressed cache on disk, bounded in size and safe with several processes at once."""

import hashlib
import logging
import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from pincite_core.durable import write_whole

log = logging.getLogger(__name__)

_MAGIC = b"PCC1"
_CHECK_BYTES = 16
"""Bytes of the digest that stand before an entry: enough to find damage, which is not an attack."""
_HEADER_BYTES = len(_MAGIC) + _CHECK_BYTES
_KEY = re.compile(r"[0-9a-f]{8,128}\Z")
_TEMPORARY = ".tmp-"
_ABANDONED_SECONDS = 3600.0
"""Age at which a temporary file has no writer any more: no entry takes an hour to write. Set by judgement."""
_SCAN_FRACTION = 20
"""The folder is measured again after a twentieth of its bound was written. Set by judgement."""


@dataclass(frozen=True, slots=True)
class _Entry:
    used: int
    size: int
    path: Path


class DiskCache:
    """Bytes by namespace, version and key (8 to 128 hexadecimal digits).

    An entry appears whole or not at all; one that fails its checksum is removed and counts as a miss. The
    modification time of an entry is when it was last used. Entries used least recently go first when ``max_bytes``
    is passed; between two scans each process may go beyond it by a twentieth. A disk that is full, read-only or gone
    is logged once and the cache goes on as a cache that forgets: no method raises OSError.
    """

    def __init__(self, folder: Path, *, max_bytes: int) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._unscanned: int | None = None
        self._total = 0
        self._complained = False

    def get(self, namespace: str, version: str, key: str) -> bytes | None:
        """The stored bytes, or None."""
        path = self._path(namespace, version, key)
        try:
            stored = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._complain("read", error)
            return None
        content = stored[_HEADER_BYTES:]
        if stored[:_HEADER_BYTES] != _header(namespace, version, key, content):
            log.warning("a damaged cache entry was removed: %s", path.name)
            self._unlink(path)
            return None
        with suppress(OSError):
            os.utime(path)
        return content

    def put(self, namespace: str, version: str, key: str, content: bytes) -> None:
        """Store ``content``; what is larger than the whole cache is not stored."""
        path = self._path(namespace, version, key)
        size = len(content) + _HEADER_BYTES
        if size > self._max_bytes:
            return
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            beside = path.with_name(f"{_TEMPORARY}{os.getpid()}-{secrets.token_hex(6)}")
            # Not flushed to the disk: an entry that a loss of power tears fails its checksum and is made again.
            write_whole(path, beside, _header(namespace, version, key, content), content, durable=False)
        except OSError as error:
            self._complain("write", error)
            return
        self._bound(size)

    def remove(self, namespace: str, version: str, key: str) -> None:
        """Forget an entry; nothing happens when it is not there."""
        self._unlink(self._path(namespace, version, key))

    def find(self, namespace: str, version: str, prefix: str) -> list[str]:
        """The stored keys that start with ``prefix`` (8 or more hexadecimal digits), in order."""
        folder = self._path(namespace, version, prefix).parent
        try:
            return sorted(entry.name for entry in folder.iterdir() if entry.name.startswith(prefix))
        except FileNotFoundError:
            return []
        except OSError as error:
            self._complain("read", error)
            return []

    def _path(self, namespace: str, version: str, key: str) -> Path:
        if _KEY.match(key) is None:
            raise ValueError(f"a cache key has 8 to 128 hexadecimal digits, not {key!r}")
        return self._folder / _part(namespace) / _part(version) / key[:2] / key

    def _bound(self, written: int) -> None:
        """Scan and evict when what is known or written since the last scan asks for it."""
        if self._unscanned is not None:
            self._unscanned += written
            far = self._unscanned > self._max_bytes // _SCAN_FRACTION
            if not far and self._total + self._unscanned <= self._max_bytes:
                return
        entries = sorted(self._entries(), key=lambda entry: entry.used)
        total = sum(entry.size for entry in entries)
        if total > self._max_bytes:
            for entry in entries:
                self._unlink(entry.path)
                total -= entry.size
                if total <= self._max_bytes - self._max_bytes // _SCAN_FRACTION:
                    break
        self._total, self._unscanned = total, 0

    def _entries(self) -> Iterator[_Entry]:
        """Every entry, in no order; files that a killed process left half-written are removed on the way."""
        abandoned = time.time() - _ABANDONED_SECONDS
        for folder, _, names in os.walk(self._folder):
            for name in names:
                path = Path(folder, name)
                try:
                    state = path.stat()
                except OSError:
                    continue
                if not name.startswith(_TEMPORARY):
                    yield _Entry(state.st_mtime_ns, state.st_size, path)
                elif state.st_mtime < abandoned:
                    self._unlink(path)

    def _unlink(self, path: Path) -> None:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            self._complain("remove from", error)

    def _complain(self, verb: str, error: OSError) -> None:
        level = logging.DEBUG if self._complained else logging.WARNING
        self._complained = True
        log.log(level, "could not %s the cache in %s: %s", verb, self._folder, error)


def _part(name: str) -> str:
    """``name`` as one folder name."""
    part = quote(name, safe="")
    if part in {"", ".", ".."}:
        raise ValueError(f"{name!r} cannot name a part of the cache")
    return part


def _header(namespace: str, version: str, key: str, content: bytes) -> bytes:
    """Magic and checksum of name and content, so that an entry under another's name does not pass."""
    check = hashlib.sha256("\0".join((namespace, version, key, "")).encode())
    check.update(content)
    return _MAGIC + check.digest()[:_CHECK_BYTES]
