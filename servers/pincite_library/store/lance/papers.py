"""Writing and removing papers: one commit of the table ``rows``, and the vectors of chunks that go."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pincite_library.model import VectorSpace
from pincite_library.store.lance import vectors as lance_vectors
from pincite_library.store.lance.filters import in_papers, numbers
from pincite_library.store.lance.rows import CHUNKS, GONE, PAPER, Row, gone, table_of
from pincite_library.store.lance.session import Session

_MANY = 2000
"""Keys of one condition. Set by judgement."""
_TRIES = 8
"""Tries of a commit beside other writers. Set by judgement."""


def put(session: Session, papers: Sequence[Sequence[Row]], space: VectorSpace | None) -> None:
    """Put papers in place of their older states by one commit; vectors of chunks with the same text are kept."""
    with session.alone():
        for _ in range(_TRIES):
            if _put(session, papers, space):
                return
            # On object storage another writer came in between: what it wrote of these papers has to go as well.


def _put(session: Session, papers: Sequence[Sequence[Row]], space: VectorSpace | None) -> bool:
    """Write the papers; whether nobody else wrote in between."""
    came = {row["key"]: row for rows in papers for row in rows}
    ids = [rows[0]["paper_id"] for rows in papers]
    before = session.newest("rows") if session.folder is None else 0
    there = session.scan("rows", in_papers(ids), ["key", "paper", "kind"])
    counted = Counter[int](there.column("key").to_pylist())
    twice = [key for key, count in counted.items() if count > 1]
    if twice:  # two writers on object storage put the same new paper: an upsert would keep both rows
        session.writing("rows", lambda table: table.delete(f"key IN ({numbers(twice)})"))
        before += 1
    going = [row for row in there.to_pylist() if row["key"] not in came and row["kind"] != GONE]
    carried = _leave(session, space, [row["key"] for row in going if row["kind"] in CHUNKS], came)
    rows = [*came.values(), *(gone(row["key"], row["paper"]) for row in going)]

    def change(table: Any) -> int:
        data = table_of(rows, table.schema)
        if there.num_rows or session.folder is None:
            return lance_vectors.upsert(table, data)
        return int(table.add(data).version)

    version = session.writing("rows", change)
    if carried is not None and space is not None:
        name = lance_vectors.table_name(space)
        session.writing(name, lambda table: lance_vectors.upsert(table, carried))
    return session.folder is not None or version == before + 1


def _leave(session: Session, space: VectorSpace | None, going: Sequence[int], came: Mapping[int, Row]) -> Any:
    """Delete the vectors of chunks that go; those of chunks that come with the same text, as rows to add."""
    if space is None or not going:
        return None
    by_text = {_text_of(row): row for row in came.values() if row["kind"] in CHUNKS}
    successors: dict[int, Row] = {}
    columns = ["key", "paper_id", "context", "text"]
    for at in range(0, len(going), _MANY):
        where = f"key IN ({numbers(going[at : at + _MANY])})"
        old = session.scan("rows", where, columns)
        for row in old.to_pylist():
            if (successor := by_text.get(_text_of(row))) is not None:
                successors[row["key"]] = successor
    carried = lance_vectors.moved(session, space, successors) if successors else None
    for at in range(0, len(going), _MANY):
        lance_vectors.delete(session, space, f"key IN ({numbers(going[at : at + _MANY])})")
    return carried


def _text_of(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return row["paper_id"], row["context"], row["text"]


def remove(session: Session, paper_ids: Sequence[str], space: VectorSpace | None) -> int:
    """Remove papers with all that belongs to them; how many were there."""
    where = in_papers(paper_ids)
    with session.alone():
        count = session.reading("rows", lambda table: table.count_rows(f"kind = '{PAPER}' AND {where}"))
        if not count:
            return 0
        if space is not None:
            lance_vectors.delete(session, space, where)
        session.writing("rows", lambda table: table.delete(where))
        return int(count)
