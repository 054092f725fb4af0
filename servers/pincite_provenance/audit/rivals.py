"""Whether a source gives a report's number for another thing than the report does."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pincite_papers.model import Paper
from pincite_provenance.audit.binding import (
    BoundCell,
    BoundSentence,
    Name,
    bound_sentence,
    label_names,
    said_of_other,
    telling,
    without,
)
from pincite_provenance.audit.source import SourceQuantities, SourceQuantity
from pincite_provenance.audit.values import ReportValue
from pincite_provenance.audit.words import number_key
from pincite_provenance.claims.reading import clean
from pincite_provenance.claims.tablecells import without_units

_MOST = 60
"""Other values of a column or sentence that one is compared with; a longer table repeats its names."""


@dataclass(frozen=True, slots=True)
class Rival:
    """The place of the value that the source gives for what the report names beside its number, and how the source
    names the thing whose value the report has. ``is_sure`` where nothing speaks for another reading."""

    at: int
    named: str
    owner: str
    is_sure: bool


def find_rival(value: ReportValue, source: SourceQuantities, paper: Paper, at: int) -> Rival | None:
    """The value that should stand in the report, where the source gives the number of ``entries[at]`` to another thing."""
    claim = _claim(value)
    if claim is None:
        return None
    found: Rival | None = None
    for other, own, others in _compared(source, paper, at):
        if not said_of_other(claim, own, others):
            continue
        named = next(name for name in others if claim.most(name) > 0)
        rival = Rival(other, named.text, own[0].text, _is_sure(value, claim, source.entries[other], own))
        if rival.is_sure:
            return rival
        found = found or rival
    return found


def _claim(value: ReportValue) -> BoundSentence | BoundCell | None:
    if value.sentence:
        return bound_sentence(value.sentence, value.quantity, value.units[0] if value.units else "")
    return BoundCell(tuple(label_names(value.labels))) if value.labels else None


def _is_sure(value: ReportValue, claim: BoundSentence | BoundCell, other: SourceQuantity, own: Iterable[Name]) -> bool:
    """Where the report gives both numbers, they must be exchanged: it names both things. Where it gives one, its
    sentence may not name the other thing at all: it may compare the two."""
    printed = number_key(other.quantity).partition(" ")[0]
    said = (key for word, _ in value.words if word.is_number for key in word.keys)
    gives_both = any(key.partition(" ")[0] == printed for key in said)
    return gives_both == any(claim.has(name) for name in own)


def _compared(source: SourceQuantities, paper: Paper, at: int) -> Iterator[tuple[int, list[Name], list[Name]]]:
    """The other values of the same kind in the sentence or table of a value, with the names that only the value has
    and those that only the other has."""
    entry = source.entries[at]
    if entry.table >= 0:
        yield from _in_table(source, at)
        return
    text = clean(paper.text[entry.start : entry.end])
    mine = bound_sentence(text, entry.quantity, entry.unit)
    for other in list(source.beside_of(at))[:_MOST]:
        there = source.entries[other]
        if not _one_kind(entry, there) or there.quantity.value == entry.quantity.value:
            continue
        theirs = bound_sentence(text, there.quantity, there.unit)
        yield other, telling(mine, theirs), telling(theirs, mine)


def _in_table(source: SourceQuantities, at: int) -> Iterator[tuple[int, list[Name], list[Name]]]:
    entry = source.entries[at]
    for column, labels in ((source.in_column_of(at), _row), (source.in_row_of(at), _column)):
        mine = labels(entry)
        for other in column[:_MOST]:
            there = source.entries[other]
            if not _one_kind(entry, there) or there.quantity.value == entry.quantity.value:
                continue
            theirs = labels(there)
            yield other, without(mine, theirs), without(theirs, mine)


def _row(entry: SourceQuantity) -> list[Name]:
    return label_names(without_units(label) for label in entry.row)


def _column(entry: SourceQuantity) -> list[Name]:
    return label_names(without_units(label) for label in entry.column)


def _one_kind(one: SourceQuantity, other: SourceQuantity) -> bool:
    return one.units == other.units or bool(set(one.units) & set(other.units))
