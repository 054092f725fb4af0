"""Families of materials and prototypes that papers call by short names: two tables, kept by hand.

``families.tsv``: formula with its unknowns as the literature writes it, acronyms and numbers, names, a word that goes
with the acronym in titles, structure prototype, and which site is doped; ``prototypes.tsv``: structure types, with a
general formula, an example and what they are. Only what is in common use and certain is in them.
"""

import csv
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from pincite_literature.titles import fold
from pincite_materials.formula_grammar import parse_formula_text
from pincite_materials.formulas import Formula, parse_formula


@dataclass(frozen=True, slots=True)
class Family:
    """A material or a series of doped ones."""

    formula: str
    acronyms: tuple[str, ...]
    names: tuple[str, ...]
    context: str
    """A word that titles and abstracts use of it ("cuprate")."""
    prototype: str
    sites: str

    @property
    def parsed(self) -> Formula:
        """The formula, deviations of oxygen (δ) left out."""
        found = parse_formula(self.formula)
        if found is None:
            raise ValueError(self.formula)
        return found

    @property
    def letters(self) -> dict[str, str]:
        """The formula's own letters for the unknowns of ``parsed``."""
        raw = parse_formula_text(self.formula.replace("-δ", "").replace("+δ", ""))
        found: dict[str, str] = {}
        for element, amount in self.parsed.amounts:
            written = raw.amounts[element].names if raw else ()
            if len(amount.names) == 1 and len(written) == 1:
                found.update(zip(amount.names, written, strict=True))
        return found

    @property
    def open_oxygen(self) -> bool:
        """Whether its oxygen content varies."""
        return "δ" in self.formula


@dataclass(frozen=True, slots=True)
class Prototype:
    """A structure type."""

    name: str
    formula: str
    names: tuple[str, ...]
    example: str
    meaning: str


@cache
def families() -> tuple[Family, ...]:
    """All families, in the order of the table."""
    return tuple(
        Family(
            row["formula"], _list(row["acronyms"]), _list(row["names"]), row["context"], row["prototype"], row["sites"]
        )
        for row in _rows("families.tsv")
    )


@cache
def prototypes() -> tuple[Prototype, ...]:
    """All structure types, in the order of the table."""
    return tuple(
        Prototype(row["name"], row["formula"], _list(row["names"]), row["example"], row["meaning"])
        for row in _rows("prototypes.tsv")
    )


@lru_cache(maxsize=4096)
def by_acronym(text: str, *, exact: bool) -> tuple[Family, ...]:
    """The families of an acronym (``LSCO``, ``Bi-2212``); ``exact``: in its own capitals only."""
    wanted = _joined(text) if exact else _joined(text).lower()
    return tuple(
        family
        for family in families()
        if any(wanted == (_joined(acronym) if exact else _joined(acronym).lower()) for acronym in family.acronyms)
    )


def by_name(text: str) -> tuple[Family, ...]:
    """The families of a name ("bismuth ferrite"), whatever its capitals and hyphens."""
    wanted = _joined(fold(text))
    return tuple(family for family in families() if any(wanted == _joined(fold(name)) for name in family.names))


def prototype(text: str) -> Prototype | None:
    """The structure type of that name ("half-Heusler", "spinel structure")."""
    wanted = _joined(fold(text))
    return next(
        (each for each in prototypes() if any(wanted == _joined(fold(name)) for name in (each.name, *each.names))), None
    )


def _joined(text: str) -> str:
    return re.sub(r"[\s\-‐‑–—−_]", "", text)


def _list(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split(";") if part.strip())


def _rows(name: str) -> list[dict[str, str]]:
    text = files("pincite_literature.materials").joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
