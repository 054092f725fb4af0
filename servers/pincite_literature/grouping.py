"""Which records are of one work: linked by identifiers first, then by named versions, then by titles and authors.

Every link is checked, so that a wrong identifier in one source joins nothing: what shares an identifier must be alike
in title or authors, and groups whose identifiers conflict stay apart. Works are distinct when a note on a work
(erratum, comment, reply) meets the work itself, when digits, numerals or formulas of their titles differ, when the
authors do, when years, volumes or kinds do, and when they bear different DOIs of publications: so a conference paper
and the journal's version of it under the same title are two works, unless a source names one as the other's version.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from pincite_literature.catalog import AUTHORITIES
from pincite_literature.names import agreement
from pincite_literature.records import Record, contradict, plausible, same_place, versions
from pincite_literature.titles import extends, near, revised
from pincite_literature.versions import is_copy_doi

WINDOW = 30
"""Records of a block, in its order, with which each one is compared: the work grows as n log n."""

_COMPARED = 8
"""Members of a group that a title link is checked against."""

_EDGE = 14
"""Letters at the beginning or end of a title by which nearly equal ones are brought together."""

Pairs = Iterable[tuple[int, int]]


class Grouping:
    """Records, the groups they form (a forest of indices), and the identifiers found wrong."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self.wrong: list[set[str]] = [set() for _ in records]
        self._parent = list(range(len(records)))
        self._members: list[list[int]] = [[index] for index in range(len(records))]
        self._bearers: dict[str, list[int]] = {}
        for index, record in enumerate(records):
            for key in record.keys:
                self._bearers.setdefault(key, []).append(index)
        self._judge()
        self._ids = [self._telling(index) for index in range(len(records))]

    def groups(self) -> list[list[int]]:
        """The groups of indices, joined by one kind of link after the other."""
        for kind in AUTHORITIES:
            self._link(self._sharing(kind), by=kind)
        self._link(self._named(), check=versions, by="version")
        self._link(_windows(self.records, _exact_blocks), check=_same_title)
        self._link(_windows(self.records, _near_blocks), check=_near_title)
        self._link(_windows(self.records, _author_blocks), check=_revised_title, alone=True)
        return [self._members[index] for index in range(len(self.records)) if self._find(index) == index]

    def _judge(self) -> None:
        """Find the bearers of an identifier who cannot be of one work, and let the most or the authority keep it."""
        for key, bearers in self._bearers.items():
            camps: list[list[int]] = []
            for index in bearers:
                fitting = (c for c in camps[:WINDOW] if plausible(self.records[c[0]], self.records[index]))
                camp = next(fitting, None)
                if camp is None:
                    camps.append([index])
                else:
                    camp.append(index)
            authority = AUTHORITIES[key.partition(":")[0]]
            camps.sort(key=lambda camp: (-len(camp), all(self.records[i].source != authority for i in camp)))
            for index in (i for camp in camps[1:] for i in camp):
                self.wrong[index].add(key)

    def _telling(self, index: int) -> dict[str, set[str]]:
        """The identifiers that keep works apart: DOIs of publications, arXiv ids, PMIDs of publications."""
        record = self.records[index]
        kept = [key.partition(":")[::2] for key in record.keys if key not in self.wrong[index]]
        return {
            "doi": {value for kind, value in kept if kind == "doi" and not is_copy_doi(value)},
            "arxiv": {value for kind, value in kept if kind == "arxiv"},
            "pmid": {value for kind, value in kept if kind == "pmid" and not record.preprint},
        }

    def _find(self, index: int) -> int:
        while self._parent[index] != index:
            self._parent[index] = self._parent[self._parent[index]]
            index = self._parent[index]
        return index

    def _link(
        self, pairs: Pairs, *, check: Callable[[Record, Record], bool] | None = None, by: str = "", alone: bool = False
    ) -> None:
        """Join the groups of every pair that passes ``check`` and whose groups' identifiers do not conflict.

        ``by`` is the kind of identifier that links: a DOI outweighs the others, a named version even two DOIs.
        ``alone``: only a preprint that has no publication yet and a publication that has no preprint yet.
        """
        outweighed = {"doi": {"doi", "pmid"}, "version": {"doi", "pmid"}, "arxiv": {"arxiv"}}.get(by, {by})
        telling = tuple(kind for kind in ("doi", "arxiv", "pmid") if kind not in outweighed)
        for one, other in pairs:
            first, second = self._find(one), self._find(other)
            if first == second or self._conflict(first, second, telling):
                continue
            if check is not None and not check(self.records[one], self.records[other]):
                continue
            if not by and self._contradicted(first, second):
                continue
            if alone and not self._single(first, second):
                continue
            if (len(self._members[first]), second) < (len(self._members[second]), first):
                first, second = second, first
            self._parent[second] = first
            self._members[first] += self._members[second]
            for kind, values in self._ids[second].items():
                self._ids[first][kind] |= values

    def _conflict(self, first: int, second: int, kinds: Sequence[str]) -> bool:
        """Whether both groups have identifiers of one of these kinds, and none in common."""
        one, other = self._ids[first], self._ids[second]
        for kind in kinds:  # noqa: SIM110  # A generator would take longer than all else in here.
            if one[kind] and other[kind] and one[kind].isdisjoint(other[kind]):
                return True
        return False

    def _contradicted(self, first: int, second: int) -> bool:
        members = (self._members[first][:_COMPARED], self._members[second][:_COMPARED])
        return any(contradict(self.records[i], self.records[j], slack=2) for i in members[0] for j in members[1])

    def _single(self, first: int, second: int) -> bool:
        kinds = [{self.records[index].preprint for index in self._members[root]} for root in (first, second)]
        return kinds in ([{True}, {False}], [{False}, {True}])

    def _sharing(self, kind: str) -> Iterator[tuple[int, int]]:
        for key, bearers in self._bearers.items():
            if key.startswith(f"{kind}:"):
                kept = [index for index in bearers if key not in self.wrong[index]]
                yield from ((kept[0], index) for index in kept[1:])

    def _named(self) -> Iterator[tuple[int, int]]:
        for index, record in enumerate(self.records):
            for key in record.versions:
                for other in self._bearers.get(key, ())[:WINDOW]:
                    if key not in self.wrong[other]:
                        yield other, index


def _exact_blocks(record: Record) -> tuple[str, ...]:
    return (record.title.compact,) if record.title.compact else ()


def _near_blocks(record: Record) -> tuple[str, ...]:
    compact = record.title.compact
    if len(compact) < 20:
        return ()
    return f"head {compact[:_EDGE]}", f"tail {compact[-_EDGE:]}", f"main {record.title.main or compact}"


def _author_blocks(record: Record) -> tuple[str, ...]:
    first = record.first_author
    return tuple(first.words) if first and len(record.work.authors) > 1 else ()


def _windows(records: Sequence[Record], blocks: Callable[[Record], tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Pairs of one block, near to each other in the order of first authors and years."""
    gathered: dict[str, list[int]] = {}
    for index, record in enumerate(records):
        for block in blocks(record):
            gathered.setdefault(block, []).append(index)
    for members in gathered.values():
        if len(members) < 2:
            continue
        members.sort(key=lambda index: (_first_author(records[index]), records[index].year or 0, index))
        for place, one in enumerate(members):
            yield from ((one, other) for other in members[place + 1 : place + 1 + WINDOW])


def _first_author(record: Record) -> str:
    name = record.first_author
    return " ".join(sorted(name.family or name.words)) if name else ""


def _same_title(one: Record, other: Record) -> bool:
    """Whether two records of the same title are of one work: by authors, else by place or a long title and year."""
    shared = agreement(one.names, other.names)
    if one.title.generic:
        return same_place(one, other) and shared != 0
    if shared is None:
        return same_place(one, other) or (len(one.title.compact) >= 40 and not contradict(one, other))
    return shared > 0.5 and (same_place(one, other) or not contradict(one, other))


def _near_title(one: Record, other: Record) -> bool:
    """Whether two records of nearly the same title are of one work: by all their authors and the year."""
    shared = agreement(one.names, other.names)
    if shared is None or shared < 0.75 or one.year is None or other.year is None:
        return False
    if one.source == other.source and one.preprint == other.preprint:
        return False
    if contradict(one, other):
        return False
    return near(one.title, other.title) or extends(one.title, other.title)


def _revised_title(one: Record, other: Record) -> bool:
    """Whether a preprint and a publication of the same several authors bear a title that words were added to."""
    if one.preprint == other.preprint or len(one.work.authors) != len(other.work.authors):
        return False
    return revised(one.title, other.title) and agreement(one.names, other.names) == 1.0 and not contradict(one, other)
