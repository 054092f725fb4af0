"""State: what is remembered of one version of the tables, so that searches need not ask for it again."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from pincite_library.model import ChunkKind, VectorSpace
from pincite_library.store.lance import check as lance_check
from pincite_library.store.lance import vectors as lance_vectors
from pincite_library.store.lance.filters import texts
from pincite_library.store.lance.rows import PAPER, SPACE
from pincite_library.store.lance.session import Session


class State:
    """What the newest version says; each part is read when it is first asked for."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = Lock()
        self._version = -1
        self._parts: dict[str, Any] = {}
        self._missing: list[int] = []
        self._missing_of = -1
        self._put: set[int] = set()

    def space(self) -> VectorSpace | None:
        """The library's space of vectors."""

        def read() -> VectorSpace | None:
            where = f"key = {lance_vectors.space_key()} AND kind = '{SPACE}'"
            found = self._session.scan("rows", where, ["detail"])
            return lance_vectors.space_of(found.column("detail")[0].as_py()) if found.num_rows else None

        return self._part("space", read)

    def journals(self) -> frozenset[str]:
        """The journals of all papers, case folded."""

        def read() -> frozenset[str]:
            found = self._session.scan("rows", f"kind = '{PAPER}'", ["journal"])
            return frozenset(found.column("journal").to_pylist())

        return self._part("journals", read)

    def has_references(self, space: VectorSpace) -> bool:
        """Whether there are vectors of references: embedding leaves these out."""
        name = lance_vectors.table_name(space)
        where = f"kind = '{ChunkKind.REFERENCE}'"
        part = f"references {self._session.version(name)}"
        return bool(self._part(part, lambda: self._session.reading(name, lambda table: table.count_rows(where))))

    def counts(self) -> dict[str, int]:
        """How much there is of everything."""
        space = self.space()
        vectors = 0 if space is None else self._session.version(lance_vectors.table_name(space))
        return dict(self._part(f"counts {vectors}", lambda: lance_check.counts(self._session, space)))

    def without_vectors(self, limit: int, settle: Callable[[], None]) -> list[int]:
        """Keys of chunks without a vector, in the order of the table; ``settle`` writes what is kept back."""
        version = self._session.version("rows")
        with self._lock:
            if version == self._missing_of:
                self._missing = [key for key in self._missing if key not in self._put]
                self._put = set()
                if self._missing:
                    return self._missing[:limit]
        settle()
        version = self._session.version("rows")
        missing = self._read_missing()
        with self._lock:
            self._missing_of, self._missing, self._put = version, missing, set()
        return missing[:limit]

    def have_vectors(self, keys: Sequence[int]) -> None:
        """Note that these chunks have vectors now."""
        with self._lock:
            self._put.update(keys)

    def _read_missing(self) -> list[int]:
        where = f"kind IN ({texts(lance_check.EMBEDDED)})"
        keys = self._session.scan("rows", where, ["key"]).column("key").to_pylist()
        space = self.space()
        if space is None:
            return keys
        name = lance_vectors.table_name(space)
        have = set(self._session.scan(name, "true", ["key"]).column("key").to_pylist())
        return [key for key in keys if key not in have]

    def _part(self, name: str, read: Any) -> Any:
        version = self._session.version("rows")
        with self._lock:
            if version != self._version:
                self._version, self._parts = version, {}
            if name in self._parts:
                return self._parts[name]
        found = read()
        with self._lock:
            if version == self._version:
                self._parts[name] = found
        return found
