"""What is wrong with a library in SQLite, in words."""

import hashlib
import sqlite3
from pathlib import Path

import numpy as np

from pincite_library.store.sqlite.catalogue import Catalogue
from pincite_library.store.sqlite.rows import stored
from pincite_library.store.sqlite.terms import lengths_by_postings
from pincite_library.store.sqlite.vectors import wrong_rows
from pincite_library.store.texts import TextFolder

_REFERENCES = {
    "papers without their columns": "SELECT count(*) FROM papers WHERE paper NOT IN (SELECT paper FROM columns)",
    "columns of no paper": "SELECT count(*) FROM columns WHERE paper NOT IN (SELECT paper FROM papers)",
    "papers without their text": "SELECT count(*) FROM papers WHERE paper NOT IN (SELECT paper FROM texts)",
    "texts of no paper": "SELECT count(*) FROM texts WHERE paper NOT IN (SELECT paper FROM papers)",
    "papers with another number of chunks": "SELECT count(*) FROM papers JOIN columns USING (paper)"
    " WHERE chunks <> length(kinds)",
    "papers with missing chunks": "SELECT count(*) FROM columns WHERE length(kinds) <>"
    " (SELECT count(*) FROM chunks WHERE key >= first AND key < first + length(kinds))",
    "papers with missing segments": "SELECT count(*) FROM columns WHERE segments <>"
    " (SELECT count(*) FROM segments WHERE segments.paper = columns.paper)",
    "segments of no paper": "SELECT count(*) FROM segments WHERE paper NOT IN (SELECT paper FROM columns)",
    "chunks without their context": "SELECT count(*) FROM chunks WHERE context NOT IN (SELECT key FROM contexts)",
    "contexts of no chunk": "SELECT count(*) FROM contexts WHERE key NOT IN (SELECT context FROM chunks)",
}
_SHOWN = 20
"""Faults that are named."""


def problems(connection: sqlite3.Connection, catalogue: Catalogue, folder: Path, texts: TextFolder) -> list[str]:
    """Every kind of damage that can be seen from inside one state of the library; at most 20 of a kind."""
    rows = connection.execute(f"PRAGMA integrity_check({_SHOWN})").fetchall()
    found = [f"The SQLite file is damaged: {row[0]}" for row in rows if row[0] != "ok"]
    for what, query in _REFERENCES.items():
        count = connection.execute(query).fetchone()[0]
        if count:
            found.append(f"There are {what}: {count}.")
    extra = connection.execute("SELECT count(*) FROM chunks").fetchone()[0] - catalogue.chunks
    if extra:
        found.append(f"There are {extra} chunks more than those of papers.")
    found += _wrong_texts(connection, catalogue, texts)[:_SHOWN]
    found += _wrong_terms(connection, catalogue)[:_SHOWN]
    found += wrong_rows(connection, folder, catalogue)[:_SHOWN]
    return found


def _wrong_texts(connection: sqlite3.Connection, catalogue: Catalogue, texts: TextFolder) -> list[str]:
    """Texts that are not those that were put, places outside of them, and files in text/ that differ."""
    found: list[str] = []
    lagging = {str(row[0]) for row in connection.execute("SELECT paper_id FROM unwritten")}
    rows = connection.execute("SELECT paper, paper_id, text_digest, text FROM papers JOIN texts USING (paper)")
    for paper, paper_id, digest, text in rows:
        if hashlib.sha256(text.encode()).hexdigest() != digest:
            found.append(f"The text of {paper_id} is not the one that was ingested.")
        first = catalogue.first_of.get(paper, 0)
        outside = connection.execute(
            "SELECT count(*) FROM chunks WHERE key >= ? AND key < ? AND NOT (0 <= start AND start <= end AND end <= ?)",
            (first, first + catalogue.count_of.get(paper, 0), len(text)),
        ).fetchone()[0]
        if outside:
            found.append(f"{outside} chunks of {paper_id} stand outside of its text.")
        segments = connection.execute(
            "SELECT start, coalesce(text, '') FROM segments LEFT JOIN segment_texts USING (id) WHERE paper = ?",
            (paper,),
        )
        if any(text[start : start + len(piece)] != piece or not piece for start, piece in segments):
            found.append(f"Exact search does not have the text of {paper_id} as it is.")
        if paper_id not in lagging:
            copy = texts.read(paper_id)
            if copy is None:
                found.append(f"The file {texts.path(paper_id).name} is missing in text/; vacuum writes it.")
            elif copy != text.encode():
                found.append(f"The file {texts.path(paper_id).name} in text/ differs from its paper; vacuum fixes it.")
    known = set(catalogue.paper_id_of.values()) | lagging
    return found + [f"The file {path.name} in text/ belongs to no paper." for path in texts.strangers(known)]


def _wrong_terms(connection: sqlite3.Connection, catalogue: Catalogue) -> list[str]:
    """Postings that cannot be read, and chunks whose postings do not add up to their length."""
    sums, cut, found = lengths_by_postings(connection, len(catalogue.paper_of))
    wrong = catalogue.alive & np.where(cut, sums > catalogue.length_of, sums != catalogue.length_of)
    keys = np.flatnonzero(wrong)
    if len(keys):
        chunks = stored(connection, catalogue, keys[:_SHOWN].tolist())
        found.append(
            f"{len(keys)} chunks are not indexed as they were: {', '.join(c.locator for c in chunks.values())}"
        )
    return found
