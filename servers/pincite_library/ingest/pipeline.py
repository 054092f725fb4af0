"""Ingest: brings sources into a library, each once, whatever interrupts it."""

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pincite_core.settings import MIB, Settings
from pincite_library.ingest.finding import Finder, Found, Kind
from pincite_library.ingest.holding import hold_library
from pincite_library.ingest.journal import Journal, Standing
from pincite_library.ingest.outcome import Options, Report, Watcher
from pincite_library.ingest.reading import Reader
from pincite_library.ingest.run import Run
from pincite_library.store.opening import open_store

if TYPE_CHECKING:
    from pincite_library.store.store import Store

_AHEAD = 2
"""Threads beside one for each parsing process: they read files and keep papers in the cache meanwhile."""
_PAPERS_IN_MEMORY = 64 * MIB


class Ingest:
    """Adds papers to the library of the settings; one call at a time, from any thread.

    ``roots``: the folders that files may be read from (relative paths belong to them); None lets it read whatever is
    named, for a user's own command. ``store``: one that is open already, and stays so.
    """

    def __init__(
        self, settings: Settings, *, roots: Sequence[Path] | None = None, store: "Store | None" = None
    ) -> None:
        self._settings = settings
        self._roots = roots
        self._store = store
        self._stack = ExitStack()
        self._stopping = threading.Event()
        self._end: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._stack.close()

    def stop(self) -> None:
        """End the call that is going on, from another thread: what is written stays, the rest is left for the next."""
        self._stopping.set()
        if self._end is not None:
            self._end()

    def add(self, sources: Sequence[str], options: Options | None = None, watcher: Watcher | None = None) -> Report:
        """Bring files, folders (with all in them), identifiers and addresses into the library.

        A source that cannot be read has its outcome and stops no other. Interrupted (``stop``, KeyboardInterrupt), it
        reports what was done. Raises UnavailableError or UnreadableError where the library cannot be used.
        """
        options, watcher = options or Options(), watcher or Watcher()
        report, started = Report(), time.monotonic()
        try:
            with self._held("adding papers", watcher) as (store, journal):
                found = Finder(self._roots).find(sources)
                watcher.found(len(found.candidates))
                self._add(found, Run(options, watcher, report, self._stopping), store, journal)
        except KeyboardInterrupt:
            self._stopping.set()
        report.stopped = self._stopping.is_set()
        report.seconds = time.monotonic() - started
        return report

    @contextmanager
    def _held(self, doing: str, watcher: Watcher) -> "Generator[tuple[Store, Journal]]":
        """The store and the journal, with the library's lock; another that writes is waited for."""
        self._stopping.clear()
        folder = self._settings.library_dir
        with hold_library(folder, doing, told=watcher.waiting, stop=self._stopping), Journal(folder) as journal:
            yield self._opened(), journal

    def _opened(self) -> "Store":
        if self._store is None:
            self._store = open_store(self._settings)
            self._stack.callback(self._store.close)
        return self._store

    def _add(self, found: Found, run: "Run", store: "Store", journal: Journal) -> None:
        from pincite_library.ingest.cutting import CuttingPool
        from pincite_library.ingest.fetching import Fetcher
        from pincite_library.ingest.versions import Versions
        from pincite_library.ingest.writing import Writer
        from pincite_papers.store import PaperStore

        roots = self._roots if self._roots is not None else _folders_of(found)
        settings = self._settings.model_copy(
            update={"roots": roots or (self._settings.papers_dir,), "memory_max_bytes": _PAPERS_IN_MEMORY}
        )
        pool = CuttingPool(settings)
        with PaperStore(settings, pool=pool) as papers, Fetcher(settings) as fetcher:
            self._end = pool.close
            writer = Writer(store, journal, Versions.of(papers.version))
            removed = frozenset(known.digest for known in journal.with_standing(Standing.REMOVED))
            reader = Reader(
                papers, pool, writer.held, removed, writer.versions, settings.max_source_bytes, fetcher.fetch
            )
            with store.batch():
                run.go(found.candidates, reader, writer, threads=settings.parse_workers + _AHEAD, end=pool.close)
        if not self._stopping.is_set():
            for outcome in writer.gone(found, prune=run.options.prune):
                run.ended(outcome)


def _folders_of(found: Found) -> tuple[Path, ...]:
    """The folders that were named, and those of the files that were."""
    files = {Path(candidate.name).parent for candidate in found.candidates if candidate.kind is Kind.FILE}
    named = {Path(folder) for folder in found.folders}
    return tuple(sorted(named | {folder for folder in files if not any(map(folder.is_relative_to, named))}))
