"""Store: where a library is kept. Every store passes ``tests/library/store/test_conformance.py``."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol

from pincite_library.model import (
    Filters,
    IndexedChunk,
    PaperEntry,
    Scored,
    Segment,
    StoredChunk,
    Vectors,
    VectorSpace,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Clauses = tuple[tuple[str, ...], ...]
"""Texts that a match must hold, folded and in lower case: one of each inner tuple (and of these, or)."""


class Store(Protocol):
    """Papers, chunks, an index of terms, vectors and segments for exact search.

    A paper appears with all its chunks or not at all, whenever the process is killed. Readers see the state of the
    last whole write and are never blocked by a writer; a second writer waits. What damages a store is found by
    ``check``. Methods raise UnavailableError when the store cannot be reached or is locked for too long, and
    UnreadableError when it is damaged or of a newer version. Safe in several threads.
    """

    def put_paper(self, entry: PaperEntry, text: str, chunks: Sequence[IndexedChunk], *, segments: bool = True) -> None:
        """Put a paper with its canonical text in place of what is known of it, vectors of unchanged chunks kept."""
        ...

    def batch(self) -> AbstractContextManager[None]:
        """A stretch of many writes, which a store may keep back and commit together, at its end at the latest.

        What was put may not be found before the end, and a kill loses what was kept back, always whole papers. An
        exception ends it as well: what was put before stays put. SQLite has no use for it.
        """
        return nullcontext()

    def remove_papers(self, paper_ids: Sequence[str]) -> int:
        """Remove papers and all that belongs to them; the number of those that were there."""
        ...

    def papers(self) -> list[PaperEntry]:
        """All papers, by title."""
        ...

    def paper(self, prefix: str) -> PaperEntry | None:
        """The paper whose id starts so (``sha256:`` or not, 8 digits or more); BadInputError when several do."""
        ...

    def text(self, paper_id: str) -> str:
        """The canonical text of a paper; NotFoundError where there is none."""
        ...

    def chunks_of(self, paper_id: str) -> list[StoredChunk]:
        """All chunks of a paper in reading order."""
        ...

    def chunks_at(self, paper_id: str, start: int, end: int) -> list[StoredChunk]:
        """The chunks of a paper that hold a part of ``text[start:end]``, in reading order."""
        return [one for one in self.chunks_of(paper_id) if one.chunk.shares(start, end)]

    def fetch(self, keys: Sequence[int]) -> list[StoredChunk]:
        """The chunks with these keys in this order; those that are gone are left out."""
        ...

    def rank_terms(self, terms: Sequence[str], k: int, filters: Filters) -> list[Scored]:
        """The ``k`` best chunks by BM25 for any of the terms (``ranking.terms.query_terms``), best first."""
        ...

    def rank_vector(self, vector: "npt.NDArray[np.float32]", k: int, filters: Filters) -> list[Scored]:
        """The ``k`` nearest chunks by cosine for a unit vector, best first; those without a vector are not found."""
        ...

    def segments(self, clauses: Clauses, papers: frozenset[str]) -> Iterator[Segment]:
        """Segments that may hold a match, by paper and place; all of them where there is no clause to go by."""
        ...

    def space(self) -> VectorSpace | None:
        """What the vectors were made with; None where there are none."""
        ...

    def put_vectors(self, space: VectorSpace, vectors: Vectors) -> None:
        """Add vectors of chunks; BadInputError when the store holds vectors of another space."""
        ...

    def drop_vectors(self) -> None:
        """Forget all vectors and their space."""
        ...

    def without_vectors(self, limit: int) -> list[StoredChunk]:
        """Chunks that have no vector yet, references left out, at most ``limit`` of them."""
        ...

    def counts(self) -> dict[str, int]:
        """``papers``, ``chunks``, ``vectors``, ``unembedded`` (chunks that ``without_vectors`` gives), ``segments`` and
        ``bytes`` on disk.
        """
        ...

    def check(self) -> list[str]:
        """What is wrong with the store, in words; empty when all is well."""
        ...

    def vacuum(self) -> int:
        """Give back the room of what was removed; the bytes gained."""
        ...

    def close(self) -> None:
        """End the use of the store; nothing acknowledged is lost without it."""
        ...
