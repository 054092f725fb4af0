"""The tables of a library in SQLite: how a file is made, known again and refused when it is newer.

Every name and number of a paper stands in ordinary tables, for whoever opens the file with the ``sqlite3`` program.
A paper's chunks have consecutive keys in reading order, given once and never again: ``columns`` holds what every
search needs of them as little-endian arrays with one element a chunk, so that opening a library of 200,000 chunks
means reading a few thousand rows. Integers in blobs are little-endian.
"""

import sqlite3
import time

from pincite_core.errors import DamagedError, NotFoundError, UnknownFormatError
from pincite_library.store.sqlite import segments as sqlite_segments

APPLICATION = 0x70696E63
"""``application_id`` of the file: "pinc"."""
VERSION = 1
"""Version of the tables."""

_TABLES = (
    """CREATE TABLE papers (
  paper INTEGER PRIMARY KEY AUTOINCREMENT,
  paper_id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  source TEXT NOT NULL,
  authors TEXT NOT NULL, -- JSON array
  year INTEGER,
  journal TEXT NOT NULL,
  doi TEXT,
  abstract TEXT NOT NULL,
  format TEXT NOT NULL,
  pages INTEGER NOT NULL,
  parser TEXT NOT NULL,
  chunker TEXT NOT NULL,
  text_digest TEXT NOT NULL, -- SHA-256 of the text in UTF-8
  chunks INTEGER NOT NULL,
  added TEXT NOT NULL,
  warnings TEXT NOT NULL, -- JSON array
  marks TEXT NOT NULL -- JSON: page starts, suspects, recognised
)""",
    "CREATE TABLE texts (paper INTEGER PRIMARY KEY, text TEXT NOT NULL) -- canonical; offsets count code points",
    """CREATE TABLE columns (
  paper INTEGER PRIMARY KEY,
  first INTEGER NOT NULL, -- key of the paper's first chunk
  kinds BLOB NOT NULL, -- uint8: place in text, table, figure, reference
  sections BLOB NOT NULL, -- uint32: sections.section
  lengths BLOB NOT NULL, -- uint32: number of terms
  rows BLOB NOT NULL, -- int32: row in the files of vectors, -1 for none
  segments INTEGER NOT NULL, -- of exact search, 0 where it has no index of this paper
  bytes INTEGER NOT NULL -- of the text in UTF-8
)""",
    "CREATE TABLE sections (section INTEGER PRIMARY KEY, heading TEXT NOT NULL UNIQUE)",
    """CREATE TABLE chunks (
  key INTEGER PRIMARY KEY,
  page INTEGER,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  label TEXT NOT NULL,
  first_row INTEGER, -- of a group of a table's rows
  last_row INTEGER,
  described_by TEXT NOT NULL,
  spans TEXT NOT NULL, -- JSON array of pairs
  digest BLOB NOT NULL, -- of context and text: tells unchanged chunks
  context INTEGER NOT NULL, -- contexts.key
  text TEXT -- NULL where it is the canonical text from start to end
)""",
    "CREATE TABLE contexts (key INTEGER PRIMARY KEY, text TEXT NOT NULL) -- key of the first chunk that has it",
    """CREATE TABLE fresh (
  first INTEGER PRIMARY KEY, -- the postings of a paper that is in no run yet; columns as in term_runs and postings
  last INTEGER NOT NULL,
  width INTEGER NOT NULL,
  terms TEXT NOT NULL,
  sizes BLOB NOT NULL,
  keys BLOB NOT NULL,
  counts BLOB NOT NULL
)""",
    """CREATE TABLE term_runs (
  run INTEGER PRIMARY KEY AUTOINCREMENT,
  level INTEGER NOT NULL, -- 1: of some papers; 2: merged from such runs
  first INTEGER NOT NULL, -- first and last key
  last INTEGER NOT NULL,
  width INTEGER NOT NULL -- bytes of a key: 1, 2 or 4
)""",
    """CREATE TABLE postings (
  run INTEGER NOT NULL,
  first_term TEXT NOT NULL,
  terms TEXT NOT NULL, -- in order, separated by line feeds
  sizes BLOB NOT NULL, -- uint32: how many chunks have each
  keys BLOB NOT NULL, -- these chunks, ascending for each term, counted from the run's first
  counts BLOB NOT NULL, -- uint8: how often each chunk has the term, 255 for more; empty where it is always once
  PRIMARY KEY (run, first_term)
) WITHOUT ROWID""",
    "CREATE TABLE changes (change INTEGER PRIMARY KEY AUTOINCREMENT, paper INTEGER NOT NULL) -- last ones, for readers",
    "CREATE TABLE unwritten (change INTEGER PRIMARY KEY, paper_id TEXT NOT NULL) -- files in text/ that may lag behind",
    """CREATE TABLE state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  next_key INTEGER NOT NULL,
  generation INTEGER NOT NULL, -- of the files of vectors
  rows INTEGER NOT NULL, -- valid rows in them
  model TEXT, -- model, dimension and text_version: the space of vectors, NULL where there are none
  dimension INTEGER,
  text_version TEXT
)""",
    "INSERT INTO state VALUES (1, 1, 1, 0, NULL, NULL, NULL)",
    "CREATE TABLE vector_blocks (block INTEGER PRIMARY KEY, checksum INTEGER NOT NULL) -- CRC-32 of valid rows",
)


def make(connection: sqlite3.Connection, *, writable: bool, wait: float) -> None:
    """Make the tables where there are none yet; UnknownFormatError for another program's or a newer file."""
    if not _is_new(connection):
        return
    if not writable:
        raise NotFoundError("There is no library.", next="Make one with: pincite library add PAPERS")
    # Larger pages than usual: texts and postings fill many.
    connection.execute("PRAGMA page_size = 8192")
    _switch_to_log(connection, wait)
    connection.execute("BEGIN IMMEDIATE")
    if _is_new(connection):
        for statement in _TABLES:
            connection.execute(statement)
        sqlite_segments.create(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _switch_to_log(connection: sqlite3.Connection, wait: float) -> None:
    """Turn the write-ahead log on. SQLite does not wait there for another process that does the same."""
    until = time.monotonic() + wait
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _is_new(connection: sqlite3.Connection) -> bool:
    """Whether the file has no tables yet; UnknownFormatError where it is not a library or one of a newer version."""
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    tables = int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    if application == 0 and version == 0 and tables == 0:
        return True
    if application != APPLICATION:
        raise UnknownFormatError(
            "The file of the library is another program's SQLite file.",
            seen=f"application id {application}",
            next="Name another folder for the library.",
        )
    if version > VERSION:
        raise UnknownFormatError(
            "The library was made by a newer version of pincite.",
            seen=f"version {version}, known are versions up to {VERSION}",
            next="Update pincite, or make a new library from the papers.",
        )
    if version < 1:
        raise DamagedError("The library has no version.", next="Make a new library from the papers.")
    return False
