"""Paper records: papers and the records of each, in the shapes in which JSON and JSON lines hold them.

- a paper or a list of papers, each an object with its records under ``records``, ``objects``, ``rows``,
  ``adjuvants``, ``labels``, ``annotations``, ``gold``, ``answer`` or ``output`` (a list, one object, or such JSON as a
  string);
- an object of papers by their name: ``{"paper": [record, …]}`` or ``{"paper": {"records": […]}}``;
- a list of records, or rows of a CSV, each with its paper's name.

A paper is named by ``paper``, ``paper_id``, ``pmid``, ``pmcid``, ``doi``, ``file``, ``filename``, ``id`` or ``title``,
and is either a file of a folder (by that name, with or without an ending), or the text under ``text``, ``full_text``,
``content``, ``document`` or ``abstract``. A value may be wrapped (``{"value", "unit"}``); numbers become texts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError
from pincite_core.json_fields import mapping
from pincite_harness.curation.importing.csv_table import csv_cell, read_csv_table
from pincite_harness.curation.importing.dataset import ImportOptions
from pincite_harness.curation.importing.json_items import read_items
from pincite_harness.curation.importing.plain_paper import make_plain_paper
from pincite_scoring.record_filling.schema import EVIDENCE

_RECORDS = ("records", "objects", "rows", "adjuvants", "labels", "annotations", "gold", "answer", "output")
_NAMES = ("paper", "paper_id", "pmid", "pmcid", "doi", "file", "filename", "file_name", "id", "title")
_TEXTS = ("text", "full_text", "fulltext", "content", "document", "abstract")
_TABLES = (".csv", ".tsv")
_ENDINGS = (".pdf", ".xml", ".html", ".htm", ".tex", ".txt")


@dataclass(slots=True)
class Listed:
    """A paper of the file: its name, its text where the file holds it, and its records as they are."""

    name: str
    where: str
    title: str = ""
    text: str = ""
    records: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    unread: set[str] = field(default_factory=set[str])
    """Keys of values that are neither texts nor numbers nor lists of these."""

    @property
    def stem(self) -> str:
        """The name without the ending of a paper's file."""
        path = Path(self.name)
        return path.stem if path.suffix.lower() in _ENDINGS else self.name


def read_papers(source: Path, options: ImportOptions) -> list[Listed]:
    """The papers in the order in which they come, each with all its records; what is broken is left out with a note."""
    found: dict[str, Listed] = {}
    for where, item in _items(source, options):
        with options.item(where):
            name, stated = _named(where, item)
            held = next((stated[key] for key in _RECORDS if isinstance(stated.get(key), list | dict | str)), None)
            records = [stated] if held is None else _records(held, where)
            paper = found.setdefault(name, Listed(name, where))
            text = next((str(stated[key]) for key in _TEXTS if isinstance(stated.get(key), str)), "")
            paper.text, paper.title = paper.text or text, paper.title or str(stated.get("title") or "")
            for record in records:
                flat, unread = _flat(record)
                paper.unread |= unread
                paper.records += [flat] if flat else []
    return list(found.values())


def _rows(source: Path) -> list[tuple[str, Any]]:
    """The rows of a CSV (tabs in a .tsv) as records; BadInputError where no column names the paper."""
    header, rows = read_csv_table(source, delimiter="\t" if source.suffix.lower() == ".tsv" else ",")
    names = {name: _spelled(name) for name in header}
    if not set(names.values()) & set(_NAMES):
        raise BadInputError(
            f"{source} has no column that names the paper of a record.",
            seen=", ".join(header),
            next=f"Call one of its columns {', '.join(_NAMES)}; the others are the fields of a record.",
        )
    kept = {name: spelled if spelled in (*_NAMES, *_TEXTS) else name for name, spelled in names.items()}
    return [
        (f"{source}, row {number}", {kept[name]: csv_cell(cell.strip()) for name, cell in row.items()})
        for number, row in enumerate(rows, start=1)
    ]


def _spelled(name: str) -> str:
    """``Paper ID`` as ``paper_id``."""
    return re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_")


def _items(source: Path, options: ImportOptions) -> list[tuple[str, Any]]:
    """The items of the file, or of each of a folder; an object that is one paper is one item."""
    tables = [source] if source.suffix.lower() in _TABLES else []
    if source.is_dir():
        tables = sorted(path for path in source.iterdir() if path.suffix.lower() in _TABLES)
    if tables:
        found: list[tuple[str, Any]] = []
        for path in tables:
            with options.item(str(path)):
                found += _rows(path)
        return found
    items = list(read_items(source, options))
    pairs = [cast("list[Any]", item) for _, item in items if isinstance(item, list)]
    whole = {str(pair[0]): pair[1] for pair in pairs if len(pair) == 2}
    return [(str(source), whole)] if whole.keys() & {*_RECORDS} and len(whole) == len(items) else items


def _named(where: str, item: object) -> tuple[str, dict[str, Any]]:
    """The paper's name, and what the file says of it."""
    if isinstance(item, list) and len(cast("list[Any]", item)) == 2:
        name, value = cast("list[Any]", item)
        stated: dict[str, Any] = cast("dict[str, Any]", value) if isinstance(value, dict) else {"records": value}
        return str(name), stated if any(key in stated for key in _RECORDS) else {"records": [stated]}
    if not isinstance(item, dict):
        raise BadInputError(f"{where} is neither a paper nor a record.", seen=f"{item}"[:200], next="Correct the file.")
    stated = cast("dict[str, Any]", item)
    name = next((stated[key] for key in _NAMES if stated.get(key) not in (None, "")), None)
    if name is None:
        raise BadInputError(f"{where} does not say which paper it is of.", next=f"Give one of {', '.join(_NAMES)}.")
    return str(name), stated


def _records(stated: Any, where: str) -> list[dict[str, Any]]:
    held: object = stated
    if isinstance(held, str):
        try:
            held = cast("object", orjson.loads(held))
        except orjson.JSONDecodeError as error:
            what = f"{where}: its records are not JSON."
            raise BadInputError(what, seen=held[:200], next="Correct the file.") from error
    items: list[object] = cast("list[object]", held) if isinstance(held, list) else [held]
    if strange := [item for item in items if not isinstance(item, dict)]:
        raise BadInputError(
            f"{where}: a record is not an object.", seen=str(strange[0])[:200], next="Correct the file."
        )
    return [cast("dict[str, Any]", item) for item in items]


def _flat(record: Mapping[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """The fields of a record without what names or holds the paper and without empty ones; and keys not understood."""
    apart = {*_NAMES, *_TEXTS, *_RECORDS, EVIDENCE}
    bare = {key: _unwrapped(value) for key, value in record.items() if key not in apart}
    bare = {key: value for key, value in bare.items() if value is not None and value not in ("", [])}
    unread = {key for key, value in bare.items() if not _is_plain(value)}
    values = {key: _printed(value) for key, value in bare.items() if key not in unread}
    return values | ({EVIDENCE: record[EVIDENCE]} if values and record.get(EVIDENCE) else {}), unread


def _printed(value: Any) -> Any:
    """Numbers as texts, alone or in a list."""
    if isinstance(value, list):
        return [_printed(item) for item in cast("list[Any]", value)]
    return value if isinstance(value, str) else repr(value)


def _unwrapped(value: Any) -> Any:
    """``{"value": 5, "unit": "µg"}`` as "5 µg"; anything else as it is."""
    held = mapping(value)
    if "value" not in held:
        return value
    return f"{held['value']} {held['unit']}" if held.get("unit") else held["value"]


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(item, str | int | float) for item in cast("list[Any]", value))
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def open_paper(paper: Listed, folder: Path | None) -> tuple[str, Path | bytes] | None:
    """The ending and the content of the paper: a file of the folder, else its text as a page."""
    stem = re.sub(r"[/\\:]", "_", paper.name)
    for name in (paper.name, stem):
        for ending in ("", *_ENDINGS) if folder is not None else ():
            path = (cast("Path", folder) / f"{name}{ending}").resolve()
            if not path.is_relative_to(cast("Path", folder).resolve()):
                continue
            if path.is_file() and path.suffix.lower() == ".txt":
                return ".html", make_plain_paper(paper.title, path.read_text(encoding="utf-8")).page
            if path.is_file():
                return path.suffix.lower(), path
    return (".html", make_plain_paper(paper.title, paper.text).page) if paper.text.strip() else None
