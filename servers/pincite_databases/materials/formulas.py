"""Chemical formulas as OPTIMADE filters spell them."""

from math import gcd

from pincite_core.errors import BadInputError
from pincite_materials.elements import ELEMENTS
from pincite_materials.formulas import parse_formula

_LARGEST_FACTOR = 12
"""The largest factor by which amounts are multiplied to whole numbers: thirds, quarters, sixths and twelfths."""
_NEAR = 1e-6
"""How near a multiple of an amount is to a whole number, a unit: above the rounding of doubles alone."""
_MOST_ELEMENTS = 20
"""Elements of one formula; high-entropy alloys have up to about ten. Set by judgement."""


def reduced_formula(text: str) -> str:
    """``chemical_formula_reduced`` of OPTIMADE 1.2: elements in alphabetical order, smallest whole numbers, no ones.

    BadInputError for what is not a formula, has unknown amounts, or is not a ratio of small whole numbers (doped
    phases).
    """
    formula = parse_formula(text)
    if formula is None or not formula.resolved or not formula.amounts:
        raise BadInputError(
            f"{text[:80]!r} is not a formula with known amounts.",
            next='Give one as "La2CuO4", or give elements instead ("La Cu O").',
        )
    amounts = [(element, amount.constant) for element, amount in formula.amounts]
    for factor in range(1, _LARGEST_FACTOR + 1):
        counts = [(element, round(amount * factor)) for element, amount in amounts]
        if all(
            count > 0 and abs(count - amount * factor) < _NEAR * factor
            for (_, count), (_, amount) in zip(counts, amounts, strict=True)
        ):
            common = gcd(*(count for _, count in counts))
            return "".join(f"{element}{count // common if count != common else ''}" for element, count in counts)
    raise BadInputError(
        f"{text[:80]!r} has amounts that databases of ordered structures do not list.",
        next='Search its end member ("La2CuO4"), or give elements ("La Sr Cu O").',
    )


def element_list(text: str) -> list[str]:
    """The chemical symbols in ``text``, parted by spaces, commas or hyphens; BadInputError for others."""
    symbols = list(dict.fromkeys(text.replace(",", " ").replace("-", " ").split()))
    wrong = [symbol for symbol in symbols if symbol not in ELEMENTS]
    if wrong or not symbols or len(symbols) > _MOST_ELEMENTS:
        raise BadInputError(
            f"{text[:80]!r} is not a list of elements.",
            seen=", ".join(wrong[:5]),
            next='Give symbols as "La Sr Cu O".',
        )
    return symbols
