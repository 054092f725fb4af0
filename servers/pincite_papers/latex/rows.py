"""Rows: a table while it is read."""

from dataclasses import dataclass, field

from pincite_papers.latex.inline import Inline


@dataclass(slots=True)
class Column:
    """A column: cells in math, cells that are siunitx numbers, what is printed before it (``@{.}``) if anything."""

    math: bool = False
    number: bool = False
    before: Inline | None = None


@dataclass(slots=True)
class DraftCell:
    """A cell: the column it begins in, how many columns and rows it spans (rows upwards if negative)."""

    content: Inline
    column: int
    columns: int = 1
    rows: int = 1


@dataclass(slots=True)
class Rows:
    """The rows of a table as read, and before which of them a rule stands."""

    columns: list[Column]
    rows: list[list[DraftCell]] = field(default_factory=list[list[DraftCell]])
    rules: set[int] = field(default_factory=set[int])
    header: int = 0
