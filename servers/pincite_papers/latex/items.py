"""Items: what the reading of a source leaves, in order, before numbers of references are known."""

from dataclasses import dataclass, field

from pincite_papers.latex.inline import Inline
from pincite_papers.model import BlockKind


@dataclass(slots=True)
class BlockItem:
    """A paragraph, list item, equation, footnote and the like."""

    kind: BlockKind
    content: Inline


@dataclass(slots=True)
class CodeItem:
    """Verbatim lines."""

    text: str


@dataclass(slots=True)
class LinesItem:
    """Lines of pseudocode: indent and content of each."""

    lines: list[tuple[str, Inline]]


@dataclass(slots=True)
class HeadingItem:
    """A heading of a section: level from 1, printed number."""

    content: Inline
    level: int
    number: str


@dataclass(slots=True)
class CellItem:
    """A cell of a table."""

    row: int
    column: int
    content: Inline
    row_span: int = 1
    column_span: int = 1
    header: bool = False


@dataclass(slots=True)
class TableItem:
    """A table with its printed label ("Table 2"), caption (label included) and notes."""

    cells: list[CellItem]
    label: str = ""
    caption: Inline | None = None
    notes: list[Inline] = field(default_factory=list[Inline])


@dataclass(slots=True)
class PanelItem:
    """A panel of a figure."""

    letter: str
    caption: Inline | None


@dataclass(slots=True)
class FigureItem:
    """A figure with its printed label, caption (label included), picture files as named and panels."""

    label: str = ""
    caption: Inline | None = None
    graphics: list[str] = field(default_factory=list[str])
    panels: list[PanelItem] = field(default_factory=list[PanelItem])


@dataclass(slots=True)
class ReferenceItem:
    """An entry of the reference list: ``tag`` is the optional label of its ``\\bibitem``, ``links`` its addresses."""

    anchor: str
    content: Inline
    tag: str = ""
    links: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class FrontMark:
    """Where the title and authors are printed."""


@dataclass(slots=True)
class BibliographyMark:
    """Where the reference list is printed that has to be made from .bib files."""


Item = (
    BlockItem
    | CodeItem
    | LinesItem
    | HeadingItem
    | TableItem
    | FigureItem
    | ReferenceItem
    | FrontMark
    | BibliographyMark
)
