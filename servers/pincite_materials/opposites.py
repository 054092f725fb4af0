"""What two descriptions of a sample or a measurement say that excludes one another: n-type and p-type, sample A and B.

Three rules. A *group* lists sides of which a thing has one. A *negation* is the same word with and without ``un-``,
``de-``, ``without`` and their like. A *label* is a number, letter or formula that stands beside the same word on both
sides and differs (pH 7 and pH 4, film on MgO and on SrTiO3). Silence on one side excludes nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pincite_materials.description import Clause, Label, read_clauses
from pincite_materials.opposite_words import GROUPS, NEGATIONS, OTHER_SIDE, POLAR, RELATIONS, Phrases

_LEAST_STEM = 8
"""Letters of the word that a single ``a`` turns around: ``a`` + ``symmetric``."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a text says, as the rules compare it."""

    clauses: tuple[Clause, ...]
    sides: Mapping[int, Mapping[int, str]]
    """By group the sides that it names, each with the phrase that names it."""
    words: frozenset[str]
    negated: frozenset[str]
    relations: frozenset[tuple[str, str]]


@lru_cache(maxsize=16384)
def opposed(a: str, b: str) -> str | None:
    """How two texts exclude each other, or None where they need not."""
    if not a or not b or a == b:
        return None
    first, second = describe(a), describe(b)
    return _by_group(first, second) or _by_negation(first, second) or _by_label(first, second)


@lru_cache(maxsize=4096)
def describe(text: str) -> Description:
    """What a text of conditions says."""
    clauses = read_clauses(text)
    words: set[str] = set()
    negated: set[str] = set()
    relations: set[tuple[str, str]] = set()
    for clause in clauses:
        _read_words(clause.words, words, negated, relations)
    return Description(clauses, _sides(clauses), frozenset(words), frozenset(negated), frozenset(relations))


def _read_words(clause: tuple[str, ...], words: set[str], negated: set[str], relations: set[tuple[str, str]]) -> None:
    negation = False
    relation = ""
    for place, word in enumerate(clause):
        if word in NEGATIONS:
            negation = True
        elif word in RELATIONS:
            relation = RELATIONS[word]
        else:
            (negated if negation else words).add(word)
            if relation:
                relations.add((relation, word))
        if place and not negation:
            words.add(clause[place - 1] + word)
        if place and clause[place - 1] in POLAR:
            relations.add((clause[place - 1], word))


def _sides(clauses: tuple[Clause, ...]) -> dict[int, dict[int, str]]:
    found: dict[int, dict[int, str]] = {}
    text = " | ".join(" ".join(clause.words) for clause in clauses)
    for group, phrases in enumerate(GROUPS):
        if named := _named(f" {text} ", phrases):
            found[group] = named
    return found


def _named(text: str, phrases: Phrases) -> dict[int, str]:
    """The sides of a group that a text names; longer phrases come first and hide their parts."""
    named: dict[int, str] = {}
    for phrase, side in phrases:
        if f" {phrase} " in text:
            text = text.replace(f" {phrase} ", " | ")
            if side is not None:
                named.setdefault(side, phrase)
    return named


def _by_group(a: Description, b: Description) -> str | None:
    for group in a.sides.keys() & b.sides.keys():
        mine, theirs = a.sides[group], b.sides[group]
        if mine.keys().isdisjoint(theirs):
            return f"{next(iter(mine.values()))} against {next(iter(theirs.values()))}"
    return None


def _by_negation(a: Description, b: Description) -> str | None:
    for one, other in ((a, b), (b, a)):
        denied = one.negated & (other.words - other.negated) - one.words
        if denied and not other.negated:
            return f"without against with {min(denied)}"
        for word in one.words - other.words:
            stem = _turned(word)
            if stem and stem in other.words and stem not in one.words:
                return f"{word} against {stem}"
    for relation, what in a.relations:
        other = OTHER_SIDE.get(relation) or POLAR[relation]
        if (other, what) in b.relations and (relation, what) not in b.relations and (other, what) not in a.relations:
            return f"{relation} against {other} {what}"
    return _by_prefix(a, b)


_PREFIX = re.compile(r"(?:un|non|de|dis|anti|an|in|im|mis)(?=[a-z]{4})")
"""Before a word of four letters and more: shorter ones make pairs by chance (``de`` + ``cay``)."""
_PAIRS = (("over", "under"), ("up", "down"), ("pre", "post"), ("hyper", "hypo"), ("intra", "inter"), ("homo", "hetero"))


def _turned(word: str) -> str:
    """The word that a prefix of negation turned around: ``doped`` of ``undoped``; empty where there is none."""
    match = _PREFIX.match(word)
    if match is not None:
        return word[match.end() :]
    return word[1:] if word.startswith("a") and len(word) > _LEAST_STEM else ""


def _by_prefix(a: Description, b: Description) -> str | None:
    for one, other in ((a, b), (b, a)):
        for prefix, opposite in _PAIRS:
            for word in one.words - other.words:
                turned = opposite + word.removeprefix(prefix)
                if word.startswith(prefix) and turned in other.words and turned not in one.words:
                    return f"{word} against {turned}"
    return None


def _by_label(a: Description, b: Description) -> str | None:
    mine = [label for clause in a.clauses for label in clause.labels]
    theirs = [label for clause in b.clauses for label in clause.labels]
    only_mine = [label for label in mine if not any(label.same(other) for other in theirs)]
    only_theirs = [label for label in theirs if not any(label.same(other) for other in mine)]
    for one in only_mine:
        for other in only_theirs:
            if one.kind == other.kind and _in_one_place(one, other):
                return f"{one.printed} against {other.printed}"
    return None


def _in_one_place(one: Label, other: Label) -> bool:
    """Whether both label the same word, or each is all that its text says."""
    if one.alone and other.alone:
        return True
    return not one.beside.isdisjoint(other.beside)
