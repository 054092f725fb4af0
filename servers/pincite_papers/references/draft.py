"""ReferenceDraft: one entry of a reference list."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReferenceDraft:
    """The lines ``start`` to ``end`` (exclusive) of the section; ``key`` is the printed number or "Smith 2020".

    ``doi``, ``arxiv`` and ``pmid`` are the identifiers printed in the entry.
    """

    key: str
    start: int
    end: int
    doi: str | None = None
    arxiv: str | None = None
    pmid: str | None = None
