"""convert_units and compare_values: a value in another unit, and whether a value is the one that was stated."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError
from pincite_materials.comparing import TOLERANCES, Stated, compare_stated
from pincite_materials.equivalents import HOW
from pincite_materials.published_values import published_same_value
from pincite_materials.units import convert, known, not_understood, relation
from pincite_materials.values import Value

_DIGITS = 12
"""Significant digits of a converted number: more are noise of the arithmetic."""

_NO_UNIT = "no unit"

ValueText = Annotated[
    str, Field(min_length=1, max_length=1000, description="As printed: 93(1) K, 1.2 × 10^-3, 4.2–4.5, < 5")
]
UnitText = Annotated[str, Field(max_length=100, description="As printed: K, μΩ cm, emu/mol, J mol^-1 K^-1")]
OwnUnit = Annotated[str, Field(max_length=100, description="If not behind the value")]


class Conversion(TypedDict):
    """``numbers`` in the unit ``unit``: one, two for a range, more for a tuple; ``how`` names the relation used."""

    numbers: list[float]
    unit: str
    uncertainty: NotRequired[float]
    bound: NotRequired[str]
    approximate: NotRequired[bool]
    from_numbers: list[float]
    from_unit: str
    how: str


class ValueComparison(TypedDict):
    """``within`` is the tightest tolerance that the value meets; ``same`` means within 0.1 % ."""

    same: bool
    within: Literal["0.1%", "1%", "10%", "none"]
    same_published: bool
    rule: Literal["number", "text"]
    relative_error: NotRequired[float]
    note: NotRequired[str]


async def convert_units(value: ValueText, to: UnitText, unit: OwnUnit = "") -> Conversion:
    """A printed value in another unit: SI, Gaussian, and the physicist's equivalents (B and H; energy, temperature,
    wavenumber, frequency; kDa and g/mol). Uncertainty, bound and range are kept.
    """
    stated = Stated(value, unit)
    read, source = stated.quantity()
    if read is None:
        raise BadInputError(f"{value!r} is not a number with a unit.", next="Give one value, such as 93(1) K.")
    for text in (source, to):
        if not known(text):
            what = not_understood(text)
            raise BadInputError(f"{what[0].upper()}{what[1:]}.", next="Spell it in SI or Gaussian units.")
    numbers = [convert(number, source, to, energies=True) for number in read.numbers]
    related = relation(source, to)
    if related is None:
        raise BadInputError(
            f"{source or _NO_UNIT} cannot be converted to {to or _NO_UNIT}.", next="Give a unit of the same quantity."
        )
    made = Conversion(
        numbers=[_rounded(number) for number in numbers if number is not None],
        unit=to,
        from_numbers=[_rounded(number) for number in read.numbers],
        from_unit=source,
        how=HOW[related],
    )
    _keep_the_rest(made, read, source, to)
    return made


async def compare_values(
    value: ValueText,
    reference: Annotated[str, Field(min_length=1, max_length=1000, description="The value that is right, as printed")],
    unit: OwnUnit = "",
    reference_unit: OwnUnit = "",
) -> ValueComparison:
    """Whether a value is the reference value: relative error of at most 0.1 % after conversion of units (1 % and 10 %
    are near misses). A range must meet both ends, a bound the same side; what is not a number must read the same.
    """
    mine, true = Stated(value, unit), Stated(reference, reference_unit)
    rule = "number" if true.quantity()[0] is not None else "category"
    comparison = compare_stated(rule, mine, true)
    within = next((name for name, tolerance in TOLERANCES.items() if comparison.within(tolerance)), "none")
    first = next(iter(TOLERANCES))
    published = published_same_value if rule == "number" else _either_holds_the_other
    made = ValueComparison(
        same=within == first,
        within=within,  # pyright: ignore[reportArgumentType]
        same_published=published(str(mine), str(true), TOLERANCES[first]),
        rule="number" if rule == "number" else "text",
    )
    if comparison.error is not None and comparison.error != float("inf"):
        made["relative_error"] = float(f"{comparison.error:.6g}")
    if comparison.note and within != first:
        made["note"] = comparison.note
    return made


def _either_holds_the_other(a: str, b: str, _tolerance: float) -> bool:
    """The published rule for texts."""
    return a.lower() in b.lower() or b.lower() in a.lower()


def _keep_the_rest(made: Conversion, read: Value, source: str, to: str) -> None:
    """Uncertainty, bound and "about" of the value, converted; an uncertainty by the slope alone."""
    if read.uncertainty is not None:
        ends = [convert(number, source, to, energies=True) for number in (0.0, read.uncertainty)]
        if ends[0] is not None and ends[1] is not None:
            made["uncertainty"] = _rounded(abs(ends[1] - ends[0]))
    if read.bound:
        made["bound"] = read.bound
    if read.approximate:
        made["approximate"] = True


def _rounded(number: float) -> float:
    return float(f"{number:.{_DIGITS}g}")
