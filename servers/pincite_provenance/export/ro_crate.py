"""Claims as an RO-Crate 1.1: a folder with the ledger, its exports and what they are about."""

import hashlib
import os
import secrets
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson

from pincite_core.errors import BadInputError
from pincite_provenance.export.prov import prov_document
from pincite_provenance.export.web_annotation import web_annotations
from pincite_provenance.ledger.audit import Audit
from pincite_provenance.ledger.database import reading
from pincite_provenance.ledger.entry import Entries, LedgerEntry
from pincite_provenance.ledger.head import head_path
from pincite_provenance.ledger.wording import paper_address, tally

_LEDGER = "claims.db"
_ANNOTATIONS = "annotations.jsonld"
_PROV = "provenance.json"
_DESCRIPTOR = "ro-crate-metadata.json"

_FILES = {
    _LEDGER: ("application/vnd.sqlite3", "The ledger: every claim, each row chained to the one before by SHA-256"),
    f"{_LEDGER}.head": ("application/json", "How many rows the ledger has, and the hash of the last"),
    _ANNOTATIONS: ("application/ld+json", "The claims as W3C Web Annotations"),
    _PROV: ("application/json", "The provenance of the claims as PROV-JSON"),
}
"""Media type and description of each file."""


def write_crate(folder: Path, audited: Audit, entries: Entries) -> list[Path]:
    """Write the crate of an intact ledger into a new or empty folder, whole or not at all; the files, descriptor first.

    The ledger is copied whole, since a part of a chain proves nothing; the exports hold the claims in ``entries``.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInputError(
            f"{folder} already exists and is not an empty folder.", next="Give the name of a new folder."
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = folder.with_name(f"{folder.name}.{secrets.token_hex(4)}.tmp")
    beside.mkdir()
    try:
        _copy_ledger(audited.path, beside / _LEDGER)
        _write_json(beside / _ANNOTATIONS, web_annotations(entries.claims, audited.ledger))
        _write_json(beside / _PROV, prov_document(entries.claims, entries.retractions, audited.ledger))
        _write_json(beside / _DESCRIPTOR, _metadata(beside, audited, entries.claims))
        if folder.exists():
            folder.rmdir()
        beside.rename(folder)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return [folder / name for name in (_DESCRIPTOR, *_FILES)]


def _copy_ledger(ledger: Path, copy: Path) -> None:
    """The head first: rows that are appended meanwhile are then beyond it, as behind a writer that was killed."""
    shutil.copyfile(head_path(ledger), head_path(copy))
    with reading(ledger) as connection, closing(sqlite3.connect(copy)) as into:
        connection.backup(into)
        into.execute("PRAGMA journal_mode = DELETE")


def _metadata(folder: Path, audited: Audit, entries: Sequence[LedgerEntry]) -> dict[str, Any]:
    times = [entry.content["time"] for entry in entries]
    papers = {paper_address(entry): entry for entry in entries}
    dated = max(times, default="1970-01-01T00:00:00Z")
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": "Claims about scientific papers, with their evidence",
        "description": f"{len(entries)} claims from {len(papers)} papers, each with its quote, where the quote stands, "
        f"and how it was checked: {tally(entries)}. "
        f"The ledger has {audited.rows} rows and ends with the hash {audited.head}.",
        "datePublished": dated,
        "license": {"@id": "#no-licence"},
        "identifier": f"urn:uuid:{audited.ledger}",
        "hasPart": [{"@id": name} for name in _FILES],
        "citation": [{"@id": address} for address in papers],
    }
    return {
        # The context of 1.1 lacks this term of schema.org, which that of 1.2 has.
        "@context": ["https://w3id.org/ro/crate/1.1/context", {"sha256": "http://schema.org/sha256"}],
        "@graph": [
            {
                "@id": _DESCRIPTOR,
                "@type": "CreativeWork",
                "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
                "about": {"@id": "./"},
            },
            root,
            *(_file(folder / name, *told) for name, told in _FILES.items()),
            *(_article(address, entry) for address, entry in papers.items()),
            *_context(dated),
        ],
    }


def _file(path: Path, media_type: str, description: str) -> dict[str, Any]:
    data = path.read_bytes()
    return {
        "@id": path.name,
        "@type": "File",
        "name": path.name,
        "description": description,
        "encodingFormat": media_type,
        "contentSize": str(len(data)),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _article(address: str, entry: LedgerEntry) -> dict[str, Any]:
    """A paper is named, not held: it is not ours to hand on."""
    return {
        "@id": address,
        "@type": "ScholarlyArticle",
        "name": entry.paper["title"] or address,
        "identifier": entry.paper["paper_id"],
    }


def _context(dated: str) -> list[dict[str, Any]]:
    made = [{"@id": name} for name in _FILES]
    return [
        {
            "@id": "#no-licence",
            "@type": "CreativeWork",
            "name": "No licence stated",
            "description": "Quotes belong to the papers that they are from.",
        },
        {
            "@id": "#pincite",
            "@type": "SoftwareApplication",
            "name": "pincite",
            "version": version("pincite"),
        },
        {
            "@id": "#export",
            "@type": "CreateAction",
            "name": "Export of a ledger of claims",
            "instrument": {"@id": "#pincite"},
            "endTime": dated,
            "result": made,
        },
    ]


def _write_json(path: Path, content: dict[str, Any]) -> None:
    with path.open("wb") as file:
        file.write(orjson.dumps(content, option=orjson.OPT_INDENT_2))
        file.flush()
        os.fsync(file.fileno())
