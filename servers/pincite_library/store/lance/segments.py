"""Exact search in LanceDB: the folded text of every segment is looked through for what a match must hold."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pincite_library.model import Segment
from pincite_library.segments import lowered, segments_of
from pincite_library.store.lance.filters import in_papers, numbers, text
from pincite_library.store.lance.rows import PAPER, SEGMENT, Row, paper_key
from pincite_library.store.lance.session import Session, VacuumedError
from pincite_library.store.store import Clauses

Scan = Callable[[str, Sequence[str]], Any]
"""Rows by a condition, with these columns, as an Arrow table."""

_MANY = 1000
"""Segments that are fetched at once. Set by judgement."""
_TRIES = 4
"""How often a state of the library is looked at before a vacuum that always comes first is told of."""


def rows(canonical: str) -> list[Row]:
    """The segments of a paper's text, as parts of rows."""
    found: list[Row] = []
    for ordinal, (start, end) in enumerate(segments_of(canonical)):
        piece = canonical[start:end]
        found.append({"ordinal": ordinal, "detail": str(start), "text": piece, "folded": lowered(piece)})
    return found


def segments(session: Session, clauses: Clauses, papers: frozenset[str]) -> Iterator[Segment]:
    """Segments that hold one of each clause's texts, by paper and place, all of one state of the library.

    VacuumedError where a vacuum removes that state's files after the first thousand segments were given.
    """
    parts = [f"kind = '{SEGMENT}'"]
    if papers:
        parts.append(in_papers(papers))
    parts.extend(_holds(clause) for clause in clauses if clause and all(clause))
    where = " AND ".join(parts)
    for _ in range(_TRIES - 1):
        try:
            look = _first_look(session, where, papers)
            break
        except VacuumedError:
            pass
    else:
        look = _first_look(session, where, papers)
    yield from look.first
    for at in range(_MANY, len(look.ordered), _MANY):
        yield from _fetched(look.scan, look.ordered[at : at + _MANY])
    for paper_id in look.uncut:
        yield from _cut_now(look.scan, paper_id)


@dataclass(frozen=True)
class _Look:
    """One state of the library: the keys that match, the first segments, and the papers that have none."""

    scan: Scan
    ordered: list[int]
    first: list[Segment]
    uncut: list[str]


def _first_look(session: Session, where: str, papers: frozenset[str]) -> _Look:
    scan = session.pinned("rows")
    found = scan(where, ["key", "paper", "ordinal"])
    by_place = found.sort_by([("paper", "ascending"), ("ordinal", "ascending")])
    ordered: list[int] = by_place.column("key").to_pylist()
    first = list(_fetched(scan, ordered[:_MANY]))
    return _Look(scan, ordered, first, _papers_without_segments(scan, papers))


def _papers_without_segments(scan: Scan, papers: frozenset[str]) -> list[str]:
    where = f"kind = '{PAPER}' AND ordinal = 0" + (f" AND {in_papers(papers)}" if papers else "")
    return sorted(scan(where, ["paper_id"]).column("paper_id").to_pylist())


def _cut_now(scan: Scan, paper_id: str) -> Iterator[Segment]:
    for row in scan(f"key = {paper_key(paper_id)} AND kind = '{PAPER}'", ["text"]).to_pylist():
        yield from (Segment(paper_id, int(one["detail"]), one["text"]) for one in rows(row["text"]))


def _holds(clause: Sequence[str]) -> str:
    return "(" + " OR ".join(f"contains(folded, {text(wanted)})" for wanted in clause) + ")"


def _fetched(scan: Scan, keys: Sequence[int]) -> Iterator[Segment]:
    if not keys:
        return
    where = f"key IN ({numbers(keys)}) AND kind = '{SEGMENT}'"
    columns = ["key", "paper_id", "detail", "text", "folded"]
    by_key: dict[int, dict[str, Any]] = {row["key"]: row for row in scan(where, columns).to_pylist()}
    for row in (by_key[key] for key in keys):
        yield Segment(row["paper_id"], int(row["detail"]), row["text"], row["folded"].encode())
