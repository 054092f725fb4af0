"""SqliteStore: a library in one SQLite file, with files of vectors and plain texts beside it.

library.db                     papers, chunks, texts, terms, segments (``sqlite_schema``)
vectors-000001.signs, .values  vectors (``vectors``)
text/<digits>.txt              copies of the texts (``texts``)
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from sqlite3 import Connection
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from pincite_core.errors import BadInputError, DamagedError, NotFoundError, UnavailableError
from pincite_library.model import Filters, IndexedChunk, PaperEntry, Scored, Segment, StoredChunk, Vectors, VectorSpace
from pincite_library.segments import segments_of
from pincite_library.store.sqlite import segments as sqlite_segments
from pincite_library.store.sqlite import vectors as sqlite_vectors
from pincite_library.store.sqlite.catalogue import Catalogue, brought_up
from pincite_library.store.sqlite.check import problems
from pincite_library.store.sqlite.connect import Connections, worded
from pincite_library.store.sqlite.rows import checked, entries, stored
from pincite_library.store.sqlite.schema import make
from pincite_library.store.sqlite.terms import merge_all, rank
from pincite_library.store.sqlite.vector_file import Shape, VectorFile, remove_before
from pincite_library.store.sqlite.write import put, remove, write_texts
from pincite_library.store.store import Clauses, Store
from pincite_library.store.texts import TextFolder

if TYPE_CHECKING:
    import numpy.typing as npt

_DIGITS = 8
"""Hexadecimal digits by which a paper may be named, as in locators."""
_TRIES = 5
"""Tries of a read that a write overtook. Set by judgement."""


class SqliteStore(Store):
    """A library in ``folder``, which is made where it is missing; see ``Store`` for the methods.

    With ``read_only``, and in a folder that this user may not write to, the library can be read and nothing else;
    NotFoundError where there is none then. A writer waits ``wait`` seconds for another one.
    """

    def __init__(self, folder: Path, *, read_only: bool = False, wait: float = 30.0) -> None:
        if not read_only:
            _make_folder(folder)
        self.folder = folder
        self._connections = Connections(folder / "library.db", read_only=read_only, wait=wait)
        self._texts = TextFolder(folder / "text")
        self._lock = Lock()
        self._catalogue = Catalogue()
        self._file: VectorFile | None = None
        self._written: list[int] = []
        with self._connections.lent() as connection:
            make(connection, writable=self._connections.writable, wait=wait)
        if self._connections.writable:
            self._write_texts()

    def put_paper(self, entry: PaperEntry, text: str, chunks: Sequence[IndexedChunk], *, segments: bool = True) -> None:
        checked(entry, text, chunks)
        with self._writing() as connection:
            put(connection, entry, text, chunks, segments)
        self._write_texts()

    def remove_papers(self, paper_ids: Sequence[str]) -> int:
        with self._writing() as connection:
            gone = remove(connection, paper_ids)
        self._write_texts()
        return len(gone)

    def papers(self) -> list[PaperEntry]:
        with self._connections.reading() as connection:
            return entries(connection)

    def paper(self, prefix: str) -> PaperEntry | None:
        digits = prefix.removeprefix("sha256:").lower()
        if len(digits) < _DIGITS:
            raise BadInputError(f"A paper is named by {_DIGITS} digits of its id or more.", seen=repr(prefix))
        if set(digits) - set("0123456789abcdef"):
            return None
        with self._connections.reading() as connection:
            found = entries(connection, f"sha256:{digits}")
        if len(found) > 1:
            ids = ", ".join(entry.paper_id for entry in found[:5])
            raise BadInputError(f"Several papers start with {prefix}.", seen=ids, next="Give more digits.")
        return found[0] if found else None

    def text(self, paper_id: str) -> str:
        with self._connections.reading() as connection:
            row = connection.execute(
                "SELECT text FROM papers JOIN texts USING (paper) WHERE paper_id = ?", (paper_id,)
            ).fetchone()
        if row is None:
            raise NotFoundError("The library has no such paper.", seen=paper_id, next="List its papers.")
        return str(row[0])

    def chunks_of(self, paper_id: str) -> list[StoredChunk]:
        with self._reading() as (connection, catalogue):
            row = connection.execute("SELECT paper FROM papers WHERE paper_id = ?", (paper_id,)).fetchone()
            if row is None:
                return []
            first = catalogue.first_of.get(row[0], 0)
            found = stored(connection, catalogue, range(first, first + catalogue.count_of.get(row[0], 0)))
        return [found[key] for key in sorted(found)]

    def chunks_at(self, paper_id: str, start: int, end: int) -> list[StoredChunk]:
        with self._reading() as (connection, catalogue):
            row = connection.execute("SELECT paper FROM papers WHERE paper_id = ?", (paper_id,)).fetchone()
            first = catalogue.first_of.get(row[0], 0) if row is not None else 0
            keys = connection.execute(
                "SELECT key FROM chunks WHERE key >= ? AND key < ? AND (start < ? AND end > ? OR text IS NOT NULL)",
                (first, first + (catalogue.count_of.get(row[0], 0) if row is not None else 0), end, start),
            ).fetchall()
            found = stored(connection, catalogue, [key for (key,) in keys])
        return [found[key] for key in sorted(found) if found[key].chunk.shares(start, end)]

    def fetch(self, keys: Sequence[int]) -> list[StoredChunk]:
        with self._reading() as (connection, catalogue):
            found = stored(connection, catalogue, keys)
        return [found[key] for key in keys if key in found]

    def rank_terms(self, terms: Sequence[str], k: int, filters: Filters) -> list[Scored]:
        with self._reading() as (connection, catalogue):
            return rank(connection, catalogue, terms, k, catalogue.passing(filters))

    def rank_vector(self, vector: "npt.NDArray[np.float32]", k: int, filters: Filters) -> list[Scored]:
        catalogue, file = self._vectors()
        if file is None:
            return []
        if vector.shape != (file.shape.dimension,):
            raise BadInputError(
                "The query's vector does not have the library's dimension.",
                seen=f"{vector.shape}, not ({file.shape.dimension},)",
                next="Ask with the model that the library was embedded with.",
            )
        keys = catalogue.key_of_row
        rows, products = file.nearest(vector.astype(np.float32), k, catalogue.passing(filters)[keys])
        return [Scored(int(keys[row]), float(product)) for row, product in zip(rows, products, strict=True)]

    def segments(self, clauses: Clauses, papers: frozenset[str]) -> Iterator[Segment]:
        with self._reading() as (connection, catalogue):
            ids = catalogue.paper_id_of
            wanted = [paper for paper, paper_id in ids.items() if paper_id in papers] if papers else None
            for paper, start, lowered, text in sqlite_segments.candidates(connection, clauses, wanted):
                yield Segment(ids[paper], start, text, lowered)
            for paper in (number for number, count in catalogue.segments_of.items() if count == 0):
                if wanted is not None and paper not in wanted:
                    continue
                (text,) = connection.execute("SELECT text FROM texts WHERE paper = ?", (paper,)).fetchone()
                yield from (Segment(ids[paper], start, text[start:end]) for start, end in segments_of(text))

    def space(self) -> VectorSpace | None:
        with self._reading() as (_, catalogue):
            return catalogue.space

    def put_vectors(self, space: VectorSpace, vectors: Vectors) -> None:
        matrix = sqlite_vectors.checked_matrix(space, vectors)
        with self._writing() as connection:
            catalogue = self._state(connection)
            sqlite_vectors.check_space(catalogue, space)
            # Chunks may have gone while they were embedded.
            there = np.array([catalogue.paper_at(key) > 0 for key in vectors.keys], np.bool_)
            if there.any():
                keys = np.array(vectors.keys, np.int64)[there]
                sqlite_vectors.put_rows(connection, self.folder, catalogue, space, keys, matrix[there])

    def drop_vectors(self) -> None:
        with self._writing() as connection:
            catalogue = self._state(connection)
            sqlite_vectors.drop_rows(connection, catalogue)
        self._remove_old_files()

    def without_vectors(self, limit: int) -> list[StoredChunk]:
        with self._reading() as (connection, catalogue):
            keys = np.flatnonzero(catalogue.unembedded)[:limit].tolist()
            found = stored(connection, catalogue, keys)
        return [found[key] for key in keys if key in found]

    def counts(self) -> dict[str, int]:
        with self._reading() as (_, catalogue):
            return {
                "papers": len(catalogue.first_of),
                "chunks": catalogue.chunks,
                "vectors": catalogue.vectors,
                "unembedded": int(np.count_nonzero(catalogue.unembedded)),
                "segments": sum(catalogue.segments_of.values()),
                # Thousands of texts would take longer to look at than a search takes.
                "bytes": _bytes(self.folder.glob("*.*")) + sum(catalogue.bytes_of.values()),
            }

    def check(self) -> list[str]:
        wrong: list[str] = []
        for look in (self._check_segments, self._check_tables):
            try:
                wrong += look()
            except DamagedError as error:
                wrong.append(error.short())
        return wrong

    def vacuum(self) -> int:
        before = _bytes(self.folder.rglob("*"))
        with self._writing() as connection:
            merge_all(connection)
            sqlite_segments.optimise(connection)
            catalogue = self._state(connection)
            file = self._file_of(catalogue)
            if file is not None and catalogue.vectors < file.rows:
                sqlite_vectors.compact_rows(connection, self.folder, catalogue, file)
        with self._connections.lent() as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._remove_old_files()
        self._write_texts(again=True)
        return max(before - _bytes(self.folder.rglob("*")), 0)

    def close(self) -> None:
        self._connections.close()
        self._file = None

    @contextmanager
    def _reading(self) -> Generator[tuple[Connection, Catalogue]]:
        """One state of the library, and its catalogue."""
        with self._connections.reading() as connection:
            yield connection, self._state(connection)

    @contextmanager
    def _writing(self) -> Generator[Connection]:
        with self._connections.writing() as connection:
            done = list(self._written)
            connection.executemany("DELETE FROM unwritten WHERE change = ?", ((change,) for change in done))
            yield connection
        with self._lock:
            self._written = [change for change in self._written if change not in done]

    def _state(self, connection: Connection) -> Catalogue:
        """The catalogue of the state that the connection's transaction sees; the latest is kept for the next one.

        Inside a writer's transaction it is asked for before anything is written, so that it is a state that stays.
        """
        catalogue = brought_up(connection, self._catalogue)
        with self._lock:
            if catalogue.change > self._catalogue.change:
                self._catalogue = catalogue
        return catalogue

    def _vectors(self) -> tuple[Catalogue, VectorFile | None]:
        """A state and its vectors. A vacuum may remove the files of a state that was just read: then read again."""
        for tried in range(_TRIES):
            with self._reading() as (_, catalogue):
                try:
                    return catalogue, self._file_of(catalogue)
                except FileNotFoundError as error:
                    if tried == _TRIES - 1:
                        raise DamagedError(
                            "A file of vectors is missing.",
                            seen=str(error.filename),
                            next="Drop the vectors and embed the library again.",
                        ) from error
        raise AssertionError("unreachable")

    def _file_of(self, catalogue: Catalogue) -> VectorFile | None:
        if catalogue.space is None:
            return None
        shape = Shape(catalogue.generation, catalogue.space.dimension)
        file = self._file
        if file is None or file.shape != shape or file.rows != catalogue.vector_rows:
            file = self._file = VectorFile(self.folder, shape, catalogue.vector_rows)
        return file

    def _remove_old_files(self) -> None:
        with self._reading() as (_, catalogue):
            remove_before(self.folder, catalogue.generation)

    def _write_texts(self, *, again: bool = False) -> None:
        """Bring the files of texts up to the database: those that may lag behind, or all that differ (``again``).

        A copy that cannot be written now is written at the next opening: its paper is in the database all the same.
        """
        try:
            with worded(self._texts.folder), self._texts.alone(), self._connections.reading() as connection:
                changes = write_texts(connection, self._texts, again=again)
        except UnavailableError:
            if again:
                raise
            return
        with self._lock:
            self._written += [change for change in changes if change not in self._written]

    def _check_segments(self) -> list[str]:
        if not self._connections.writable:
            return []
        self._write_texts()
        with self._connections.writing() as connection:
            # FTS5 checks itself by a statement that writes nothing, but is one of writers.
            return sqlite_segments.check(connection)

    def _check_tables(self) -> list[str]:
        with self._reading() as (connection, catalogue):
            return problems(connection, catalogue, self.folder, self._texts)


def _bytes(paths: Iterable[Path]) -> int:
    """What files take; another process may be removing some."""
    total = 0
    for path in paths:
        with suppress(FileNotFoundError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnavailableError("The library's folder cannot be made.", seen=str(error)) from error
