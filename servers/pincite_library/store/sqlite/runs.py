"""Run: postings of many terms for a range of chunks, as arrays in memory and as blocks in a table.

A block holds up to 64 terms that follow each other, or up to 512 postings: few rows to write, and little to read
for one term.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_core.errors import DamagedError

_TERMS, _POSTINGS = 64, 512
"""Terms and postings of a block. Set by judgement."""
_WIDTHS = {1: "u1", 2: "<u2", 4: "<u4"}
_MOST = 255
"""Counts are held in one byte; BM25 hardly tells higher ones apart."""

Block = tuple[str, str, bytes, bytes, bytes]
"""The first term, all terms joined by line feeds, and per term its number of postings (uint32); then per posting its
key, counted from the run's first one, and how often the chunk has the term (uint8; empty where it is always once)."""


@dataclass(frozen=True, slots=True)
class Run:
    """Terms in order, the number of postings of each, and the postings of all: key (ascending a term) and count."""

    terms: list[str]
    sizes: npt.NDArray[np.int64]
    keys: npt.NDArray[np.int64]
    counts: npt.NDArray[np.uint8]


def width_of(span: int) -> int:
    """Bytes of a key that is counted from the first of ``span`` keys."""
    return 1 if span <= 1 << 8 else 2 if span <= 1 << 16 else 4


def run_of(first: int, counted: Sequence[Counter[str]]) -> Run:
    """The run of chunks with these terms and how often they have them; their keys start at ``first``."""
    numbers: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    found, counts = list[int](), list[int]()
    for one in counted:
        found += map(numbers.__getitem__, one)
        counts += one.values()
    terms = sorted(numbers)
    ranks = np.empty(len(terms), np.int64)
    ranks[[numbers[term] for term in terms]] = np.arange(len(terms))
    of_postings = ranks[np.array(found, np.int64)]
    # The sort is stable: the keys of a term stay in order.
    order = np.argsort(of_postings, kind="stable")
    keys = np.repeat(np.arange(first, first + len(counted)), [len(one) for one in counted])[order]
    many = np.minimum(np.array(counts, np.int64), _MOST).astype(np.uint8)[order]
    return Run(terms, np.bincount(of_postings, minlength=len(terms)), keys, many)


def merged(runs: Sequence[Run]) -> Run:
    """One run of several whose keys follow each other."""
    terms = sorted(set(itertools.chain.from_iterable(run.terms for run in runs)))
    rank = {term: number for number, term in enumerate(terms)}
    ranks = [np.repeat(np.fromiter(map(rank.__getitem__, run.terms), np.int32), run.sizes) for run in runs]
    of_postings = np.concatenate(ranks)
    order = np.argsort(of_postings, kind="stable")
    keys = np.concatenate([run.keys for run in runs])[order]
    counts = np.concatenate([run.counts for run in runs])[order]
    return Run(terms, np.bincount(of_postings, minlength=len(terms)), keys, counts)


def kept(run: Run, alive: npt.NDArray[np.bool_]) -> Run:
    """The run without postings of chunks that are not alive (by key), and without terms that no chunk has."""
    stays = alive[run.keys]
    of_postings = np.repeat(np.arange(len(run.terms)), run.sizes)[stays]
    sizes = np.bincount(of_postings, minlength=len(run.terms))
    terms = [term for term, size in zip(run.terms, sizes.tolist(), strict=True) if size]
    return Run(terms, sizes[sizes > 0], run.keys[stays], run.counts[stays])


def blocks_of(run: Run, first: int, width: int) -> Iterator[Block]:
    """The blocks of a run whose keys are counted from ``first`` in ``width`` bytes."""
    ends = np.cumsum(run.sizes)
    term, start = 0, 0
    while term < len(run.terms):
        # At least one term, and no more after the postings are many.
        last = int(np.searchsorted(ends, start + _POSTINGS, "right"))
        last = min(max(last, term + 1), term + _TERMS)
        end = int(ends[last - 1])
        yield _block(run, slice(term, last), slice(start, end), first, width)
        term, start = last, end


def whole_block(run: Run, first: int, width: int) -> Block:
    """One block of all the terms of a run, which has some."""
    return _block(run, slice(None), slice(None), first, width)


def _block(run: Run, terms: slice, postings: slice, first: int, width: int) -> Block:
    counts = run.counts[postings]
    many = counts.tobytes() if len(counts) and counts.max() > 1 else b""
    keys = (run.keys[postings] - first).astype(_WIDTHS[width]).tobytes()
    words = run.terms[terms]
    return words[0], "\n".join(words), run.sizes[terms].astype("<u4").tobytes(), keys, many


def run_from(blocks: Iterable[Block], first: int, width: int) -> Run:
    """The run that was written as these blocks; DamagedError where their parts do not fit each other."""
    terms, sizes, keys, counts = list[str](), list[bytes](), list[bytes](), list[bytes]()
    for block in blocks:
        number = _checked(block, width)
        terms += block[1].split("\n")
        sizes.append(block[2])
        keys.append(block[3])
        counts.append(block[4] or b"\1" * number)
    return Run(
        terms,
        np.frombuffer(b"".join(sizes), "<u4").astype(np.int64),
        np.frombuffer(b"".join(keys), _WIDTHS[width]).astype(np.int64) + first,
        np.frombuffer(b"".join(counts), np.uint8),
    )


def postings_in(
    block: Block, term: str, first: int, width: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]] | None:
    """Keys and counts of a term in the block that has it if any has."""
    terms = f"\n{block[1]}\n"
    at = terms.find(f"\n{term}\n")
    if at < 0:
        return None
    number = terms.count("\n", 0, at)
    sizes = np.frombuffer(block[2], "<u4", number + 1)
    start, size = int(sizes[:number].sum()), int(sizes[number])
    try:
        keys = np.frombuffer(block[3], _WIDTHS[width], size, start * width).astype(np.int64) + first
        counts = np.frombuffer(block[4], np.uint8, size, start) if block[4] else np.ones(size, np.uint8)
    except ValueError as error:
        raise _damaged(block) from error
    return keys, counts


def _checked(block: Block, width: int) -> int:
    """The number of a block's postings; DamagedError where its parts do not fit each other."""
    sizes = np.frombuffer(block[2][: len(block[2]) // 4 * 4], "<u4")
    number = int(sizes.sum())
    whole = len(sizes) == block[1].count("\n") + 1 and len(block[2]) == 4 * len(sizes)
    if not whole or len(block[3]) != number * width or len(block[4]) not in (0, number):
        raise _damaged(block)
    return number


def _damaged(block: Block) -> DamagedError:
    return DamagedError(
        "The index of terms is damaged.", seen=f"the block from {block[0]!r}", next="Ingest the papers again."
    )
