"""Embedding: vectors for the chunks that have none yet, batch by batch; what is done stays done."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import TYPE_CHECKING

from pincite_core.errors import BadInputError, PinciteError
from pincite_library.ingest.outcome import Report, Watcher
from pincite_library.model import StoredChunk, Vectors
from pincite_library.ranking.embedder import Embedder, embedded_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pincite_library.store.store import Store

BATCH = 64
"""Chunks that are embedded, and then kept, at once."""
_TAKEN = 1024
"""Chunks that are taken from the store at once."""
_LOOK_SECONDS = 0.2
"""Seconds between looks whether the work was interrupted."""


class Embedding:
    """One pass over the chunks without a vector."""

    def __init__(
        self,
        store: "Store",
        embedder: Embedder,
        watcher: Watcher,
        stopping: threading.Event,
        report: Report,
        *,
        whole: bool = False,
        threads: int = 1,
    ) -> None:
        """``threads``: batches on their way to the embedder at once."""
        self._store = store
        self._embedder = embedder
        self._watcher = watcher
        self._stopping = stopping
        self._report = report
        self._whole = whole
        self._threads = threads
        self._total = 0

    def run(self, *, again: bool = False) -> None:
        """Embed until no chunk is without a vector; ``again`` forgets all vectors first.

        An error ends the pass and is kept in the report, with how many chunks have no vector yet: the next pass goes
        on from there. BadInputError there when the store holds vectors of another space.
        """
        try:
            self._prepare(again=again)
            self._go()
        except PinciteError as error:
            self._report.embedding_error = error
        self._report.unembedded = self._left()

    def _prepare(self, *, again: bool) -> None:
        kept, space = self._store.space(), self._embedder.space
        if again:
            self._store.drop_vectors()
        elif kept is not None and kept != space:
            raise BadInputError(
                "The library's vectors were made with another model: those of two cannot be compared.",
                seen=f"{kept} in the library, {space} is set",
                next="Make all vectors again with `pincite library embed --again`, or set PINCITE_EMBEDDER as it was.",
            )
        self._total = self._left()
        self._watcher.embedding(0, self._total)

    def _left(self) -> int:
        """How many chunks have no vector yet."""
        return self._store.counts()["unembedded"]

    def _go(self) -> None:
        with ThreadPoolExecutor(self._threads, thread_name_prefix="pincite-embed") as executor:
            while not self._stopping.is_set():
                taken = self._store.without_vectors(_TAKEN)
                if not taken:
                    return
                pending = {executor.submit(copy_context().run, self._embed, batch): batch for batch in _batches(taken)}
                try:
                    self._keep(pending)
                finally:
                    for future in pending:
                        future.cancel()

    def _keep(self, pending: "dict[Future[npt.NDArray[np.float32]], Sequence[StoredChunk]]") -> None:
        """Put the vectors of each batch as they come; the first error is raised when what was going on is kept."""
        waiting, errors = set(pending), list[PinciteError]()
        while waiting:
            done, waiting = wait(waiting, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                if future.cancelled():
                    continue
                try:
                    matrix = future.result()
                except PinciteError as error:
                    errors.append(error)
                    continue
                keys = tuple(stored.key for stored in pending[future])
                self._store.put_vectors(self._embedder.space, Vectors(keys, matrix))
                self._report.embedded += len(keys)
                self._watcher.embedding(self._report.embedded, max(self._total, self._report.embedded))
            if errors or self._stopping.is_set():
                for future in waiting:
                    future.cancel()
        if errors:
            raise errors[0]

    def _embed(self, batch: Sequence[StoredChunk]) -> "npt.NDArray[np.float32]":
        return self._embedder.embed_texts([embedded_text(stored.chunk, whole=self._whole) for stored in batch])


def _batches(taken: Sequence[StoredChunk]) -> Iterator[Sequence[StoredChunk]]:
    for start in range(0, len(taken), BATCH):
        yield taken[start : start + BATCH]
