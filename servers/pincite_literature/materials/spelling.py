"""A formula in the spellings and orders in which papers, indexes and databases write it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pincite_core.errors import MissingExtraError
from pincite_materials.elements import ELEMENTS, RARE_EARTH_PLACEHOLDERS
from pincite_materials.linear import Linear
from pincite_materials.text import plain

_LATEX = re.compile(r"\\(?:mathrm|textrm|text|rm|mathit|ce|textsubscript)(?![a-z])\s*|[${}_]")
_TERM = r"(?:\d+/\d+|\d*\.?\d+)?[xyzδ]?"
_AMOUNT = re.compile(rf"(?:\d+/\d+|\d*\.\d+|\d+)(?:[xyzδ](?![a-z]))?(?:[-+]{_TERM})*|[xyzδ](?:[-+]{_TERM})*")
_BRACKETS = "()[]"
_REPEATING = re.compile(r"\.(?:333|667)")
"""Thirds, which no paper writes so."""

_LOWERED = str.maketrans("0123456789+-x()", "₀₁₂₃₄₅₆₇₈₉₊₋ₓ₍₎")

Parts = list[tuple[str, str]]
"""Elements and brackets ("base"), and what stands behind them ("amount")."""


def bare(text: str) -> str:
    """A formula on the line: no LaTeX, no subscripts, no blanks, one kind of minus, δ for delta."""
    text = text.replace("\\delta", "δ").replace("delta", "δ")
    return re.sub(r"\s+", "", plain(_LATEX.sub("", text)))


def parts(formula: str) -> Parts | None:
    """A bare formula in parts; None where it holds anything else."""
    found: Parts = []
    position = 0
    while position < len(formula):
        symbol = next((s for s in (formula[position : position + 2], formula[position]) if _is_symbol(s)), None)
        if symbol is not None or formula[position] in _BRACKETS:
            base = symbol or formula[position]
            found.append(("base", base))
            position += len(base)
            continue
        amount = _AMOUNT.match(formula, position)
        if amount is None or not amount[0] or not found or found[-1][0] == "amount":
            return None
        found.append(("amount", amount[0]))
        position = amount.end()
    return found or None


def subscripts(formula: Parts) -> str | None:
    """With Unicode subscripts; None where Unicode has none (δ, y, fractions)."""
    if any(set(text) & set("yzδ/") for kind, text in formula if kind == "amount"):
        return None
    return _written(formula, lambda amount: amount.translate(_LOWERED))


def latex(formula: Parts) -> str:
    """With LaTeX subscripts: ``La$_{2-x}$Sr$_{x}$CuO$_{4}$``."""
    return _written(formula, lambda amount: f"$_{{{amount.replace('δ', chr(92) + 'delta')}}}$")


def spaced(formula: Parts) -> str:
    """With blanks around subscripts, as indexes hold what was marked up: ``La 2-x Sr x CuO 4``."""
    return " ".join(_written(formula, lambda amount: f" {amount} ").split())


def minus(formula: Parts) -> str:
    """With the minus sign in place of the hyphen."""
    return _written(formula, lambda amount: amount.replace("-", "−"))


def system(formula: Parts) -> str:
    """The elements with hyphens: ``La-Sr-Cu-O``."""
    return "-".join(elements(formula))


def elements(formula: Parts) -> list[str]:
    """The elements in the order in which they are written."""
    return list(dict.fromkeys(text for kind, text in formula if kind == "base" and text not in _BRACKETS))


def by_electronegativity(names: Iterable[str]) -> list[str]:
    """Elements from the least to the most electronegative; unnamed rare earths first, those without a value last."""

    def pull(name: str) -> tuple[float, str]:
        value = _electronegativity(name) if name in ELEMENTS else 0.0
        return (10.0 if value is None else value), name

    return sorted(names, key=pull)


def _electronegativity(element: str) -> float | None:
    """Pauling's, by pymatgen; MissingExtraError without it."""
    try:
        from pymatgen.core import Element
    except ModuleNotFoundError as error:
        raise MissingExtraError.of("materials", needed_for="Expanding a material's name") from error
    value: Any = Element(element).data.get("X")
    return float(value) if isinstance(value, int | float) and value == value else None


def orders(amounts: Mapping[str, Linear], written: Sequence[str]) -> list[tuple[str, str]]:
    """The formula in several orders of its elements, each with the order's name, equal ones once."""
    real = all(element in ELEMENTS and _electronegativity(element) is not None for element in amounts)
    carbon = [element for element in ("C", "H") if "C" in amounts and element in amounts]
    hill = [*carbon, *sorted(element for element in amounts if element not in carbon)]
    found = {
        "as written": formula_of(amounts, written),
        "by electronegativity": formula_of(amounts, by_electronegativity(amounts)),
    }
    found["alphabetical"] = formula_of(amounts, sorted(amounts))
    found["Hill"] = formula_of(amounts, hill)
    whole = all(not amount.unknowns and amount.constant.is_integer() for amount in amounts.values())
    if real and whole:
        from pymatgen.core import Composition

        found["reduced"] = str(Composition({e: amount.constant for e, amount in amounts.items()}).reduced_formula)
    once: dict[str, list[str]] = {}
    for order, formula in found.items():
        if not _REPEATING.search(formula):
            once.setdefault(formula, []).append(order)
    return [(", ".join(names), formula) for formula, names in once.items()]


def formula_of(amounts: Mapping[str, Linear], order: Sequence[str]) -> str:
    """The amounts as a bare formula; unknowns are x, y, z in the order of their names."""
    names = sorted({name for amount in amounts.values() for name in amount.names})
    letters = dict(zip(names, "xyzuvw", strict=False))
    return "".join(element + _amount(amounts[element], letters) for element in order if element in amounts)


def _amount(amount: Linear, letters: Mapping[str, str]) -> str:
    text = f"{amount.constant:.4g}" if amount.constant or not amount.unknowns else ""
    for name, coefficient in amount.unknowns:
        size = "" if abs(abs(coefficient) - 1) < 1e-9 else f"{abs(coefficient):.4g}"
        sign = "-" if coefficient < 0 else "+" if text else ""
        text += f"{sign}{size}{letters.get(name, 'u')}"
    return "" if text == "1" else text


def _is_symbol(text: str) -> bool:
    return text in ELEMENTS or text in RARE_EARTH_PLACEHOLDERS or text == "D"


def _written(formula: Parts, amount: Callable[[str], str]) -> str:
    return "".join(text if kind == "base" else amount(text) for kind, text in formula)
