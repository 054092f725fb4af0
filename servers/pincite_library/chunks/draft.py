"""Draft: a chunk before it has its place, its section and its context."""

from dataclasses import dataclass
from enum import Enum, auto

from pincite_library.model import ChunkKind
from pincite_papers.model import Span


class Role(Enum):
    """What a chunk of text is to its paper: that decides its context."""

    TITLE = auto()
    """Holds the title."""
    FRONT = auto()
    """Authors, affiliations and notes."""
    ABSTRACT = auto()
    BODY = auto()
    REFERENCES = auto()


@dataclass(frozen=True, slots=True)
class Draft:
    """A range of the canonical text and, where it is not shown as it stands, the text composed from ``spans``."""

    kind: ChunkKind
    start: int
    end: int
    text: str = ""
    label: str = ""
    rows: tuple[int, int] | None = None
    spans: tuple[Span, ...] = ()
    description: str = ""
    """What headers, units and labels say of a table or figure, in a line."""
    part: str = ""
    """Which rows of a table these are: "Rows 3 to 9 of 40."."""
    whole: str = ""
    """The whole table or figure as text: what a model is given to describe. Empty for other kinds."""
    role: Role = Role.BODY
