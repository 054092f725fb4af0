"""list_collections, search_items and read_item: what the Zotero library holds."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import PinciteError
from pincite_core.json_fields import items
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_papers.arguments import Cursor
from pincite_zotero.choosing import choose, is_paper
from pincite_zotero.model import Collection, Entry, ZoteroSource, item_key, pdf_link
from pincite_zotero.state import ZoteroState

ItemKey = Annotated[str, Field(description="Key (8 characters), or a zotero:// link")]
InCollection = Annotated[str, Field(description="Key or name; the collections in it count")]
Query = Annotated[str, Field(max_length=500, description="Words of title, creators, year, …")]

_MOST_ITEMS = 50
"""Items of one answer at most; its characters usually end it before."""
_MOST_CREATORS = 5
"""Creators of an item that are shown; set by judgement."""
_MOST_TEXT = 4000
"""Characters of a note or an abstract that are shown."""


class CollectionEntry(TypedDict):
    """``path`` names the collections that hold it, the outermost first."""

    key: str
    path: str


class Collections(TypedDict):
    """``source``: what is read."""

    collections: list[CollectionEntry]
    source: str


class ItemEntry(TypedDict):
    """An item: what identifies it."""

    key: str
    title: str
    creators: list[str]
    year: NotRequired[int]
    venue: NotRequired[str]
    doi: NotRequired[str]
    tags: NotRequired[list[str]]


class Items(TypedDict):
    """``total`` counts the items on all pages."""

    items: list[ItemEntry]
    total: int
    next_cursor: str | None


class FileEntry(TypedDict):
    """A file of an item. ``path`` is given where it is on this machine and can be read as a paper."""

    key: str
    name: str
    link: str
    path: NotRequired[str]
    note: NotRequired[str]
    highlights: NotRequired[list[str]]


class ItemContent(TypedDict):
    """An item with its files, notes and the highlights in each file."""

    item: ItemEntry
    kind: str
    abstract: NotRequired[str]
    collections: list[str]
    files: list[FileEntry]
    notes: list[str]


async def list_collections(state: ZoteroState) -> Collections:
    """List the collections of the Zotero library."""
    source = await state.source()
    collections = await source.collections()
    made = [CollectionEntry(key=each.key, path=_path(each, collections)) for each in collections]
    return Collections(collections=sorted(made, key=lambda each: each["path"].casefold()), source=source.name)


def _path(collection: Collection, collections: list[Collection]) -> str:
    by_key = {each.key: each for each in collections}
    names = [collection.name]
    above = by_key.get(collection.parent)
    while above is not None and len(names) <= len(collections):
        names.insert(0, above.name)
        above = by_key.get(above.parent)
    return " / ".join(names)


async def search_items(
    state: ZoteroState, query: Query = "", collection: InCollection = "", tag: str = "", cursor: Cursor = ""
) -> Items:
    """Find items of the user's Zotero library by words, collection or tag; nothing given lists all."""
    source = await state.source()
    asked = ("search_items", source.name, query, collection, tag)
    start = decode_cursor(cursor, *asked)
    found = await choose(source, query=query, collection=collection, tag=tag)
    shown, after = fill_page(found, start, described, max_chars=DEFAULT_CHARS, max_items=_MOST_ITEMS)
    more = encode_cursor(after, *asked) if after < len(found) else None
    return Items(items=shown, total=len(found), next_cursor=more)


async def read_item(state: ZoteroState, item: ItemKey) -> ItemContent:
    """Read one Zotero item: its fields, files (article and supplements), notes, and the user's highlights."""
    source = await state.source()
    entry = await source.entry(item_key(item))
    children = [entry] if entry.kind == "attachment" else await source.children(entry.key)
    files = [await _file(source, child) for child in children if child.kind == "attachment"]
    named = {each.key: each.name for each in await source.collections()}
    made = ItemContent(
        item=described(entry),
        kind=entry.kind,
        collections=[named.get(str(key), str(key)) for key in items(entry.data.get("collections"))],
        files=files,
        notes=[_cut(plain(child.text("note"))) for child in children if child.kind == "note"],
    )
    if entry.text("abstractNote"):
        made["abstract"] = _cut(entry.text("abstractNote"))
    return made


async def _file(source: ZoteroSource, file: Entry) -> FileEntry:
    made = FileEntry(key=file.key, name=file.text("filename") or file.title, link=pdf_link(source.library, file.key))
    if not is_paper(file):
        return made
    try:
        made["path"] = await source.file_path(file)
    except PinciteError as error:
        made["note"] = error.what
    marks = [child for child in await source.children(file.key) if child.kind == "annotation"]
    if marks:
        made["highlights"] = [_mark(source, file, mark) for mark in marks]
    return made


def _mark(source: ZoteroSource, file: Entry, mark: Entry) -> str:
    page = mark.text("annotationPageLabel")
    parts = (mark.text("annotationText"), mark.text("annotationComment"), f"page {page}" if page else "")
    link = pdf_link(source.library, file.key, annotation=mark.key)
    return " | ".join([*filter(None, parts), link])


def _cut(text: str) -> str:
    """A text, its end left out where it is long, which it then says."""
    return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]} … ({len(text) - _MOST_TEXT} characters more)"


def described(entry: Entry) -> ItemEntry:
    """What identifies an item."""
    creators = entry.creators
    shown = creators[:_MOST_CREATORS]
    if len(creators) > _MOST_CREATORS:
        shown.append(f"and {len(creators) - _MOST_CREATORS} more")
    made = ItemEntry(key=entry.key, title=entry.title, creators=shown)
    if entry.year is not None:
        made["year"] = entry.year
    if entry.venue:
        made["venue"] = entry.venue
    if entry.doi:
        made["doi"] = entry.doi
    if entry.tags:
        made["tags"] = entry.tags
    return made


def plain(html: str) -> str:
    """The text of a note."""
    from selectolax.lexbor import LexborHTMLParser

    body = LexborHTMLParser(html).body
    return " ".join(body.text(separator=" ").split()) if body is not None else ""
