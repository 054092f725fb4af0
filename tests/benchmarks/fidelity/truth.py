"""Truth: what a publisher's XML says a paper contains."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TruthCell:
    """A table cell of the XML: its origin on the grid, spans and raw text."""

    row: int
    column: int
    row_span: int
    column_span: int
    text: str


@dataclass(frozen=True, slots=True)
class TruthTable:
    """A table of the XML: label ("" if none), caption ("" if none) and the cells, empty ones included."""

    label: str
    caption: str
    cells: tuple[TruthCell, ...]


@dataclass(slots=True)
class TruthFigure:
    """A figure: label ("" if none) and caption; in our own papers also page, box in points, and plotted points."""

    label: str
    caption: str
    page: int | None = None
    bbox: tuple[float, float, float, float] | None = None
    series: list[list[list[float]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TruthReference:
    """An entry of the reference list: the title of the work, the first author's surname, DOI ("" where absent)."""

    title: str
    surname: str
    doi: str


@dataclass(frozen=True, slots=True)
class TruthFront:
    """The front matter of the XML; ``authors`` as given and family name, ``years`` all that it dates the article to."""

    title: str
    authors: tuple[str, ...]
    doi: str
    journal: str
    years: tuple[int, ...]
    keywords: tuple[str, ...]


@dataclass(slots=True)
class Truth:
    """One article: paragraphs and headings in document order, floats, references.

    ``untitled`` are titles that print may give to parts without one, ``outside`` paragraphs that print may set among
    the others (see ``elsewhere``); ``front`` and ``cited`` (how often each reference is) are None where none is told.
    """

    paragraphs: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    figures: list[TruthFigure] = field(default_factory=list)
    tables: list[TruthTable] = field(default_factory=list)
    references: list[TruthReference] = field(default_factory=list)
    untitled: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    front: TruthFront | None = None
    cited: Counter[int] | None = None
