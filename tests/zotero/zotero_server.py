"""A Zotero that speaks its local API (version 3) over a small library, and the same library as a data folder.

The routes, headers, statuses and bodies are those that Zotero documents for its local API and, for writes, the web
API: ``GET /api/``, listings with ``limit``, ``start`` and ``Total-Results``, ``file/view/url``,
``POST /api/local/authorize`` and ``POST …/items``.
"""

import json
import re
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).parents[1]))
from source_server import Asked, Given, SourceServer

PAPERS = Path(__file__).parents[2] / "tasks"
LIBRARY = "/api/users/0"

COLLECTIONS = [("CUPRATE2", "Cuprates", ""), ("DPED2345", "Doping", "CUPRATE2"), ("SKLAR234", "Solar cells", "")]
ITEMS: dict[str, dict[str, Any]] = {
    "YBCITEM2": {
        "itemType": "journalArticle",
        "title": "Oxygen in YBCO",
        "creators": [{"creatorType": "author", "firstName": "Ada", "lastName": "Lind"}],
        "date": "2021-03-00 2021-03",
        "DOI": "10.5555/ybco",
        "publicationTitle": "Cuprate Letters",
        "abstractNote": "Oxygen decides.",
        "tags": [{"tag": "to read"}],
        "collections": ["DPED2345"],
    },
    "CELLITM3": {
        "itemType": "preprint",
        "title": "Rubidium in solar cells",
        "creators": [{"creatorType": "author", "name": "The Cell Group"}],
        "date": "2023",
        "extra": "DOI: 10.5555/cells",
        "tags": [],
        "collections": ["SKLAR234"],
    },
}
FILES = {
    "YBCFLE22": ("YBCITEM2", "property_extraction/papers/ybco_oxygen.pdf"),
    "YBCSPP22": ("YBCITEM2", "literature_qa/papers/kelp_nitrate.pdf"),
    "CELLFLE3": ("CELLITM3", "literature_qa/papers/perovskite_ageing.pdf"),
}
NOTE = ("NTENTE22", "YBCITEM2", "<p>Ask <b>Ada</b> about the &lt;412 K&gt; value.</p>")


class ZoteroServer:
    """A running Zotero with its files in ``folder``; a context manager.

    ``answers`` are what its user says to requests for consent: always, once, deny or wait (too many requests).
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entries: dict[str, dict[str, Any]] = {key: {"key": key, "version": 1, **one} for key, one in ITEMS.items()}
        for key, (parent, paper) in FILES.items():
            lay_file(folder, key, paper)
            self.entries[key] = {"key": key, "version": 1, **attachment(parent, Path(paper).name)}
        key, parent, text = NOTE
        self.entries[key] = {"key": key, "version": 1, "itemType": "note", "parentItem": parent, "note": text}
        self.answers = ["always"]
        self.keys: dict[str, bool] = {}
        self.server_id = "TestServer01"
        self.enabled = True
        self.version = 10
        self._server = SourceServer(self.answer)
        self.address = f"{self._server.url}/api"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()

    @property
    def asked(self) -> list[Asked]:
        return self._server.asked

    def answer(self, asked: Asked) -> Given:
        if not self.enabled:
            return Given("Local API is not enabled", status=403)
        if asked.method == "POST" and self.version < 10:
            return Given("Endpoint does not support method", status=405)
        if asked.method == "POST" and not asked.headers.get("zotero-server-id"):
            return Given("Zotero-Server-ID required", status=428)
        if asked.method == "POST" and asked.headers["zotero-server-id"] != self.server_id:
            return Given("Another Zotero", status=412)
        if asked.path == "/api/local/authorize":
            return self._authorize(asked)
        given = self._write(asked) if asked.method == "POST" else self._read(asked)
        head = {"Zotero-API-Version": "3", "Zotero-Schema-Version": "37"}
        if self.version >= 10:
            head["Zotero-Server-ID"] = self.server_id
        return Given(given.body, given.status, {**head, **given.headers})

    def _read(self, asked: Asked) -> Given:
        path = asked.path.removeprefix(LIBRARY)
        if asked.path == "/api/":
            return Given("Nothing to see here.")
        if path == "/collections":
            made = [
                {"key": key, "name": name, "parentCollection": parent or False} for key, name, parent in COLLECTIONS
            ]
            return self._listed(asked, made)
        if path == "/items/top":
            return self._listed(asked, self._top(asked, ""))
        if found := re.fullmatch(r"/collections/(\w{8})/items/top", path):
            return self._listed(asked, self._top(asked, found[1]))
        if found := re.fullmatch(r"/items/(\w{8})(/children|/file/view/url)?", path):
            return self._of_item(asked, found[1], found[2] or "")
        return Given("Not found", status=404)

    def _of_item(self, asked: Asked, key: str, what: str) -> Given:
        entry = self.entries.get(key)
        if entry is None:
            return Given("Not found", status=404)
        if what == "/children":
            return self._listed(asked, [one for one in self.entries.values() if one.get("parentItem") == key])
        if what:
            file = self.folder / "storage" / key / str(entry.get("filename"))
            return Given(file.as_uri()) if file.exists() else Given("Not found", status=404)
        return Given(enveloped(entry))

    def _top(self, asked: Asked, collection: str) -> list[dict[str, Any]]:
        found = [one for one in self.entries.values() if not one.get("parentItem")]
        if collection:
            found = [one for one in found if collection in one["collections"]]
        if tag := asked.params.get("tag"):
            found = [one for one in found if {"tag": tag} in one["tags"]]
        words = asked.params.get("q", "").casefold().split()
        return [one for one in found if all(word in json.dumps(one).casefold() for word in words)]

    def _listed(self, asked: Asked, found: list[dict[str, Any]]) -> Given:
        start, limit = int(asked.params.get("start", 0)), int(asked.params.get("limit", 100))
        here = [enveloped(one) for one in found[start : start + limit]]
        return Given(here, headers={"Total-Results": str(len(found))})

    def _authorize(self, asked: Asked) -> Given:
        assert asked.json()["appName"] == "pincite"
        said = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if said == "deny":
            return Given({"denied": True}, status=403)
        if said == "wait":
            return Given("Too many requests", status=429, headers={"Retry-After": "60"})
        key = f"key{len(self.keys)}"
        self.keys[key] = said == "always"
        return Given({"key": key, "remember": said == "always"})

    def _write(self, asked: Asked) -> Given:
        key = asked.headers.get("zotero-api-key", "")
        if key not in self.keys:
            return Given("Invalid key", status=401)
        if not self.keys[key]:
            del self.keys[key]
        success: dict[str, str] = {}
        failed: dict[str, Any] = {}
        for number, sent in enumerate(asked.json()):
            there = self.entries.get(sent["key"])
            if (there or {"version": 0})["version"] != sent["version"]:
                failed[str(number)] = {"key": sent["key"], "code": 412, "message": "Item has been modified"}
                continue
            if sent.get("itemType") == "annotation" and (wrong := faulty(sent)):
                failed[str(number)] = {"key": sent["key"], "code": 400, "message": wrong}
                continue
            self.entries[sent["key"]] = {**(there or {}), **sent, "version": sent["version"] + 1}
            success[str(number)] = sent["key"]
        return Given({"success": success, "successful": {}, "unchanged": {}, "failed": failed})


def faulty(annotation: dict[str, Any]) -> str:
    """What Zotero would not take of an annotation."""
    if not re.fullmatch(r"\d{5}\|\d{6}\|\d{5}", annotation["annotationSortIndex"]):
        return "annotationSortIndex"
    if not re.fullmatch(r"#[0-9a-f]{6}", annotation["annotationColor"]):
        return "annotationColor"
    position = json.loads(annotation["annotationPosition"])
    sound = position["pageIndex"] >= 0 and all(x0 < x1 and y0 < y1 for x0, y0, x1, y1 in position["rects"])
    return "" if sound and position["rects"] else "annotationPosition"


def enveloped(data: dict[str, Any]) -> dict[str, Any]:
    return {
        "key": data["key"],
        "version": data.get("version", 1),
        "library": {"type": "user", "id": 1, "name": "My Library"},
        "data": data,
    }


def attachment(parent: str, name: str) -> dict[str, Any]:
    return {
        "itemType": "attachment",
        "parentItem": parent,
        "linkMode": "imported_file",
        "title": name,
        "filename": name,
        "contentType": "application/pdf",
        "tags": [],
    }


def lay_file(folder: Path, key: str, paper: str) -> None:
    """Put a paper where Zotero keeps the file of an attachment."""
    place = folder / "storage" / key
    place.mkdir(parents=True)
    shutil.copy2(PAPERS / paper, place)


_SCHEMA = """
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL);
CREATE TABLE groups (groupID INTEGER PRIMARY KEY, libraryID INT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE TABLE itemTypesCombined (itemTypeID INT PRIMARY KEY, typeName TEXT, display INT, custom INT);
CREATE TABLE fieldsCombined (fieldID INT PRIMARY KEY, fieldName TEXT, label TEXT, fieldFormatID INT, custom INT);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT, libraryID INT, key TEXT, version INT);
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID INT, PRIMARY KEY (itemID, fieldID));
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE itemCreators (itemID INT, creatorID INT, creatorTypeID INT, orderIndex INT);
CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT, parentCollectionID INT,
  libraryID INT, key TEXT);
CREATE TABLE collectionItems (collectionID INT, itemID INT, orderIndex INT);
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT, path TEXT);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT, type INT, authorName TEXT, text TEXT,
  comment TEXT, color TEXT, pageLabel TEXT, sortIndex TEXT, position TEXT);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE itemTags (itemID INT, tagID INT, type INT);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY);
INSERT INTO libraries VALUES (1, 'user'), (2, 'group');
INSERT INTO groups VALUES (77, 2, 'Cryostat');
INSERT INTO items VALUES (900, 1, 1, 'GNEGNE22', 1), (901, 1, 2, 'GRPITM22', 1);
INSERT INTO deletedItems VALUES (900);
"""


def data_folder(folder: Path) -> Path:
    """The same library as a data folder of Zotero, with an item in the trash and one of a group."""
    for key, (_, paper) in FILES.items():
        lay_file(folder, key, paper)
    database = sqlite3.connect(folder / "zotero.sqlite")
    database.executescript(_SCHEMA)
    kinds = ("journalArticle", "preprint", "attachment", "note")
    database.executemany("INSERT INTO itemTypesCombined VALUES (?, ?, 1, 0)", list(enumerate(kinds, start=1)))
    numbers = {key: number for number, key in enumerate([*ITEMS, *FILES, NOTE[0]], start=1)}
    for number, (key, name, parent) in enumerate(COLLECTIONS, start=1):
        above = next((at for at, one in enumerate(COLLECTIONS, start=1) if one[0] == parent), None)
        database.execute("INSERT INTO collections VALUES (?, ?, ?, 1, ?)", (number, name, above, key))
    for key, item in ITEMS.items():
        _lay_item(database, numbers[key], key, item, kinds)
    for key, (parent, paper) in FILES.items():
        database.execute("INSERT INTO items VALUES (?, 3, 1, ?, 1)", (numbers[key], key))
        row = (numbers[key], numbers[parent], 0, "application/pdf", f"storage:{Path(paper).name}")
        database.execute("INSERT INTO itemAttachments VALUES (?, ?, ?, ?, ?)", row)
    key, parent, text = NOTE
    database.execute("INSERT INTO items VALUES (?, 4, 1, ?, 1)", (numbers[key], key))
    database.execute("INSERT INTO itemNotes VALUES (?, ?, ?, '')", (numbers[key], numbers[parent], text))
    database.commit()
    database.close()
    return folder


def _lay_item(
    database: sqlite3.Connection, number: int, key: str, item: dict[str, Any], kinds: tuple[str, ...]
) -> None:
    kind = kinds.index(item["itemType"]) + 1
    database.execute("INSERT INTO items VALUES (?, ?, 1, ?, 1)", (number, kind, key))
    for name in ("title", "date", "DOI", "publicationTitle", "abstractNote", "extra"):
        if name in item:
            field = database.execute("SELECT count(*) FROM fieldsCombined").fetchone()[0] + 1
            value = database.execute("SELECT count(*) FROM itemDataValues").fetchone()[0] + 1
            database.execute("INSERT INTO fieldsCombined VALUES (?, ?, '', 0, 0)", (field, name))
            database.execute("INSERT INTO itemDataValues VALUES (?, ?)", (value, item[name]))
            database.execute("INSERT INTO itemData VALUES (?, ?, ?)", (number, field, value))
    for creator in item["creators"]:
        single = "name" in creator
        row = (number, creator.get("firstName", ""), creator.get("name") or creator["lastName"], int(single))
        database.execute("INSERT INTO creators VALUES (?, ?, ?, ?)", row)
        database.execute("INSERT INTO itemCreators VALUES (?, ?, 1, 0)", (number, number))
    for tag in item["tags"]:
        database.execute("INSERT INTO tags VALUES (?, ?)", (number, tag["tag"]))
        database.execute("INSERT INTO itemTags VALUES (?, ?, 0)", (number, number))
    for name in item["collections"]:
        at = [one[0] for one in COLLECTIONS].index(name) + 1
        database.execute("INSERT INTO collectionItems VALUES (?, ?, 0)", (at, number))
