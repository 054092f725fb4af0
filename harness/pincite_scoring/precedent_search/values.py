"""Values: is a measurement one of the gold's?"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite_materials.comparing import Comparison, Stated, compare_stated
from pincite_materials.identity import material_of, same_material
from pincite_materials.published_values import published_equal, published_numbers
from pincite_materials.units import convert, known, to_base
from pincite_materials.values import find_numbers, scan_numbers, spell
from pincite_scoring.precedent_search.answer import Measurement, Source
from pincite_scoring.precedent_search.conditions import condition_conflict
from pincite_scoring.property_extraction.assignment import assign

TOLERANCE = 1e-3
"""Relative, of the true value in SI units: the rubric ``0.1% SI``; as near is what a quote prints of a value."""

_UNIT = re.compile(r"\s*(?P<unit>[A-Za-zμµΩÅ°%][\w/^%.·°µμ-]*)")

_DEGREES = {"C": "°C", "F": "°F"}
"""Where a temperature is asked for, degrees without their sign are not coulombs or farads."""

_NO_UNITS = frozenset({"a", "as", "at", "in", "is", "to"})
"""Words behind a number that are spelled like units (are, attosecond, technical atmosphere, inch)."""

_MOST_WORDS = 12
"""Words that a formula with its x may have; what follows tells of the sample."""

_WORDS = frozenset({"As", "At", "He", "I", "In", "No"})
"""English words that are symbols of elements."""

_AGREEING = 2.0
"""Of two pairs of equal values, that whose conditions agree counts for more."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What measurements of a task are read by: its material, the unit meant where none is given, and whether they
    state a value of the property (else the lowest temperature of a search in vain), and the property's name."""

    material: str
    unit: str
    positive: bool
    property: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Measurement ``answer`` is measurement ``gold``; ``conflict`` says how their conditions differ."""

    answer: int
    gold: int
    conflict: str | None


def is_about(measurement: Measurement, frame: Frame) -> bool:
    """Whether it was made on the task's material: the first composition in the text decides (``Nb3Sn wire number 4``,
    ``our crystal of Nb3Sn``). A text without any (``the title compound``, ``sample A``) names no other material."""
    return _is_about(measurement.material, frame.material)


@lru_cache(maxsize=65536)
def _is_about(text: str, material: str) -> bool:
    if not _elements(material):
        return same_material(text, material)
    words = text.split()[:_MOST_WORDS]
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            named = " ".join(words[start:end])
            elements = _elements(named)
            if elements and same_material(named, material):
                return True
            if elements and (len(words) == 1 or not _is_label(elements, words[0])):
                return False
    return True


def _is_label(elements: tuple[str, ...], first: str) -> bool:
    """Whether what reads like an element tells samples apart (``crystal B``) or is a word (``In this work``)."""
    return len(elements) == 1 and (elements[0] in _WORDS or (len(elements[0]) == 1 and _elements(first) != elements))


def _elements(text: str) -> tuple[str, ...]:
    """The elements of the composition that a text names, () where it names none."""
    named = material_of(text)
    return tuple(element for element, _ in named.composition) if named is not None else ()


def compare(answer: Measurement, gold: Measurement, frame: Frame) -> Comparison:
    """One number against one, in SI units; in a search in vain the bound is in the question and is not read."""
    return compare_stated("number", _stated(answer, frame), _stated(gold, frame))


def is_right(answer: Measurement, gold: Measurement, frame: Frame) -> bool:
    """Whether an answer's value is the gold value, strictly."""
    return compare(answer, gold, frame).within(TOLERANCE)


def lowest(measurements: Sequence[Measurement], frame: Frame) -> Measurement | None:
    """The one of the lowest value, in SI units; None where none has a number in a unit that compares."""
    values: list[tuple[float, int]] = []
    for index, measurement in enumerate(measurements):
        value, unit = _stated(measurement, frame).quantity()
        if value is not None and convert(1.0, unit, frame.unit) is not None:
            base = to_base(min(value.numbers), unit)
            values.append((base if base is not None else min(value.numbers), index))
    return measurements[min(values)[1]] if values else None


def published_right(answers: Sequence[Measurement], golds: Sequence[Measurement], frame: Frame) -> bool:
    """Whether any number in any measurement is the first number of the first gold one: bare numbers, as published,
    after each side that names a unit has been brought to the task's (the published lists have one unit)."""
    wanted = _bare_numbers(golds[0], frame)[:1] if golds else []
    numbers = [number for answer in answers for number in _bare_numbers(answer, frame)]
    return bool(wanted) and any(published_equal(number, "", wanted[0], "", TOLERANCE) for number in numbers)


def _bare_numbers(measurement: Measurement, frame: Frame) -> list[float]:
    """Its numbers in the task's unit where its own converts, else as they are."""
    numbers = [number for number, _ in published_numbers(measurement.value)]
    _, unit = _stated(measurement, frame).quantity()
    converted = [convert(number, unit, frame.unit) for number in numbers]
    return [number if other is None else other for number, other in zip(numbers, converted, strict=True)]


def prints(source: Source, measurement: Measurement, frame: Frame) -> bool:
    """Whether the quoted span prints the value: every number of it, in its unit, in another that converts to it (80 mK
    is 0.08 K), or without one, as a row of a table has it: then in its own unit or in the task's."""
    value, unit = _stated(measurement, frame).quantity()
    numbers = value.numbers if value is not None else tuple(find_numbers(measurement.value))
    printed = _printed(source.quoted_span)
    units = dict.fromkeys((unit, frame.unit))
    return bool(numbers) and all(_is_printed(number, unit, printed, tuple(units)) for number in numbers)


@lru_cache(maxsize=16384)
def _printed(text: str) -> tuple[tuple[float, str], ...]:
    """The numbers of a text, each with the unit behind it, "" where what follows is none."""
    spelled = spell(text)
    found: list[tuple[float, str]] = []
    for number in scan_numbers(spelled):
        match = _UNIT.match(spelled, number.end)
        unit = match["unit"].rstrip(".-/") if match is not None else ""
        found.append((number.value, unit if unit and unit not in _NO_UNITS and known(unit) else ""))
    return tuple(found)


def _is_printed(number: float, unit: str, printed: Sequence[tuple[float, str]], units: Sequence[str]) -> bool:
    """Whether a number is among the printed ones; one without a unit may be in any of ``units``."""
    for value, behind in printed:
        readings = (behind,) if behind else units
        converted = [value if each == unit else convert(value, each, unit) for each in readings]
        if any(
            each is not None and abs(each - number) <= TOLERANCE * max(abs(each), abs(number)) for each in converted
        ):
            return True
    return False


def pair_up(answers: Sequence[Measurement], golds: Sequence[Measurement], frame: Frame) -> list[Pair]:
    """Most pairs of one value, one to one; those whose conditions agree first."""
    conflicts: dict[tuple[int, int], str | None] = {}
    for i, answer in enumerate(answers):
        if is_about(answer, frame):
            for j, gold in enumerate(golds):
                if is_right(answer, gold, frame):
                    conflicts[i, j] = condition_conflict(answer, gold)
    most = len(answers) + len(golds)
    weights = {pair: most + (_AGREEING if reason is None else 1.0) for pair, reason in conflicts.items()}
    return [Pair(i, j, conflicts[i, j]) for i, j in assign(weights)]


def _stated(measurement: Measurement, frame: Frame) -> Stated:
    stated = Stated(measurement.value, measurement.unit, measurement.qualifier)
    value, unit = stated.quantity()
    unit = _DEGREES.get(unit, unit) if frame.unit and convert(1.0, "K", frame.unit) is not None else unit
    if not frame.positive and value is not None and value.bound and value.shape == "number":
        return Stated(repr(value.numbers[0]), unit or frame.unit)
    return Stated(measurement.value, unit or frame.unit, measurement.qualifier if frame.positive else "")
