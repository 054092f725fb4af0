"""Names of simple chemical species and their formulas: ``phosphate``, ``PO4``, ``PO4^3-`` and ``PO₄³⁻`` are one."""

import re
from collections.abc import Sequence
from functools import cache

from pincite_materials.values import spell

_SPECIES: dict[str, tuple[str, str]] = {
    "phosphate": ("PO4", "3-"), "nitrate": ("NO3", "-"), "nitrite": ("NO2", "-"), "ammonium": ("NH4", "+"),
    "sulfate": ("SO4", "2-"), "sulfite": ("SO3", "2-"), "carbonate": ("CO3", "2-"), "bicarbonate": ("HCO3", "-"),
    "silicate": ("SiO4", "4-"), "hydroxide": ("OH", "-"), "perchlorate": ("ClO4", "-"), "cyanide": ("CN", "-"),
    "acetate": ("CH3COO", "-"), "nitrogen": ("N2", ""), "oxygen": ("O2", ""), "hydrogen": ("H2", ""),
    "chlorine": ("Cl2", ""), "fluorine": ("F2", ""), "argon": ("Ar", ""), "helium": ("He", ""), "neon": ("Ne", ""),
    "krypton": ("Kr", ""), "xenon": ("Xe", ""), "carbon dioxide": ("CO2", ""), "carbon monoxide": ("CO", ""),
    "methane": ("CH4", ""), "ethylene": ("C2H4", ""), "ammonia": ("NH3", ""), "water": ("H2O", ""), "ozone": ("O3", ""),
    "nitrous oxide": ("N2O", ""), "nitric oxide": ("NO", ""), "nitrogen dioxide": ("NO2", ""),
    "sulfur dioxide": ("SO2", ""), "hydrogen sulfide": ("H2S", ""), "hydrogen peroxide": ("H2O2", ""),
    "chloride": ("Cl", "-"), "bromide": ("Br", "-"), "iodide": ("I", "-"), "fluoride": ("F", "-"),
    "lead iodide": ("PbI2", ""), "sodium chloride": ("NaCl", ""), "silica": ("SiO2", ""), "alumina": ("Al2O3", ""),
    "titania": ("TiO2", ""), "zirconia": ("ZrO2", ""), "ceria": ("CeO2", ""), "magnesia": ("MgO", ""),
}  # fmt: skip
"""Name, formula and charge, as IUPAC's recommendations of 2005 have them."""
_OTHER_NAMES = {
    "orthophosphate": "phosphate",
    "sulphate": "sulfate",
    "sulphite": "sulfite",
    "hydrogen carbonate": "bicarbonate",
    "hydrogencarbonate": "bicarbonate",
    "dinitrogen": "nitrogen",
    "dioxygen": "oxygen",
    "dihydrogen": "hydrogen",
    "sulphur dioxide": "sulfur dioxide",
    "hydrogen sulphide": "hydrogen sulfide",
    "lead(ii) iodide": "lead iodide",
    "lead diiodide": "lead iodide",
    "silicon dioxide": "silica",
    "titanium dioxide": "titania",
}
_CHARGE = r"(?:\d?[+-]|[+-]\d)"
_FORMULA = re.compile(
    rf"(?<![\w.])[A-Z][A-Za-z\d]*(?:\^?{_CHARGE}|\^?\{{{_CHARGE}\}}|\^?\({_CHARGE}\))?(?![\w+^-]|\.\d)"
)
_CLASS = re.compile(r"\s+(?:anion|cation|ion|gas|gase|molecule|atmosphere|compound)s?\b", re.IGNORECASE)
_FORM_OF = re.compile(r"\b(?:molecular|gaseous|elemental)\s+(?=[a-z])", re.IGNORECASE)
_ANION = re.compile(
    r"(?:mono?|di|tri|tetra|penta|hexa)?(?:oxide|fluoride|chloride|bromide|iodide|nitride|sulfide|sulphide|phosphide|"
    r"carbide|hydride|selenide|telluride|nitrate|nitrite|sulfate|sulphate|sulfite|carbonate|phosphate|iodate|chlorate|"
    r"hydroxide|cyanide|acetate)"
)
_CATION = re.compile(
    r"(?:lithium|sodium|potassium|rubidium|caesium|cesium|ammonium|methylammonium|formamidinium|magnesium|calcium|"
    r"strontium|barium|tin|lead|silver|copper|zinc|iron|aluminium|aluminum|titanium|zirconium|nickel|cobalt|bismuth)"
)


def in_names(text: str) -> str:
    """``text`` with each formula of a simple species replaced by its name, and each other name of one by the first."""
    named = _FORMULA.sub(lambda found: _by_formula().get(found[0], found[0]), spell(text))
    for other, name in _OTHER_NAMES.items():
        named = re.sub(rf"\b{re.escape(other)}\b", name, named, flags=re.IGNORECASE)
    return _CLASS.sub("", _FORM_OF.sub("", named))


def is_other_species(words: Sequence[str], names: Sequence[Sequence[str]]) -> bool:
    """Whether all of ``words`` name one simple compound or element, and ``names``, all of them simple species, are
    others: ``rubidium iodide`` for ``lead iodide``."""
    parts = [_CATION.fullmatch(word) or _ANION.fullmatch(word) for word in words]
    named = bool(words) and (all(parts) or " ".join(words) in _SPECIES)
    known = [name for name in names if " ".join(name) in _SPECIES]
    return named and bool(known) and all(list(name) != list(words) for name in known)


def is_of_another(name: Sequence[str], before: str, behind: str) -> bool:
    """Whether a simple species (its words) is only a part of another compound's name, by the word before or behind it:
    ``nitrogen`` in ``nitrogen oxide``, ``lead iodide`` in ``caesium lead iodide``."""
    if " ".join(name) not in _SPECIES:
        return False
    is_salt = len(name) > 1 and _ANION.fullmatch(name[-1]) is not None
    return _ANION.fullmatch(behind) is not None or (is_salt and _CATION.fullmatch(before) is not None)


@cache
def _by_formula() -> dict[str, str]:
    """Every print of a formula: with and without its charge, raised or not."""
    found: dict[str, str] = {}
    for name, (formula, charge) in _SPECIES.items():
        found.setdefault(formula, name)
        if charge:
            sign, count = charge[-1], charge[:-1]
            prints = (charge, f"^{charge}", f"^{{{charge}}}", f"({charge})", f"^{sign}{count}", f"{sign}{count}")
            found |= {formula + each: name for each in prints}
    return found
