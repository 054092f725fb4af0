"""Short names that a text gives its materials: ``La0.6Sr0.4CoO3-δ (LSC)``, ``LSC (La0.6Sr0.4CoO3-δ)``."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from pincite_materials.formulas import material_name, parse_deviating
from pincite_materials.values import spell

_CALLED = (
    r"(?:(?:hereafter|henceforth|denoted|abbreviated|called|named|labell?ed|referred to)?"
    r"(?:\s+(?:as|by|to))*\s*:?\s*)"
)
_SHORT = r"(?P<short>[A-Za-z][\w+-]{1,15})"
_BEHIND = re.compile(rf"(?P<formula>[A-Z(\[][^\s,;]*\d[^\s,;]*)\s*\(\s*{_CALLED}{_SHORT}\s*\)")
_NAMED = re.compile(
    rf"(?P<formula>[A-Z(\[][^\s,;]*\d[^\s,;]*?),?\s+(?:hereafter|henceforth|denoted|abbreviated|called)"
    rf"(?:\s+(?:as|by|to))*\s+{_SHORT}"
)
_BEFORE = re.compile(rf"(?<![\w-]){_SHORT}\s*(?:\(\s*|=\s*)(?P<formula>[A-Z][^\s,;=]*\d[^\s,;]*)")
_FAMILIES: Mapping[str, frozenset[str]] = {
    "bscco": frozenset({"Bi", "Sr", "Ca", "Cu", "O"}),
    "tbcco": frozenset({"Tl", "Ba", "Ca", "Cu", "O"}),
    "hbcco": frozenset({"Hg", "Ba", "Ca", "Cu", "O"}),
}
"""Families of cuprates by the elements of their phases; the first two and the last two are in every phase."""


@lru_cache(maxsize=64)
def abbreviations_in(text: str) -> Mapping[str, str]:
    """The formulas that the text's short names stand for, by the short name in comparable spelling; one that stands
    for two formulas is left out."""
    found: dict[str, set[str]] = {}
    spelled = spell(text)
    for pattern in (_BEHIND, _NAMED, _BEFORE):
        for match in pattern.finditer(spelled):
            formula = _trimmed(match["formula"])
            if _is_compound(formula) and not _is_compound(match["short"]) and match["short"][:1].isupper():
                found.setdefault(material_name(match["short"]), set()).add(formula)
    return {short: formulas.pop() for short, formulas in found.items() if len(formulas) == 1}


def family_member(name: str, formulas: Iterable[str]) -> str | None:
    """The one of ``formulas`` that a family's name (``BSCCO``) can mean; None for another name or where several can."""
    elements = _FAMILIES.get(material_name(name))
    if elements is None:
        return None
    able: list[str] = []
    for formula in dict.fromkeys(formulas):
        parsed = parse_deviating(formula)
        if parsed is not None and {element for element, _ in parsed.amounts} <= elements and len(parsed.amounts) >= 4:
            able.append(formula)
    return able[0] if len(able) == 1 else None


def _trimmed(formula: str) -> str:
    formula = formula.rstrip(".,:;")
    while formula.endswith((")", "]")) and len(re.findall(r"[)\]]", formula)) > len(re.findall(r"[(\[]", formula)):
        formula = formula[:-1]
    return formula


def _is_compound(text: str) -> bool:
    """Whether a text is a formula of two elements at least with an amount in it."""
    parsed = parse_deviating(text) if any(character.isdigit() for character in text) else None
    return parsed is not None and len(parsed.amounts) > 1
