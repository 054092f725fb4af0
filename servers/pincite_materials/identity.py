"""Which material is it? The one definition of *the same material*, for tools, claims and scores alike.

Compositions are compared exactly, so that near ones stay apart (x = 0.875 and x = 0.88) and spellings of one meet. A
deviation that is not stated (``O7-δ``) is part of a composition by its sign, not by its letter; only a short name
(``YBCO``) leaves it open. Words beside a formula that tell of the sample do not count. ``published_same_formula`` is
what a published scoring has in its place.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from pincite_materials.formulas import Formula, common_form, parse_deviating, parse_formula, spelled_out
from pincite_materials.material_names import SHORT_NAMES

_DIGITS = 9
"""Decimals of an amount that count: sums of binary fractions are off by less."""

_LONGEST = 1000
"""Characters of a material's name with its markup; a longer text names itself, and patterns need not bear it."""
_REPEATING = (3, 6)
"""Denominators whose decimals repeat and are rounded in papers: thirds and sixths."""
_LEAST_DECIMALS = 3
"""``0.333`` is a third and ``0.167`` a sixth; with fewer decimals they are what is written."""

_MARKUP = (
    (re.compile(r"<sup>([^<>]*)</sup>", re.IGNORECASE), r"^{\1}"),
    (re.compile(r"</?[a-z]{1,6}>", re.IGNORECASE), ""),
    (re.compile(r"\\(?:mathrm|textrm|text|rm|mathit|ce)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"_\{([^{}]*)\}"), r"\1"),
    (re.compile(r"^nominal(?:ly)?\s+(?:composition\s+)?(?:of\s+)?", re.IGNORECASE), ""),
    (re.compile(r"^([a-zδ]\s?=\s?\d*\.?\d+)\s+(?:in|of|for)\s+(\S+)$"), r"\2 with \1"),
    (re.compile(r"^(\S+)\s+intercalated\s+(?:with|by)\s+(\d*\.?\d+)\s+([A-Z][a-z]?)$"), r"\3\2\1"),
    (re.compile(r"(?<=[^\s.])\s*[.,;:]+$"), ""),
)
_ASIDE = re.compile(r"\s+[(\[](?:(?=[^()\[\]]*[a-z]{4})[^()\[\]\d=%]*|[A-Z]{3,8})[)\]]")
_CHANGING = re.compile(
    r"(?<![A-Za-z])(?:(?:co-?)?doped|substituted|infiltrated|coated|decorated|loaded|intercalated|(?:nano)?composite|blend|mixed"
    r"|mixture|alloyed|with|without|on|and|or|between|covered|implanted|like|based|free|derived|hydrated|deuterated"
    r"|hydrogenated|fluorinated|chlorinated|lithiated|delithiated|sodiated|nitrided|superlattice|heterostructure)"
    r"(?![A-Za-z])",
    re.IGNORECASE,
)
"""Words that make another material of the formula beside them."""

_PARTED = re.compile(r"\s*,\s+|\s+\(|\)(?:\s+|$)|\s+[-=]\s+|\s*:\s+")
"""Between names of one material."""

_PUT_IN = re.compile(r"(?P<element>[A-Z][a-z]?)-(?:(?:co-?)?doped|substituted|alloyed|containing|modified|added)\s+")
_SHARE = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?:at|mol)?\.?\s?%\s*(?:of\s+)?(?P<element>[A-Z][a-z]?)$")
_SYMBOLS = re.compile(r"(?:[A-Z][a-z]?){2,}")
_PLAIN_WORDS = re.compile(r"[A-Za-z]?[a-z]+(?:[- ][a-z]+)*")

_CALLED = re.compile(r"\s+\((?P<name>[A-Z][A-Za-z]+(?:[- ]?\d+)?)\)$")

Amount = tuple[Fraction, tuple[tuple[str, Fraction], ...]]
"""The share of an element, and of each unknown in it: whole numbers without a common factor in a compound."""


@dataclass(frozen=True, slots=True)
class Material:
    """What tells one material from another: equal for two spellings of one, and hashable for look-up.

    ``name`` in place of a composition for a text that is not a formula. A material's polytype is not part of it: a
    source that leaves it out may mean any.
    """

    composition: tuple[tuple[str, Amount], ...] = ()
    isotopes: tuple[tuple[str, int], ...] = ()
    dopants: tuple[str, ...] = ()
    name: str = ""


@lru_cache(maxsize=65536)
def material_of(text: str) -> Material | None:
    """The material that a text names; None for an empty one.

    Compositions are ratios of exact numbers: ``La3.7Sr0.3Cu2O8`` is ``La1.85Sr0.15CuO4``, ``La1.86Sr0.14CuO4`` is not.
    Unknowns stand for themselves whatever their letter, and a deviation keeps its sign: ``O7-δ`` is ``O7-z``, but
    neither ``O7`` nor ``O7+δ``. The count of a lone element tells molecules apart: ``C60`` is not ``C70``.
    """
    formula = _read(text)
    if formula is None:
        name = common_form(_tidy(text))
        return Material(name=name) if name else None
    return Material(_ratios(formula), formula.isotopes, formula.dopants)


@lru_cache(maxsize=65536)
def same_material(a: str, b: str) -> bool:
    """Whether two texts name one material, strictly (``material_of``); polytypes must agree where both are given, and a
    short name (``Bi-2212``) is the formula with and without a deviation."""
    first, second = material_of(a), material_of(b)
    if first is None or second is None:
        return False
    one, other = _read(a), _read(b)
    if first != second:
        if one is None or other is None or _is_short(a) == _is_short(b):
            return False
        nominal = [parse_formula(_tidy(text)) or formula for text, formula in ((a, one), (b, other))]
        if _ratios(nominal[0]) != _ratios(nominal[1]) or first.dopants != second.dopants:
            return False
    polytypes = {formula.polytype for formula in (one, other) if formula is not None and formula.polytype}
    return len(polytypes) < 2


def _is_short(text: str) -> bool:
    """Whether a formula is given by its short name, which tells no deviation."""
    return parse_deviating(_tidy(text)) != spelled_out(_tidy(text))


@lru_cache(maxsize=65536)
def _read(text: str) -> Formula | None:
    """The formula that a text names, words of the sample beside it left out; None for another name."""
    text = _tidy(text)
    if len(text) > _LONGEST:
        return parse_deviating(text)
    return _told_again(text) or parse_deviating(text) or _among_words(text)


def _told_again(text: str) -> Formula | None:
    """The one formula with amounts among names parted by commas and parentheses, where all others only tell of it
    again: a short name of its family, or a parent that an element of the formula is put into (``Li-doped KNN,
    K0.48Na0.48Li0.04NbO3``)."""
    if _PARTED.search(text) is None:
        return None
    parts = [part.strip() for part in _PARTED.split(text) if part.strip()]
    printed = [part for part in parts if (formula := spelled_out(part)) is not None and _has_amounts(part, formula)]
    if len(printed) != 1 or len(parts) < 2:
        return None
    formula = spelled_out(printed[0])
    if formula is None or not all(_tells_of(part, formula) for part in parts if part != printed[0]):
        return None
    return formula


def _has_amounts(text: str, formula: Formula) -> bool:
    """Whether a formula is a compound with all its amounts in numbers."""
    return len(formula.amounts) > 1 and any(map(str.isdigit, text)) and not any(a.unknowns for _, a in formula.amounts)


def _tells_of(part: str, formula: Formula) -> bool:
    """Whether a text beside a formula names nothing that is not in it: a parent or its short name, an element put in,
    its share, or words of the sample."""
    elements = {element for element, _ in formula.amounts}
    share = _SHARE.search(part)
    if share is not None:
        if share["number"] not in _shares(share["element"], formula):
            return False
        part = part[: share.start()].rstrip(" +-")
    put_in = _PUT_IN.match(part)
    if put_in is not None:
        if put_in["element"] not in elements:
            return False
        part = part[put_in.end() :].strip()
    if not part or (re.fullmatch(r"[A-Z]{3,6}", part) and _initials(part, elements)):
        return True
    parent = parse_deviating(part)
    if parent is None:
        return _PLAIN_WORDS.fullmatch(part) is not None and not _CHANGING.search(part)
    told = share is not None or put_in is not None or spelled_out(part) != parent
    return told and {element for element, _ in parent.amounts} <= elements


def _initials(short: str, elements: set[str]) -> bool:
    """Whether every letter of a short name begins the symbol of an element (``KNN``: K, Na, Nb)."""
    return all(any(element.startswith(letter) for element in elements) for letter in short)


def _shares(element: str, formula: Formula) -> frozenset[str]:
    """An element's share as print may have it: of a hundred, or as its amount in the formula."""
    total = sum(amount.constant for _, amount in formula.amounts)
    amount = sum(amount.constant for name, amount in formula.amounts if name == element)
    return frozenset({f"{amount:g}", f"{100 * amount / total:g}"} if amount else ())


def _among_words(text: str) -> Formula | None:
    """The one formula among words that tell of the sample: ``poled PbTiO3 ceramic``, ``the garnet Li7La3Zr2O12``."""
    bare = _ASIDE.sub("", text).strip(" ,;")
    if bare != text and not _CHANGING.search(text) and (formula := parse_deviating(bare)) is not None:
        return formula
    words = [word.strip(",;") for word in bare.split()]
    printed = [word for word in words if any(character.isdigit() for character in word)]
    printed = printed or [word for word in words if _SYMBOLS.fullmatch(word)]
    others = [word for word in words if word not in printed]
    if len(printed) != 1 or not others or any(not re.fullmatch(r"[A-Z]?[a-z]+(?:-[a-z]+)*", word) for word in others):
        return None
    if any(_CHANGING.fullmatch(part) for word in others for part in word.split("-")):
        return None
    formula = spelled_out(printed[0])
    return formula if formula is not None and len(formula.amounts) > 1 else None


@lru_cache(maxsize=65536)
def _tidy(text: str) -> str:
    """Without markup, closing marks, "nominal", and a short name in parentheses behind the formula."""
    if len(text) > _LONGEST:
        return text
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    called = _CALLED.search(text)
    if called is not None and re.sub(r"[- ]", "", called["name"]).lower() in SHORT_NAMES:
        return text[: called.start()]
    return text


def _ratios(formula: Formula) -> tuple[tuple[str, Amount], ...]:
    counts = [name for _, amount in formula.amounts for name in amount.names]
    once = {name for name in counts if counts.count(name) == 1}
    exact = {
        element: (
            _exact(amount.constant),
            {name: _exact(part) for name, part in amount.unknowns if name not in once},
            {name: Fraction(1 if part > 0 else -1) for name, part in amount.unknowns if name in once},
        )
        for element, amount in formula.amounts
    }
    numbers = [number for constant, shared, _ in exact.values() for number in (constant, *shared.values()) if number]
    unit = _unit(numbers) if len(exact) > 1 else Fraction(1)
    return tuple(
        (element, (constant / unit, tuple((name, part / unit) for name, part in shared.items()) + tuple(alone.items())))
        for element, (constant, shared, alone) in exact.items()
    )


def _unit(numbers: list[Fraction]) -> Fraction:
    """The greatest number that all are whole multiples of; 1 without any."""
    below = lcm(*(number.denominator for number in numbers))
    return Fraction(gcd(*(int(number * below) for number in numbers)) or 1, below)


def _exact(number: float) -> Fraction:
    text = f"{number:.{_DIGITS}f}".rstrip("0")
    decimals = len(text.partition(".")[2])
    if decimals >= _LEAST_DECIMALS:
        for parts in _REPEATING:
            near = Fraction(round(number * parts), parts)
            if near and abs(float(near) - number) <= 0.5000001 * 10.0**-decimals:
                return near
    return Fraction(text)
