"""normalise_formula and compare_formulas: what a printed material is made of, and whether two are the same."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError
from pincite_materials.common_names import common_name
from pincite_materials.formulas import (
    Formula,
    common_form,
    parse_deviating,
    parse_formula,
    published_same_formula,
)
from pincite_materials.identity import same_material
from pincite_materials.linear import Linear

LONGEST = 200
"""Characters of a formula; a longer text is prose."""

_SHOWN = 5e-5
"""Differences of atomic fractions that are worth showing."""

_UNKNOWNS = "xyzuvwabcdefgh"

Material = Annotated[
    str, Field(min_length=1, max_length=LONGEST, description="As printed: YBa2Cu3O6.93, La2-xSrxCuO4 (x = 0.15), YBCO")
]
Printed = Annotated[str, Field(min_length=1, max_length=LONGEST, description="As printed")]


class ElementAmount(TypedDict):
    """An element, its amount as text ("2-x"), and its share of all atoms where every amount is a number."""

    element: str
    amount: str
    fraction: NotRequired[float]


class NormalFormula(TypedDict):
    """A formula in normal form; ``formula`` is null, and only ``name`` is compared, where the text is none."""

    formula: str | None
    name: str
    elements: list[ElementAmount]
    unknowns: NotRequired[list[str]]
    isotopes: NotRequired[list[str]]
    dopants: NotRequired[list[str]]
    polytype: NotRequired[str]
    note: NotRequired[str]


class FormulaComparison(TypedDict):
    """``same`` is the strict rule, ``same_published`` that of the published scoring; ``why`` explains the first."""

    same: bool
    same_published: bool
    why: str
    a: str
    b: str


async def normalise_formula(material: Material) -> NormalFormula:
    """What a material's printed name is made of: elements in alphabetical order with amounts, unknowns, dopants. Short
    names (YBCO, NMC811) and given values (x = 0.15) are filled in; a small unknown deviation (O7-δ) is dropped.
    """
    parsed = parse_formula(_given(material))
    name, named = common_form(material), common_name(material)
    if parsed is None:
        what = "No formula is read in this" if named is None else f"{named.name} is {named.what}, without a formula"
        note = f"{what}: it compares by name only."
        return NormalFormula(formula=None, name=name, elements=[], note=note)
    total = sum(amount.constant for _, amount in parsed.amounts)
    made = NormalFormula(formula=spelled(parsed), name=name, elements=[])
    if named is not None:
        made["note"] = f"{named.name} is read as {named.what}, {named.formula}."
    for element, amount in parsed.amounts:
        one = ElementAmount(element=element, amount=_amount(amount) or "1")
        if parsed.resolved and total:
            one["fraction"] = round(amount.constant / total, 6)
        made["elements"].append(one)
    unknowns = list(dict.fromkeys(_shown(name) for _, amount in parsed.amounts for name in amount.names))
    if unknowns:
        made["unknowns"] = unknowns
        made["note"] = "Unknowns have no value here: give them, as in La2-xSrxCuO4 (x = 0.15)."
    if parsed.isotopes:
        made["isotopes"] = [f"{mass}{element}" for element, mass in parsed.isotopes]
    if parsed.dopants:
        made["dopants"] = list(parsed.dopants)
    if parsed.polytype:
        made["polytype"] = parsed.polytype
    return made


async def compare_formulas(a: Printed, b: Printed) -> FormulaComparison:
    """Whether two printed materials are the same. Strict: exactly equal atomic fractions, unknowns and deviations
    (O7-δ) in the same places, equal isotopes and dopants. Published: amounts may differ by 10 %, as a published
    scoring has it.
    """
    first, second = _given(a), _given(b)
    same = same_material(first, second)
    return FormulaComparison(
        same=same,
        same_published=published_same_formula(first, second),
        why=_why(first, second, same=same),
        a=_form(first),
        b=_form(second),
    )


def spelled(formula: Formula) -> str:
    """The normal form as text, in alphabetical order: ``Ba2Cu3O6.93Y``, ``CuLa(2-x)O4Sr(x)``."""
    parts: list[str] = []
    for element, amount in formula.amounts:
        text = _amount(amount)
        parts.append(element + (f"({text})" if amount.unknowns else text))
    return "".join(parts)


def _given(material: str) -> str:
    if not material.strip():
        raise BadInputError("No material was given.", next="Give its formula or name as printed.")
    return material.strip()


def _form(material: str) -> str:
    parsed = parse_formula(material)
    return spelled(parsed) if parsed is not None else common_form(material)


def _amount(amount: Linear) -> str:
    """``""`` for 1, ``6.93``, ``2-x``."""
    text = "" if amount.unknowns and not amount.constant else f"{amount.constant:.6g}"
    for name, coefficient in amount.unknowns:
        size = "" if abs(coefficient) == 1 else f"{abs(coefficient):.6g}"
        text += ("-" if coefficient < 0 else "+" if text else "") + size + _shown(name)
    return "" if text == "1" and not amount.unknowns else text


def _shown(name: str) -> str:
    """``u0`` as ``x``, the share of an element on a mixed site ("Sr of La|Sr") as ``x_Sr``."""
    if " of " in name:
        return f"x_{name.partition(' of ')[0]}"
    number = name[1:]
    if name[:1] == "u" and number.isdigit() and int(number) < len(_UNKNOWNS):
        return _UNKNOWNS[int(number)]
    return name


def _why(a: str, b: str, *, same: bool) -> str:
    first, second = parse_deviating(a), parse_deviating(b)
    if same and (first is None) != (second is None):
        return "The words beside the formula tell of the sample."
    if first is None or second is None:
        kind = "Neither is" if first is second else f"{(a if first is None else b)!r} is not"
        return f"{kind} a formula: names are the same when they read the same."
    if same:
        return "Equal composition."
    if first.isotopes != second.isotopes:
        return "The isotopes differ."
    if first.dopants != second.dopants:
        return "The dopants differ."
    if first.polytype and second.polytype and first.polytype != second.polytype:
        return "The polytypes differ."
    return _difference(first, second)


def _difference(a: Formula, b: Formula) -> str:
    """Which elements make the compositions differ."""
    mine, theirs = dict(a.amounts), dict(b.amounts)
    only = [
        f"{element} is only in {where}"
        for where, these, others in (("a", mine, theirs), ("b", theirs, mine))
        for element in these
        if element not in others
    ]
    if only:
        return f"{'; '.join(only)}."
    if any(amount.unknowns for amount in (*mine.values(), *theirs.values())):
        return "The amounts differ, or one has unknowns where the other has none."
    totals = [sum(amount.constant for amount in amounts.values()) for amounts in (mine, theirs)]
    shares = {e: (mine[e].constant / totals[0], theirs[e].constant / totals[1]) for e in mine}
    differing = [f"{e} {x:.4f} against {y:.4f}" for e, (x, y) in shares.items() if abs(x - y) > _SHOWN]
    return f"Atomic fractions differ: {', '.join(differing) or 'slightly'}."
