"""Short names that a field uses without spelling them out: ``LFP``, ``NMC811``, ``MAPbI3``, ``PEDOT:PSS``."""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

_SEPARATORS = re.compile(r"[\s\-:/()]")
_CATHODE = re.compile(r"(?P<order>NMC|NCM)(?P<digits>\d{3})")
_TENTHS = 10
"""The parts of NMC811 and its like are tenths, and sum up to ten."""

_CATIONS: dict[str, str] = {
    "DMA": "C2H8N", "PMA": "C7H10N", "PEA": "C8H12N", "MA": "CH6N", "FA": "CH5N2", "GA": "CH6N3", "BA": "C4H12N",
}  # fmt: skip
"""Organic cations of halide perovskites: dimethylammonium, benzylammonium, phenylethylammonium, methylammonium,
formamidinium, guanidinium, butylammonium (Mitzi, Prog. Inorg. Chem. 48, 1, 1999)."""

_CATION = re.compile(rf"(?:{'|'.join(_CATIONS)})(?![a-z])")
_HALIDE = re.compile(r"(?:Pb|Sn|Ge|Bi|Sb).*(?:I|Br|Cl)(?![a-z])")
"""A metal and a halide behind it: elsewhere ``MA`` and ``FA`` are not cations."""


@dataclass(frozen=True, slots=True)
class CommonName:
    """A short name as the field writes it, its composition ("" where it has none of its own) and what it is."""

    name: str
    formula: str
    what: str


def common_name(text: str) -> CommonName | None:
    """What a short name stands for, letters in their case; hyphens, colons and spaces do not count. None for others."""
    key = _SEPARATORS.sub("", text)
    return _cathode(key) or _names().get(key)


def spell_cations(text: str) -> str:
    """A formula with the organic cations of a halide perovskite spelled out: ``MAPbI3`` is ``(CH6N)PbI3``."""
    if _CATION.search(text) is None or _HALIDE.search(text) is None:
        return text
    return _CATION.sub(lambda cation: f"({_CATIONS[cation[0]]})", text)


@cache
def _names() -> dict[str, CommonName]:
    source = resources.files("pincite_materials").joinpath("data/common_names.tsv").read_text("utf-8")
    names: dict[str, CommonName] = {}
    for line in source.splitlines()[1:]:
        name, formula, what = line.split("\t")
        names[_SEPARATORS.sub("", name)] = CommonName(name, formula, what)
    return names


def _cathode(key: str) -> CommonName | None:
    """LiNi(a)Mn(b)Co(c)O2 by the digits of its name, in the order of its letters (Manthiram, Nat. Commun. 11, 1550).

    Digits are tenths, or equal thirds. With more cobalt than manganese the letters are likely in the other order, and
    the composition is left open.
    """
    match = _CATHODE.fullmatch(key)
    if match is None:
        return None
    shares = dict(zip(match["order"], (int(digit) for digit in match["digits"]), strict=True))
    nickel, manganese, cobalt = shares["N"], shares["M"], shares["C"]
    whole = nickel + manganese + cobalt
    what = "lithium nickel manganese cobalt oxide"
    if nickel == manganese == cobalt and nickel:
        return CommonName(key, "LiNi1/3Mn1/3Co1/3O2", what)
    if whole != _TENTHS or manganese < cobalt:
        return CommonName(key, "", f"{what}, of a ratio that its digits do not tell")
    return CommonName(key, f"LiNi0.{nickel}Mn0.{manganese}Co0.{cobalt}O2", what)
