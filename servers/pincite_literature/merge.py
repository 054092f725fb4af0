"""Works of several sources become one record a work."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite_literature.combine import combine
from pincite_literature.grouping import Grouping
from pincite_literature.model import Work
from pincite_literature.records import read_records


@dataclass(frozen=True, slots=True)
class Group:
    """One work, the records it was merged from, and the best place (from 1) that each source's list gave it."""

    work: Work
    members: tuple[Work, ...]
    places: Mapping[str, int]


def merge(lists: Mapping[str, Sequence[Work]]) -> list[Group]:
    """One group a work, of all lists by name of source; see ``grouping`` for what joins and ``combine`` for the fields.

    The outcome does not depend on the order of the sources. Groups come by their best place, then by title. Under a
    cutoff give it only works that pass it: a merged work knows what any of its records knows.
    """
    records = read_records(lists)
    grouping = Grouping(records)
    groups: list[Group] = []
    for indices in map(sorted, grouping.groups()):
        places: dict[str, int] = {}
        for index in indices:
            record = records[index]
            places[record.source] = min(record.rank, places.get(record.source, record.rank))
        work = combine([records[index] for index in indices], [grouping.wrong[index] for index in indices])
        groups.append(Group(work, tuple(records[index].work for index in indices), places))
    return sorted(groups, key=_order)


def _order(group: Group) -> tuple[object, ...]:
    return min(group.places.values()), -len(group.places), group.work.title, repr(group.work.ids)
