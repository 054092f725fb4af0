"""Whether a report exchanges two values: each is said of the thing that the source gives the other for.

A report that has both numbers of a sentence or a table of the source names things beside them. A name that goes with
one number in the report and with the other in the source is crossed. Two values are exchanged where all names
that tell the two apart are crossed, in every sentence or table that has both numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pincite_papers.model import Paper
from pincite_provenance.audit.binding import Bound, Name, all_names, bound_sentence, bound_value, names_of
from pincite_provenance.audit.source import SourceQuantities, SourceQuantity
from pincite_provenance.audit.values import ReportValue
from pincite_provenance.claims.reading import clean

_CLEAR = 0.3
"""By how much more surely a name must go with one of two numbers than with the other, from 0 to 1, to tell them apart.
Names of both have about the same weight, those of one about 0.9 more; set by judgement between."""
_SURE = 0.8
"""How surely in sum, where one name that goes with one number alone has 0.9, the crossed names must go with the other
number in the source. Set on the four folders of tests/benchmarks/written_reports, all seen."""
_SAME = 1e-9
"""Relative difference of one number read twice: the rounding of doubles."""
_MOST_PLACES = 12
"""Places of a number in a source that are looked at; a number that stands oftener is a count."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """``at`` and ``other`` are the places of the value and of the one that it is exchanged with; ``owner`` is the name
    that the source gives the value for."""

    at: int
    other: int
    owner: str


def find_exchange(
    value: ReportValue, siblings: Iterable[ReportValue], source: SourceQuantities, paper: Paper
) -> Exchange | None:
    """The exchange of ``value`` with one of the other values of its sentence or table. None where the source has it
    beside its own names anywhere, or nothing tells."""
    mine = places_of(value, source)
    if not mine:
        return None
    for sibling in siblings:
        if sibling.quantity.value == value.quantity.value or not _may_share(value.units, sibling.units):
            continue
        pairs = list(_together(mine, set(places_of(sibling, source)), source))
        if not pairs:
            continue
        found = _exchange_with(bound_value(value), bound_value(sibling), pairs, source, paper)
        if found is not None:
            return found
    return None


def _exchange_with(
    mine: Bound, theirs: Bound, pairs: Iterable[tuple[int, int]], source: SourceQuantities, paper: Paper
) -> Exchange | None:
    """The exchange of two values of the report at the first of these pairs of places that shows one; None where at any
    pair both stand as the report has them."""
    found: Exchange | None = None
    for at, other in pairs:
        owner = _crossed(mine, theirs, _bound(source, paper, at), _bound(source, paper, other))
        if owner == "":
            return None
        if owner is not None and found is None:
            found = Exchange(at, other, owner)
    return found


def places_of(value: ReportValue, source: SourceQuantities) -> list[int]:
    """The places of the number of a value in a source with its unit, or with one that one of the two does not give."""
    found = [at for unit in value.units or ("",) for at in source.like(value.quantity.value, unit, _SAME)]
    found = [at for at in dict.fromkeys(found) if _one_unit(value, source.entries[at])]
    fitting = [at for at in found if not _is_bound(source, at)]
    return fitting if len(fitting) <= _MOST_PLACES else []


def _is_bound(source: SourceQuantities, at: int) -> bool:
    """Whether a number of a cell stands behind another one, as the ends of an interval do: 0.49 (0.33-0.66)."""
    entry = source.entries[at]
    return entry.table >= 0 and at > 0 and source.entries[at - 1].start == entry.start


def _one_unit(value: ReportValue, entry: SourceQuantity) -> bool:
    return entry.quantity.value == value.quantity.value and _may_share(value.units, entry.units)


def _may_share(units: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two numbers have the same unit, or one of them none: 3 and 5 nm."""
    return not units or not others or not set(units).isdisjoint(others)


def _together(mine: Sequence[int], theirs: set[int], source: SourceQuantities) -> Iterator[tuple[int, int]]:
    """The pairs of places that one sentence, row or column has."""
    for at in mine:
        entry = source.entries[at]
        others = source.beside_of(at) if entry.table < 0 else (*source.in_column_of(at), *source.in_row_of(at))
        for other in others:
            if other in theirs:
                yield at, other


def _bound(source: SourceQuantities, paper: Paper, at: int) -> Bound:
    entry = source.entries[at]
    if entry.table >= 0:
        return names_of((*entry.row, *entry.column))
    return bound_sentence(clean(paper.text[entry.start : entry.end]), entry.quantity, entry.unit)


def _crossed(value: Bound, sibling: Bound, mine: Bound, theirs: Bound) -> str | None:
    """The name by which the source has the value for the sibling's thing, where all names that tell the two apart, two
    at least, are crossed; "" where one is where the source has it; None where nothing tells."""
    crossed: list[float] = []
    owner = ""
    for name in _names_of(value, sibling):
        in_report = _weight(value, name) - _weight(sibling, name)
        in_source = _weight(mine, name) - _weight(theirs, name)
        if abs(in_report) < _CLEAR or abs(in_source) < _CLEAR:
            continue
        if in_report * in_source > 0:
            return ""
        crossed.append(abs(in_source))
        if not owner or in_report < 0:
            owner = name.text
    return owner if len(crossed) > 1 and sum(crossed) >= _SURE else None


def _names_of(*bounds: Bound) -> Iterator[Name]:
    seen: set[frozenset[str]] = set()
    for bound in bounds:
        for name in all_names(bound):
            is_number = any(key.startswith("#") for key in name.keys)
            if name.keys not in seen and not is_number:
                seen.add(name.keys)
                yield name


def _weight(bound: Bound, name: Name) -> float:
    """How surely a name goes with a number, as the two readings of the sentence have it on average."""
    return (bound.most(name) + bound.least(name)) / 2
