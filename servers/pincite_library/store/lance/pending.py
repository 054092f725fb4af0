"""Pending: writes that are kept back inside a batch, until they are enough for a commit."""

from collections.abc import Callable
from threading import RLock

from pincite_library.model import Vectors, VectorSpace
from pincite_library.store.lance import papers as lance_papers
from pincite_library.store.lance import upkeep as lance_upkeep
from pincite_library.store.lance import vectors as lance_vectors
from pincite_library.store.lance.rows import CHUNKS, Row
from pincite_library.store.lance.session import Session

_BATCH = 5000
"""Chunks, or vectors, that are committed together."""
_BATCH_CHARACTERS = 32 * 1024 * 1024
"""Characters that wait for a commit, at most. Set by judgement."""
_BETWEEN = 32
"""Writes outside of batches between two looks at the indexes."""


class Pending:
    """What is to be written to a session; ``space`` tells the library's space of vectors. Safe in several threads."""

    def __init__(self, session: Session, space: Callable[[], VectorSpace | None]) -> None:
        self._session = session
        self._space = space
        self._lock = RLock()
        self._depth = 0
        self._writes = 0
        self._stale = False
        self._papers: dict[str, list[Row]] = {}
        self._chunks = 0
        self._characters = 0
        self._vectors: list[Vectors] = []

    def begin(self) -> None:
        """Keep writes back from now on; once more for each ``begin`` before."""
        with self._lock:
            self._depth += 1

    def end(self) -> None:
        """Write all, at the end of the outermost block, and bring the indexes up to date where it is time."""
        with self._lock:
            self._depth -= 1
            if self._depth:
                return
            self.flush()
        self.settle_terms()
        self._tend(least=200, share=0.01)

    def put_paper(self, paper_id: str, rows: list[Row]) -> None:
        """Write a paper's rows, at once outside of a batch."""
        with self._lock:
            self.settle(paper_id)
            self._papers[paper_id] = rows
            self._chunks += sum(1 for row in rows if row["kind"] in CHUNKS)
            self._characters += sum(len(row.get("text") or "") for row in rows)
            if self._depth and self._chunks < _BATCH and self._characters < _BATCH_CHARACTERS:
                return
            self.flush()
        self.written()

    def put_vectors(self, vectors: Vectors) -> None:
        """Write vectors of the library's space, at once outside of a batch."""
        with self._lock:
            self._vectors.append(vectors)
            if self._depth and sum(len(one.keys) for one in self._vectors) < _BATCH:
                return
            self.flush()
        self.written()

    def settle(self, paper_id: str) -> None:
        """Write all if the paper is among what is kept back."""
        if paper_id in self._papers:
            self.flush()

    def settle_terms(self) -> None:
        """Make the index of terms of a small library again where this process has changed it."""
        if self._stale and not self._depth:
            self._stale = not lance_upkeep.renew_terms(self._session)

    def settle_any(self, fits: Callable[[str], bool]) -> None:
        """Write all if a paper whose id fits is among what is kept back."""
        if any(fits(paper_id) for paper_id in tuple(self._papers)):
            self.flush()

    def flush(self) -> None:
        """Write all that is kept back; it stays kept back when that fails."""
        with self._lock:
            if self._papers:
                lance_papers.put(self._session, list(self._papers.values()), self._space())
                self._papers, self._chunks, self._characters = {}, 0, 0
            if self._vectors:
                space = self._space()
                if space is not None:
                    lance_vectors.add(self._session, space, lance_vectors.joined(self._vectors))
                self._vectors = []

    def forget_vectors(self) -> None:
        """Let go of vectors that are kept back."""
        with self._lock:
            self._vectors = []

    def written(self) -> None:
        """Look after the indexes now and then: in a batch after each commit, else after some of them."""
        with self._lock:
            self._writes += 1
            self._stale = True
            depth = self._depth
        if depth:
            self._tend(least=50_000, share=0.2)
        elif self._writes % _BETWEEN == 0:
            self._tend(least=1000, share=0.02)

    def _tend(self, *, least: int, share: float) -> None:
        lance_upkeep.tend(self._session, "rows", least=least, share=share)
        space = self._space()
        if space is not None:
            lance_upkeep.tend(self._session, lance_vectors.table_name(space), least=least, share=share)
