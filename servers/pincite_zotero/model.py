"""What a Zotero library holds: collections, and entries (items, their files, notes and annotations)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote

from pincite_core.errors import NotFoundError
from pincite_core.json_fields import mapping, objects

PERSONAL = "users/0"
"""The user's own library, as the local API names it."""

_KEY = re.compile(r"[2-9A-NP-Z]{8}")
_YEAR = re.compile(r"\b(1[5-9]|20)\d\d\b")
_VENUES = ("publicationTitle", "proceedingsTitle", "bookTitle", "repository", "publisher", "university")


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection; ``parent`` is the key of the one that holds it, "" at the top."""

    key: str
    name: str
    parent: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as the API gives it: ``data`` are its fields by their names in the API (version 3)."""

    key: str
    version: int
    data: dict[str, Any]

    @property
    def kind(self) -> str:
        """The item type: journalArticle, attachment, note, annotation, …"""
        return self.text("itemType")

    @property
    def is_child(self) -> bool:
        """Whether it is a note, an annotation, or a file of an item: not a file that stands alone."""
        return self.kind in ("note", "annotation") or bool(self.text("parentItem"))

    def text(self, name: str) -> str:
        """A field that is a text; "" where there is none."""
        value = self.data.get(name)
        return value if isinstance(value, str) else ""

    @property
    def title(self) -> str:
        return self.text("title") or self.text("filename") or "without a title"

    @property
    def doi(self) -> str:
        """The DOI: of its own field, or of a line ``DOI: …`` of Extra, where item types without that field have it."""
        if self.text("DOI"):
            return self.text("DOI").strip()
        lines = (line.partition(":") for line in self.text("extra").splitlines())
        return next((value.strip() for name, _, value in lines if name.strip().upper() == "DOI"), "")

    @property
    def year(self) -> int | None:
        found = _YEAR.search(self.text("date"))
        return int(found[0]) if found else None

    @property
    def venue(self) -> str:
        return next((value for name in _VENUES if (value := self.text(name))), "")

    @property
    def creators(self) -> list[str]:
        """Names, the last name first, in their order."""
        made: list[str] = []
        for creator in objects(self.data.get("creators")):
            parts = [str(creator.get(name) or "") for name in ("lastName", "firstName")]
            name = str(creator.get("name") or "") or ", ".join(filter(None, parts))
            if name:
                made.append(name)
        return made

    @property
    def tags(self) -> list[str]:
        return [str(tag["tag"]) for tag in objects(self.data.get("tags")) if tag.get("tag")]


class ZoteroSource(Protocol):
    """Where a library is read: a running Zotero, or its data folder."""

    name: str
    """What is read, in words."""
    library: str
    """``users/0`` or ``groups/ID``."""

    async def collections(self) -> list[Collection]:
        """All collections."""
        ...

    async def items(self, *, query: str, collection: str, tag: str) -> list[Entry]:
        """The items, and the files that stand alone, that ``query`` finds, of one collection by its key (not those in
        it), with a tag; each "" for any."""
        ...

    async def entry(self, key: str) -> Entry:
        """One entry; NotFoundError."""
        ...

    async def children(self, key: str) -> list[Entry]:
        """The files and notes of an item, the annotations of a file."""
        ...

    async def file_path(self, attachment: Entry) -> str:
        """Where the file of an attachment lies; NotFoundError where it is not on this machine."""
        ...


def read_entry(sent: Any) -> Entry:
    """An entry as the API sends it."""
    frame = mapping(sent)
    data = mapping(frame.get("data"))
    version = frame.get("version")
    key = frame.get("key") or data.get("key")
    return Entry(str(key or ""), version if isinstance(version, int) else 0, data)


def read_collection(sent: Any) -> Collection:
    """A collection as the API sends it."""
    entry = read_entry(sent)
    return Collection(entry.key, entry.text("name"), entry.text("parentCollection"))


def item_key(text: str) -> str:
    """The key that a text names: a key itself, or a ``zotero://`` link or address that ends in one."""
    found = _KEY.findall(text.partition("?")[0])
    if not found or not (_KEY.fullmatch(text.strip()) or "/items/" in text):
        raise NotFoundError(
            f"{text[:60]!r} is not the key of a Zotero item.", next="Copy a key (8 characters) from search_items."
        )
    return found[-1]


def with_inner(collections: Sequence[Collection], named: str) -> list[str]:
    """The keys of the collection of this key or name and of all in it; NotFoundError where there is none."""
    wanted = named.strip().casefold()
    keys = [each.key for each in collections if wanted in (each.key.casefold(), each.name.casefold())]
    if not keys:
        shown = ", ".join(sorted(each.name for each in collections)[:20])
        raise NotFoundError(
            f"There is no collection {named!r}.", seen=f"collections: {shown or 'none'}", next="See list_collections."
        )
    waiting = list(keys)
    while waiting:
        above = waiting.pop()
        inner = [each.key for each in collections if each.parent == above and each.key not in keys]
        keys += inner
        waiting += inner
    return keys


def pdf_link(library: str, attachment: str, *, page: int | None = None, annotation: str = "") -> str:
    """A link that opens Zotero's reader at a page, from 1, or at an annotation."""
    asked = [f"page={page}"] if page else []
    if annotation:
        asked.append(f"annotation={quote(annotation)}")
    place = "library" if library == PERSONAL else library
    return f"zotero://open-pdf/{place}/items/{attachment}{'?' if asked else ''}{'&'.join(asked)}"
