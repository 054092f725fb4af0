"""LanceStore: a library for millions of chunks, in a local folder or on object storage (extra ``scale``).

Two tables: ``rows`` (``lance_rows``) and one of vectors (``lance_vectors``). A paper appears, changes and goes by one
commit of ``rows``; readers see the newest commit at every call and are blocked by nobody. Writes inside ``batch()``
are kept back and committed thousands of chunks at a time: a commit for each paper is as safe, but every one leaves
small files that slow down searches until they are put together (``lance_upkeep``).
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pincite_core.errors import BadInputError, NotFoundError
from pincite_library.model import (
    ChunkKind,
    Filters,
    IndexedChunk,
    PaperEntry,
    Scored,
    Segment,
    StoredChunk,
    Vectors,
    VectorSpace,
)
from pincite_library.store.lance import check as lance_check
from pincite_library.store.lance import papers as lance_papers
from pincite_library.store.lance import segments as lance_segments
from pincite_library.store.lance import terms as lance_terms
from pincite_library.store.lance import upkeep as lance_upkeep
from pincite_library.store.lance import vectors as lance_vectors
from pincite_library.store.lance.filters import condition, numbers, texts
from pincite_library.store.lance.pending import Pending
from pincite_library.store.lance.rows import (
    CHUNK_COLUMNS,
    CHUNKS,
    PAPER,
    entry_of,
    paper_key,
    paper_number,
    rows_of,
    rows_schema,
    stored_chunk,
)
from pincite_library.store.lance.session import Session
from pincite_library.store.lance.state import State
from pincite_library.store.sqlite.rows import checked
from pincite_library.store.sqlite.vectors import checked_matrix
from pincite_library.store.store import Clauses, Store

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_PASSAGES = Filters().kinds
_DIGITS = 8
"""Hexadecimal digits by which a paper may be named, as in locators."""
_EXACT_PAPERS = 200
"""Papers up to which all vectors of a filter are compared instead of searched through the index. Set by judgement."""
_VACUUM_KEEP = timedelta(seconds=1)
"""Readers whose files go in the middle of a call ask again."""


class LanceStore(Store):
    """The library at ``uri``: a folder, or ``s3://bucket/path`` with the usual AWS_* variables.

    ``wait`` is how many seconds a writer of a folder waits for another.
    """

    def __init__(self, uri: str, *, wait: float = 30.0) -> None:
        self._session = Session(uri, wait=wait)
        self._state = State(self._session)
        self._pending = Pending(self._session, self.space)
        if "rows" not in self._session.names():
            with self._session.alone():
                self._session.create("rows", rows_schema(), lance_upkeep.create_rows_indexes)

    @contextmanager
    def batch(self) -> Generator[None]:
        """Keep writes back and commit them together; blocks may stand in one another."""
        self._pending.begin()
        try:
            yield
        finally:
            self._pending.end()

    def put_paper(self, entry: PaperEntry, text: str, chunks: Sequence[IndexedChunk], *, segments: bool = True) -> None:
        """Put a paper in place of what is known of it; vectors of chunks with unchanged text are kept."""
        checked(entry, text, chunks)
        rows = rows_of(entry, text, chunks, lance_segments.rows(text) if segments else [])
        self._pending.put_paper(entry.paper_id, rows)

    def remove_papers(self, paper_ids: Sequence[str]) -> int:
        """Remove papers with their chunks, segments and vectors."""
        self._pending.flush()
        count = lance_papers.remove(self._session, paper_ids, self.space())
        self._pending.written()
        return count

    def papers(self) -> list[PaperEntry]:
        """All papers, by title."""
        return sorted((entry_of(row) for row in self._entries(f"kind = '{PAPER}'")), key=_by_title)

    def paper(self, prefix: str) -> PaperEntry | None:
        """The paper whose id starts so; BadInputError when several do or it has fewer than 8 digits."""
        digits = prefix.removeprefix("sha256:").lower()
        if len(digits) < _DIGITS:
            raise BadInputError(f"A paper is named by {_DIGITS} digits of its id or more.", seen=repr(prefix))
        if len(digits) > 64 or set(digits) - set("0123456789abcdef"):
            return None
        self._pending.settle_any(lambda paper_id: paper_id.startswith(f"sha256:{digits}"))
        found = self._entries(f"kind = '{PAPER}' AND starts_with(paper_id, 'sha256:{digits}')")
        if len(found) > 1:
            ids = ", ".join(sorted(row["paper_id"] for row in found)[:5])
            raise BadInputError(f"Several papers start with {prefix}.", seen=ids, next="Give more digits.")
        return entry_of(found[0]) if found else None

    def text(self, paper_id: str) -> str:
        """The canonical text of a paper."""
        self._pending.settle(paper_id)
        where = f"key = {paper_key(paper_id)} AND kind = '{PAPER}'"
        found = self._session.scan("rows", where, ["text"])
        if not found.num_rows:
            raise NotFoundError("The library has no such paper.", seen=paper_id, next="List its papers.")
        return str(found.column("text")[0].as_py())

    def chunks_of(self, paper_id: str) -> list[StoredChunk]:
        """All chunks of a paper in reading order."""
        self._pending.settle(paper_id)
        where = f"paper_id = '{paper_id}' AND paper = {paper_number(paper_id)} AND kind IN ({texts(CHUNKS)})"
        rows = self._session.scan("rows", where, CHUNK_COLUMNS).to_pylist()
        return sorted((stored_chunk(row) for row in rows), key=lambda stored: stored.chunk.ordinal)

    def fetch(self, keys: Sequence[int]) -> list[StoredChunk]:
        """The chunks with these keys in this order; those that are gone are left out."""
        if not keys:
            return []
        rows = self._session.scan("rows", f"key IN ({numbers(set(keys))})", CHUNK_COLUMNS).to_pylist()
        by_key = {row["key"]: stored_chunk(row) for row in rows if row["kind"] in CHUNKS}
        return [by_key[key] for key in keys if key in by_key]

    def rank_terms(self, terms: Sequence[str], k: int, filters: Filters) -> list[Scored]:
        """The best chunks by BM25 (Lance's, k1 1.2 and b 0.75) for any of the terms, best first."""
        if not terms or k < 1:
            return []
        self._pending.settle_terms()
        return lance_terms.rank(self._session, terms, k, condition(filters, self._state.journals))

    def rank_vector(self, vector: "npt.NDArray[np.float32]", k: int, filters: Filters) -> list[Scored]:
        """The nearest chunks by cosine for a unit vector, best first."""
        space = self.space()
        if space is None or k < 1:
            return []
        if filters.kinds == _PASSAGES and not self._state.has_references(space):
            filters = replace(filters, kinds=frozenset(ChunkKind))  # the same, without looking at every vector's kind
        where = condition(filters, self._state.journals)
        exact = 0 < len(filters.papers) <= _EXACT_PAPERS
        return lance_vectors.rank(self._session, space, vector, k, where, exact=exact)

    def segments(self, clauses: Clauses, papers: frozenset[str]) -> Iterator[Segment]:
        """Segments that may hold a match, by paper and place."""
        return lance_segments.segments(self._session, clauses, papers)

    def space(self) -> VectorSpace | None:
        """What the vectors were made with; None where there are none."""
        return self._state.space()

    def put_vectors(self, space: VectorSpace, vectors: Vectors) -> None:
        """Add vectors; the first ones decide on the library's space."""
        matrix = checked_matrix(space, vectors)
        kept = self.space()
        if kept is None:
            with self._session.alone():
                kept = self.space()
                if kept is None:
                    lance_vectors.begin(self._session, space)
        if kept is not None and kept != space:
            raise BadInputError(
                "The library's vectors were made with a different model.",
                seen=f"{space}, where the library's are of {kept}",
                next="Use the same embedding model, or make all vectors again: pincite library embed --again.",
            )
        self._pending.put_vectors(Vectors(vectors.keys, matrix))
        self._state.have_vectors(vectors.keys)

    def drop_vectors(self) -> None:
        """Forget all vectors and their space."""
        self._pending.forget_vectors()
        with self._session.alone():
            space = self.space()
            if space is None:
                return
            key = lance_vectors.space_key()
            self._session.writing("rows", lambda table: table.delete(f"key = {key}"))
            self._session.drop(lance_vectors.table_name(space))

    def without_vectors(self, limit: int) -> list[StoredChunk]:
        """Chunks that have no vector yet, references left out, at most ``limit`` of them."""
        return self.fetch(self._state.without_vectors(limit, self._pending.flush))

    def counts(self) -> dict[str, int]:
        """``papers``, ``chunks``, ``vectors``, ``segments`` and ``bytes``."""
        return self._state.counts()

    def check(self) -> list[str]:
        """What is wrong with the store, in words."""
        return lance_check.problems(self._session, self.space)

    def vacuum(self) -> int:
        """Put the tables' files together and remove those that nobody needs; the bytes gained."""
        self._pending.flush()
        before = self.counts()["bytes"]
        space = self.space()
        with self._session.alone():
            if space is not None:
                lance_check.remove_stray(self._session, space)
                lance_upkeep.optimise(self._session, lance_vectors.table_name(space), keep=_VACUUM_KEEP)
            lance_upkeep.optimise(self._session, "rows", keep=_VACUUM_KEEP)
        return max(0, before - self._state.counts()["bytes"])

    def close(self) -> None:
        """End the use of the store; what a batch keeps back is written first."""
        self._pending.flush()
        self._session.close()

    def _entries(self, where: str) -> list[dict[str, Any]]:
        found = self._session.scan("rows", where, ["paper_id", "detail"])
        return list(found.to_pylist())


def _by_title(entry: PaperEntry) -> tuple[str, str]:
    return entry.title, entry.paper_id
