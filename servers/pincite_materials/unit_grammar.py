"""A unit string becomes factors: ``mJ/mol.K2`` is (mJ, 1), (mol, -1), (K, -2). No evaluation of text anywhere."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pincite_materials.elements import ELEMENTS
from pincite_materials.unit_names import ALIASES, ALONE, COUNTED, FOLDED, NO_UNIT, PLAIN, PREFIXED, PREFIXES
from pincite_materials.values import spell

_BOHR = re.compile(r"(?:(?:[mM]yu|[mM]y|nyu|[μum]u?|mu|micro\.?)[-_ ]*B|Bohr[ _-]*magne(?:t(?:on)?s?)?)(?![A-Za-z])")
_PER_SPECIES = re.compile(r"^(?P<head>bohr)?\s*(?:/|per\s+)\s*(?P<kind>[A-Za-z][A-Za-z0-9]*?)[\s-]*(?i:ions?|atoms?)?$")
_MOLE_OF = re.compile(r"mol(?:e)?(?:[- ])(?P<kind>[A-Z][a-z])(?![A-Za-z])")
_AMOUNT_OF = re.compile(
    r"(?<![A-Za-z])(?P<amount>[kmμµnp]?(?:g|mol))\s+(?:of\s+)?"
    r"(?:C|N|P|S|K|Ca|Mg|Fe|Na|Si|carbon|nitrogen|phosphorus|sulfur|sulphur|silicon)\s*"
    r"(?=(?:per\b|/)\s*(?:100\s*)?[kmcdμµn]?(?:g|L|l|m)\b|[kmcdμµn]?(?:g|L|l|m)\s?\^?-\d)"
)
"""What an amount is of, between its unit and what it is in: ``mg N per g`` has no newton. It does not count."""
_SCALE = re.compile(
    r"^(?:[×x.]\s*)?(?:10\s*\^\s*(?P<a>[+-]?\d{1,2})|10(?P<b>[+-]\d{1,2})|[eE](?P<c>[+-]?\d{1,2}))(?!\d)\s*"
)
_FORMULA_UNIT = re.compile(r"f\.\s?u\.?|f\.u|formula[\s-]units?", re.IGNORECASE)
_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-zΩμÅ°%‰Φ]+(?:@[A-Za-z0-9]+)?)|(?P<power>\^\(?[+-]?\d+/\d+\)?|\^?[+-]?\d+(?:\.\d+)?)|(?P<sign>[/.()]))"
)
_WORDS = (
    (re.compile(r"\\(?:mathrm|text|rm|textrm|mathit)\s*"), ""),
    (re.compile(r"\\mu(?![a-z])\s*"), "μ"),
    (re.compile(r"\\(?:Omega|ohm)(?![a-z])\s*"), "Ω"),
    (re.compile(r"\\(?:AA|r{A}|mathring{A})|\\angstrom"), "Å"),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"[{}$]"), ""),
    (re.compile(r"\br\.\s?l\.\s?u\.?"), "rlu"),
    (re.compile(r"\b(at|wt|vol|mol)\.?\s?%"), r"\1%"),
    (re.compile(r"\bunit cells?\b|\bu\.\s?c\.?"), "unitcell"),
    (re.compile(r"(?<![A-Za-z])(mm|cm|in)\s?Hg(?![a-z])"), r"\1Hg"),
    (re.compile(r"(?<![A-Za-z])(mm|cm)\s?H_?2O(?![A-Za-z])"), r"\1water"),
    (re.compile(r"(?:°|\b(?i:degrees?|deg\.?))\s?([CF])(?:elsius|ahrenheit)?(?![A-Za-z])"), r"deg\1"),
    (re.compile(r"(?i:electron)[\s-](?i:volt)(?i:s)?(?![A-Za-z])"), "electronvolt"),
    (re.compile(r"\*\*"), "^"),
    (re.compile(r"√\s*\(?([A-Za-z]+)\)?"), r"\1^0.5"),
    (re.compile(r"\(\s*([+-]?\d+)\s*\)"), r"^\1"),
    (re.compile(r"\^\^"), "^"),
    (re.compile(r"[·*×⋅]"), "."),
    (re.compile(r"(?<=[A-Za-zΩÅ%])-(?=[A-Za-zΩÅμ(])"), "."),
    (re.compile(r"\bper\b"), "/"),
    (re.compile(r"\bsquare\s+([A-Za-z]+)"), r"\1^2"),
    (re.compile(r"\bcubic\s+([A-Za-z]+)"), r"\1^3"),
    (re.compile(r"\bsquared?\b"), "^2"),
    (re.compile(r"\bcubed?\b"), "^3"),
)


_HIGHEST, _MOST = 8, 1e9
"""A unit to a higher power, and a greater number in a unit (``% per 1000 h``), is a misreading."""

_LEAST_WORD = 3
"""Letters of a unit's name that is a word and has a plural; shorter ones are symbols (``ms``, ``Ks``)."""

_LONGEST = 24
"""Characters of a run of names written together; a longer one is prose."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A named unit to a power; ``prefix`` is its SI prefix, ``species`` what a mole or particle is of."""

    name: str
    power: float
    prefix: float = 1.0
    species: str = ""


@dataclass(frozen=True, slots=True)
class Spelled:
    """A unit as spelled: a power of ten in front and its factors."""

    scale: float
    factors: tuple[Factor, ...]


def read_unit(text: str) -> Spelled | None:
    """The factors of a unit string, or None where a part of it means nothing.

    Everything behind a slash divides, as chemists write it: ``J/mol.K2`` is J mol⁻¹ K⁻². ``A`` stays one name;
    its reading, ampere or ångström, is the caller's.
    """
    text = spell(text.strip()).strip()
    if text in NO_UNIT:
        return None
    text = ALIASES.get(text, text)
    text = _FORMULA_UNIT.sub("fu", _BOHR.sub("bohr", text.rstrip(".")))
    text = re.sub(r"^my?u?bohr|^nyubohr", "bohr", text)
    per = _PER_SPECIES.match(text)
    if per is not None and (species := _species(per["kind"])):
        head = (Factor("bohr", 1.0),) if per["head"] else ()
        return Spelled(1.0, (*head, Factor("particle", -1.0, species=species)))
    text = _AMOUNT_OF.sub(r"\g<amount> ", text)
    text = _MOLE_OF.sub(lambda mole: f"mol@{mole['kind']}" if mole["kind"] in ELEMENTS else mole[0], text)
    scale, text = _scale(_worded(text))
    factors = _factors(text)
    if factors is None or any(abs(factor.power) > _HIGHEST for factor in factors):
        return None
    if all(factor.name == "1" for factor in factors):
        return None
    return Spelled(scale, _per_formula_unit(factors))


def unread_part(text: str) -> str:
    """The first part of an unknown unit that means nothing; "" where every part does and only their order does not."""
    text = _scale(_worded(spell(text.strip())))[1]
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return text[position:].split()[0]
        if match["name"] and split_name(match["name"]) is None:
            return match["name"]
        position = match.end()
    return ""


def _worded(text: str) -> str:
    for pattern, replacement in _WORDS:
        text = pattern.sub(replacement, text)
    return text.strip()


def _per_formula_unit(factors: tuple[Factor, ...]) -> tuple[Factor, ...]:
    """Undo two habits of print: ``μB/mol`` means per formula unit, ``mJ/f.u.K2`` and ``emu/f.u.`` per mole of them."""
    names = {factor.name for factor in factors}
    if names == {"bohr", "mol"} or names == {"bohr", "mole"}:
        return tuple(replace(f, name="fu") if f.name in {"mol", "mole"} else f for f in factors)
    if "fu" in names and names & {"J", "emu"}:
        return tuple(replace(f, name="mol") if f.name == "fu" else f for f in factors)
    return factors


def _scale(text: str) -> tuple[float, str]:
    match = _SCALE.match(text)
    if match is None:
        return 1.0, text
    return 10.0 ** int(match["a"] or match["b"] or match["c"]), text[match.end() :]


def _factors(text: str) -> tuple[Factor, ...] | None:
    tokens = _tokens(text)
    if tokens is None:
        return None
    reader = _UnitReader(tokens)
    found = reader.product()
    return None if found is None or reader.left else tuple(found)


def _tokens(text: str) -> list[tuple[str, str]] | None:
    """(kind, content) of every token, or None where a character belongs to none."""
    found: list[tuple[str, str]] = []
    position = 0
    text = text.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            return None
        position = match.end()
        found.append((str(match.lastgroup), match[str(match.lastgroup)]))
    return found


class _UnitReader:
    """Recursive descent over the tokens: product, brackets, names, powers."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.left = tokens

    def product(self) -> list[Factor] | None:
        """Factors up to a closing bracket or the end; all behind the first slash divide."""
        found: list[Factor] = []
        divides = False
        while self.left and self.left[0] != ("sign", ")"):
            kind, content = self.left.pop(0)
            if content == "/" and kind == "sign":
                if not self.left or self.left[0] in {("sign", "/"), ("sign", ")")}:
                    return None
                divides = True
            elif kind == "power":
                number = _power(content)
                if not 0 < number <= _MOST:
                    return None
                found.append(Factor("1", -1.0 if divides else 1.0, number))
            elif kind == "name" or content == "(":
                group = self._group() if kind == "sign" else split_name(content)
                if group is None:
                    return None
                found += self._raised(group, whole=kind == "sign", sign=-1.0 if divides else 1.0)
        return found

    def _group(self) -> list[Factor] | None:
        inner = self.product()
        if inner is None or not self.left:
            return None
        self.left.pop(0)
        return inner

    def _raised(self, group: Sequence[Factor], *, whole: bool, sign: float) -> list[Factor]:
        """``group`` to the power that follows: all of a bracket, only the last of names written together."""
        power = _power(self.left.pop(0)[1]) if self.left and self.left[0][0] == "power" else 1.0
        last = len(group) - 1
        return [
            replace(factor, power=factor.power * sign * (power if whole or index == last else 1.0))
            for index, factor in enumerate(group)
        ]


def _power(text: str) -> float:
    top, _, bottom = text.strip("^()").partition("/")
    return float(top) / (float(bottom or 1.0) or 1.0)


@lru_cache(maxsize=4096)
def split_name(run: str) -> tuple[Factor, ...] | None:
    """The units that are written together in ``run``: fewest first, then the longest first (``molK``, ``Wm``)."""
    if len(run) > _LONGEST:
        return None
    if "@" in run:
        head, _, species = run.partition("@")
        if head == "each":
            return (Factor("particle", 1.0, species=species),)
        pieces = split_name(head)
        return None if pieces is None else (*pieces[:-1], replace(pieces[-1], species=species))
    whole = _single(run)
    return _pieces(run) if whole is None else (whole,)


@lru_cache(maxsize=4096)
def _pieces(run: str) -> tuple[Factor, ...] | None:
    """The units of a run of two or more, or of one that may be a part of such a run."""
    whole = None if run in ALONE else _single(run)
    if whole is not None:
        return (whole,)
    best: tuple[Factor, ...] | None = None
    for cut in range(len(run) - 1, 0, -1):
        first = None if run[:cut] in ALONE else _single(run[:cut], fold=False)
        rest = _pieces(run[cut:]) if first is not None else None
        if first is not None and rest is not None and (best is None or len(rest) + 1 < len(best)):
            best = (first, *rest)
    return best


def _single(name: str, *, fold: bool = True) -> Factor | None:
    if name in PLAIN or name == "A":
        return Factor(name, 1.0)
    if name in PREFIXED:
        return Factor(name, 1.0)
    if name in COUNTED:
        return Factor("particle", 1.0, species=COUNTED[name])
    for length in range(min(5, len(name) - 1), 0, -1):
        prefix, base = name[:length], name[length:]
        if prefix in PREFIXES and (base in PREFIXED or base == "A"):
            return Factor(base, 1.0, PREFIXES[prefix])
    word = _word(name, fold=fold)
    if word is not None:
        return word
    folded = FOLDED.get(name.lower()) if fold else None
    return _single(folded, fold=False) if folded is not None and folded != name else None


def _word(name: str, *, fold: bool) -> Factor | None:
    """A unit in words: the plural of one (``metres`` is not a metre second), or one with a capital (``Newton``)."""
    if name.endswith("s") and len(name) > _LEAST_WORD:
        one = _single(name[:-1], fold=False)
        if one is not None and len(one.name) >= _LEAST_WORD and one.name in PREFIXED:
            return one
    if fold and len(name) > _LEAST_WORD and name != name.lower() and name in {name.capitalize(), name.upper()}:
        one = _single(name.lower(), fold=False)
        is_word = one is not None and len(one.name) > _LEAST_WORD and (one.name in PREFIXED or one.name in PLAIN)
        return one if is_word else None
    return None


def _species(kind: str) -> str:
    """The element, rare-earth placeholder or layer that a moment is counted per, or an empty string."""
    if kind in {"R", "RE", "CuO2"}:
        return kind
    capital = kind.capitalize()
    return capital if capital in ELEMENTS and kind in {capital, capital.upper()} else ""
