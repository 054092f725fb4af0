"""compute: an expression with units, by a calculator that reads and never executes it."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError

LONGEST = 1000
"""Characters of an expression."""

_EXPRESSION = "Integers are exact; decimals carry their digits"


class Computed(TypedDict):
    """``value`` in ``unit`` ("" for a bare number); ``rounded`` to the ``significant_digits`` of what went in, absent
    where all numbers were whole. ``read_as`` shows how the expression was read."""

    value: float
    unit: str
    significant_digits: NotRequired[int]
    rounded: NotRequired[str]
    read_as: str
    notes: NotRequired[list[str]]


async def compute(
    expression: Annotated[str, Field(min_length=1, max_length=LONGEST, description=_EXPRESSION)],
) -> Computed:
    """Calculate with units: k_B * 300 K to meV; mean(92.1, 93.4) K; 5.2 g / (58.44 g/mol). + - * / ^, sqrt, exp, ln,
    log10, abs, min, max, sum, mean, stdev, …; k_B, N_A, h, c, e, R, …; "to UNIT" at the end. 2 J/mol K is 2 J/(mol K).
    """
    from pincite_materials.calculator.evaluating import Evaluator
    from pincite_materials.calculator.quantity import MOST_DIGITS
    from pincite_materials.calculator.reading import read_expression
    from pincite_materials.calculator.showing import own_unit, rounded
    from pincite_materials.calculator.target import in_unit
    from pincite_materials.calculator.tree import written

    read = read_expression(expression)
    evaluator = Evaluator(expression)
    quantity = evaluator.value(read.tree)
    if read.to:
        number, digits, note = in_unit(quantity, read)
        unit = read.to
        if note:
            evaluator.notes[note] = None
    else:
        unit, size = own_unit(quantity)
        number, digits = quantity.value / size, quantity.digits
    if number == float("inf"):
        raise BadInputError("The result is too large in this unit.", next="Convert it to a larger unit.")
    made = Computed(
        value=float(f"{number:.{MOST_DIGITS}g}"),
        unit=unit,
        read_as=written(read.tree),
    )
    if digits is not None:
        made["significant_digits"] = digits
        made["rounded"] = rounded(number, digits)
    if evaluator.notes:
        made["notes"] = list(evaluator.notes)
    return made
