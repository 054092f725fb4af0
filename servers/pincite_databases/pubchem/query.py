"""What a query for a compound is: told from how it is written, by rules that are said with the answer."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from pincite_materials.elements import ELEMENTS

Kind = Literal["auto", "name", "words", "cid", "smiles", "inchi", "inchikey", "formula"]

_CID = re.compile(r"(?:cid[\s:]*)?([0-9]{1,10})", re.IGNORECASE)
_INCHIKEY = re.compile(r"[A-Z]{14}-[A-Z]{10}-[A-Z]")
_CAS = re.compile(r"[0-9]{2,7}-[0-9]{2}-[0-9]")
_ATOM = re.compile(r"([A-Z][a-z]?)(\d*)")
_SMILES_TOKEN = re.compile(r"\[[^\[\]\s]+\]|Cl|Br|[BCNOPSFIbcnops]|[-=#$:/\\.()~]|%\d\d|\d")
_MOST_SMILES_CHARS = 20_000
"""Characters of a SMILES string; a protein of 1,000 residues has about 10,000. Set by judgement."""


@dataclass(frozen=True, slots=True)
class CompoundQuery:
    """A query as PubChem is asked it: ``value`` of ``kind``; ``remark`` says what else it may be."""

    kind: Kind
    value: str
    remark: str = ""


def read_query(query: str, kind: Kind) -> CompoundQuery:
    """The query as ``kind``, or as what it is by its looks for "auto".

    A formula without both carbon and hydrogen (CO2, NaCl, SN38) and capital letters alone (CCO, PCP) are taken for
    names: names of drugs look so, and PubChem knows common formulas as names.
    """
    value = query.strip()
    if kind != "auto":
        return CompoundQuery(kind, _bare(value, kind))
    if number := _CID.fullmatch(value):
        return CompoundQuery("cid", str(int(number[1])))
    if value.startswith("InChI="):
        return CompoundQuery("inchi", value)
    if _INCHIKEY.fullmatch(value.removeprefix("InChIKey=")):
        return CompoundQuery("inchikey", value.removeprefix("InChIKey="))
    if _CAS.fullmatch(value):
        wrong = "" if cas_is_right(value) else "Its check digit is wrong: this is not a CAS registry number."
        return CompoundQuery("name", value, wrong)
    atoms = formula_atoms(value)
    if atoms and {"C", "H"} <= set(atoms) and any(c.isdigit() for c in value):
        return CompoundQuery("formula", hill(atoms))
    if looks_like_smiles(value):
        if any(c in "=#[]()@/\\" or c.isdigit() for c in value):
            return CompoundQuery("smiles", value)
        return CompoundQuery("name", value, 'It may also be a SMILES: kind="smiles" asks so.')
    if atoms and len(atoms) > 1:
        return CompoundQuery("name", value, 'It may also be a formula: kind="formula" asks so.')
    return CompoundQuery("name", value)


def formula_atoms(text: str) -> Counter[str]:
    """Atoms of a formula without brackets, charges and fractions; empty when it is none."""
    atoms: Counter[str] = Counter()
    at = 0
    while at < len(text):
        atom = _ATOM.match(text, at)
        if atom is None or atom[1] not in ELEMENTS or atom[2].startswith("0") or len(atom[2]) > 4:
            return Counter()
        atoms[atom[1]] += int(atom[2] or 1)
        at = atom.end()
    return atoms


def hill(atoms: Counter[str]) -> str:
    """The formula in Hill's order: carbon, hydrogen, then by letter; all by letter without carbon."""
    first = [symbol for symbol in ("C", "H") if symbol in atoms] if "C" in atoms else []
    order = [*first, *sorted(symbol for symbol in atoms if symbol not in first)]
    return "".join(f"{symbol}{atoms[symbol] if atoms[symbol] > 1 else ''}" for symbol in order)


def looks_like_smiles(text: str) -> bool:
    """Whether it is written as a SMILES: its tokens, brackets and ring closures all in pairs, more than one atom."""
    if not 1 < len(text) <= _MOST_SMILES_CHARS or any(c.isspace() for c in text):
        return False
    depth, at, atoms = 0, 0, 0
    open_rings: set[str] = set()
    while at < len(text):
        token = _SMILES_TOKEN.match(text, at)
        if token is None:
            return False
        at = token.end()
        if token[0] in "()":
            depth += 1 if token[0] == "(" else -1
            if depth < 0:
                return False
        elif token[0].lstrip("%").isdigit():
            open_rings ^= {token[0].lstrip("%").lstrip("0") or "0"}
        elif token[0][0].isalpha() or token[0][0] == "[":
            atoms += 1
    return depth == 0 and not open_rings and atoms > 0


def cas_is_right(number: str) -> bool:
    """Whether the check digit of a CAS registry number is right: the digits before it, weighted from the right."""
    digits = [int(c) for c in number if c.isdigit()]
    return sum(weight * digit for weight, digit in enumerate(reversed(digits[:-1]), 1)) % 10 == digits[-1]


def _bare(value: str, kind: Kind) -> str:
    if kind == "cid" and (number := _CID.fullmatch(value)):
        return str(int(number[1]))
    if kind == "inchikey":
        return value.removeprefix("InChIKey=").upper()
    if kind == "formula" and (atoms := formula_atoms(value)):
        return hill(atoms)
    return value
