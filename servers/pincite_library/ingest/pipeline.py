"""Ingest: brings sources into a library, each once, whatever interrupts it."""

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pincite_core.errors import BadInputError
from pincite_core.locator import digest_of
from pincite_core.settings import MIB, Settings
from pincite_library.ingest.embedding import Embedding
from pincite_library.ingest.finding import Finder, Found
from pincite_library.ingest.holding import hold_library
from pincite_library.ingest.journal import Journal, Standing
from pincite_library.ingest.naming import named_papers
from pincite_library.ingest.nodes import LocalNodes, Nodes
from pincite_library.ingest.outcome import Options, Outcome, Report, State, Watcher
from pincite_library.ingest.reading import Reader
from pincite_library.ingest.run import Run
from pincite_library.ingest.versions import Versions
from pincite_library.ingest.writing import Writer
from pincite_library.ranking.embedder import Embedder, open_embedder
from pincite_library.store.opening import open_store

if TYPE_CHECKING:
    from pincite_library.chunks.describe import Describer
    from pincite_library.ingest.crops import Crops
    from pincite_library.ingest.cutting import CuttingPool
    from pincite_library.store.store import Store
    from pincite_papers.opening.store import PaperStore

AHEAD = 2
"""Threads beside one for each parsing process: they read files and keep papers in the cache meanwhile."""
_PAPERS_IN_MEMORY = 64 * MIB
_ANYWHERE = Path("/")


class Ingest:
    """Adds papers to the library of the settings; one call at a time, from any thread. Close it by ``with``.

    ``roots``: the folders that files may be read from (relative paths belong to them); None lets it read whatever is
    named, for a user's own command. ``store``: one that is open already, and stays so. ``nodes``: what parses and
    embeds, this machine's processes by default.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        roots: Sequence[Path] | None = None,
        store: "Store | None" = None,
        nodes: Nodes | None = None,
    ) -> None:
        self._settings = settings
        self._roots = roots
        self._store = store
        self._nodes = nodes or LocalNodes(settings)
        self._stack = ExitStack()
        self._stopping = threading.Event()
        self._end: Callable[[], None] | None = None
        self._papers: tuple[PaperStore, CuttingPool] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._stack.close()

    def stop(self) -> None:
        """End the call that is going on, from another thread, or the one to come: what is written stays, the rest waits
        for another Ingest.
        """
        self._stopping.set()
        if self._end is not None:
            self._end()

    def add(self, sources: Sequence[str], options: Options | None = None, watcher: Watcher | None = None) -> Report:
        """Bring files, folders (with all in them), identifiers and addresses into the library, then make vectors where
        an embedder is set.

        A source that cannot be read has its outcome and stops no other. Interrupted (``stop``, KeyboardInterrupt), it
        reports what was done. UnavailableError or UnreadableError where the library cannot be used, BadInputError where
        a setting cannot.
        """
        options, watcher = options or Options(), watcher or Watcher()
        embedder = open_embedder(self._settings)
        describers = self._describers(options)

        def work(store: "Store", journal: Journal, report: Report) -> None:
            own = (self._settings.library_dir, self._settings.cache_dir)
            unset = self._roots is not None and all(root == self._settings.papers_dir for root in self._roots)
            found = Finder(self._roots, apart=own, unset=unset).find(sources)
            found.pass_over(path for path in found.missing if journal.of(path) or journal.under(path))
            watcher.found(len(found.candidates))
            self._add(found, Run(options, watcher, report, self._stopping), store, journal, describers)
            if embedder is not None and not self._stopping.is_set():
                self._embedding(store, embedder, watcher, report).run()

        return self._reported("adding papers", watcher, work)

    def embed(self, *, again: bool = False, watcher: Watcher | None = None) -> Report:
        """Make vectors for the chunks that have none, of all chunks with ``again``; the report has what ended it.

        BadInputError where no embedder is set.
        """
        watcher, embedder = watcher or Watcher(), open_embedder(self._settings)
        if embedder is None:
            raise BadInputError(
                "No embedder is set.",
                next="Set PINCITE_EMBEDDER to local:FOLDER or to openai, then run `pincite library embed` again.",
            )

        def work(store: "Store", journal: Journal, report: Report) -> None:
            self._embedding(store, embedder, watcher, report).run(again=again)

        return self._reported("embedding", watcher, work)

    def remove(self, names: Sequence[str], watcher: Watcher | None = None) -> Report:
        """Remove papers by id, locator, path (a folder: all from it) or identifier; their files are left alone, and
        passed over by later calls until they are named themselves.

        NotFoundError, and nothing removed, where a name is none of the library's.
        """

        def work(store: "Store", journal: Journal, report: Report) -> None:
            papers = {paper_id: name for name in names for paper_id in named_papers(store, journal, name)}
            remover = Writer(store, journal, Versions(""))
            for paper_id, name in papers.items():
                entry = store.paper(paper_id)
                remover.remove([digest_of(paper_id)])
                title = entry.title if entry is not None else ""
                report.outcomes.append(Outcome(name, State.REMOVED, paper_id=paper_id, title=title))

        return self._reported("removing papers", watcher or Watcher(), work)

    def vacuum(self, watcher: Watcher | None = None) -> int:
        """Give back the room of what was removed; the bytes gained."""
        with self._held("tidying up", watcher or Watcher()) as (store, _):
            return store.vacuum()

    def _reported(self, doing: str, watcher: Watcher, work: "Callable[[Store, Journal, Report], None]") -> Report:
        report, started = Report(), time.monotonic()
        try:
            with self._held(doing, watcher) as (store, journal):
                work(store, journal, report)
        except KeyboardInterrupt:
            self._stopping.set()
        report.stopped = self._stopping.is_set()
        report.seconds = time.monotonic() - started
        return report

    @contextmanager
    def _held(self, doing: str, watcher: Watcher) -> "Generator[tuple[Store, Journal]]":
        """The store and the journal, with the library's lock; another that writes is waited for."""
        folder = self._settings.library_dir
        with hold_library(folder, doing, told=watcher.waiting, stop=self._stopping), Journal(folder) as journal:
            yield self._opened(), journal

    def _opened(self) -> "Store":
        if self._store is None:
            self._store = open_store(self._settings)
            self._stack.callback(self._store.close)
        return self._store

    def _embedding(self, store: "Store", embedder: "Embedder", watcher: Watcher, report: Report) -> Embedding:
        whole, threads = self._settings.library_context == "full_abstract", self._nodes.batches
        embedder = self._nodes.embedder(embedder)
        return Embedding(store, embedder, watcher, self._stopping, report, whole=whole, threads=threads)

    def _describers(self, options: Options) -> "Sequence[Describer]":
        """Those that this call asks for, and those of the setting."""
        setting = self._settings.library_describe
        words = options.describe or setting in ("text", "both")
        pictures = options.describe_figures or setting in ("figures", "both")
        if not (words or pictures):
            return ()
        from pincite_library.ingest.describing import describers_of

        return describers_of(self._settings, words=words, crops=self._crops() if pictures else None)

    def _crops(self) -> "Crops":
        """What draws figures of the papers that are read here; closed with this Ingest."""
        from pincite_library.ingest.crops import Crops

        return self._stack.enter_context(Crops(self._settings, lambda: self._readers()[0]))

    def _add(self, found: Found, run: Run, store: "Store", journal: Journal, describers: "Sequence[Describer]") -> None:
        from pincite_literature.fulltext.fetcher import Fetcher

        papers, pool = self._readers()
        with Fetcher(self._settings) as fetcher:

            def end() -> None:
                pool.close()
                fetcher.stop()

            self._end = end
            versions = Versions.of(
                papers.version, " and ".join(each.title for each in describers), self._settings.library_context
            )
            writer = Writer(store, journal, versions)
            removed = frozenset(known.digest for known in journal.with_standing(Standing.REMOVED))
            most = self._settings.max_source_bytes
            reader = Reader(papers, pool, writer.held, removed, versions, most, fetcher.fetch, describers)
            with store.batch():
                run.go(found.candidates, reader, writer, threads=self._nodes.slots + AHEAD, end=end)
        if not self._stopping.is_set():
            for outcome in writer.gone(found, prune=run.options.prune):
                run.ended(outcome)

    def _readers(self) -> "tuple[PaperStore, CuttingPool]":
        """What parses and cuts, made once: later calls find its processes running."""
        if self._papers is None:
            from pincite_papers.opening.store import PaperStore

            # What is read was found by the Finder, which keeps to the roots where there are any.
            roots = [_ANYWHERE]
            if self._roots is not None:
                roots = [root for root in self._roots if root != self._settings.papers_dir]
            update = {"roots": tuple(roots), "memory_max_bytes": _PAPERS_IN_MEMORY}
            settings = self._settings.model_copy(update=update)
            pool = self._nodes.pool()
            self._papers = self._stack.enter_context(PaperStore(settings, pool=pool)), pool
        return self._papers
