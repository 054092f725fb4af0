"""Conditions of a measurement: may an answered one be the gold's, and does it say what tells the gold's apart?"""

import re
from collections.abc import Sequence
from functools import lru_cache

from pincite_materials.text import plain
from pincite_materials.units import convert
from pincite_materials.values import scan_numbers, spell
from pincite_scoring.precedent_search.answer import Measurement
from pincite_scoring.property_extraction.condition_classes import FORMS, TECHNIQUES, classes
from pincite_scoring.property_extraction.conditions import conflict
from pincite_scoring.property_extraction.records import Conditions, Location, Record

_SET_POINTS = {"pressure": "GPa", "field": "T"}
"""Conditions that are given as a quantity in a unit that nothing else here has."""
_WORDS = {
    "pressure": re.compile(r"\b(?:ambient|atmospheric|normal)[\s-]+pressure\b", re.IGNORECASE),
    "field": re.compile(r"\b(?:zero|no|without)[\s-]+(?:applied |magnetic )*field\b", re.IGNORECASE),
}
_NONE = {"pressure": "ambient", "field": "0 T"}
_AMBIENT_GPA = 1e-3
"""Up to 10 bar counts as ambient, as in property_extraction."""
_SAME = 0.01
"""Two numbers of one condition agree within 1 %: conditions are set points, not results (as in property_extraction)."""
_UNIT = re.compile(r"\s*(?P<unit>[A-Za-zμµΩÅ°%][\w/^%.·°µμ-]*)")
_SPELLED = {"percent": "%"}

Quantity = tuple[float, str]


def condition_conflict(answer: Measurement, gold: Measurement) -> str | None:
    """Why two measurements of one value cannot be the same, or None (``property_extraction``'s rule, with pressure and
    field read out of ``other_conditions`` where they stand there, and the form of the sample likewise)."""
    return conflict(_record(answer), _record(gold))


def left_out(answer: Measurement, gold: Measurement, others: Sequence[Measurement]) -> str | None:
    """What an answer does not say or says of another measurement, or None.

    Field and pressure that are not zero, and a quantity among the gold's other conditions (a strain, a doping), must
    be in the answer's conditions. A quantity that is a condition of another gold measurement and not of this one must
    not.
    """
    mine, true = _all_quantities(answer), _all_quantities(gold)
    missing = [quantity for quantity in true if not _has(mine, quantity)]
    if missing:
        return f"the condition {missing[0][0]:g} {missing[0][1]} is left out"
    foreign = [quantity for other in others for quantity in _all_quantities(other) if not _has(true, quantity)]
    taken = [quantity for quantity in foreign if _has(mine, quantity)]
    return f"the condition {taken[0][0]:g} {taken[0][1]} is another measurement's" if taken else None


def techniques(measurement: Measurement) -> frozenset[str]:
    """The classes of technique that its method names."""
    return classes(measurement.method, TECHNIQUES)


def spread(conditions: Conditions) -> Conditions:
    """The conditions with what stands in ``other_conditions`` under its own heading."""
    text = conditions.other_conditions
    found: dict[str, str] = {}
    for name, unit in _SET_POINTS.items():
        if getattr(conditions, name) or not text:
            continue
        set_point = next(((n, u) for n, u in quantities(text) if convert(n, u, unit) is not None), None)
        if set_point is not None:
            found[name] = f"{set_point[0]!r} {set_point[1]}"
        elif _WORDS[name].search(text):
            found[name] = _NONE[name]
    if not conditions.sample_state and classes(text, FORMS):
        found["sample_state"] = text
    return conditions.model_copy(update=found) if found else conditions


@lru_cache(maxsize=4096)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Numbers of a text that have a unit behind them, in order; ``percent`` is ``%``."""
    spelled = spell(plain(text))
    found: list[Quantity] = []
    for number in scan_numbers(spelled):
        unit = _UNIT.match(spelled, number.end)
        if unit is None:
            continue
        word = unit["unit"].rstrip(".-")
        word = _SPELLED.get(word.lower(), word)
        if word == "%" or convert(1.0, word, word) is not None:
            found.append((number.value, word))
    return tuple(found)


def _all_quantities(measurement: Measurement) -> list[Quantity]:
    """The quantities of its conditions that a search for another measurement would set otherwise: not zero field, not
    ambient pressure; temperatures are left out, for they are what is measured here."""
    conditions = spread(measurement.conditions)
    found: list[Quantity] = []
    for name, unit in _SET_POINTS.items():
        for number, given in quantities(getattr(conditions, name)):
            converted = convert(number, given, unit)
            if converted is not None and abs(converted) > (_AMBIENT_GPA if name == "pressure" else 0.0):
                found.append((converted, unit))
    for text in (conditions.other_conditions, conditions.sample_state):
        for number, unit in quantities(text):
            if not any(convert(number, unit, known) is not None for known in ("K", *_SET_POINTS.values())):
                found.append((number, unit))
    return found


def _has(quantities_: Sequence[Quantity], wanted: Quantity) -> bool:
    return any(_equal(each, wanted) for each in quantities_)


def _equal(a: Quantity, b: Quantity) -> bool:
    converted = a[0] if a[1] == b[1] else convert(a[0], a[1], b[1])
    return converted is not None and abs(converted - b[0]) <= _SAME * max(abs(converted), abs(b[0]))


def _record(measurement: Measurement) -> Record:
    return Record(
        material_or_system=measurement.material,
        property_name=measurement.definition or "value",
        value_string=measurement.value,
        value_detail=measurement.definition,
        conditions=spread(measurement.conditions),
        method=measurement.method,
        location=Location(page=1),
    )
