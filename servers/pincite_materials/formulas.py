"""Chemical formulas as papers print them: normalised by a parser, compared as fractional compositions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pincite_core.errors import MissingExtraError
from pincite_materials.common_names import common_name, spell_cations
from pincite_materials.elements import ELEMENTS, RARE_EARTH_PLACEHOLDERS
from pincite_materials.formula_grammar import Parsed, parse_formula_text
from pincite_materials.linear import Linear
from pincite_materials.material_names import DESCRIPTORS, FAMILY_NAMES, PHASE_FAMILY, PHASES, SHORT_NAMES
from pincite_materials.text import plain

_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_GREEK = {"\\delta": "δ", "\\epsilon": "ε", "\\varepsilon": "ε", "\\xi": "ξ", "\\eta": "η", "\\alpha": "α", "Δ": "δ"}
_LATEX = re.compile(r"\\(?:mathrm|textrm|text|rm|mathit|ce)(?![a-z])\s*")
_UNKNOWN = r"(?:delta|epsilon|[a-zδεξηα])"
_VALUE = re.compile(
    rf"(?<![A-Za-z0-9])(?P<name>{_UNKNOWN}|[XZ])\s*(?:=|~|≈)\s*~?\s*(?P<value>\d+/\d+|\d*\.?\d+)(?!\s*(?:[-\d./]|to\b|≤|<))"
)
_PLACED = re.compile(r"(?<![A-Za-z0-9])(?P<name>RE|Ln|[A-Z])\s*=\s*(?P<element>[A-Z][a-z]?)(?![A-Za-z0-9,])")
_LEFTOVER = re.compile(r"[(\[](?:with|where|for|and|at|,|;|\s)*[)\]]|[\s,;]+(?:with|where|for|at|and)?[\s,;]*$")
_DOPANT = r"(?:(?P<share>\d+(?:\.\d+)?)\s*(?:at|mol|wt)?\.?\s*%\s*)?(?P<dopant>[A-Z][a-z]?)"
_DOPED = re.compile(rf"^{_DOPANT}[- ](?:doped|substituted|intercalated)\s+(?P<host>.+)$")
_DOPED_BEHIND = re.compile(rf"^(?P<host>.+?)(?:\s*:\s*|\s+doped\s+with\s+){_DOPANT}$")
_POLYTYPE = re.compile(r"^(?P<type>\d[HTR]['′]?|[a-zα-ω]|T[d'′])[-](?=[A-Z(])")
_PIECE = re.compile(r"(?:[A-Z0-9(\[{)\].][\w()\[\]{}.,+\-·δ^]*|[a-zδ][)\]]?)$")
_LONGEST = 200
"""Characters of a formula; a longer text is prose."""

_SMALL = frozenset({"δ", "delta", "d", "ε", "epsilon", "η", "ξ", "y", "z"})


@dataclass(frozen=True, slots=True)
class Formula:
    """A normalised formula: amounts by element in alphabetical order, unknowns renamed in order of appearance.

    ``isotopes`` are the mass numbers stated, ``dopants`` elements whose amount in the host is not given as a
    composition (``Zn``, ``Zn 5%``), ``polytype`` the prefix of ``2H-NbSe2``.
    """

    amounts: tuple[tuple[str, Linear], ...]
    isotopes: tuple[tuple[str, int], ...] = ()
    dopants: tuple[str, ...] = ()
    polytype: str = ""

    @property
    def resolved(self) -> bool:
        """Whether every amount is a number and every element a real one."""
        return not any(amount.unknowns for _, amount in self.amounts) and not any(
            element in RARE_EARTH_PLACEHOLDERS for element, _ in self.amounts
        )


@lru_cache(maxsize=16384)
def parse_formula(text: str) -> Formula | None:
    """The normalised formula of a material's printed name, or None where it names none.

    Subscripts, charges, words of form (``thin film``) and short names (``YBCO``, ``NMC811``) are resolved; unknowns
    get the values that the text gives (``x = 0.15``). A small deviation without a value (``O7-δ``, ``O8+y``, ``O7-x``)
    is dropped: the nominal composition stands. Any other unknown stays symbolic (``La2-xSrxCuO4``, ``(La,Sr)2CuO4``).
    """
    return _parse(text, short_names=True)


@lru_cache(maxsize=16384)
def parse_deviating(text: str) -> Formula | None:
    """Like ``parse_formula``, but a small deviation stays: ``O7-δ`` is not ``O7``, though its letter is any letter."""
    return _parse(text, short_names=True, deviations=True)


@lru_cache(maxsize=16384)
def spelled_out(text: str) -> Formula | None:
    """Like ``parse_deviating``, of formulas alone: None for a short name (``YBCO``)."""
    return _parse(text, short_names=False, deviations=True)


@lru_cache(maxsize=65536)
def published_same_formula(a: str, b: str) -> bool:
    """The published comparison: pymatgen's ``Composition`` of both texts as they are, ``almost_equals``.

    So amounts may differ by 10 %, a doubled formula differs, ``YBCO`` is an atom each of Y, B, C and O, and what
    pymatgen does not read (``YBa2Cu3O7-d``, ``La2-xSrxCuO4``, a name) equals nothing, not even itself. Source: the
    public scoring code of the study. Raises MissingExtraError without pymatgen.
    """
    first, second = _composition(a), _composition(b)
    return first is not None and second is not None and bool(first.almost_equals(second))


def material_name(text: str) -> str:
    """A name in comparable spelling: lower case, words of form dropped, no spaces or hyphens."""
    words = [word for word in plain(text).replace("_", "").split() if word.lower().strip("(),.") not in DESCRIPTORS]
    return re.sub(r"[\s\-(){}\[\],.$^]", "", " ".join(words)).lower()


def common_form(text: str) -> str:
    """``material_name``, with the spelling that the field's short names have: ``PEDOT-PSS`` is ``PEDOT:PSS``."""
    named = common_name(_without_descriptors(_spell(text))) if len(text) <= _LONGEST else None
    return material_name(text if named is None else named.name)


def _parse(text: str, *, short_names: bool, deviations: bool = False) -> Formula | None:
    if len(text) > _LONGEST:
        return None
    text = _spell(text)
    values = {match["name"].lower(): _number(match["value"]) for match in _VALUE.finditer(text)}
    placed = {match["name"]: match["element"] for match in _PLACED.finditer(text) if match["element"] in ELEMENTS}
    text = _LEFTOVER.sub("", _VALUE.sub("", _PLACED.sub("", text) if placed else text)).strip()
    text, dopants = _dopants(text)
    text, polytype = _polytype(_without_descriptors(text))
    if short_names:
        text = _short_name(text)
        if text in FAMILY_NAMES or not text:
            return None
    words = text.split()
    if len(words) > 1 and not all(_PIECE.match(word) for word in words):
        return None
    text = re.sub(r"\s+", "", text)
    for name, element in placed.items():
        text = re.sub(rf"{name}(?![a-z])", element, text)
    parsed = parse_formula_text(text)
    return None if parsed is None else _normal(parsed, values, dopants, polytype, deviations=deviations)


def _spell(text: str) -> str:
    text = _RAISED.sub(lambda run: "^{" + plain(run[0]) + "}", text)
    for name, sign in _GREEK.items():
        text = text.replace(name, sign)
    text = plain(_LATEX.sub("", text)).replace("$", "").replace("\\", "")
    return re.sub(r"\s*([+±-])\s*(?=[a-zδ]\b)", r"\1", text).strip()


def _number(text: str) -> float:
    top, _, bottom = text.partition("/")
    return float(top) / (float(bottom or 1.0) or 1.0)


def _dopants(text: str) -> tuple[str, tuple[str, ...]]:
    match = _DOPED.match(text) or _DOPED_BEHIND.match(text)
    if match is None or match["dopant"] not in ELEMENTS:
        return text, ()
    share = f" {float(match['share']):g}%" if match["share"] else ""
    return match["host"], (match["dopant"] + share,)


def _polytype(text: str) -> tuple[str, str]:
    match = _POLYTYPE.match(text)
    return (text[match.end() :], match["type"].replace("′", "'")) if match else (text, "")


def _without_descriptors(text: str) -> str:
    text = re.sub(r"\s+(?:on|grown on|under|from)\s+.*$", "", text)
    text = re.sub(
        r"[(\[]([^()\[\]]*)[)\]]",
        lambda inner: "" if all(word.lower().strip(",;") in DESCRIPTORS for word in inner[1].split()) else inner[0],
        text,
    )
    return " ".join(word for word in text.split() if word.lower().strip(",;") not in DESCRIPTORS).strip(" ,;")


def _short_name(text: str) -> str:
    """The formula that a short name stands for, "" where it names a material without one, else the text itself."""
    named = common_name(text)
    if named is not None:
        return named.formula
    family = PHASE_FAMILY.match(re.sub(r"\s", "", text))
    if family is not None and (family["element"] in ELEMENTS or family["element"] in RARE_EARTH_PLACEHOLDERS):
        return PHASES[family["phase"]].format(family["element"])
    return SHORT_NAMES.get(re.sub(r"[\s\-()]", "", text).lower(), spell_cations(text))


def _normal(
    parsed: Parsed, values: Mapping[str, float], dopants: tuple[str, ...], polytype: str, *, deviations: bool
) -> Formula:
    amounts = {element: amount.with_values(values) for element, amount in parsed.amounts.items()}
    counts = [name for amount in amounts.values() for name in amount.names]
    for element, amount in amounts.items() if not deviations else ():
        small = {
            name: 0.0
            for name, coefficient in amount.unknowns
            if counts.count(name) == 1 and amount.constant and _is_small(name, element, coefficient)
        }
        amounts[element] = amount.with_values(small)
    kept = sorted((element, amount) for element, amount in amounts.items() if amount.unknowns or amount.constant)
    order = list(dict.fromkeys(name for _, amount in kept for name in amount.names if " of " not in name))
    names = {name: f"u{index}" for index, name in enumerate(order)}
    return Formula(
        tuple((element, amount.renamed(names)) for element, amount in kept),
        tuple(sorted(parsed.isotopes.items())),
        dopants,
        polytype,
    )


def _is_small(name: str, element: str, coefficient: float) -> bool:
    return name in _SMALL or (name == "x" and element == "O" and coefficient < 0)


@lru_cache(maxsize=16384)
def _composition(text: str) -> Any:
    """The pymatgen Composition of a text as it is; None where it reads none."""
    try:
        from pymatgen.core import Composition
    except ModuleNotFoundError as error:
        raise MissingExtraError.of("materials", needed_for="The published comparison of formulas") from error
    if not 0 < len(text) <= _LONGEST:
        return None
    try:
        return Composition(text)
    except Exception:  # noqa: BLE001 as published: whatever pymatgen raises, it read no formula
        return None
