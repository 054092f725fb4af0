"""Places: where the bytes of papers were found, in this process and by those that share the cache and the folders."""

import hashlib
import threading
from collections import OrderedDict
from pathlib import Path

from pincite_core.cache import DiskCache
from pincite_papers.opening.roots import FileState

Place = FileState | str
"""A file as it was, or an address."""

_OPENED, _SOURCES = "opened", "sources"
_REMEMBERED = 10_000
"""Places that are remembered, the latest ones."""


class Places:
    """Remembers which bytes, by their digest, were at which place. Safe to use from several threads.

    An id opens only what was opened under the same ``roots``, even where servers share a cache; what lies in the folder
    of ``fetched`` papers, which servers with different roots share, is known to those with that folder.
    """

    def __init__(self, disk: DiskCache, roots: tuple[Path, ...], fetched: Path) -> None:
        self._disk = disk
        self._roots, self._fetched = roots, fetched
        self._circle, self._fetched_circle = _circle(*roots), _circle(fetched)
        self._lock = threading.Lock()
        self._places: OrderedDict[Place, str] = OrderedDict()

    def digest_at(self, place: Place | None) -> str | None:
        """What was found at this place by this process."""
        with self._lock:
            return self._places.get(place) if place is not None else None

    def digests(self, prefix: str) -> set[str]:
        """All that was found anywhere and begins so."""
        with self._lock:
            matches = {digest for digest in self._places.values() if digest.startswith(prefix)}
        for circle in (self._circle, self._fetched_circle):
            matches.update(self._disk.find(_OPENED, circle, prefix))
        return matches

    def add(self, place: Place, digest: str) -> None:
        """Remember what was found, and leave a note of it for others."""
        with self._lock:
            self._places[place] = digest
            while len(self._places) > _REMEMBERED:
                self._places.popitem(last=False)
        note = _name(place).encode(errors="replace")
        for circle in self._circles_of(place):
            if self._disk.get(_OPENED, circle, digest) != note:
                self._disk.put(_OPENED, circle, digest, note)

    def find(self, digest: str) -> str | None:
        """The path or address where the bytes with this digest were last found."""
        with self._lock:
            for place, found in reversed(self._places.items()):
                if found == digest:
                    return _name(place)
        for circle in (self._circle, self._fetched_circle):
            note = self._disk.get(_OPENED, circle, digest)
            if note is not None:
                return note.decode(errors="replace")
        return None

    def keep_bytes(self, data: bytes) -> None:
        """Keep what came from an address, which may not give it again."""
        self._disk.put(_SOURCES, self._circle, hashlib.sha256(data).hexdigest(), data)

    def kept_bytes(self, digest: str) -> bytes | None:
        """What was kept of an address."""
        return self._disk.get(_SOURCES, self._circle, digest)

    def _circles_of(self, place: Place) -> list[str]:
        """The circles whose members may open what was found at this place."""
        if isinstance(place, str):
            return [self._circle]
        path = Path(place.path)
        circles: list[str] = []
        if any(path.is_relative_to(folder) for folder in self._roots):
            circles.append(self._circle)
        if path.is_relative_to(self._fetched):
            circles.append(self._fetched_circle)
        return circles


def _name(place: Place) -> str:
    return place if isinstance(place, str) else place.path


def _circle(*folders: Path) -> str:
    """The name of what is opened under these folders, in any order."""
    return hashlib.sha256("\0".join(sorted(map(str, folders))).encode()).hexdigest()[:16]
