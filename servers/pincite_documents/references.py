"""list_references: the entries of the reference list."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_core.patterns import FoldedText, find_literal
from pincite_papers import doubts
from pincite_papers.arguments import Cursor, MaxChars
from pincite_papers.model import Paper, Reference
from pincite_papers.passages import locate, trim

_FRAME_CHARS = 200
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_MOST_ON_A_PAGE = 100
"""Entries of one page, whatever ``max_chars`` allows. Set by judgement."""
_LONGEST_ENTRY = 2000
"""Characters of one entry that are shown."""


class ReferenceEntry(TypedDict):
    """An entry: its printed number or key, and its text, which is what ``locator`` names."""

    key: str
    text: str
    locator: str
    cut: NotRequired[str]
    unreliable: NotRequired[str]
    doi: NotRequired[str]
    arxiv: NotRequired[str]
    pmid: NotRequired[str]


class References(TypedDict):
    """Entries in printed order; ``total`` counts those that fit the query."""

    total: int
    references: list[ReferenceEntry]
    next_cursor: str | None


def list_references(
    paper: Paper,
    query: Annotated[str, Field(description="Only entries with this text or key")] = "",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> References:
    """List the paper's references with their DOI, arXiv and PubMed identifiers."""
    call = ("list_references", paper.paper_id, paper.parser, query)
    start = decode_cursor(cursor, *call)
    fitting = [reference for reference in paper.references if _fits(paper, reference, query)]
    shown, after = fill_page(
        fitting,
        start,
        lambda reference: _entry(paper, reference, min(_LONGEST_ENTRY, max_chars // 2)),
        max_chars=max_chars - _FRAME_CHARS,
        max_items=_MOST_ON_A_PAGE,
    )
    return References(
        total=len(fitting),
        references=shown,
        next_cursor=encode_cursor(after, *call) if after < len(fitting) else None,
    )


def _fits(paper: Paper, reference: Reference, query: str) -> bool:
    wanted = doubts.bare(query).strip().strip("[]")
    if not wanted or wanted == reference.key:
        return True
    if wanted.isdigit() and len(wanted) < 4:
        return False
    entry = FoldedText.of(paper.text[reference.start : reference.end])
    return next(find_literal(entry, wanted), None) is not None


def _entry(paper: Paper, reference: Reference, longest: int) -> ReferenceEntry:
    start, whole = trim(paper.text, reference.start, reference.end)
    end = min(whole, start + longest)
    entry = ReferenceEntry(key=reference.key, text=doubts.show(paper, start, end), locator=locate(paper, start, end))
    if end < whole:
        entry["cut"] = f"the entry goes on to {whole}: read its page or section"
    unreliable = doubts.note(paper, start, end)
    if unreliable:
        entry["unreliable"] = unreliable
    if reference.doi:
        entry["doi"] = reference.doi
    if reference.arxiv:
        entry["arxiv"] = reference.arxiv
    if reference.pmid:
        entry["pmid"] = reference.pmid
    return entry
