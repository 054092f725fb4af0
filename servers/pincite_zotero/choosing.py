"""Choosing: the items that a call is about, and the files of an item that can be read as papers."""

from pathlib import PurePath

from pincite_core.errors import NotFoundError
from pincite_papers.opening.roots import SUFFIXES
from pincite_zotero.model import Entry, ZoteroSource, with_inner


async def choose(source: ZoteroSource, *, query: str = "", collection: str = "", tag: str = "") -> list[Entry]:
    """The items that match, those of collections inside the named one too, by first creator, year and title."""
    keys = with_inner(await source.collections(), collection) if collection else [""]
    found: dict[str, Entry] = {}
    for key in keys:
        for entry in await source.items(query=query, collection=key, tag=tag):
            found.setdefault(entry.key, entry)
    return sorted(found.values(), key=_order)


async def files_of(source: ZoteroSource, item: Entry) -> list[Entry]:
    """The files of an item that may be papers (PDF, HTML, EPUB, Word, workbooks): the article first, as Zotero orders
    them, then its supplements. A file stands for itself."""
    found = [item] if item.kind == "attachment" else await source.children(item.key)
    return [entry for entry in found if entry.kind == "attachment" and is_paper(entry)]


async def need_files(source: ZoteroSource, item: Entry) -> list[Entry]:
    """``files_of``; NotFoundError where there is none."""
    files = await files_of(source, item)
    if not files:
        raise NotFoundError(
            f"{item.title!r} has no file that can be read as a paper.",
            next="Let the user add its PDF in Zotero, or fetch the open full text with fetch_fulltext.",
        )
    return files


def is_paper(entry: Entry) -> bool:
    """Whether an attachment is a file of a kind that can be read."""
    stored = entry.text("linkMode") != "linked_url"
    name = entry.text("filename") or PurePath(entry.text("path")).name
    return stored and (name.lower().endswith(SUFFIXES) or entry.text("contentType") == "application/pdf")


def _order(entry: Entry) -> tuple[str, int, str]:
    creators = entry.creators
    return (creators[0].casefold() if creators else "~", entry.year or 0, entry.title.casefold())
