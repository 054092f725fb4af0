"""DataFolder: a Zotero data folder, read from a copy of its database: nothing there is locked or changed.

Tables relied on are those of Zotero 5 to 10: items, itemTypesCombined, fieldsCombined, itemData, itemDataValues,
creators, itemCreators, collections, collectionItems, itemAttachments, itemNotes, itemAnnotations, tags, itemTags,
deletedItems, libraries, groups.
"""

import shutil
import sqlite3
import tempfile
import threading
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio.to_thread

from pincite_core.errors import BadInputError, NotFoundError, UnavailableError
from pincite_zotero.model import PERSONAL, Collection, Entry

DATABASE = "zotero.sqlite"
_BESIDE = ("-wal", "-journal")
"""Files beside a database that hold changes which are not in it yet."""
_IMPORTED = "storage:"
_LINK_MODES = {0: "imported_file", 1: "imported_url", 2: "linked_file", 3: "linked_url", 4: "embedded_image"}
_ANNOTATIONS = {1: "highlight", 2: "note", 3: "image", 4: "ink", 5: "underline", 6: "text"}

_ITEMS = """SELECT items.itemID, items.key, items.version, itemTypesCombined.typeName
FROM items JOIN itemTypesCombined USING (itemTypeID)
WHERE items.libraryID = ? AND items.itemID NOT IN (SELECT itemID FROM deletedItems)"""
_FIELDS = """SELECT itemID, fieldsCombined.fieldName, itemDataValues.value
FROM itemData JOIN fieldsCombined USING (fieldID) JOIN itemDataValues USING (valueID)"""
_CREATORS = """SELECT itemID, firstName, lastName, fieldMode FROM itemCreators JOIN creators USING (creatorID)
ORDER BY itemID, orderIndex"""
_TAGS = "SELECT itemID, name FROM itemTags JOIN tags USING (tagID) ORDER BY itemID, name"
_IN_COLLECTIONS = """SELECT itemID, key FROM collectionItems JOIN collections USING (collectionID)
WHERE libraryID = ?"""
_COLLECTIONS = """SELECT own.key, own.collectionName, above.key FROM collections AS own
LEFT JOIN collections AS above ON above.collectionID = own.parentCollectionID WHERE own.libraryID = ?"""
_ATTACHMENTS = "SELECT itemID, parentItemID, linkMode, contentType, path FROM itemAttachments"
_NOTES = "SELECT itemID, parentItemID, note FROM itemNotes"
_MARKS = "SELECT itemID, parentItemID, type, text, comment, color, pageLabel FROM itemAnnotations"


@dataclass(slots=True)
class _Snapshot:
    """What the database held when it was copied."""

    collections: list[Collection] = field(default_factory=list[Collection])
    entries: dict[str, Entry] = field(default_factory=dict[str, Entry])


class DataFolder:
    """See ``ZoteroSource``. The database is copied and read again when it has changed."""

    def __init__(self, folder: Path, library: str) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._read: tuple[object, _Snapshot] | None = None
        self.library = library
        self.name = f"the Zotero data folder {folder}"

    async def collections(self) -> list[Collection]:
        """See ``ZoteroSource``."""
        return (await self._snapshot()).collections

    async def items(self, *, query: str, collection: str, tag: str) -> list[Entry]:
        """See ``ZoteroSource``; ``query`` finds items that have all its words in their fields, creators or tags."""
        snapshot = await self._snapshot()
        words = query.casefold().split()
        found = [entry for entry in snapshot.entries.values() if not entry.is_child]
        if collection:
            found = [entry for entry in found if collection in entry.data.get("collections", ())]
        if tag:
            found = [entry for entry in found if tag in entry.tags]
        return [entry for entry in found if _has(entry, words)]

    async def entry(self, key: str) -> Entry:
        """See ``ZoteroSource``."""
        found = (await self._snapshot()).entries.get(key)
        if found is None:
            raise NotFoundError(f"The library has no item {key}.", next="Copy a key from search_items.")
        return found

    async def children(self, key: str) -> list[Entry]:
        """See ``ZoteroSource``."""
        snapshot = await self._snapshot()
        return [entry for entry in snapshot.entries.values() if entry.text("parentItem") == key]

    async def file_path(self, attachment: Entry) -> str:
        """See ``ZoteroSource``."""
        path = attachment.text("path")
        if path.startswith(_IMPORTED):
            path = str(self._folder / "storage" / attachment.key / path.removeprefix(_IMPORTED))
        if not await anyio.to_thread.run_sync(_is_file, path):
            raise NotFoundError(
                f"The file of {attachment.title!r} is not on this machine.",
                seen=path,
                next="Let the user open it in Zotero once, which downloads it.",
            )
        return path

    async def _snapshot(self) -> _Snapshot:
        return await anyio.to_thread.run_sync(self._current)

    def _current(self) -> _Snapshot:
        """The library as the files hold it now."""
        with self._lock:
            state = self._state()
            if self._read is None or self._read[0] != state:
                self._read = state, self._copied()
            return self._read[1]

    def _state(self) -> object:
        """What changes when the database does."""
        found: list[tuple[str, int, int]] = []
        for suffix in ("", *_BESIDE):
            path = self._folder / f"{DATABASE}{suffix}"
            if path.exists():
                status = path.stat()
                found.append((suffix, status.st_mtime_ns, status.st_size))
        if not found or found[0][0]:
            raise NotFoundError(
                f"{self._folder} is not a Zotero data folder: it has no {DATABASE}.",
                next="Let the user set PINCITE_ZOTERO to the folder that Zotero shows (Settings, Advanced, Files).",
            )
        return found

    def _copied(self) -> _Snapshot:
        with tempfile.TemporaryDirectory() as scratch:
            copy = Path(scratch) / DATABASE
            try:
                for suffix in ("", *_BESIDE):
                    source = self._folder / f"{DATABASE}{suffix}"
                    if source.exists():
                        shutil.copyfile(source, Path(f"{copy}{suffix}"))
                with closing(sqlite3.connect(copy)) as database:
                    return _read(database, self.library)
            except (OSError, sqlite3.Error) as error:
                raise UnavailableError(
                    "Zotero's database could not be read.",
                    seen=str(error),
                    next="Start Zotero and use its local API, or close it and try again.",
                ) from error


def _is_file(path: str) -> bool:
    return Path(path).is_absolute() and Path(path).is_file()


def _has(entry: Entry, words: list[str]) -> bool:
    texts = [value for value in entry.data.values() if isinstance(value, str)]
    searched = "\n".join([*texts, *entry.creators, *entry.tags]).casefold()
    return all(word in searched for word in words)


def _read(database: sqlite3.Connection, library: str) -> _Snapshot:
    """The library as the API would send it, entry by entry."""
    number = _library_id(database, library)
    data: dict[int, dict[str, Any]] = {}
    heads: dict[int, tuple[str, int]] = {}
    for item, key, version, kind in database.execute(_ITEMS, (number,)):
        heads[item] = key, version or 0
        data[item] = {"key": key, "itemType": kind, "creators": [], "tags": [], "collections": []}
    for item, name, value in database.execute(_FIELDS):
        if item in data:
            data[item][name] = str(value)
    for item, first, last, mode in database.execute(_CREATORS):
        if item in data:
            creator = {"name": last or ""} if mode == 1 else {"firstName": first or "", "lastName": last or ""}
            data[item]["creators"].append(creator)
    for item, tag in database.execute(_TAGS):
        if item in data:
            data[item]["tags"].append({"tag": tag})
    for item, key in database.execute(_IN_COLLECTIONS, (number,)):
        if item in data:
            data[item]["collections"].append(key)
    _read_children(database, data)
    made = _Snapshot()
    made.collections = [
        Collection(key, name, parent or "") for key, name, parent in database.execute(_COLLECTIONS, (number,))
    ]
    made.entries = {heads[item][0]: Entry(*heads[item], fields) for item, fields in data.items()}
    return made


def _read_children(database: sqlite3.Connection, data: dict[int, dict[str, Any]]) -> None:
    """Add what files, notes and annotations have beside the common fields."""

    def add(item: int, parent: int | None, **fields: str) -> None:
        if item in data:
            above = data.get(parent or 0)
            data[item] |= {**fields, **({"parentItem": above["key"]} if above else {})}

    for item, parent, mode, content_type, stored in database.execute(_ATTACHMENTS):
        path = str(stored or "")
        name = Path(path.removeprefix(_IMPORTED)).name
        link_mode = _LINK_MODES.get(mode, "unknown")
        add(item, parent, filename=name, linkMode=link_mode, contentType=str(content_type or ""), path=path)
    for item, parent, note in database.execute(_NOTES):
        add(item, parent, note=note or "")
    for item, parent, kind, text, comment, color, label in database.execute(_MARKS):
        fields = {"annotationText": text, "annotationComment": comment, "annotationColor": color}
        told = {name: value or "" for name, value in fields.items()}
        add(item, parent, annotationType=_ANNOTATIONS.get(kind, "other"), annotationPageLabel=label or "", **told)


def _library_id(database: sqlite3.Connection, library: str) -> int:
    """The number of a library in the database."""
    if library == PERSONAL:
        row = database.execute("SELECT libraryID FROM libraries WHERE type = 'user'").fetchone()
    else:
        group = library.partition("/")[2]
        row = database.execute("SELECT libraryID FROM groups WHERE groupID = ?", (group,)).fetchone()
    if row is None:
        raise BadInputError(
            f"The database has no library {library}.", next="Let the user correct PINCITE_ZOTERO_GROUP."
        )
    return int(row[0])
