"""ReportClaim: what a report says that a source can bear out, and where it says it."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["quote", "value", "citation", "reference", "statement"]


@dataclass(frozen=True, slots=True)
class Cited:
    """What a claim is said to rest on, as the report names it at ``start``: the key of an entry of its reference list
    (``1``, ``nakagawa2026``), a DOI, or the family name of a first author."""

    name: str
    kind: Literal["key", "doi", "author", "locator"]
    start: int


@dataclass(frozen=True, slots=True)
class ReportClaim:
    """``text[start:end]`` of the report's plain text.

    ``words`` is the quotation without its marks, the number as printed, or the reference. ``cited`` is named in its
    own sentence; ``cited_near`` before it in the paragraph or section, where its sentence names nothing.
    """

    kind: Kind
    start: int
    end: int
    words: str
    cited: tuple[Cited, ...] = ()
    cited_near: tuple[Cited, ...] = ()
    unit: str = ""
