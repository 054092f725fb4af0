"""Whether a composition belongs to a family, and for which values of its unknowns."""

from collections.abc import Mapping

from pincite_materials.formulas import Formula

TOLERANCE = 0.015
"""By how much an amount may differ from the family's, in its formula unit."""

_OXYGEN = 1.0
"""By how much the oxygen of a family that leaves it open may differ."""

_SAMPLES = ((0.07, 0.05), (0.11, 0.04))
"""Values for the unknowns of a symbolic formula: the first one's, and what each next one's is more."""


def fit(family: Formula, asked: Formula, *, open_oxygen: bool = False) -> dict[str, float] | None:
    """The values of the family's unknowns at which it is ``asked``, None where there are none.

    The size of the formula unit is free; a symbolic formula fits when it does for any values of its unknowns, and gives
    no values then.
    """
    if family.isotopes != asked.isotopes:
        return None
    names = sorted({name for _, amount in asked.amounts for name in amount.names})
    if not names:
        return _fit(family, {element: amount.constant for element, amount in asked.amounts}, open_oxygen)
    for start, step in _SAMPLES:
        values = {name: start + step * place for place, name in enumerate(names)}
        amounts = {element: amount.with_values(values).constant for element, amount in asked.amounts}
        if _fit(family, amounts, open_oxygen) is None:
            return None
    return {}


def at_zero(family: Formula) -> Mapping[str, float] | None:
    """The amounts of a series' undoped end, all unknowns 0; None of what has none."""
    if not any(amount.unknowns for _, amount in family.amounts):
        return None
    return {element: amount.constant for element, amount in family.amounts if amount.constant > TOLERANCE}


def same_amounts(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    """Whether two compositions are the same but for the size of the formula unit."""
    if set(one) != set(other) or not one:
        return False
    scale = sum(one.values()) / sum(other.values())
    return all(abs(amount - scale * other[element]) <= TOLERANCE * max(scale, 1) for element, amount in one.items())


def _fit(family: Formula, amounts: Mapping[str, float], open_oxygen: bool) -> dict[str, float] | None:
    """Least squares for the size s of the unit and s times each unknown."""
    import numpy as np

    elements = dict(family.amounts)
    if set(elements) != set(amounts):
        return None
    unknowns = sorted({name for amount in elements.values() for name in amount.names})
    counted = [element for element in elements if not (open_oxygen and element == "O")]
    matrix = np.array([
        [elements[e].constant, *(dict(elements[e].unknowns).get(name, 0.0) for name in unknowns)] for e in counted
    ])  # fmt: skip
    wanted = np.array([amounts[element] for element in counted])
    solved, _, rank, _ = np.linalg.lstsq(matrix, wanted, rcond=None)
    size = float(solved[0])
    if rank <= len(unknowns) or size <= 0:
        return None
    values = {name: float(solved[place + 1]) / size for place, name in enumerate(unknowns)}
    for element, amount in elements.items():
        given = amount.with_values(values).constant
        allowed = _OXYGEN if open_oxygen and element == "O" else TOLERANCE
        if given < -TOLERANCE or abs(given - amounts[element] / size) > allowed:
            return None
    return values if all(value > -TOLERANCE for value in values.values()) else None
