"""Options in other words than their own: by their quantities, and by the words that set them apart."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_materials.units import parse_unit
from pincite_scoring.literature_qa.names import FILLER, NEGATING, tokens_of
from pincite_scoring.literature_qa.quantities import quantities, spelled
from pincite_scoring.literature_qa.word_answers import normal

_BRACKETS = re.compile(r"\([^()]*\)")
_SPAN = frozenset(("between", "from", "to", "range", "and", "of"))
"""Words by which a range is said."""
_PART_END = re.compile(r"\s*(?:;|,(?!\d)|\.\s|\n|\band\b|\bbut\b|\bwhile\b|\bwhereas\b)\s*", re.IGNORECASE)
_SET_ASIDE = re.compile(
    r"[^.;,()\n]*\b(?:(?:was|were|is|are|did|does|do|could|can|has|have|had)(?:\s+not|n['’]t)|never)\b[^.;,()\n]*|"
    r"\b(?:not|no|without|unlike|rather than|instead of|than|nor|neither|excluding|as opposed to)\b[^.;,()\n]*",
    re.IGNORECASE,
)
_BUT = re.compile(r"\s+but\s+", re.IGNORECASE)
_CHOOSING = re.compile(r"\b(?:or|either|maybe|perhaps|possibly|both)\b", re.IGNORECASE)
Measures = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Affirmed:
    """``letter`` of the one option that a text says and does not deny, None for none or several; ``possible`` are the
    options that it may mean."""

    letter: str | None
    possible: frozenset[str]


def affirmed(text: str, options: dict[str, str]) -> Affirmed:
    """The option that a text says among other words: by the words that no other option has, and by its quantities
    where it has any. What stands behind "not", "than" and their like is not said; an option that itself denies is said
    in no other words."""
    said = _seasons(_SET_ASIDE.sub(" ", _BUT.sub(", ", text)))
    words, measures = words_of(said), measures_of(said)
    full: list[str] = []
    partly: set[str] = set()
    for letter, option in options.items():
        sizes = measures_of(option)
        others = [words_of(each) for each in options.values() if each != option and measures_of(each) == sizes]
        own = words_of(option) - frozenset[str]().union(*others)
        met = own & words
        if _denies(option) or not _may_be(said, option, own):
            continue
        partly.add(letter)
        if own and sizes <= measures and _in_parts(said, option) and (met if sizes else words_of(option) <= words):
            full.append(letter)
    if _CHOOSING.search(said) and len(partly) > 1:
        return Affirmed(None, frozenset())
    if len(full) != 1:
        return Affirmed(None, frozenset() if full else frozenset(partly))
    sizes = measures_of(options[full[0]])
    kinds = {kind for _, kind in sizes}
    alone = (
        sizes == frozenset((size, kind) for size, kind in measures if kind in kinds) if sizes else partly == set(full)
    )
    return Affirmed(full[0] if alone else None, frozenset(full))


def _may_be(said: str, option: str, own: frozenset[str]) -> bool:
    """Whether a text has the quantities of an option and nothing of another pairing, or a word of its own or a form of
    one, or, where it has no quantity, all its words in their order."""
    words, sizes, measures = words_of(said), measures_of(option), measures_of(said)
    if sizes and not measures:
        order = [word for word in tokens_of(option) if word in words_of(option) - _PLACING]
        told = [word for word in tokens_of(said) if word in order]
        return bool(order) and list(dict.fromkeys(told)) == order
    if sizes:
        paired = _pairs(_PART_END.split(_BRACKETS.sub(" ", said)))
        return sizes <= measures and (not paired or _in_parts(said, option))
    return any(_alike(word, each) for word in own for each in words)


def says_same(text: str, option: str) -> bool:
    """Whether a text has the quantities of an option and its words that weigh, part for part, with or without what
    stands in brackets."""
    prints = {_seasons(text), _seasons(_BRACKETS.sub(" ", text))}
    return any(_is_said(each, option) and _in_parts(each, option) for each in prints)


def _is_said(bare: str, option: str) -> bool:
    if (mine := measures_of(bare)) != (theirs := measures_of(option)):
        return bool(mine and theirs) and normal(bare) == normal(option)
    if _denies(bare) != _denies(option):
        return False
    words, wanted = words_of(bare) - NEGATING, words_of(option) - NEGATING
    return bool(theirs and wanted - _PLACING <= words) or (bool(wanted) and words == wanted)


def _denies(text: str) -> bool:
    return bool(words_of(text) & NEGATING)


def _in_parts(text: str, option: str) -> bool:
    """Whether every part of an option that pairs a name with a quantity has a part of the text with the same pair."""
    wanted = _pairs(_PART_END.split(option))
    if len(wanted) < 2:
        return True
    told = _pairs(_PART_END.split(_BRACKETS.sub(" ", text)))
    return all(any(words <= held and sizes == theirs for held, theirs in told) for words, sizes in wanted)


def _pairs(parts: Sequence[str]) -> list[tuple[frozenset[str], Measures]]:
    pairs = [(words_of(part) - _PLACING, measures_of(part)) for part in parts]
    return [(words, sizes) for words, sizes in pairs if words and sizes]


_PLACING = frozenset(("after", "at", "before", "by", "for", "during", "within", "then", "later"))
"""Words between a name and its quantity."""


def _alike(word: str, other: str) -> bool:
    """Whether two words are one or have one stem: all letters but the shorter one's last two, and at least five."""
    shorter = min(len(word), len(other))
    stem = max(_STEM, shorter - 2)
    return word == other or (shorter >= _STEM and word[:stem] == other[:stem])


_STEM = 5
"""Letters in which two words must agree to be forms of one. Set by judgement."""


def _seasons(text: str) -> str:
    """``2019/20`` and ``2019–2020`` as two years."""
    return _YEARS.sub(lambda found: f"{found[1]} and {found[1][:-2]}{found[2][-2:]}", text)


_YEARS = re.compile(r"\b((?:19|20)\d\d)\s*[/–-]\s*((?:19|20)?\d\d)\b")


def measures_of(text: str) -> Measures:
    """The quantities of a text in base units; a number without a unit has that of the next one."""
    found: set[tuple[str, str]] = set()
    unit = ""
    for each in reversed(quantities(text)):
        unit = each.unit or unit
        readings = parse_unit(unit)
        size = each.value * readings[0].factor if readings else each.value
        found.add((f"{size:.6g}", str(readings[0].dimensions) if readings else ""))
    return frozenset(found)


def words_of(text: str) -> frozenset[str]:
    """The words of a text that weigh, without numbers and their units."""
    bare = spelled(text)
    for each in quantities(text):
        bare = bare.replace(each.unit, " ") if each.unit else bare
    words = (_SENSES.get(word, word) for word in tokens_of(bare) if not word[0].isdigit())
    return frozenset(words) - (FILLER - NEGATING) - _SPAN


_SENSES = {
    **dict.fromkeys(("previous", "previously", "prior", "past", "preceding", "older", "published"), "earlier"),
    **dict.fromkeys(("determined", "obtained", "fitted", "own", "themselves"), "measured"),
    **dict.fromkeys(("cited", "quoted", "adopted", "literature"), "taken"),
}
"""Words by which papers tell whose a value is."""
