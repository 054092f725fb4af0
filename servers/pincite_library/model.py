"""What a library holds: papers and their chunks, and what a search in it says."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from pincite_core.locator import digits_of, short_form
from pincite_papers.model import Span

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


FRONT_LABELS = frozenset({"Title page", "Footnote"})
"""Labels of chunks of text that are not running text: title, authors and affiliations; notes."""


class ChunkKind(StrEnum):
    """What a chunk is made of."""

    TEXT = "text"
    """Paragraphs of one section, with the lists, equations and code between them; abstract and title too."""
    TABLE = "table"
    """A whole table, or a group of its rows with the header repeated."""
    FIGURE = "figure"
    """A figure's caption, the text inside it and a description."""
    REFERENCE = "reference"
    """Entries of the reference list: found when asked for, never among the passages by default."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage as it is shown, located in the canonical text of its paper (code points, end exclusive).

    Where ``exact`` is true, ``text`` is the canonical ``text[start:end]`` and may be quoted; else it was composed
    (a table's caption, header and rows) from the ranges in ``spans``, and ``start`` to ``end`` is the main one of them.
    """

    ordinal: int
    """Place in the paper, from 0 in reading order."""
    kind: ChunkKind
    section: str
    """The headings above it as printed, outermost first ("2 Methods > 2.1 Cells"), "" where there is none."""
    page: int | None
    start: int
    end: int
    text: str
    exact: bool = True
    label: str = ""
    """Of a table or figure as printed: "Table 2"; of text that is not running text one of ``FRONT_LABELS``."""
    rows: tuple[int, int] | None = None
    """First and last row (from 0, as ``Cell.row``) of a group of rows; None for a whole table."""
    context: str = ""
    """What stands before ``text`` when it is indexed and embedded: title, abstract, caption, description."""
    described_by: str = ""
    """Who wrote the description in ``context``: "headers" (the deterministic one), a model's name, "" for none."""
    spans: tuple[Span, ...] = ()
    """Every canonical range that ``text`` was made from; empty for an exact chunk."""

    def ranges(self) -> list[tuple[int, int]]:
        """The canonical ranges that it was made from, in order: one for an exact chunk."""
        return sorted((span.start, span.end) for span in self.spans) or [(self.start, self.end)]

    def shares(self, start: int, end: int) -> int:
        """How many characters of ``text[start:end]`` it was made from."""
        return sum(max(min(end, high) - max(start, low), 0) for low, high in self.ranges())

    def locator(self, paper_id: str) -> str:
        """The short locator, which is also the chunk's id: ``pc:3f9a0c1d#p4:1021-1088``."""
        return short_form(digits_of(paper_id), self.page, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Marks:
    """What a paper's text is marked with, by offsets in it: pages, unreliable characters, what OCR read."""

    page_starts: tuple[int, ...] = ()
    """Where each page starts, from the first; empty for a source without pages."""
    suspects: tuple[tuple[int, int], ...] = ()
    """As ``Paper.suspects``: start and end of ranges whose characters are unreliable."""
    recognised: tuple[tuple[int, int, float], ...] = ()
    """As ``Paper.recognised``: start, end and confidence (0 to 1) of what OCR read."""

    def page_at(self, offset: int) -> int | None:
        """The number of the page, from 1, on which the character at ``offset`` stands; None without pages."""
        return max(bisect_right(self.page_starts, offset), 1) if self.page_starts else None


@dataclass(frozen=True, slots=True)
class PaperEntry:
    """A paper of the library, without its text."""

    paper_id: str
    title: str
    source: str
    """Path or address that it was read from."""
    authors: tuple[str, ...] = ()
    year: int | None = None
    journal: str = ""
    doi: str | None = None
    abstract: str = ""
    format: str = ""
    pages: int = 0
    parser: str = ""
    """The parser and its version, as ``Paper.parser``."""
    chunker: str = ""
    """Version of chunks, contexts and terms: what differs is made again by the next ingest."""
    text_digest: str = ""
    """SHA-256 of the canonical text, hexadecimal."""
    chunks: int = 0
    added: str = ""
    """When it was last ingested, ISO 8601 in UTC."""
    warnings: tuple[str, ...] = ()
    marks: Marks = Marks()
    """Every store keeps them: by them what exact search finds in the text is located and marked."""


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk with what an index needs of it: ``terms`` of ``context`` and ``text`` as ``ranking.terms`` makes them."""

    chunk: Chunk
    terms: str


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk that came out of a store: ``key`` is the store's own number for it, good until its paper changes."""

    key: int
    paper_id: str
    chunk: Chunk

    @property
    def locator(self) -> str:
        """The chunk's id, which is its short locator."""
        return self.chunk.locator(self.paper_id)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which chunks may be found; an empty filter lets all pass. All given ones must hold."""

    papers: frozenset[str] = frozenset()
    """Paper ids."""
    years: tuple[int | None, int | None] = (None, None)
    """First and last year, both inclusive; a paper without a year passes no bound."""
    journal: str = ""
    """Part of the journal's name, case ignored."""
    section: str = ""
    """Part of the headings above (``Chunk.section``), case ignored: "methods" finds what stands in subsections too."""
    kinds: frozenset[ChunkKind] = frozenset({ChunkKind.TEXT, ChunkKind.TABLE, ChunkKind.FIGURE})


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk's key and its score in one ranking; higher is better."""

    key: int
    score: float


@dataclass(frozen=True, slots=True)
class Segment:
    """Whole blocks of a paper's canonical text: what exact search looks through, so that no match is cut."""

    paper_id: str
    start: int
    content: str | Callable[[], str] = field(repr=False)
    """The text, or what reads it as long as the store's iterator of segments goes on: most are only counted in."""
    lowered: bytes = b""
    """``segments.lowered(text)`` in UTF-8; empty where the store does not keep it."""

    @property
    def text(self) -> str:
        """The part of the canonical text."""
        return self.content if isinstance(self.content, str) else self.content()


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """What the vectors of a library were made with: vectors of another space are refused."""

    model: str
    dimension: int
    text_version: str
    """Version of the text that is embedded (contexts and prefixes)."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """Unit vectors, float32 of shape (n, dimension), for the chunks with these keys."""

    keys: tuple[int, ...]
    matrix: "npt.NDArray[np.float32]" = field(repr=False)
