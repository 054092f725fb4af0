"""Vectors in a LanceDB table of their own for each space, searched through IVF with RaBitQ codes and refined.

IVF_RQ keeps four bits a dimension: its index of a million vectors of 384 dimensions takes some 200 MB and 50 s of one
core, where IVF_PQ took 272 s for a fifth of them; the best by these codes are compared again by their whole vectors
(``refine_factor``). With one bit, hard vectors (neighbours hardly nearer than the rest) needed five times as many of
these for the same recall. A matrix of our own beside it was not needed: a search of a million takes some 13 ms, all ten
nearest found (``tests/benchmarks/scale_latency.py``). Under ``TRAINED_FROM`` vectors, and for filters that name papers,
all vectors that pass are compared: exact, and quick enough.

A vector is not part of what appears whole: a chunk without one is found by its terms, and ``without_vectors`` names it.
So a vector is deleted before its chunk and added after it, and a kill in between leaves no vector without a chunk.
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson

from pincite_core.errors import BadInputError
from pincite_library.model import Scored, Vectors, VectorSpace
from pincite_library.store.lance.filters import numbers, texts
from pincite_library.store.lance.modules import arrow, index
from pincite_library.store.lance.rows import CHUNKS, SPACE, VERSION, key_of, table_of
from pincite_library.store.lance.session import Session

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

TRAINED_FROM = 5_000
"""Fewer vectors have no index: comparing with all of them takes a few milliseconds."""
_PROBES = 40
"""Parts of the index that a search looks into. Set by judgement."""
_BITS = 4
"""Bits of a dimension in RaBitQ's codes. Set by judgement."""
_REFINED = 100
"""At least so many candidates by the codes, and no fewer than are asked for, are compared by their vectors."""
_MANY = 2000
"""Keys of one condition. Set by judgement."""
_LONG = 64
"""Dimensions from which RaBitQ's codes work; shorter vectors are compared whole."""
_FILTERS = ["paper", "kind", "year", "journal", "section"]


def space_key() -> int:
    """The key of the row that names the space of the library's vectors."""
    return key_of(SPACE)


def space_detail(space: VectorSpace) -> str:
    """The space as its row keeps it."""
    named = {"model": space.model, "dimension": space.dimension, "text_version": space.text_version}
    return orjson.dumps(named).decode()


def space_of(detail: str) -> VectorSpace:
    """The space from its row."""
    return VectorSpace(**orjson.loads(detail))


def table_name(space: VectorSpace) -> str:
    """The name of the table of a space's vectors."""
    return f"vectors_{hashlib.sha256(space_detail(space).encode()).hexdigest()[:16]}"


def _create(session: Session, space: VectorSpace) -> None:
    """Make the table of a space."""
    pa = arrow()
    schema = pa.schema(
        [
            pa.field("key", pa.int64(), nullable=False),
            ("paper", pa.int64()),
            ("kind", pa.string()),
            ("year", pa.int32()),
            ("journal", pa.string()),
            ("section", pa.string()),
            ("vector", pa.list_(pa.float32(), space.dimension)),
        ],
        metadata={"pincite-version": str(VERSION)},
    )

    def prepare(table: Any) -> None:
        table.set_unenforced_primary_key("key")
        have = {tuple(made.columns) for made in table.list_indices()}
        for column in ("key", "paper", "year", "journal", "kind"):
            if (column,) not in have:
                table.create_index(column, config=index().Bitmap() if column == "kind" else index().BTree())

    session.create(table_name(space), schema, prepare)


def begin(session: Session, space: VectorSpace) -> None:
    """Make the table of a space, then name it as the library's."""
    _create(session, space)
    row = {"key": space_key(), "kind": SPACE, "detail": space_detail(space)}
    session.writing("rows", lambda table: upsert(table, table_of([row], table.schema)))


def joined(parts: Sequence[Vectors]) -> Vectors:
    """Several vectors as one; of a key that comes again the last."""
    import numpy as np

    keys = [key for part in parts for key in part.keys]
    last = sorted({key: row for row, key in enumerate(keys)}.values())
    return Vectors(tuple(keys[row] for row in last), np.concatenate([part.matrix for part in parts])[last])


def add(session: Session, space: VectorSpace, vectors: Vectors) -> int:
    """Put the vectors of chunks that are there, in place of older ones; how many these were."""
    pa = arrow()
    place = {key: row for row, key in enumerate(vectors.keys)}
    live = chunks_by_key(session, list(place))
    if not live.num_rows:
        return 0
    order = [place[key] for key in live.column("key").to_pylist()]
    flat = pa.array(vectors.matrix[order].astype("float32", copy=False).ravel())
    data = live.append_column("vector", pa.FixedSizeListArray.from_arrays(flat, space.dimension))
    session.writing(table_name(space), lambda table: upsert(table, data))
    return int(live.num_rows)


def upsert(table: Any, data: Any) -> int:
    """Put rows in place of those with their keys, by one commit; the version that it made."""
    merge = table.merge_insert("key").when_matched_update_all().when_not_matched_insert_all()
    return int(merge.execute(data).version)


def vectors_index(table: Any) -> Any:
    """The settings of the index: RaBitQ for what is long enough, else a byte a dimension."""
    dimension = table.schema.field("vector").type.list_size
    if dimension < _LONG or dimension % 8:
        return index().IvfSq(distance_type="cosine")
    return index().IvfRq(distance_type="cosine", num_bits=_BITS)


def chunks_by_key(session: Session, keys: Sequence[int]) -> Any:
    """What filters need to know of the chunks with these keys, as an Arrow table; those that are gone are left out."""
    parts: list[Any] = []
    for at in range(0, len(keys), _MANY):
        where = f"key IN ({numbers(keys[at : at + _MANY])}) AND kind IN ({texts(CHUNKS)})"
        parts.append(session.scan("rows", where, ["key", *_FILTERS]))
    return arrow().concat_tables(parts) if parts else session.scan("rows", "false", ["key", *_FILTERS])


def delete(session: Session, space: VectorSpace, condition: str) -> None:
    """Delete the vectors for which a condition holds."""
    session.writing(table_name(space), lambda table: table.delete(condition))


def moved(session: Session, space: VectorSpace, successors: dict[int, dict[str, Any]]) -> Any:
    """The vectors of chunks that go as rows of those that come in their place (the same text with other filters)."""
    where = f"key IN ({numbers(successors)})"
    old = session.scan(table_name(space), where, ["key", "vector"])
    if not old.num_rows:
        return None
    schema = session.table(table_name(space)).schema
    rows = [
        {**{name: successors[row["key"]].get(name) for name in ("key", *_FILTERS)}, "vector": row["vector"]}
        for row in old.to_pylist()
    ]
    return table_of(rows, schema)


def rank(
    session: Session, space: VectorSpace, vector: "npt.NDArray[np.float32]", k: int, where: str | None, *, exact: bool
) -> list[Scored]:
    """The nearest chunks by cosine, best first; ``exact`` compares all that pass the condition."""
    if vector.shape != (space.dimension,):
        raise BadInputError(
            "The query's vector does not have the library's dimension.",
            seen=f"{vector.shape[-1]} dimensions, not {space.dimension}",
        )

    def ask(table: Any) -> Any:
        query = table.search(vector, vector_column_name="vector").distance_type("cosine").limit(k)
        query = (
            query.select(["key", "_distance"])
            .nprobes(_PROBES)
            .maximum_nprobes(0)
            .refine_factor(max(1, -(-_REFINED // k)))
        )
        if exact:
            query = query.bypass_vector_index()
        return (query.where(where, prefilter=True) if where else query).to_arrow()

    found = session.reading(table_name(space), ask)
    pairs = zip(found.column("key").to_pylist(), found.column("_distance").to_pylist(), strict=True)
    return sorted((Scored(key, 1.0 - distance) for key, distance in pairs), key=lambda one: (-one.score, one.key))
