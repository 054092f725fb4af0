"""Small papers for stores: blocks of text become chunks, their words (as they are) the terms."""

import hashlib
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite_library.model import Chunk, ChunkKind, IndexedChunk, PaperEntry, Vectors, VectorSpace

SPACE = VectorSpace("made", 16, "1")


def paper_id(number: int) -> str:
    """An id that looks like one: different from the first digit on."""
    return "sha256:" + hashlib.sha256(str(number).encode()).hexdigest()


def paper(
    number: int, blocks: Sequence[str], *, chunk: Mapping[str, object] | None = None, **entry: object
) -> tuple[PaperEntry, str, list[IndexedChunk]]:
    """A paper whose blocks are its chunks; ``chunk`` and the other words change all chunks and the entry."""
    text = "\n\n".join(blocks)
    chunks: list[IndexedChunk] = []
    at = 0
    for ordinal, block in enumerate(blocks):
        made = Chunk(ordinal, ChunkKind.TEXT, "", None, at, at + len(block), block)
        chunks.append(IndexedChunk(replace(made, **(chunk or {})), block))
        at += len(block) + 2
    digest = hashlib.sha256(text.encode()).hexdigest()
    made_entry = PaperEntry(
        paper_id(number), f"Paper {number}", f"{number}.pdf", text_digest=digest, chunks=len(chunks)
    )
    return replace(made_entry, **entry), text, chunks


def bm25(chunks: Iterable[str], terms: Iterable[str]) -> list[float]:
    """Of each chunk (terms separated by spaces), by the book: k1 = 1.2, b = 0.75, Lucene's idf."""
    counted = [Counter(chunk.split()) for chunk in chunks]
    mean = sum(one.total() for one in counted) / len(counted)
    scores = [0.0] * len(counted)
    for term in set(terms):
        having = sum(term in one for one in counted)
        idf = math.log(1 + (len(counted) - having + 0.5) / (having + 0.5))
        for place, one in enumerate(counted):
            norm = 1.2 * (1 - 0.75 + 0.75 * one.total() / mean)
            scores[place] += idf * one[term] * 2.2 / (one[term] + norm)
    return scores


def unit_vectors(count: int, dimension: int = SPACE.dimension, seed: int = 0) -> npt.NDArray[np.float32]:
    """Unit vectors around a few centres, as embeddings lie."""
    chance = np.random.default_rng(seed)
    centres = chance.standard_normal((8, dimension))
    vectors = centres[chance.integers(0, 8, count)] + 0.5 * chance.standard_normal((count, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def in_threads(work: Callable[[int], None], count: int) -> list[BaseException]:
    """What ``work(0)``, ``work(1)``, … in threads of their own raised."""
    failed: list[BaseException] = []

    def run(number: int) -> None:
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - told to the test
            failed.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed


def write_beside(
    store: Any,
    readers: Sequence[Any],
    read: Callable[[Any], str],
    *,
    versions: int,
    papers: int,
    vacuum: Callable[[int], bool],
) -> list[str]:
    """Put ``versions`` of ``papers`` papers with 30 chunks and their vectors in turn, while ``read`` looks at every
    reader again and again; what it found wrong, or raised. ``vacuum`` tells after which versions to tidy up.
    """
    ended, wrong = threading.Event(), list[str]()

    def look(number: int) -> None:
        while not ended.is_set():
            if said := read(readers[number]):
                wrong.append(said)

    def write() -> None:
        try:
            for version in range(versions):
                number = version % papers
                store.put_paper(*paper(number, [f"word v{version} c{place}" for place in range(30)]))
                keys = tuple(one.key for one in store.chunks_of(paper_id(number)))
                store.put_vectors(SPACE, Vectors(keys, unit_vectors(30, seed=version)))
                if vacuum(version):
                    store.vacuum()
        finally:
            ended.set()

    def work(number: int) -> None:
        write() if number == len(readers) else look(number)

    return wrong + [repr(error) for error in in_threads(work, len(readers) + 1)]
