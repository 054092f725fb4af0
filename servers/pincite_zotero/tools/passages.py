"""grep_items: where a text stands in the files of a collection."""

from typing import Annotated, Any, NotRequired

from mcp.server.mcpserver import Context
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import PinciteError
from pincite_core.paging import decode_cursor, encode_cursor
from pincite_core.patterns import FoldedText, find_literal, find_regex
from pincite_papers import doubts
from pincite_papers.model import Paper
from pincite_papers.passages import PerPaper, locate, section_at
from pincite_zotero.choosing import choose, files_of
from pincite_zotero.model import Entry, ZoteroSource, item_key, pdf_link
from pincite_zotero.state import ZoteroState
from pincite_zotero.tools.listing import InCollection, Query

_MOST_FILES = 25
"""Files read by one call, of about a second each; the next call goes on; set by judgement: clients end long calls."""
_MOST_HITS = 30
"""Hits after which a call ends with the file it reads; set by judgement: with contexts about 10,000 characters."""
_MOST_A_FILE = 5
"""Hits of one file that are shown, so that one paper does not crowd out the others; set by judgement."""
_CONTEXT = 100
"""Characters around a hit."""


class ItemHit(TypedDict):
    """A place: ``link`` opens Zotero's reader at its page."""

    item: str
    title: str
    file: str
    locator: str
    link: str
    section: str
    quote: str
    context: str
    unreliable: NotRequired[str]


class ItemHits(TypedDict):
    """``searched`` of ``files`` were read so far; ``unread`` names those that could not be, with the reason: what they
    hold is not known. ``more`` counts further hits by file key, of which the first are shown."""

    hits: list[ItemHit]
    searched: int
    files: int
    unread: list[str]
    more: NotRequired[dict[str, int]]
    next_cursor: str | None


async def grep_items(
    state: ZoteroState,
    pattern: Annotated[str, Field(min_length=1, description="Text, or an RE2 expression with regex")],
    collection: InCollection = "",
    query: Query = "",
    item: Annotated[str, Field(description="Only the files of this item")] = "",
    regex: bool = False,
    cursor: str = "",
    *,
    calling: Context[Any, Any] | None = None,
) -> ItemHits:
    """Find a text in the papers of a Zotero collection, or of the items that a query finds."""
    source = await state.source()
    asked = ("grep_items", source.name, pattern, collection, query, item, regex)
    start = decode_cursor(cursor, *asked)
    files = await _files(source, collection, query, item)
    made = ItemHits(hits=[], searched=start, files=len(files), unread=[], next_cursor=None)
    more: dict[str, int] = {}
    for owner, file in files[start : start + _MOST_FILES]:
        if len(made["hits"]) >= _MOST_HITS:
            break
        made["searched"] += 1
        if calling is not None:
            await calling.report_progress(made["searched"], len(files), f"reading {file.text('filename')}")
        try:
            paper = await state.open(file, calling)
        except PinciteError as error:
            made["unread"].append(f"{file.text('filename') or file.key}: {error.what}")
            continue
        spans = _spans(paper, pattern, regex=regex)
        made["hits"] += [_hit(source, owner, file, paper, span) for span in spans[:_MOST_A_FILE]]
        if len(spans) > _MOST_A_FILE:
            more[file.key] = len(spans) - _MOST_A_FILE
    if more:
        made["more"] = more
    if made["searched"] < len(files):
        made["next_cursor"] = encode_cursor(made["searched"], *asked)
    return made


async def _files(source: ZoteroSource, collection: str, query: str, item: str) -> list[tuple[Entry, Entry]]:
    """The files to read, each with its item."""
    chosen = [await source.entry(item_key(item))] if item else await choose(source, query=query, collection=collection)
    return [(owner, file) for owner in chosen for file in await files_of(source, owner)]


folded = PerPaper(lambda paper: FoldedText.of(paper.text))
"""The paper's text made comparable."""


def _spans(paper: Paper, pattern: str, *, regex: bool) -> list[tuple[int, int]]:
    found = find_regex(paper.text, pattern) if regex else find_literal(folded.of(paper), doubts.bare(pattern))
    return list(found)


def _hit(source: ZoteroSource, owner: Entry, file: Entry, paper: Paper, span: tuple[int, int]) -> ItemHit:
    start, end = span
    hit = ItemHit(
        item=owner.key,
        title=owner.title,
        file=file.key,
        locator=locate(paper, start, end),
        link=pdf_link(source.library, file.key, page=paper.page_at(start)),
        section=section_at(paper, start),
        quote=doubts.show(paper, start, end),
        context=doubts.show(paper, max(start - _CONTEXT, 0), min(end + _CONTEXT, len(paper.text))),
    )
    unreliable = doubts.note(paper, start, end)
    if unreliable:
        hit["unreliable"] = unreliable
    return hit
