"""PaperStore: opens papers by path, address or id, and parses each only once."""

import hashlib
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from pincite_core.cache import DiskCache
from pincite_core.errors import BadInputError, ForbiddenError, NotFoundError, PinciteError
from pincite_core.locator import digest_of
from pincite_core.settings import Settings
from pincite_papers.backends.choice import choose_backend
from pincite_papers.limits import ParseLimits
from pincite_papers.model import SourceFormat
from pincite_papers.opening.backend_pool import backend_pool
from pincite_papers.opening.fingerprint import ocr_fingerprint, parser_fingerprint
from pincite_papers.opening.naming import PaperName, is_address, read_name
from pincite_papers.opening.once import Once
from pincite_papers.opening.paper_cache import PaperCache
from pincite_papers.opening.places import Place, Places
from pincite_papers.opening.pool import PARSE_SOURCE, ParsePool
from pincite_papers.opening.roots import Roots
from pincite_papers.opening.source import detect_format
from pincite_papers.pdf.ocr.options import OcrOptions

if TYPE_CHECKING:
    from pincite_papers.model import Paper


class PaperStore:
    """Papers by path, address or id; safe to use from several threads.

    A paper comes from memory, else from the disk cache, else from a parsing process: one of ``pool``, where that is
    given. ``close`` ends those processes.
    """

    def __init__(self, settings: Settings, *, entry: str = PARSE_SOURCE, pool: ParsePool | None = None) -> None:
        self._settings = settings
        self._roots = Roots((*settings.roots, settings.papers_dir), unset=not settings.roots)
        disk = DiskCache(settings.cache_dir, max_bytes=settings.cache_max_bytes)
        self._ocr = OcrOptions.of(settings)
        self._pool = pool or ParsePool(
            ParseLimits.of(settings), workers=settings.parse_workers, entry=entry, ocr=self._ocr
        )
        self._backend = choose_backend(settings)
        self._backend_pool = backend_pool(settings) if self._backend is not None else None
        *roots, fetched = self._roots.folders
        self._places = Places(disk, tuple(roots), fetched)
        self._papers = PaperCache(disk, lambda: self.version, settings.memory_max_bytes)
        self._once: Once[Paper] = Once()

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

    @cached_property
    def version(self) -> str:
        """The cache version of a paper: parser, libraries and OCR."""
        version = f"{parser_fingerprint()}-{ocr_fingerprint(self._ocr)}"
        if self._backend is None:
            return version
        return f"{version}-{hashlib.sha256(self._backend.described.encode()).hexdigest()[:8]}"

    def open(self, source: str | Path) -> "Paper":
        """The paper at a path inside the roots, at an address, or with an id (``sha256:`` and 8 to 64 digits).

        Raises BadInputError, NotFoundError, ForbiddenError, UnavailableError, LimitReachedError or UnreadableError.
        """
        name = read_name(source)
        if name.digest:
            return self._open_id(name)
        if name.is_address:
            return self._open_address(name.text)
        return self._open_file(name.text)

    def examine(self, data: bytes) -> "Paper":
        """Parse bytes that are not in a file yet, as any other source; other processes do not know its id."""
        digest = hashlib.sha256(data).hexdigest()
        return self._papers.get(digest) or self._once.run(digest, lambda: self._parse(digest, data))

    def recall(self, source: str) -> "Paper | None":
        """The paper, if ``open`` would find it in memory; reads no file and takes microseconds."""
        try:
            name = read_name(source)
            if name.digest:
                found = self._papers.digests(name.digest)
                digest = found[0] if len(found) == 1 else None
            else:
                place: Place = name.text if name.is_address else self._roots.locate(name.text)
                digest = self._places.digest_at(place)
        except PinciteError:
            return None
        return self._papers.held(digest) if digest is not None else None

    def source_bytes(self, paper: "Paper") -> bytes:
        """The bytes of a paper that was opened here, read again from where it was found and checked against its id.

        Raises NotFoundError when they are not there any more or have changed, and what ``open`` raises.
        """
        digest = digest_of(paper.paper_id)
        kept = self._places.kept_bytes(digest)
        if kept is not None:
            return kept
        place = self._places.find(digest)
        if place is not None:
            data = self._fetch(place) if is_address(place) else self._read(place)
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
        known = self._known_at(self._roots.locate(source))
        if known is not None:
            return known
        state, data = self._roots.read(source, self._settings.max_source_bytes)
        return self._admit(state, data)

    def _open_address(self, source: str) -> "Paper":
        self._check_urls()
        known = self._known_at(source)
        if known is not None:
            return known
        return self._admit(source, self._fetch(source))

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
        self._places.keep_bytes(data)
        return data

    def _open_id(self, name: PaperName) -> "Paper":
        matches = {*self._papers.digests(name.digest), *self._places.digests(name.digest)}
        if len(matches) > 1:
            listed = ", ".join(f"sha256:{digest}" for digest in sorted(matches))
            raise BadInputError(
                f"{name.text!r} matches more than one paper.", seen=listed, next="Give more digits of the id."
            )
        if matches:
            digest = matches.pop()
            return self._papers.get(digest) or self._reopen(digest)
        if name.maybe_file:
            return self._open_file(name.text)
        raise NotFoundError(
            f"No paper with the id {name.text!r} was opened here before.", next="Open it by its path first."
        )

    def _reopen(self, digest: str) -> "Paper":
        """Read a paper that was opened before from where it was found then."""
        place = self._places.find(digest)
        if place is not None:
            paper = self._open_address(place) if is_address(place) else self._open_file(place)
            if paper.paper_id == f"sha256:{digest}":
                return paper
        raise NotFoundError(
            f"The paper sha256:{digest} is no longer where it was opened from.",
            seen=place or "its place is not known any more",
            next="Open it by its path again.",
        )

    def _known_at(self, place: Place) -> "Paper | None":
        """The paper that was found at this place before, without reading the place."""
        digest = self._places.digest_at(place)
        return None if digest is None else self._papers.get(digest)

    def _admit(self, place: Place, data: bytes) -> "Paper":
        """The paper of the bytes that were found at this place."""
        paper = self.examine(data)
        self._places.add(place, digest_of(paper.paper_id))
        return paper

    def _parse(self, digest: str, data: bytes) -> "Paper":
        if self._backend is not None and self._backend_pool is not None and detect_format(data) is SourceFormat.PDF:
            content = self._backend.read(data, lambda: self._pool.parse(data), self._backend_pool.work)
        else:
            content = self._pool.parse(data)
        return self._papers.put(digest, content)
