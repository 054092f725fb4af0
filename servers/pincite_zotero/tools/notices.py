"""tag_notices: which items were retracted or corrected, and tags that say so in Zotero."""

from typing import Annotated, Any, NotRequired

from mcp.server.mcpserver import Context
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import NotFoundError
from pincite_core.paging import decode_cursor, encode_cursor
from pincite_provenance.status.publication_status import PublicationStatus, publication_status
from pincite_zotero.choosing import choose
from pincite_zotero.model import Entry
from pincite_zotero.state import ZoteroState
from pincite_zotero.tools.listing import InCollection, Query

_MOST_ITEMS = 25
"""Items that one call asks the sources about; the next call goes on. Set by judgement: a work takes about a second."""


class ItemNotice(TypedDict):
    """An item with a notice; ``tags`` are those that say so, ``tagged`` whether they were added to it now."""

    item: str
    title: str
    doi: str
    summary: str
    tags: list[str]
    tagged: NotRequired[bool]


class ItemNotices(TypedDict):
    """``unknown``: items of which nobody who would know could be asked, or that have no DOI; it is never a "no"."""

    noticed: list[ItemNotice]
    asked: int
    unknown: list[str]
    next_cursor: str | None


async def tag_notices(
    state: ZoteroState,
    collection: InCollection = "",
    query: Query = "",
    write: Annotated[bool, Field(description="Add the tags; Zotero asks the user for consent first")] = False,
    cursor: str = "",
    *,
    calling: Context[Any, Any] | None = None,
) -> ItemNotices:
    """Ask which items of the Zotero library were retracted, corrected or put in doubt, and tag them."""
    source = await state.writable() if write else await state.source()
    asked = ("tag_notices", source.name, collection, query)
    start = decode_cursor(cursor, *asked)
    items = await choose(source, query=query, collection=collection)
    made = ItemNotices(noticed=[], asked=0, unknown=[], next_cursor=None)
    found: dict[str, Entry] = {}
    for done, entry in enumerate(items[start : start + _MOST_ITEMS], start=start + 1):
        if calling is not None:
            await calling.report_progress(done, len(items), f"asking about {entry.title[:60]}")
        notice = await _notice(state, entry, made)
        if notice is not None:
            made["noticed"].append(notice)
            found[entry.key] = entry
    if start + _MOST_ITEMS < len(items):
        made["next_cursor"] = encode_cursor(start + _MOST_ITEMS, *asked)
    if write:
        await _tag(state, made["noticed"], found)
    return made


async def _notice(state: ZoteroState, entry: Entry, made: ItemNotices) -> ItemNotice | None:
    """What became of an item, None where there is no notice; one of which nothing is known is named in ``made``."""
    if not entry.doi:
        made["unknown"].append(f"{entry.key} {entry.title[:80]}: no DOI")
        return None
    made["asked"] += 1
    try:
        status = await publication_status(state.provenance, entry.doi)
    except NotFoundError as error:
        made["unknown"].append(f"{entry.key} {entry.title[:80]}: {error.what}")
        return None
    if status["retracted"] == "unknown":
        made["unknown"].append(f"{entry.key} {entry.title[:80]}: {status['summary']}")
    tags = _tags(status)
    if not tags:
        return None
    return ItemNotice(item=entry.key, title=entry.title, doi=entry.doi, summary=status["summary"], tags=tags)


def _tags(status: PublicationStatus) -> list[str]:
    found = {"yes": ["retracted"], "partly": ["partly retracted"]}.get(status["retracted"], [])
    if status["concern"] == "yes":
        found.append("expression of concern")
    if status["corrected"] == "yes":
        found.append("corrected")
    return found


async def _tag(state: ZoteroState, noticed: list[ItemNotice], entries: dict[str, Entry]) -> None:
    """Add the tags that items lack, as automatic tags, in one write."""
    changed: list[dict[str, Any]] = []
    for notice in noticed:
        entry = entries[notice["item"]]
        missing = [tag for tag in notice["tags"] if tag not in entry.tags]
        notice["tagged"] = bool(missing)
        if missing:
            tags = [*entry.data.get("tags", ()), *({"tag": tag, "type": 1} for tag in missing)]
            changed.append({"key": entry.key, "version": entry.version, "tags": tags})
    if changed:
        await (await state.writable()).write(changed)
