"""VectorFile: unit vectors in two flat files, searched by their signs first and by 16-bit values after.

Both files start with 64 bytes: the magic ``PINCVEC1``, then 32-bit numbers: which file (1 signs, 2 values), generation,
dimension, rows a block; the rest is zero. All numbers are little-endian. Blocks of 1,024 rows follow, the last one cut
off after its last row (values) or filled up with zeros (signs). In the values file a row is its scale (float32) and
then ``dimension`` int16 numbers: the vector is scale times numbers. In the signs file a block is a matrix of 64-bit
words, ``ceil(dimension / 64)`` lines of 1,024 columns: column ``r`` holds the sign bits of row ``r`` (1 for above
zero), so that one instruction handles the same word of many rows.

Which rows are valid, to which chunks they belong and their checksums stand in the SQLite file beside: bytes past the
last valid row are what a killed writer left, and the next one writes over them.
"""

import os
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pincite_core.durable import sync_folder
from pincite_core.errors import DamagedError

BLOCK = 1024
"""Vectors whose signs stand together, so that one pass over memory compares them."""
HEADER = 64
"""Bytes of the file's head."""
_MAGIC = b"PINCVEC1"
_KINDS = {"signs": 1, "values": 2}
_STEP = 32
"""Blocks compared at a time: their words fit into the caches."""
_CANDIDATES, _LEAST = 8192 * 384, 1024
"""How many numbers of the rows that the signs choose are compared, and the least number of rows: signs of short vectors
tell less. Of 200,000 rows of 384 numbers that is 8,192, where all of the nearest ten were found for near and distant
queries, filtered ones too; 1,024 missed 4 % for distant ones (``tests/benchmarks/library_latency.py``).
"""

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shape:
    """What a pair of files is: its generation and the dimension of its vectors."""

    generation: int
    dimension: int

    @property
    def words(self) -> int:
        """64-bit words of signs a row."""
        return -(-self.dimension // 64)

    @property
    def row_bytes(self) -> int:
        """Bytes of a row of values."""
        return 4 + 2 * self.dimension

    def path(self, folder: Path, kind: str) -> Path:
        """The file of this kind, "signs" or "values"."""
        return folder / f"vectors-{self.generation:06d}.{kind}"

    def header(self, kind: str) -> bytes:
        """The 64 bytes that the file starts with."""
        numbers = np.array([_KINDS[kind], self.generation, self.dimension, BLOCK], "<u4").tobytes()
        return (_MAGIC + numbers).ljust(HEADER, b"\0")


class VectorFile:
    """The first ``rows`` rows of a pair of files, mapped for reading; an older view stays good beside a writer."""

    def __init__(self, folder: Path, shape: Shape, rows: int) -> None:
        self.shape = shape
        self.rows = rows
        blocks = -(-rows // BLOCK)
        signs = _mapped(shape.path(folder, "signs"), shape.header("signs"), blocks * shape.words * BLOCK * 8)
        values = _mapped(shape.path(folder, "values"), shape.header("values"), rows * shape.row_bytes)
        self._signs = signs.view("<u8").reshape(blocks, shape.words, BLOCK)
        self._values = values.view("<i2").reshape(rows, shape.row_bytes // 2)

    def nearest(self, vector: Floats, k: int, allowed: npt.NDArray[np.bool_]) -> tuple[Rows, Floats]:
        """The ``k`` allowed rows with the largest product with a unit vector, best first, and the products."""
        most = max(_CANDIDATES // self.shape.dimension, _LEAST, 8 * k)
        passing = np.count_nonzero(allowed)
        chosen = np.flatnonzero(allowed) if passing <= most else self._by_signs(vector, most, allowed)
        products = self._products(chosen, vector)
        best = np.argsort(-products, kind="stable")[:k]
        return chosen[best], products[best]

    def vectors(self, rows: Rows) -> Floats:
        """These rows as float32."""
        taken = self._values[rows]
        return taken[:, 2:].astype(np.float32) * _scales(taken)

    def checksum(self, block: int) -> int:
        """CRC-32 of the valid rows of a block: their values, then their signs line by line."""
        first, last = block * BLOCK, min((block + 1) * BLOCK, self.rows)
        signs = np.ascontiguousarray(self._signs[block, :, : last - first])
        return zlib.crc32(signs.tobytes(), zlib.crc32(self._values[first:last].tobytes()))

    def _products(self, rows: Rows, vector: Floats) -> Floats:
        taken = self._values[rows]
        # Not by BLAS: its threads wait for each other where other searches or a parser keep the processors busy.
        return np.einsum("ij,j->i", taken[:, 2:], vector) * _scales(taken)[:, 0]

    def _by_signs(self, vector: Floats, count: int, allowed: npt.NDArray[np.bool_]) -> Rows:
        """The ``count`` allowed rows whose signs differ least from the vector's."""
        query = _packed(vector[None, :])
        blocks = len(self._signs)
        differing = np.empty(blocks * BLOCK, np.uint16)
        for first in range(0, blocks, _STEP):
            words = self._signs[first : first + _STEP] ^ query.T
            counts = np.bitwise_count(words).sum(axis=1, dtype=np.uint16)
            differing[first * BLOCK : first * BLOCK + counts.size] = counts.ravel()
        differing = differing[: self.rows]
        differing[~allowed] = self.shape.dimension + 1
        histogram = np.bincount(differing, minlength=self.shape.dimension + 1)
        bound = int(np.searchsorted(np.cumsum(histogram), count))
        return np.flatnonzero(differing <= min(bound, self.shape.dimension))


def append(folder: Path, shape: Shape, rows: int, matrix: Floats) -> None:
    """Write vectors after the first ``rows`` rows and flush them to the disk; what stood there is written over."""
    largest = np.abs(matrix).max(axis=1, keepdims=True, initial=0.0)
    scales = np.where(largest > 0, largest / 32767, 1).astype("<f4")
    numbers = np.rint(matrix / scales).astype("<i2")
    lines = np.concatenate([scales.view(np.uint8), numbers.view(np.uint8)], axis=1)
    with _opened(shape.path(folder, "values"), shape.header("values")) as file:
        _write(file, HEADER + rows * shape.row_bytes, lines.tobytes())
    with _opened(shape.path(folder, "signs"), shape.header("signs")) as file:
        _write_signs(file, shape, rows, _packed(matrix))
    sync_folder(folder)


def remove_before(folder: Path, generation: int) -> None:
    """Remove the files of earlier generations; readers that have them open go on."""
    for path in folder.glob("vectors-*.*"):
        number = path.stem.removeprefix("vectors-")
        if path.suffix in (".signs", ".values") and number.isdecimal() and int(number) < generation:
            path.unlink(missing_ok=True)


def _scales(taken: npt.NDArray[np.int16]) -> Floats:
    """The scales at the start of rows of values, shape (n, 1)."""
    return np.ascontiguousarray(taken[:, :2]).view("<f4")


def _packed(matrix: Floats) -> npt.NDArray[np.uint64]:
    """Sign bits of each row in 64-bit words, shape (rows, words)."""
    words = -(-matrix.shape[1] // 64)
    bits = np.zeros((len(matrix), words * 64), np.bool_)
    bits[:, : matrix.shape[1]] = matrix > 0
    return np.packbits(bits, axis=1, bitorder="little").view("<u8")


def _write_signs(file: int, shape: Shape, rows: int, words: npt.NDArray[np.uint64]) -> None:
    """Write words of signs into their columns, a block at a time; new blocks are filled up with zeros."""
    done = 0
    while done < len(words):
        block, column = divmod(rows + done, BLOCK)
        part = words[done : done + BLOCK - column]
        start = HEADER + block * shape.words * BLOCK * 8
        if column == 0:
            whole = np.zeros((shape.words, BLOCK), "<u8")
            whole[:, : len(part)] = part.T
            _write(file, start, whole.tobytes())
        else:
            for word in range(shape.words):
                _write(file, start + (word * BLOCK + column) * 8, np.ascontiguousarray(part[:, word]).tobytes())
        done += len(part)


@contextmanager
def _opened(path: Path, header: bytes) -> Generator[int]:
    """A file open for writing with its header in place, flushed to the disk at the end."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if os.pread(file, HEADER, 0) != header:
            _write(file, 0, header)
        yield file
        os.fsync(file)
    finally:
        os.close(file)


def _write(file: int, offset: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(file, view, offset)
        view, offset = view[written:], offset + written


def _mapped(path: Path, header: bytes, size: int) -> npt.NDArray[np.uint8]:
    """The first ``size`` bytes after the header, mapped; DamagedError when the file is another one or too short."""
    with path.open("rb") as file:
        seen, length = file.read(HEADER), os.fstat(file.fileno()).st_size
        if seen != header or length < HEADER + size:
            raise DamagedError(
                f"The file of vectors {path.name} is damaged.",
                seen=f"{length} bytes where {HEADER + size} belong" if seen == header else "another header",
                next="Drop the vectors and embed the library again.",
            )
        if size == 0:
            return np.empty(0, np.uint8)
        # As a plain array: taking rows of the other class costs more.
        return np.asarray(np.memmap(file, np.uint8, "r", offset=HEADER, shape=(size,)))
