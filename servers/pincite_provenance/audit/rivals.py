"""Whether a source gives a report's number for another thing than the report does."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pincite_papers.model import Paper
from pincite_provenance.audit.binding import (
    Bound,
    Name,
    all_names,
    bound_sentence,
    bound_value,
    names_of,
    said_of_other,
    telling,
    without,
)
from pincite_provenance.audit.context_words import number_key
from pincite_provenance.audit.source import SourceQuantities, SourceQuantity
from pincite_provenance.audit.values import SENTENCE, ReportValue
from pincite_provenance.claims.reading import clean

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
    """The value that should stand in the report, where the source gives that of ``entries[at]`` to another thing."""
    claim = bound_value(value)
    if not claim.keys:
        return None
    found: Rival | None = None
    for other, own, others in _compared(source, paper, at, claim.keys):
        if not said_of_other(claim, own, others):
            continue
        named = next(name for name in others if claim.most(name) > 0)
        # "LSCF" may be short for "LSCF+PrOx", and "LDL" beside "cholesterol" for "LDL-C"
        is_part = any(named.text in name.text or _is_shortened(claim, name) for name in own)
        is_sure = not is_part and _is_sure(value, claim, source.entries[other], own)
        rival = Rival(other, named.text, own[0].text, is_sure)
        if rival.is_sure:
            return rival
        found = found or rival
    return found


def _is_shortened(claim: Bound, name: Name) -> bool:
    """Whether the claim has the first part of a hyphenated name alone."""
    first, hyphen, _ = name.text.partition("-")
    return bool(hyphen) and len(first) > 1 and any(each.text == first for each in all_names(claim))


def _is_sure(value: ReportValue, claim: Bound, other: SourceQuantity, own: Iterable[Name]) -> bool:
    """Where the report gives both numbers, they must be exchanged: it names both things. Where it gives one, its
    sentence may not name the other thing at all: it may compare the two."""
    printed = number_key(other.quantity).partition(" ")[0]
    said = (key for word, weight in value.words if word.is_number and weight >= SENTENCE for key in word.keys)
    gives_both = any(key.partition(" ")[0] == printed for key in said)
    return gives_both == any(claim.has(name) for name in own)


def _compared(
    source: SourceQuantities, paper: Paper, at: int, keys: frozenset[str]
) -> Iterator[tuple[int, Sequence[Name], Sequence[Name]]]:
    """The other values of the same kind in the sentence or table of a value, with the names that only the value has
    and those that only the other has. Values none of whose words is among the claim's ``keys`` are left out."""
    entry = source.entries[at]
    if entry.table >= 0:
        yield from _in_table(source, at, keys)
        return
    others = [other for other in source.beside_of(at) if _is_other(entry, source.entries[other])]
    if not others:
        return
    text = clean(paper.text[entry.start : entry.end])
    mine = bound_sentence(text, entry.quantity, entry.unit)
    if keys.isdisjoint(mine.keys):
        return
    for other in others[:_MOST]:
        there = source.entries[other]
        theirs = bound_sentence(text, there.quantity, there.unit)
        yield other, telling(mine, theirs), telling(theirs, mine)


def _in_table(
    source: SourceQuantities, at: int, keys: frozenset[str]
) -> Iterator[tuple[int, Sequence[Name], Sequence[Name]]]:
    entry = source.entries[at]
    for places, labels in ((source.in_column_of(at), _row), (source.in_row_of(at), _column)):
        mine = names_of(labels(entry))
        tried = 0
        for other in places:
            there = source.entries[other]
            theirs = names_of(labels(there))
            if keys.isdisjoint(theirs.keys) or not _is_other(entry, there) or tried == _MOST:
                continue
            tried += 1
            yield other, without(mine.names, theirs.names), without(theirs.names, mine.names)


def _row(entry: SourceQuantity) -> tuple[str, ...]:
    return entry.row


def _column(entry: SourceQuantity) -> tuple[str, ...]:
    return entry.column


def _is_other(one: SourceQuantity, other: SourceQuantity) -> bool:
    """Whether two values are of one kind and differ."""
    return other.quantity.value != one.quantity.value and _one_kind(one, other)


def _one_kind(one: SourceQuantity, other: SourceQuantity) -> bool:
    return one.units == other.units or bool(set(one.units) & set(other.units))
