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
_LEAST_DECIMALS = 3
"""``0.333`` is a third and ``0.167`` a sixth; with fewer decimals they are what is written."""

_MARKUP = (
    (re.compile(r"<sup>([^<>]*)</sup>", re.IGNORECASE), r"^{\1}"),
    (re.compile(r"</?[a-z]{1,6}>", re.IGNORECASE), ""),
    (re.compile(r"\\(?:mathrm|textrm|text|rm|mathit|ce)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"_\{([^{}]*)\}"), r"\1"),
    (re.compile(r"^nominal(?:ly)?\s+(?:composition\s+)?(?:of\s+)?", re.IGNORECASE), ""),
    (re.compile(r"(?<=[^\s.])\s*[.,;:]+$"), ""),
)
_ASIDE = re.compile(r"\s+[(\[](?:(?=[^()\[\]]*[a-z]{4})[^()\[\]\d=%]*|[A-Z]{3,8})[)\]]")
_CHANGING = re.compile(
    r"doped|substituted|infiltrated|coated|decorated|loaded|intercalated|composite|blend|mixed|mixture|alloyed|with"
    r"|without|on|and|or|between|covered|implanted|like|based|free|derived|hydrated|deuterated",
    re.IGNORECASE,
)
"""Words that make another material of the formula beside them."""

_CALLED = re.compile(r"\s+\((?P<name>[A-Z][A-Za-z]+(?:[- ]?\d+)?)\)$")

Amount = tuple[Fraction, tuple[tuple[str, Fraction], ...]]
"""The share of an element, and of each unknown in it: whole numbers without a common factor in a compound."""


@dataclass(frozen=True, slots=True)
class Material:
    """What tells one material from another: equal for two spellings of one, and hashable for look-up.

    ``name`` in place of a composition for a text that is no formula. A material's polytype is not part of it: a source
    that leaves it out may mean any.
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
    formula = parse_deviating(text)
    return formula if formula is not None or len(text) > _LONGEST else _among_words(text)


def _among_words(text: str) -> Formula | None:
    """The one formula among words that tell of the sample: ``poled PbTiO3 ceramic``, ``the garnet Li7La3Zr2O12``."""
    bare = _ASIDE.sub("", text).strip(" ,;")
    if bare != text and not _CHANGING.search(text) and (formula := parse_deviating(bare)) is not None:
        return formula
    words = [word.strip(",;") for word in bare.split()]
    printed = [word for word in words if any(character.isdigit() for character in word)]
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
