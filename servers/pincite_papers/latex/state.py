"""State: what labels name, what is collected for a float and for the front matter, how letters are read."""

from dataclasses import dataclass, field

from pincite_papers.latex.inline import Inline
from pincite_papers.latex.items import FigureItem, Item, TableItem


@dataclass(frozen=True, slots=True)
class Target:
    """What a label names: its number as a reference prints it, and its counter."""

    number: str = ""
    counter: str = ""


@dataclass(slots=True)
class Float:
    """What is collected while a figure or table is read; ``before`` counts the pictures above its caption."""

    counter: str
    caption: Inline | None = None
    label: str = ""
    graphics: list[str] = field(default_factory=list[str])
    panels: list[FigureItem] = field(default_factory=list[FigureItem])
    tables: list[TableItem] = field(default_factory=list[TableItem])
    notes: list[Inline] = field(default_factory=list[Inline])
    drawn: bool = False
    before: int = 0


@dataclass(slots=True)
class Front:
    """Title, authors and what else is printed before the text, as tokens until the document begins."""

    title: list[str] = field(default_factory=list[str])
    authors: list[tuple[str, list[str]]] = field(default_factory=list[tuple[str, list[str]]])
    keywords: list[Inline] = field(default_factory=list[Inline])
    abstract: list[Item] = field(default_factory=list[Item])
    notes: list[Inline] = field(default_factory=list[Inline])
    date: str = ""
    printed_date: str = ""
    doi: str = ""
    journal: str = ""


@dataclass(slots=True)
class Acronym:
    """The forms of one acronym, as tokens; no ``long`` one where it is always printed short."""

    short: list[str]
    long: list[str]
    shorts: list[str]
    longs: list[str]


@dataclass(slots=True)
class Acronyms:
    """The acronyms of a source by label, those spelled out already, and those that are used without a definition."""

    known: dict[str, Acronym] = field(default_factory=dict[str, Acronym])
    used: set[str] = field(default_factory=set[str])
    missing: dict[str, None] = field(default_factory=dict[str, None])
    listing: bool = False


@dataclass(slots=True)
class Mode:
    math: bool = False
    upright: bool = False
    tight: bool = False
