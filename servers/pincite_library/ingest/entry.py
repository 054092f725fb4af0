"""The entry of a paper in a library, made from the parsed paper and from what was learned where it was fetched."""

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pincite_library.ingest.journal import now
from pincite_library.marks import marks_of
from pincite_library.model import PaperEntry
from pincite_literature.standing import STATUS
from pincite_papers.model import BlockKind

if TYPE_CHECKING:
    from pincite_papers.model import Paper

_ABSTRACT = 5_000
"""Characters of an abstract that the entry holds."""
_WARNINGS = 20
"""Warnings of the parser that the entry holds."""


def entry_of(
    paper: "Paper", *, source: str, chunker: str, chunks: int, record: Mapping[str, str] | None = None
) -> PaperEntry:
    """The entry of a paper. ``record``: title, doi, published (a date) and status: for what its file leaves out."""
    known = record or {}
    year = known.get("published", "")[:4]
    return PaperEntry(
        paper_id=paper.paper_id,
        title=paper.title or known.get("title", ""),
        source=source,
        authors=paper.authors,
        year=paper.year or (int(year) if year.isdecimal() else None),
        journal=paper.journal or "",
        doi=paper.doi or known.get("doi"),
        abstract=abstract_of(paper),
        format=paper.format.value,
        pages=len(paper.pages),
        parser=paper.parser,
        chunker=chunker,
        text_digest=hashlib.sha256(paper.text.encode()).hexdigest(),
        chunks=chunks,
        added=now(),
        warnings=(*([f"{STATUS}{known['status']}"] if known.get("status") else []), *paper.warnings)[:_WARNINGS],
        marks=marks_of(paper),
    )


def abstract_of(paper: "Paper") -> str:
    """The abstract as it stands in the paper, at most 5,000 characters; "" where none is marked."""
    parts = [paper.text[block.start : block.end] for block in paper.blocks if block.kind is BlockKind.ABSTRACT]
    return "\n".join(parts)[:_ABSTRACT]
