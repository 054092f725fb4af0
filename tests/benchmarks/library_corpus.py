"""Papers and chunks in any number for measuring stores: sentences of the real papers in ../shared/data, mixed with a
seed and their numbers changed, and vectors with the structure of real ones.

A made paper takes most of its sentences from a few real papers (its subject) and the rest from all of them, so that
terms keep real frequencies and stand together as in real papers. Digits change, so that numbers are as rare as they
are in real papers and the vocabulary grows with the corpus. A vector is the sum of its subject, its paper and its own
part, each with a spectrum that falls off, and of a mean that all share: 1,500 of them and 1,500 sentences embedded by
MiniLM are told apart by their signs alike (of the nearest ten .92 and .94 are among the 60 whose signs are nearest).

python tests/benchmarks/library_corpus.py [CHUNKS] prints a chunk and how fast they are made.
"""

import hashlib
import multiprocessing
import random
import re
import sys
import tarfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from lxml import etree

from pincite_library.model import Chunk, ChunkKind, IndexedChunk, PaperEntry
from pincite_library.ranking.fields import weighed
from pincite_library.ranking.terms import TERMS, index_terms

DIMENSION = 384
_DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
_ARCHIVES = ("plos-jats/plos_starter_corpus.tar.gz", "craft-jats/craft_articles_nxml.tar.gz")
_CHARACTERS = 800
PER_PAPER = 40
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z(])")
_DIGIT = re.compile(r"\d")
_SECTIONS = ("Introduction", "Materials and methods", "Results", "Discussion", "Conclusions")
_Floats = npt.NDArray[np.float32]
_JOURNALS = ("Physical Review B", "PLOS ONE", "Journal of Applied Physics", "Nature Communications", "Acta Materialia")
_SUBJECTS, _PARTS = 256, (0.45, 0.40, 0.52)
"""How many subjects vectors have, and the weights of subject, paper and chunk: neighbours as near as MiniLM's."""


@dataclass(frozen=True, slots=True)
class MadePaper:
    """A made paper as stores take it, and one unit vector for each of its chunks."""

    entry: PaperEntry
    text: str
    chunks: tuple[IndexedChunk, ...]
    vectors: _Floats


def papers(
    chunks: int, seed: int = 0, *, terms: bool = True, vectors: bool = True, first: int = 0, processes: int = 1
) -> Iterator[MadePaper]:
    """Papers of 40 chunks each, ``chunks`` in all, from paper number ``first`` on; the same for the same seed."""
    counts = [min(PER_PAPER, chunks - start) for start in range(0, chunks, PER_PAPER)]
    make = partial(_paper, seed=seed, terms=terms, with_vectors=vectors)
    if processes == 1:
        yield from map(make, enumerate(counts, first))
        return
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        yield from pool.imap(make, enumerate(counts, first), 4)


def sentences() -> list[list[str]]:
    """The sentences of each real paper, of 60 to 300 characters; empty where the data is absent."""
    return _sentences()


@cache
def _sentences() -> list[list[str]]:
    found: list[list[str]] = []
    for archive in _ARCHIVES:
        if not (_DATA / archive).is_file():
            continue
        with tarfile.open(_DATA / archive) as tar:
            members = sorted((m for m in tar if m.isfile() and m.name.endswith(("xml",))), key=lambda m: m.name)
            for member in members:
                file = tar.extractfile(member)
                if file is not None:
                    found.append(_of_article(file.read()))
    return [article for article in found if len(article) >= 20]


def _of_article(data: bytes) -> list[str]:
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, recover=True, huge_tree=False))
    paragraphs = (" ".join("".join(p.itertext()).split()) for p in root.iter("p"))
    return [s for text in paragraphs for s in _SENTENCE.split(text) if 60 <= len(s) <= 300]


def _paper(which: tuple[int, int], seed: int, terms: bool, with_vectors: bool) -> MadePaper:
    number, count = which
    chance = random.Random(f"{seed}/{number}")
    real = _sentences()
    subject = chance.randrange(len(real))
    near = [real[subject], *(real[chance.randrange(len(real))] for _ in range(2))]
    title = _changed(chance.choice(near[0]), chance)[:100]
    summary = [_changed(chance.choice(near[0]), chance) for _ in range(4)]
    abstract = " ".join(summary)
    of_context = _terms_of([title, *summary]) if terms else ""
    context = f"{title}\n{abstract}"
    pieces, made, at = list[str](), list[IndexedChunk](), 0
    for ordinal in range(count):
        parts = _passage(near, real, chance)
        text = " ".join(parts)
        chunk = Chunk(
            ordinal=ordinal,
            kind=kind_at(ordinal),
            section=section_at(ordinal),
            page=1 + ordinal // 4,
            start=at,
            end=at + len(text),
            text=text,
            context=context,
            described_by="headers",
        )
        made.append(IndexedChunk(chunk, weighed(_terms_of(parts), of_context) if terms else ""))
        pieces.append(text)
        at += len(text) + 2
    text = "\n\n".join(pieces)
    entry = PaperEntry(
        paper_id="sha256:" + hashlib.sha256(f"{seed}/{number}".encode()).hexdigest(),
        title=title,
        source=f"papers/{number}.pdf",
        authors=("A. Author", "B. Author"),
        year=1990 + chance.randrange(36),
        journal=chance.choice(_JOURNALS),
        abstract=abstract,
        format="pdf",
        pages=1 + count // 4,
        parser="made 1",
        chunker=f"made 1 {TERMS}",
        text_digest=hashlib.sha256(text.encode()).hexdigest(),
        chunks=count,
        added="2026-01-01T00:00:00Z",
    )
    vectors = _vectors(subject, number, seed, count) if with_vectors else np.empty((0, DIMENSION), np.float32)
    return MadePaper(entry, text, tuple(made), vectors)


def kind_at(ordinal: int) -> ChunkKind:
    """Every tenth a table, every eleventh a figure, the last two references: as in real papers."""
    if ordinal >= PER_PAPER - 2:
        return ChunkKind.REFERENCE
    if ordinal % 10 == 9:
        return ChunkKind.TABLE
    return ChunkKind.FIGURE if ordinal % 11 == 10 else ChunkKind.TEXT


def section_at(ordinal: int) -> str:
    """The heading of a paper's chunk."""
    return _SECTIONS[ordinal * len(_SECTIONS) // PER_PAPER]


def _passage(near: list[list[str]], real: list[list[str]], chance: random.Random) -> list[str]:
    parts, length = list[str](), 0
    while length < _CHARACTERS - 80:
        article = chance.choice(near) if chance.random() < 0.7 else real[chance.randrange(len(real))]
        parts.append(_changed(article[chance.randrange(len(article))], chance))
        length += len(parts[-1]) + 1
    return parts


def _terms_of(sentences: Sequence[str]) -> str:
    return " ".join(map(_terms, sentences))


@lru_cache(1 << 17)
def _terms(sentence: str) -> str:
    """Terms by the sentence: those without digits come again and again."""
    return index_terms(sentence)


def _changed(sentence: str, chance: random.Random) -> str:
    return _DIGIT.sub(lambda _: chance.choice("0123456789"), sentence)


@cache
def _frame(seed: int) -> tuple[_Floats, _Floats, _Floats, _Floats]:
    """Subjects, the mean that all share, the spectrum (standard deviations) of 384 dimensions, a rotation."""
    chance = np.random.default_rng(seed)
    spectrum = (np.arange(1, DIMENSION + 1, dtype=np.float32) + 8.0) ** -0.5
    spectrum /= np.linalg.norm(spectrum)
    subjects = chance.standard_normal((_SUBJECTS, DIMENSION)).astype(np.float32) * spectrum
    mean = chance.standard_normal(DIMENSION).astype(np.float32)
    rotation = np.linalg.qr(chance.standard_normal((DIMENSION, DIMENSION)))[0].astype(np.float32)
    return subjects, 0.25 * mean / np.linalg.norm(mean), spectrum, rotation


def _vectors(subject: int, number: int, seed: int, count: int) -> _Floats:
    subjects, mean, spectrum, rotation = _frame(seed)
    chance = np.random.default_rng((seed, number))
    of_paper = chance.standard_normal(DIMENSION).astype(np.float32) * spectrum
    own = chance.standard_normal((count, DIMENSION)).astype(np.float32) * spectrum
    mixed = _PARTS[0] * subjects[subject % _SUBJECTS] + _PARTS[1] * of_paper + _PARTS[2] * own
    turned = mixed @ rotation + mean
    return turned / np.linalg.norm(turned, axis=1, keepdims=True)


def main() -> int:
    """Print the first chunk, the mean length of chunks and their rate."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    if not _sentences():
        print(f"No articles were found under {_DATA}.", file=sys.stderr)
        return 2
    started, length = time.perf_counter(), 0
    first = None
    for paper in papers(count):
        first = first or paper
        length += sum(len(chunk.chunk.text) for chunk in paper.chunks)
    seconds = time.perf_counter() - started
    if first is not None:
        print(first.chunks[0].chunk.text, "\n\n", first.chunks[0].terms)
    print(f"{count} chunks of {length / count:.0f} characters in {seconds:.1f} s: {count / seconds:.0f} a second")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
