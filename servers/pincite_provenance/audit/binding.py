"""What a number of a sentence is said of: words that go with it and not with another number of its kind.

Two values of one sentence, or of one column of a table, are told apart by the words that only one of them has. Where
the report's sentence gives the claimed number the other value's words, the number is bound to another thing there.
How surely a word goes with a number is read twice, by ``claims.sentences`` and by the parts between joining words; a
name is taken for another thing's only where both say so.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pincite_materials.units import parse_unit
from pincite_provenance.audit.values import ReportValue
from pincite_provenance.claims.quantities import Quantity
from pincite_provenance.claims.roles import role_of
from pincite_provenance.claims.sentences import CLAUSE, ELSEWHERE, OWN, SHARED, Sentence, read_sentence
from pincite_provenance.claims.tablecells import without_units
from pincite_provenance.claims.words import Word

_OWN = 0.9
"""Weight of a word from which on it stands in the number's own part of the sentence (``claims.sentences``: 1 in its
part, 0.9 around its brackets, 0.85 and less where it is shared)."""
_NAMED = 0.5
"""Share of the words by which one thing differs from another that must stand beside a number for it to be said of the
first. Set by judgement: half of a name of two words is still that name."""


_JOINING = re.compile(
    r",\s+(?:and|while|whereas|but|or)\s|[,;]\s"
    r"|\s(?:and|while|whereas|but|or|versus|vs\.?|than|against|compared (?:to|with))\s"
)
"""What parts what is said of one number from what is said of the next."""


@dataclass(frozen=True, slots=True)
class Name:
    """A word or a number that may tell one thing from another, by the keys under which it is found."""

    text: str
    keys: frozenset[str]
    is_sure: bool = False
    """Whether it looks like a name: a formula, a code, a number."""


class BoundSentence:
    """A sentence with one of its quantities, and how surely each of its words goes with that."""

    def __init__(self, text: str, quantity: Quantity, unit: str = "") -> None:
        unit = unit or quantity.unit
        whole = read_sentence(text, role_of(text, quantity))
        others = [each for each in whole.quantities if each.start != quantity.start]
        names = frozenset(each.start for each in others if not _of_one_kind(unit, each.unit))
        self._sentence: Sentence = read_sentence(text, whole.role, names)
        slots = self._sentence.slots
        self._slot = next((slot for slot in slots if slot.quantity.start == quantity.start), None)
        self.names: list[tuple[Name, int]] = [*_names(self._sentence, quantity, names)]
        self.keys = frozenset[str]().union(*(name.keys for name, _ in self.names))
        self._part = self._bounds()
        self._first = slots[0].quantity.start if slots else 0
        elements = [each for items in self._sentence.items for each in items.elements]
        self._is_listed = any(low <= quantity.start < high for low, high in elements)

    @property
    def is_listed_alone(self) -> bool:
        """Whether the number is one of several given "respectively" for names that could not be found."""
        return self._slot is None or self._slot.quantity.start in self._sentence.unpaired

    def has(self, name: Name) -> bool:
        """Whether the sentence has a name at all."""
        return any(each.keys & name.keys for each, _ in self.names)

    def most(self, name: Name) -> float:
        """How surely a name goes with the number at most, 0 where the sentence does not have it."""
        return max((max(pair) for pair in self._weights(name)), default=0.0)

    def least(self, name: Name) -> float:
        """How surely it does by both readings."""
        return max((min(pair) for pair in self._weights(name)), default=0.0)

    @cached_property
    def own(self) -> list[Name]:
        """The names of the number's own part."""
        return [name for name, _ in self.names if self.least(name) >= _OWN]

    def _weights(self, name: Name) -> Iterable[tuple[float, float]]:
        if self._slot is None:
            return
        for each, at in self.names:
            if each.keys & name.keys:
                first = self._sentence.weight(self._slot, at, name=True)
                yield first, first if self._is_listed else self._parted(at)

    def _parted(self, at: int) -> float:
        low, high = self._part
        if low <= at < high:
            return OWN
        return SHARED if at < self._first else ELSEWHERE

    def _bounds(self) -> tuple[int, int]:
        """Where the number's part begins and ends: at the joining words between it and its neighbours."""
        if self._slot is None:
            return 0, 0
        slots = self._sentence.slots
        here = slots.index(self._slot)
        low, high = 0, len(self._sentence.text)
        if here:
            begin = slots[here - 1].quantity.end
            found = _JOINING.search(self._sentence.flat(begin, self._slot.quantity.start))
            low = begin + found.end() if found else begin
        if here + 1 < len(slots):
            begin, end = self._slot.quantity.end, slots[here + 1].quantity.start
            found = _JOINING.search(self._sentence.flat(begin, end))
            high = begin + found.start() if found else end
        return low, high


@dataclass(frozen=True, slots=True)
class BoundCell:
    """A number of a report's table: what its row and column are called goes with it, and nothing else."""

    names: tuple[Name, ...]
    keys: frozenset[str]

    is_listed_alone = False

    def most(self, name: Name) -> float:
        """1 for a name of its labels, else 0."""
        return float(self.has(name))

    least = most

    def has(self, name: Name) -> bool:
        """Whether its labels have a name."""
        return any(each.keys & name.keys for each in self.names)


Bound = BoundSentence | BoundCell
"""A number of a sentence or of a table, with the names that may go with it."""


def bound_value(value: ReportValue) -> Bound:
    """The sentence of a report's value, or the names of its row and column."""
    if value.sentence:
        return bound_sentence(value.sentence, value.quantity, value.units[0] if value.units else "")
    return names_of(value.labels)


def all_names(bound: Bound) -> list[Name]:
    """Every name that a sentence or cell has, whatever number it goes with."""
    if isinstance(bound, BoundCell):
        return list(bound.names)
    return [name for name, _ in bound.names]


@lru_cache(maxsize=2048)
def bound_sentence(text: str, quantity: Quantity, unit: str = "") -> BoundSentence:
    """The sentence ``text`` as seen from one of its quantities; read once."""
    return BoundSentence(text, quantity, unit)


def telling(mine: BoundSentence, other: BoundSentence) -> list[Name]:
    """The names of a source's sentence that go with one of its numbers and not with another."""
    return [name for name in mine.own if other.most(name) <= ELSEWHERE]


def said_of_other(claim: Bound, own: Sequence[Name], others: Sequence[Name]) -> bool:
    """Whether a claim's number has the names of another thing (``others``) and none of its own in its part.

    Without a name on each side nothing tells the two apart. A formula, code or number in the part of the claim's number
    outweighs one that the number shares with others (``x = 0.1 at 5 K and x = 0.2 at 7 K``).
    """
    if not own or not others or claim.is_listed_alone:
        return False
    sure = [name for name in others if name.is_sure]
    wanted = sure or others
    is_paired = bool(sure) and any(name.is_sure for name in own)
    least = _OWN if is_paired else CLAUSE
    if any(claim.most(name) >= least for name in own):
        return False
    there = [name for name in wanted if claim.least(name) >= _OWN]
    return len(there) > 0 and len(there) >= _NAMED * len(wanted)


@lru_cache(maxsize=8192)
def names_of(labels: tuple[str, ...]) -> BoundCell:
    """The names of the labels of a row or column, without their units."""
    found: list[Name] = []
    for label in labels:
        sentence = read_sentence(without_units(label))
        found += [name for name, _ in _names(sentence, None, frozenset(each.start for each in sentence.quantities))]
    return BoundCell(tuple(found), frozenset[str]().union(*(name.keys for name in found)))


def without(names: Iterable[Name], others: Sequence[Name]) -> list[Name]:
    """The names that are none of the others."""
    return [name for name in names if not any(name.keys & other.keys for other in others)]


def _names(sentence: Sentence, but: Quantity | None, numbers: frozenset[int]) -> Iterable[tuple[Name, int]]:
    taken = [(each.start, each.end) for each in sentence.quantities]
    for word in sentence.words:
        if not word.stop and not word.light and not any(start <= word.start < end for start, end in taken):
            yield _name(word), word.start
    for each in sentence.quantities:
        if each is not but and each.start in numbers:
            yield Name(each.printed, frozenset({f"#{each.value:g}"}), is_sure=True), each.start


def _name(word: Word) -> Name:
    plain = word.text.replace("_", "").lower()
    keys = word.keys | {plain} if "_" in word.text or word.entity else word.keys  # Ac_1e is Ac1e
    return Name(word.text, keys, word.entity)


def _of_one_kind(one: str, other: str) -> bool:
    """Whether two units measure the same; numbers without a unit are of one kind."""
    if not one or not other:
        return one == other
    mine = {reading.dimensions for reading in parse_unit(one)}
    theirs = {reading.dimensions for reading in parse_unit(other)}
    return one == other or bool(mine & theirs)
