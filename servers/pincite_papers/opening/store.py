"""PaperStore: opens papers by path, address or id, and parses each only once."""

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from pincite_core.cache import DiskCache
from pincite_core.errors import BadInputError, ForbiddenError, NotFoundError, PinciteError
from pincite_core.locator import PAPER_NAME, digest_of
from pincite_core.settings import Settings
from pincite_papers.backends.choice import choose_backend
from pincite_papers.limits import ParseLimits
from pincite_papers.model import SourceFormat
from pincite_papers.opening.backend_pool import backend_pool
from pincite_papers.opening.fingerprint import ocr_fingerprint, parser_fingerprint
from pincite_papers.opening.pool import PARSE_SOURCE, ParsePool
from pincite_papers.opening.roots import FileState, Roots
from pincite_papers.opening.source import detect_format
from pincite_papers.pdf.ocr.options import OcrOptions

if TYPE_CHECKING:
    from pincite_papers.model import Paper

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_PAPERS, _OPENED, _SOURCES = "papers", "opened", "sources"
_REMEMBERED = 10_000


class PaperStore:
    """Papers by path, address or id; safe to use from several threads.

    A paper comes from memory, else from the disk cache, else from a parsing process: one of ``pool``, where that is
    given. ``close`` ends those processes.
    """

    def __init__(self, settings: Settings, *, entry: str = PARSE_SOURCE, pool: ParsePool | None = None) -> None:
        self._settings = settings
        self._roots = Roots((*settings.roots, settings.papers_dir), unset=not settings.roots)
        self._cache = DiskCache(settings.cache_dir, max_bytes=settings.cache_max_bytes)
        self._ocr = OcrOptions.of(settings)
        self._pool = pool or ParsePool(
            ParseLimits.of(settings), workers=settings.parse_workers, entry=entry, ocr=self._ocr
        )
        self._backend = choose_backend(settings)
        self._backend_pool = backend_pool(settings) if self._backend is not None else None
        self._lock = threading.Lock()
        self._papers: OrderedDict[str, tuple[Paper, int]] = OrderedDict()
        self._places: OrderedDict[FileState | str, str] = OrderedDict()
        self._going: dict[str, Future[Paper]] = {}
        # An id opens only what was opened under the same roots, even where servers share a cache; what lies in the
        # folder of fetched papers, which servers with different roots share, is known to those with that folder.
        *roots, self._papers_dir = self._roots.folders
        self._circle, self._papers_circle = _circle(*roots), _circle(self._papers_dir)

    def __enter__(self) -> "PaperStore":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the parsing processes; a paper that is not yet parsed can no longer be opened."""
        self._pool.close()
        if self._backend_pool is not None:
            self._backend_pool.close()

    def rooted(self, folders: tuple[Path, ...]) -> "PaperStore":
        """A store of the same settings that reads other folders; closing either ends the processes of both."""
        made = PaperStore(self._settings.model_copy(update={"roots": folders}), pool=self._pool)
        made._backend_pool = self._backend_pool
        return made

    @property
    def roots(self) -> tuple[Path, ...]:
        """The folders that papers may be read from, that of fetched papers last, their symbolic links resolved."""
        return self._roots.folders

    def open(self, source: str | Path) -> "Paper":
        """The paper at a path inside the roots, at an address, or with an id (``sha256:`` and 8 to 64 digits).

        Raises BadInputError, NotFoundError, ForbiddenError, UnavailableError, LimitReachedError or UnreadableError.
        """
        if isinstance(source, Path):
            return self._open_file(str(source))
        source = source.strip()
        if not source:
            raise BadInputError(
                "No paper was named.", next="Give the path of a paper, or an id that open_paper returned."
            )
        if match := PAPER_NAME.fullmatch(source):
            return self._open_id(match["digest"], source, maybe_file=match["prefix"] is None)
        if _ADDRESS.match(source):
            return self._open_address(source)
        return self._open_file(source)

    def examine(self, data: bytes) -> "Paper":
        """Parse bytes that are not in a file yet, as any other source; other processes do not know its id."""
        digest = hashlib.sha256(data).hexdigest()
        return self._known(digest) or self._once(digest, lambda: self._parse(digest, data))

    def recall(self, source: str) -> "Paper | None":
        """The paper, if ``open`` would find it in memory; reads no file and takes microseconds."""
        source = source.strip()
        match = PAPER_NAME.fullmatch(source)
        try:
            place = None if match else source if _ADDRESS.match(source) else self._roots.locate(source)
        except PinciteError:
            return None
        with self._lock:
            if match:
                found = [digest for digest in self._papers if digest.startswith(match["digest"])]
                digest = found[0] if len(found) == 1 else None
            else:
                digest = self._places.get(place) if place else None
            if digest is None or digest not in self._papers:
                return None
            self._papers.move_to_end(digest)
            return self._papers[digest][0]

    def source_bytes(self, paper: "Paper") -> bytes:
        """The bytes of a paper that was opened here, read anew from where it was found and checked against its id.

        Raises NotFoundError when they are not there any more or have changed, and what ``open`` raises.
        """
        digest = digest_of(paper.paper_id)
        kept = self._cache.get(_SOURCES, self._circle, digest)
        if kept is not None:
            return kept
        place = self._found_at(digest)
        if place is not None:
            data = self._fetch(place) if _ADDRESS.match(place) else self._read(place)
            if hashlib.sha256(data).hexdigest() == digest:
                return data
        raise NotFoundError(
            f"The source of the paper {paper.paper_id[:15]} has changed or is gone since it was opened.",
            seen=place or "its place is not known any more",
            next="Open it by its path again.",
        )

    def _read(self, path: str) -> bytes:
        return self._roots.read(path, self._settings.max_source_bytes)[1]

    def _open_file(self, source: str) -> "Paper":
        known = self._again(self._roots.locate(source))
        if known is not None:
            return known
        state, data = self._roots.read(source, self._settings.max_source_bytes)
        return self._admit(state, state.path, data)

    def _open_address(self, source: str) -> "Paper":
        self._check_urls()
        known = self._again(source)
        if known is not None:
            return known
        return self._admit(source, source, self._fetch(source))

    def _check_urls(self) -> None:
        if not self._settings.allow_urls:
            raise ForbiddenError(
                "Papers may not be fetched from addresses here.",
                next="Download the file and open it by its path, or let the user set PINCITE_ALLOW_URLS=true.",
            )

    def _fetch(self, address: str) -> bytes:
        """The bytes at an address, kept in the disk cache for ``source_bytes``."""
        self._check_urls()
        from pincite_papers.opening.fetch import fetch_source

        data = fetch_source(address, self._settings)
        self._cache.put(_SOURCES, self._circle, hashlib.sha256(data).hexdigest(), data)
        return data

    def _open_id(self, prefix: str, source: str, *, maybe_file: bool) -> "Paper":
        with self._lock:
            matches = {digest for digest in (*self._papers, *self._places.values()) if digest.startswith(prefix)}
        for circle in (self._circle, self._papers_circle):
            matches.update(self._cache.find(_OPENED, circle, prefix))
        if len(matches) > 1:
            listed = ", ".join(f"sha256:{digest}" for digest in sorted(matches))
            raise BadInputError(
                f"{source!r} matches more than one paper.", seen=listed, next="Give more digits of the id."
            )
        if matches:
            digest = matches.pop()
            return self._known(digest) or self._reopen(digest)
        if maybe_file:
            return self._open_file(source)
        raise NotFoundError(
            f"No paper with the id {source!r} was opened here before.", next="Open it by its path first."
        )

    def _reopen(self, digest: str) -> "Paper":
        """Read a paper that was opened before from where it was found then."""
        place = self._found_at(digest)
        if place is not None:
            paper = self._open_address(place) if _ADDRESS.match(place) else self._open_file(place)
            if paper.paper_id == f"sha256:{digest}":
                return paper
        raise NotFoundError(
            f"The paper sha256:{digest} is no longer where it was opened from.",
            seen=place or "its place is not known any more",
            next="Open it by its path again.",
        )

    def _found_at(self, digest: str) -> str | None:
        """The path or address where the bytes with this digest were last found."""
        with self._lock:
            for place, found in reversed(self._places.items()):
                if found == digest:
                    return place if isinstance(place, str) else place.path
        for circle in (self._circle, self._papers_circle):
            note = self._cache.get(_OPENED, circle, digest)
            if note is not None:
                return note.decode(errors="replace")
        return None

    def _again(self, place: FileState | str) -> "Paper | None":
        """The paper that was found at this place before, without reading the place."""
        with self._lock:
            digest = self._places.get(place)
        return None if digest is None else self._known(digest)

    def _admit(self, place: FileState | str, note: str, data: bytes) -> "Paper":
        """The paper of these bytes, and a note of where they were found."""
        paper = self.examine(data)
        digest = digest_of(paper.paper_id)
        with self._lock:
            self._places[place] = digest
            while len(self._places) > _REMEMBERED:
                self._places.popitem(last=False)
        content = note.encode(errors="replace")
        for circle in self._circles_of(place):
            if self._cache.get(_OPENED, circle, digest) != content:
                self._cache.put(_OPENED, circle, digest, content)
        return paper

    def _circles_of(self, place: FileState | str) -> list[str]:
        """The circles whose members may open what was found at this place."""
        if isinstance(place, str):
            return [self._circle]
        path = Path(place.path)
        rooted = any(path.is_relative_to(folder) for folder in self._roots.folders[:-1])
        fetched = path.is_relative_to(self._papers_dir)
        return [*([self._circle] if rooted else []), *([self._papers_circle] if fetched else [])]

    @cached_property
    def version(self) -> str:
        """The cache version of a paper: parser, libraries and OCR."""
        version = f"{parser_fingerprint()}-{ocr_fingerprint(self._ocr)}"
        if self._backend is None:
            return version
        return f"{version}-{hashlib.sha256(self._backend.described.encode()).hexdigest()[:8]}"

    def _known(self, digest: str) -> "Paper | None":
        """The paper from memory or from the disk cache."""
        with self._lock:
            if digest in self._papers:
                self._papers.move_to_end(digest)
                return self._papers[digest][0]
        content = self._cache.get(_PAPERS, self.version, digest)
        if content is None:
            return None
        try:
            return self._remember(digest, content)
        except ValueError:
            self._cache.remove(_PAPERS, self.version, digest)
            return None

    def _parse(self, digest: str, data: bytes) -> "Paper":
        if self._backend is not None and self._backend_pool is not None and detect_format(data) is SourceFormat.PDF:
            content = self._backend.read(data, lambda: self._pool.parse(data), self._backend_pool.work)
        else:
            content = self._pool.parse(data)
        self._cache.put(_PAPERS, self.version, digest, content)
        return self._remember(digest, content)

    def _remember(self, digest: str, content: bytes) -> "Paper":
        """Decode a paper and keep it in memory; ValueError when the bytes are not a paper or another's."""
        from pincite_papers.codec import decode_paper

        paper = decode_paper(content)
        if paper.paper_id != f"sha256:{digest}":
            raise ValueError(f"the paper {paper.paper_id} was filed under {digest}")
        with self._lock:
            self._papers[digest] = (paper, len(content))
            self._papers.move_to_end(digest)
            held = sum(size for _, size in self._papers.values())
            while held > self._settings.memory_max_bytes and len(self._papers) > 1:
                held -= self._papers.popitem(last=False)[1][1]
        return paper

    def _once(self, digest: str, work: "Callable[[], Paper]") -> "Paper":
        """Run ``work``, unless another thread is at it for this digest: then wait for its result."""
        with self._lock:
            future = self._going.get(digest)
            mine = future is None
            if future is None:
                future = self._going[digest] = Future()
        if not mine:
            return future.result()
        try:
            paper = work()
        except BaseException as error:
            future.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._going[digest]
        future.set_result(paper)
        return paper


def _circle(*folders: Path) -> str:
    """The name of what is opened under these folders, in any order."""
    return hashlib.sha256("\0".join(sorted(map(str, folders))).encode()).hexdigest()[:16]
