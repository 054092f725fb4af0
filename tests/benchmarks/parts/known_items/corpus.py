"""The papers of a known-item set, cut into chunks, and what their words tell."""

import hashlib
import random
import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pincite_core.errors import PinciteError
from pincite_library.chunks.cut import cut_paper
from pincite_library.model import Chunk, ChunkKind
from pincite_papers.codec import decode_paper, encode_paper
from pincite_papers.model import Paper
from pincite_papers.opening.fingerprint import parser_fingerprint
from pincite_papers.opening.source import parse_source

DATA = Path(__file__).resolve().parents[4].parent / "shared" / "data"
_ARCHIVES = ("plos-jats/plos_starter_corpus.tar.gz", "craft-jats/craft_articles_nxml.tar.gz")
_FOLDERS = ("jats-pdf-pairs", "papers-cc-by")
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")


@dataclass(frozen=True, eq=False)
class Corpus:
    """Papers and the chunks of each; chunks of the reference lists are left out."""

    papers: tuple[Paper, ...]
    chunks: tuple[tuple[Chunk, ...], ...]

    @classmethod
    def of(cls, papers: tuple[Paper, ...]) -> "Corpus":
        """The chunks as the library cuts them."""
        return cls(
            papers,
            tuple(tuple(c for c in cut_paper(paper) if c.kind is not ChunkKind.REFERENCE) for paper in papers),
        )

    @cached_property
    def all(self) -> list[tuple[str, Chunk]]:
        """All chunks with their locators."""
        pairs = zip(self.papers, self.chunks, strict=True)
        return [(chunk.locator(paper.paper_id), chunk) for paper, chunks in pairs for chunk in chunks]

    @cached_property
    def frequency(self) -> Counter[str]:
        """In how many chunks a word (lower case) stands."""
        return Counter(word for _, chunk in self.all for word in set(_WORD.findall(chunk.text.lower())))

    def weigh(self, word: str) -> int:
        """In how many chunks a word stands."""
        return self.frequency[word.lower()]


def read_papers(count: int, seed: int, folder: Path | None, data: Path = DATA) -> tuple[Paper, ...]:
    """``count`` papers drawn with a seed, the first ones the same for any count; no two with one DOI or title.

    PLOS and CRAFT articles as JATS, the others as PDF (their JATS twins would be the same papers again). ``folder``
    keeps what was parsed. FileNotFoundError when there are no data.
    """
    sources = sorted(_sources(data))
    if not sources:
        raise FileNotFoundError(f"No papers were found under {data}.")
    random.Random(f"papers {seed}").shuffle(sources)
    papers: list[Paper] = []
    known: set[str] = set()
    for name, content in sources:
        paper = _parsed(name, content, folder)
        names = {"".join(filter(str.isalnum, paper.title.lower())), paper.doi or ""} - {""} if paper else set[str]()
        if paper is None or names & known:
            continue
        known |= names
        papers.append(paper)
        if len(papers) == count:
            break
    return tuple(papers)


def _sources(data: Path) -> Iterator[tuple[str, bytes]]:
    for archive in _ARCHIVES:
        if (data / archive).is_file():
            with tarfile.open(data / archive) as members:
                for member in members:
                    file = members.extractfile(member) if member.name.endswith(("xml", "nxml")) else None
                    if file is not None:
                        yield member.name, file.read()
    for folder in _FOLDERS:
        for path in (data / folder).glob("*.pdf"):
            yield path.name, path.read_bytes()


def _parsed(name: str, content: bytes, folder: Path | None) -> Paper | None:
    kept = None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        kept = folder / f"{hashlib.sha256(content).hexdigest()[:24]}-{parser_fingerprint()}.paper"
        if kept.is_file():
            return decode_paper(kept.read_bytes())
    try:
        paper = parse_source(content, max_pages=1000)
    except PinciteError as error:
        print(f"{name} was left out: {error}")
        return None
    if kept is not None:
        kept.write_bytes(encode_paper(paper))
    return paper
