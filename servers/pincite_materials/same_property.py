"""Do two property names mean one quantity? They are taken apart and compared by meaning; the rest is unknown."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from pincite_materials.elements import ELEMENTS
from pincite_materials.name_parts import Parts, take_apart
from pincite_materials.property_lexicon import STOP_WORDS, SYNONYMS
from pincite_materials.property_names import contrasts, normal_form, without_contrasts
from pincite_materials.text import plain
from pincite_materials.word_classes import (
    ELEMENT_NAMES,
    FORM_WORDS,
    HEADS,
    NEUTRAL_WORDS,
    NOT_ELEMENTS,
    SAME_WORDS,
    SYMBOLS,
)

Answer = Literal["same", "different", "unknown"]
_STEM = 6
"""Letters that two words of one root share: ``interface`` and ``interfacial``."""

_LEAST_WORD = 3
"""Letters of a word; fewer make a symbol."""

_LATTICE = frozenset({"lattice", "cell", "unit", "coefficient", "length", "edge", "axi", "dimension", "spacing"})
_LATTICE_KIND = frozenset({"lattice", "cell"})
_LATTICE_HEAD = frozenset({"coefficient", "length", "edge", "axi", "dimension"})
_SYSTEMS = frozenset({"cubic", "tetragonal", "hexagonal", "orthorhombic", "trigonal", "rhombohedral", "monoclinic"})
_WORD = re.compile(r"[A-Za-z][a-z]{2,}")
_INDEXED = re.compile(r"([a-z]+)(\d+)")
_ORDINALS = ("first", "second", "third", "fourth")
_ION = re.compile(r"^(?:\d{1,3})?([A-Z][a-z]?)(?:\d?[+-])?$")

Bag = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """Whether two names mean one quantity, and by what, or why not; ``unknown`` where no rule tells."""

    answer: Answer
    how: str


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a name says: ``concepts`` of the lexicon (``exact`` where nothing else is said), its words and symbols, the
    words of what it is told of, and the elements (lower-case symbols) that it names."""

    concepts: frozenset[str]
    exact: bool
    words: frozenset[str]
    of: frozenset[str]
    elements: frozenset[str]
    head: str = ""
    told: str = ""
    """What it is told of, as printed."""


@lru_cache(maxsize=65536)
def relate(a: str, b: str) -> Relation:
    """Whether two names mean one quantity: synonyms, abbreviations, symbols, other order, "of X" and conditions aside.

    Different are names whose meanings the lexicon knows to differ, that name different elements or other things that
    they are told of, or whose symbols differ.
    """
    if normal_form(a) == normal_form(b):
        return Relation("same", "direct")
    first, second = read_quantity(a), read_quantity(b)
    if first.elements and second.elements and first.elements.isdisjoint(second.elements):
        return Relation("different", "the names are of different elements")
    if _contrasted(a, b):
        return Relation("different", "the names are of different definitions (onset, midpoint and the like)")
    if _other_index(normal_form(a), normal_form(b)):
        return Relation("different", "the names have different indices")
    if first.concepts and second.concepts:
        return _by_concepts(a, b, first, second)
    if _abbreviates(a, b) or _abbreviates(b, a):
        return Relation("same", "abbreviation")
    if first.concepts or second.concepts:
        return Relation("unknown", "the names have different words")
    return _by_words(first, second)


def akin(answer: str, gold: str) -> bool:
    """Whether a name of unknown meaning may be another's: it may not where it names another kind of the same thing
    (``shear strength`` for ``yield strength``), nor where its own meaning is known and shares no word."""
    first, second = read_quantity(answer), read_quantity(gold)
    mine, theirs = _stems(first.words | first.of), _stems(second.words | second.of)
    if _one_letter(answer) or not first.concepts.isdisjoint(second.concepts):
        return True
    if first.head != second.head and first.head in HEADS and second.head in HEADS:
        return False
    if first.head and first.head == second.head:
        return mine <= theirs or theirs <= mine or _spells_out(answer, gold) or _spells_out(gold, answer)
    known = bool(first.concepts) and (first.exact or bool(second.concepts))
    return not (known and mine and theirs and mine.isdisjoint(theirs))


def told_apart(name: str, detail: str) -> bool:
    """Whether a name is told of something that ``detail``, what another record says of its value, does not mention:
    an activation energy *of local jumps* is not one of long-range diffusion."""
    of, said = _stems(read_quantity(name).of), _stems(frozenset(_tokens(detail)))
    return bool(of) and bool(said) and of.isdisjoint(said)


@lru_cache(maxsize=16384)
def read_quantity(text: str) -> Quantity:
    """What a property's name says."""
    parts = take_apart(text)
    raw = [*_raw_words(parts.quantity), *_raw_words(parts.of)]
    elements = _elements(raw)
    concepts, exact, told = _concepts(text, parts, elements)
    words = frozenset(word for word in _content(parts.quantity if told else parts.bare) if word not in FORM_WORDS)
    of = frozenset(word for word in _content(parts.of) if word not in FORM_WORDS) if told else frozenset[str]()
    of = frozenset(word for word in of if word not in ELEMENT_NAMES and word not in elements)
    head = next((word for word in reversed(_raw_words(parts.quantity)) if _WORD.fullmatch(word)), "")
    head = next(iter(_fold([head])[-1:]), "")
    return Quantity(concepts, exact and not _one_letter(text), words, of, elements, head, parts.of if of else "")


def _contrasted(a: str, b: str) -> bool:
    """Whether two names are on different sides of a contrast: onset and zero, tensile and compressive."""
    mine, theirs = contrasts(a), contrasts(b)
    shared = {group for group, _ in mine} & {group for group, _ in theirs}
    sides = [({s for g, s in mine if g == group}, {s for g, s in theirs if g == group}) for group in shared]
    return any(one.isdisjoint(other) for one, other in sides)


def _other_index(a: str, b: str) -> bool:
    """Whether two names differ in the index of one symbol (``d31``, ``d33``) or in an ordinal."""
    for one, other in zip(_indices(a), _indices(b), strict=True):
        if any(name in other and not marks & other[name] for name, marks in one.items()):
            return True
    return False


def _indices(name: str) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    indexed: dict[str, set[str]] = {}
    for word in name.split():
        if (match := _INDEXED.fullmatch(word)) is not None:
            indexed.setdefault(match[1], set()).add(match[2])
    ordinals = {word for word in name.split() if word in _ORDINALS}
    return indexed, {"": ordinals} if ordinals else {}


def _by_concepts(a: str, b: str, first: Quantity, second: Quantity) -> Relation:
    if first.concepts.isdisjoint(second.concepts):
        stripped = [_known(_content(name), first.elements | second.elements) for name in (a, b)]
        if first.exact and second.exact and stripped[0].isdisjoint(stripped[1]):
            return Relation("different", "the names mean different quantities")
        return Relation("unknown", "the names may mean different quantities")
    mine, theirs = _stems(first.of), _stems(second.of)
    if mine and theirs and mine.isdisjoint(theirs) and relate(first.told, second.told).answer != "same":
        return Relation("different", "the names are told of different things")
    if not (first.exact and second.exact):
        return Relation("unknown", "one name says more than the other")
    return Relation("same", "abbreviation" if min(len(normal_form(a)), len(normal_form(b))) <= 5 else "synonym")


def _by_words(first: Quantity, second: Quantity) -> Relation:
    mine, theirs = first.words | first.of, second.words | second.of
    long, other = ({word for word in words if len(word) >= _LEAST_WORD and word.isalpha()} for words in (mine, theirs))
    short, signs = mine - long, theirs - other
    if _stems(frozenset(long)) != _stems(frozenset(other)):
        return Relation("unknown", "the names have different words")
    if short and signs and not (short <= signs or signs <= short):
        return Relation("different", "the names carry different symbols")
    if long or short & signs:
        return Relation("same", "words")
    return Relation("unknown", "the names have different words")


def _concepts(text: str, parts: Parts, elements: frozenset[str]) -> tuple[frozenset[str], bool, bool]:
    """The concepts of a name, whether nothing else is said, and whether what it is told of stands apart from them."""
    for whole in (text, parts.bare):
        found = _bags().get(_bag(_whole(whole)))
        if found:
            return found, True, False
    tries = [(text, False), (parts.bare, False), (parts.quantity, True)]
    tries += [(parts.quantity.partition(",")[0], True), *((aside, True) for aside in parts.asides)]
    for said, told in tries:
        found = _known(_content(said), elements)
        if found:
            return found, True, told
    for said, told in tries[:3]:
        found = _inside(_content(said))
        if found:
            return found, False, told
    return frozenset(), False, True


def _known(tokens: list[str], elements: frozenset[str]) -> frozenset[str]:
    """The concepts that these words mean and nothing besides: a synonym in any order, with words of the concept's own
    or words of form beside it."""
    named = elements | ELEMENT_NAMES.keys()
    for words in (tokens, [word for word in tokens if word not in named], _bare(tokens, named)):
        found = _bags().get(_bag(words)) or _joined().get("".join(words)) or _lattice(words)
        if found:
            return found
        if covered := frozenset(c for c in _inside(words) if set(words) <= _vocabulary()[c]):
            return covered
    return frozenset()


def _bare(words: list[str], named: frozenset[str] | set[str]) -> list[str]:
    return [word for word in words if word not in FORM_WORDS and word not in named]


def _lattice(words: list[str]) -> frozenset[str]:
    """``cubic cell parameter``, ``c-axis unit-cell length``, ``a (unit-cell edge)``."""
    letters = [word for word in words if word in {"a", "b", "c"}]
    rest = {word for word in words if word not in letters and word not in _SYSTEMS}
    if rest <= _LATTICE and rest & _LATTICE_KIND and rest & _LATTICE_HEAD and len(letters) <= 1:
        return frozenset({f"lattice_{letters[0] if letters else 'a'}"})
    return frozenset()


def _inside(words: list[str]) -> frozenset[str]:
    """The concepts of the longest synonyms that stand among the words; symbols of one letter do not count."""
    have, best = set(words), 0
    found: set[str] = set()
    for bag, concepts in _bags().items():
        if len(bag) < best or (len(bag) == 1 and len(bag[0]) < 2) or not have.issuperset(bag):
            continue
        if len(bag) > best:
            best = len(bag)
            found.clear()
        found |= concepts
    return frozenset(found)


@cache
def _bags() -> dict[Bag, frozenset[str]]:
    bags: dict[Bag, frozenset[str]] = {}
    for name, concepts in SYNONYMS.items():
        for words in (name.split(), _fold(name.split())):
            bag = _bag([word for word in words if word not in NEUTRAL_WORDS])
            if bag:
                bags[bag] = bags.get(bag, frozenset()) | concepts
    return bags


@cache
def _joined() -> dict[str, frozenset[str]]:
    """Concepts by their names without spaces: ``sub-threshold`` is ``subthreshold``."""
    return {"".join(_fold(name.split())): concepts for name, concepts in SYNONYMS.items() if " " in name}


@cache
def _vocabulary() -> dict[str, frozenset[str]]:
    """All words of a concept's names."""
    words: dict[str, set[str]] = {}
    for bag, concepts in _bags().items():
        for concept in concepts:
            words.setdefault(concept, set()).update(bag)
    return {concept: frozenset(each) for concept, each in words.items()}


def _bag(words: list[str]) -> Bag:
    return tuple(sorted(set(words)))


def _content(text: str) -> list[str]:
    """The words of a text in one form each, without contrasts (onset), neutral words (measured) and stop words. A
    symbol beside words is what it stands for: ``σ_total`` is a total conductivity."""
    kept = without_contrasts(_isotopes_apart(text))
    words = [word for word in _fold(kept.split()) if word not in STOP_WORDS and word not in NEUTRAL_WORDS]
    if len(words) > 1:
        words = [SYMBOLS.get(word, word) for word in words]
    return words


def _whole(text: str) -> list[str]:
    """The words of a text with its contrasts: a longitudinal velocity is a concept of its own."""
    words = _fold(normal_form(_isotopes_apart(text)).split())
    return [word for word in words if word not in STOP_WORDS and word not in NEUTRAL_WORDS]


def _tokens(text: str) -> list[str]:
    return [word for word in _fold(normal_form(text).split()) if word not in STOP_WORDS and len(word) >= _LEAST_WORD]


def _fold(words: list[str]) -> list[str]:
    folded: list[str] = []
    for word in words:
        british = re.sub(r"iz(?=(?:ation|ed|ing|e)$)", "is", word)
        folded += SAME_WORDS.get(british, british).split()
    return folded


def _isotopes_apart(text: str) -> str:
    """``7Li`` as ``Li``: the isotope tells of the probe, not of the quantity."""
    return re.sub(r"(?<![\w.])\d{1,3}(?=[A-Z][a-z]?\b)", "", plain(text))


def _raw_words(text: str) -> list[str]:
    return re.findall(r"[\w+]+", plain(text).replace("-", " "))


def _elements(words: list[str]) -> frozenset[str]:
    """The elements named in words or by symbols; a symbol of one letter or that reads as a word counts for nothing."""
    found = {ELEMENT_NAMES[word.lower()] for word in words if word.lower() in ELEMENT_NAMES}
    for word in words:
        match = _ION.match(word)
        if match and match[1] in ELEMENTS and len(match[1]) > 1 and match[1].lower() not in NOT_ELEMENTS:
            found.add(match[1].lower())
    return frozenset(found)


def _stems(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in words)


def _one_letter(text: str) -> bool:
    """Whether a name is a letter alone, which stands for many quantities: ρ is a resistivity and a density."""
    return len(plain(text).strip(" $\\()")) == 1


def _spells_out(short: str, name: str) -> bool:
    """Whether capitals of a name are initials of words in a row of the other: ``KS gap``, ``Kohn-Sham band gap``."""
    initials = "".join(word[0] for word in _raw_words(name)).upper()
    return any(re.fullmatch(r"[A-Z]{2,5}", word) and word in initials for word in _raw_words(short))


def _abbreviates(short: str, name: str) -> bool:
    """Whether a name is the initials of another: ``CCD`` of a critical current density."""
    letters = take_apart(short).quantity
    if not re.fullmatch(r"[A-Z]{2,5}", letters):
        return False
    initials = "".join(word[0] for word in _raw_words(take_apart(name).quantity) if word[:1].isalpha())
    return initials.upper() == letters
