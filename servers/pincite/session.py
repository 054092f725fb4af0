"""Session: opens papers for Python programs; open_paper uses one that lasts as long as the process."""

import atexit
import re
import threading
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from pincite.paper import Paper
from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_figures.jobs import FigureJobs
from pincite_literature.identifiers import identified
from pincite_papers.model import Paper as ParsedPaper
from pincite_papers.opening.store import PaperStore

if TYPE_CHECKING:
    from pincite_literature.fulltext.fetcher import Fetcher

_ID = re.compile(r"(?:sha256:|pc:).*|(?=\d*[a-f])[0-9a-f]{8,64}", re.DOTALL)
"""Ids of papers; digits alone are a PMID."""
_PATHS = ("/", "./", "../", "~")
_MOST_FOLDERS = 32
"""Folders whose stores are kept; a store is a few kilobytes, and its parsing processes are shared."""


class Session:
    """Opens papers with the same settings; safe in several threads. A context manager: leaving it ends its processes.

    Files are parsed in processes with limits of time and memory (``Settings``), never in this one. A file that the
    program names may lie anywhere; papers are kept in the disk cache of the settings.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._store = PaperStore(self._settings)
        self._rooted: dict[Path, PaperStore] = {}
        self._stores: dict[str, PaperStore] = {}
        self._bytes: dict[str, bytes] = {}
        self._lock = threading.Lock()
        self._fetcher: Fetcher | None = None
        self._figures = FigureJobs(self._settings, lambda: self)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def parser(self) -> str:
        """What a parsed paper depends on besides its bytes: the parser, its libraries, how scans are read."""
        return self._store.version

    def open(self, source: str | Path | bytes) -> Paper:
        """The paper in a file, in bytes, at an http(s) address, with an id that was opened before, or the open full
        text of a DOI, arXiv id, PMID or PMCID, which is fetched.

        It reads PDF, JATS, TEI and Elsevier XML, LaTeX and its archives, HTML, EPUB, and with the extra ``office``
        .docx and .xlsx.

        Raises NotFoundError, UnreadableError, LimitReachedError, ForbiddenError, UnavailableError or BadInputError, all
        of them PinciteError.
        """
        parsed, store = self._opened(source)
        with self._lock:
            self._stores[parsed.paper_id] = store
            if isinstance(source, bytes):
                self._bytes[parsed.paper_id] = source
        return Paper(parsed, self._figures)

    async def open_async(self, source: str | Path | bytes) -> Paper:
        """``open`` in a thread, for a program with an event loop (asyncio or trio)."""
        return await anyio.to_thread.run_sync(self.open, source, abandon_on_cancel=True)

    def close(self) -> None:
        """End the parsing and drawing processes, and fetches. Papers stay readable; figures are drawn no more."""
        if self._fetcher is not None:
            self._fetcher.stop()
            self._fetcher.close()
        self._figures.close()
        self._store.close()

    def source_bytes(self, paper: ParsedPaper) -> bytes:
        """The bytes of a paper that was opened here; NotFoundError where its file has changed or is gone."""
        given = self._bytes.get(paper.paper_id)
        return given if given is not None else self._stores[paper.paper_id].source_bytes(paper)

    def _opened(self, source: Any) -> tuple[ParsedPaper, PaperStore]:
        if isinstance(source, bytes):
            return self._store.examine(source), self._store
        if isinstance(source, Path):
            return self._from_file(source)
        if not isinstance(source, str):
            raise BadInputError(
                "A paper is named by its path, an address, an id or its bytes.",
                seen=type(source).__name__,
                next="Give a str, a pathlib.Path or bytes.",
            )
        path = Path(source).expanduser()
        if path.exists():
            return self._from_file(path)
        if not _ID.fullmatch(source) and "://" not in source:
            identifier = None if source.startswith(_PATHS) else identified(source)
            if identifier is None:
                return self._from_file(path)
            return self._from_file(Path(self._fetched(identifier)))
        return self._store.open(source), self._store

    def _fetched(self, identifier: str) -> str:
        """The path of the open full text of a DOI, arXiv id, PMID or PMCID, fetched if it was not before."""
        from pincite_literature.fulltext.fetcher import Fetcher

        with self._lock:
            if self._fetcher is None:
                self._fetcher = Fetcher(self._settings)
        return self._fetcher.fetch(identifier).path

    def _from_file(self, path: Path) -> tuple[ParsedPaper, PaperStore]:
        path = path.expanduser().absolute()
        folder = path.parent.resolve()
        with self._lock:
            store = self._rooted.get(folder)
            if store is None:
                store = self._rooted[folder] = self._store.rooted((folder,))
            while len(self._rooted) > _MOST_FOLDERS:
                del self._rooted[next(iter(self._rooted))]
        return store.open(folder / path.name), store


@cache
def _lasting() -> Session:
    session = Session()
    atexit.register(session.close)
    return session


def open_paper(source: str | Path | bytes) -> Paper:
    """Open a paper: a file, bytes, an http(s) address, or an id that was opened before (see ``Session.open``).

    Settings come from the environment (``PINCITE_…``); make a ``Session`` to give them in Python.
    """
    return _lasting().open(source)


async def open_paper_async(source: str | Path | bytes) -> Paper:
    """``open_paper`` without blocking the event loop."""
    return await _lasting().open_async(source)
