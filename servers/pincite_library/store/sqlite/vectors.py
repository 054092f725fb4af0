"""Vectors of a library: rows of the files beside it, in step with the tables that say whose they are."""

import sqlite3
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pincite_core.errors import BadInputError, DamagedError
from pincite_library.model import Vectors, VectorSpace
from pincite_library.store.sqlite.catalogue import Catalogue, Ints, forget_changes, note_changes
from pincite_library.store.sqlite.vector_file import BLOCK, Floats, Shape, VectorFile, append

_BATCH = 8 * BLOCK

Keys = npt.NDArray[np.int64]


def check_space(catalogue: Catalogue, space: VectorSpace) -> None:
    """BadInputError when the library's vectors are of another space."""
    if catalogue.space is not None and catalogue.space != space:
        raise BadInputError(
            "The library's vectors were made with a different model, dimension or version of the embedded text.",
            seen=f"{catalogue.space}, asked for {space}",
            next="Embed with the first model, or embed all again with: pincite library embed --again",
        )


def checked_matrix(space: VectorSpace, vectors: Vectors) -> Floats:
    """The matrix; BadInputError where its shape is not the space's or it holds what is not a number."""
    matrix = np.ascontiguousarray(vectors.matrix, np.float32)
    if matrix.shape != (len(vectors.keys), space.dimension):
        raise BadInputError(
            "The vectors do not have the expected shape.",
            seen=f"{matrix.shape}, not {(len(vectors.keys), space.dimension)}",
        )
    if not np.isfinite(matrix).all():
        raise BadInputError("The vectors contain values that are not numbers.", next="Check what the embedder returns.")
    return matrix


def put_rows(
    connection: sqlite3.Connection, folder: Path, catalogue: Catalogue, space: VectorSpace, keys: Keys, matrix: Floats
) -> None:
    """Append vectors to the files, then point their chunks to them."""
    shape = Shape(catalogue.generation, space.dimension)
    first, last = catalogue.vector_rows, catalogue.vector_rows + len(keys)
    append(folder, shape, first, matrix)
    row_of = catalogue.row_of.copy()
    row_of[keys] = np.arange(first, last)
    papers = np.unique(catalogue.paper_of[keys]).tolist()
    _set_rows(connection, catalogue, papers, row_of)
    _set_state(connection, shape, last, space)
    _note_checksums(connection, folder, shape, first, last)
    note_changes(connection, papers)


def drop_rows(connection: sqlite3.Connection, catalogue: Catalogue) -> None:
    """Forget all vectors and their space: what comes next goes into files of the next generation."""
    empty = np.full_like(catalogue.row_of, -1)
    _set_rows(connection, catalogue, list(catalogue.first_of), empty)
    _set_state(connection, Shape(catalogue.generation + 1, 0), 0, None)
    connection.execute("DELETE FROM vector_blocks")
    forget_changes(connection)


def compact_rows(connection: sqlite3.Connection, folder: Path, catalogue: Catalogue, file: VectorFile) -> None:
    """Copy the rows that are in use into files of the next generation, in the order of keys."""
    assert catalogue.space is not None
    shape = Shape(catalogue.generation + 1, file.shape.dimension)
    keys = np.flatnonzero(catalogue.row_of >= 0)
    row_of = np.full_like(catalogue.row_of, -1)
    row_of[keys] = np.arange(len(keys))
    # Once for no rows at all: the files must be there.
    for start in range(0, max(len(keys), 1), _BATCH):
        append(folder, shape, start, file.vectors(catalogue.row_of[keys[start : start + _BATCH]].astype(np.int64)))
    _set_rows(connection, catalogue, list(catalogue.first_of), row_of)
    _set_state(connection, shape, len(keys), catalogue.space)
    connection.execute("DELETE FROM vector_blocks")
    _note_checksums(connection, folder, shape, 0, len(keys))
    forget_changes(connection)


def wrong_rows(connection: sqlite3.Connection, folder: Path, catalogue: Catalogue) -> list[str]:
    """What is wrong with the files of vectors and the numbers that point into them, in words."""
    used = catalogue.row_of[catalogue.row_of >= 0]
    wrong: list[str] = []
    if len(used) and (used.max() >= catalogue.vector_rows or len(np.unique(used)) < len(used)):
        wrong.append("Chunks point to rows of vectors that are not there or belong to others.")
    if catalogue.space is None:
        return wrong + (["There are rows of vectors without a model."] if catalogue.vector_rows else [])
    try:
        file = VectorFile(folder, Shape(catalogue.generation, catalogue.space.dimension), catalogue.vector_rows)
    except (DamagedError, FileNotFoundError) as error:
        return [*wrong, f"The vectors cannot be read: {error}"]
    known = dict(connection.execute("SELECT block, checksum FROM vector_blocks").fetchall())
    blocks = range(-(-catalogue.vector_rows // BLOCK))
    bad = [block for block in blocks if known.get(block) != file.checksum(block)]
    return wrong + [f"The {BLOCK} vectors from row {block * BLOCK} on are not what was written." for block in bad]


def _set_rows(connection: sqlite3.Connection, catalogue: Catalogue, papers: list[int], row_of: Ints) -> None:
    for paper in papers:
        first = catalogue.first_of[paper]
        blob = row_of[first : first + catalogue.count_of[paper]].astype("<i4").tobytes()
        connection.execute("UPDATE columns SET rows = ? WHERE paper = ?", (blob, paper))


def _set_state(connection: sqlite3.Connection, shape: Shape, rows: int, space: VectorSpace | None) -> None:
    words = (space.model, space.dimension, space.text_version) if space else (None, None, None)
    connection.execute(
        "UPDATE state SET generation = ?, rows = ?, model = ?, dimension = ?, text_version = ?",
        (shape.generation, rows, *words),
    )


def _note_checksums(connection: sqlite3.Connection, folder: Path, shape: Shape, first: int, last: int) -> None:
    file = VectorFile(folder, shape, last)
    for block in range(first // BLOCK, -(-last // BLOCK)):
        connection.execute("INSERT OR REPLACE INTO vector_blocks VALUES (?, ?)", (block, file.checksum(block)))
