"""Upkeep: the indexes of the tables, and what has gathered since they were last brought up to date.

New rows are found at once, since Lance looks through those that no index covers; when they are many, that makes
searches slow, so writers call ``tend``. ``optimize`` also puts small fragments together, which writes most of a table
again: it is put off until a share of the table is new, so that a library that grows is written a few times, not at
every batch. Files of versions that are older than ``KEEP`` go: readers look at the newest one at every call.
"""

from datetime import timedelta
from typing import Any

from pincite_library.store.lance.modules import index
from pincite_library.store.lance.rows import GONE
from pincite_library.store.lance.session import Session
from pincite_library.store.lance.terms import terms_index
from pincite_library.store.lance.vectors import TRAINED_FROM, vectors_index

KEEP = timedelta(minutes=10)
_FRAGMENTS = 64
"""Fragments of a table from which it is compacted. Set by judgement."""
_SMALL = 5000
"""Rows up to which a table needs no index. Set by judgement."""
_GROWN = 4
"""Times that a table must have grown before its index is trained again. Set by judgement."""


def create_rows_indexes(table: Any) -> None:
    """The indexes of the table of papers, where they are not there yet."""
    # By it Lance sees that two writers put the same rows at the same time.
    table.set_unenforced_primary_key("key")
    have = {tuple(made.columns) for made in table.list_indices()}
    for column, config in (
        ("terms", terms_index()),
        ("key", index().BTree()),
        ("paper", index().BTree()),
        ("year", index().BTree()),
        ("journal", index().BTree()),
        ("kind", index().Bitmap()),
    ):
        if (column,) not in have:
            table.create_index(column, config=config)


def renew_terms(session: Session) -> bool:
    """Make the index of terms again if the library is small; False when another process is writing to it.

    Lance ranks what the index covers by the index alone: in a small library fresh and removed rows would show.
    """
    if session.reading("rows", lambda table: table.count_rows()) > _SMALL:
        return True
    with session.alone_if_free() as free:
        if free:
            make = terms_index()
            session.writing("rows", lambda table: table.create_index("terms", config=make, replace=True))
        return free


def tend(session: Session, name: str, *, least: int, share: float) -> bool:
    """Bring the indexes of a table up to date when too many rows are not in them; whether that was done.

    Too many are more than ``least`` and than this share of all rows; too many small fragments count as well.
    """
    table = session.table(name)
    rows = table.count_rows()
    fresh = _fresh(table)
    fragments = table.stats()["fragment_stats"]["num_small_fragments"]
    if fresh <= max(least, int(share * rows)) and fragments < _FRAGMENTS:
        return False
    with session.alone():
        optimise(session, name, keep=KEEP)
    return True


def optimise(session: Session, name: str, *, keep: timedelta) -> None:
    """Put fragments together and all rows into the indexes; the files of versions older than ``keep`` go."""
    session.writing(name, lambda table: table.delete(f"kind = '{GONE}'") if name == "rows" else None)
    # Of a local folder this process is the only writer, so that unfinished files are those of killed ones.
    unfinished = session.folder is not None
    session.writing(name, lambda table: table.optimize(cleanup_older_than=keep, delete_unverified=unfinished))
    if name != "rows":
        _train(session, name)


def _train(session: Session, name: str) -> None:
    """Make the index of vectors, or make it again when the table has grown so far that its cells are too large."""

    def ask(table: Any) -> None:
        rows = table.count_rows()
        trained = {made.name: int(made.name.rpartition("_")[2]) for made in _vector_indexes(table)}
        if rows < TRAINED_FROM or rows < _GROWN * max(trained.values(), default=0):
            return
        table.create_index("vector", config=vectors_index(table), name=f"vector_of_{rows}")
        for old in trained:
            table.drop_index(old)

    session.writing(name, ask)


def _fresh(table: Any) -> int:
    """How many rows the index that is furthest behind does not cover."""
    return max((made.num_unindexed_rows or 0 for made in table.list_indices()), default=0)


def _vector_indexes(table: Any) -> list[Any]:
    return [made for made in table.list_indices() if "vector" in made.columns]
