"""Values: is a measurement one of the gold's?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite_harness.scoring.precedent_search.answer import Measurement, Source
from pincite_harness.scoring.property_extraction.assignment import assign
from pincite_harness.scoring.property_extraction.conditions import conflict
from pincite_harness.scoring.property_extraction.records import Location, Record
from pincite_materials.comparing import Comparison, Stated, compare_stated
from pincite_materials.identity import material_of, same_material
from pincite_materials.published_values import published_equal, published_numbers
from pincite_materials.values import find_numbers

TOLERANCE = 1e-3
"""Relative, of the true value in SI units: the rubric ``0.1% SI``."""

_MOST_WORDS = 12
"""Words that a formula with its x may have; what follows tells of the sample."""

_WORDS = frozenset({"As", "At", "He", "I", "In", "No"})
"""English words that are symbols of elements."""

_AGREEING = 2.0
"""Of two pairs of equal values, that whose conditions agree counts for more."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What measurements of a task are read by: its material, the unit meant where none is given, and whether they
    state a value of the property (else the lowest temperature of a search in vain)."""

    material: str
    unit: str
    positive: bool


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


def published_right(answers: Sequence[Measurement], golds: Sequence[Measurement]) -> bool:
    """Whether any number in any measurement is the first number of the first gold one, whatever the units."""
    wanted = published_numbers(golds[0].value)[:1] if golds else ()
    numbers = [number for answer in answers for number, _ in published_numbers(answer.value)]
    return bool(wanted) and any(published_equal(number, "", wanted[0][0], "", TOLERANCE) for number in numbers)


def prints(source: Source, measurement: Measurement) -> bool:
    """Whether the quoted span has every number of the value, and there is one."""
    numbers = set(find_numbers(measurement.value))
    return bool(numbers) and numbers <= set(find_numbers(source.quoted_span))


def pair_up(answers: Sequence[Measurement], golds: Sequence[Measurement], frame: Frame) -> list[Pair]:
    """Most pairs of one value, one to one; those whose conditions agree first."""
    conflicts: dict[tuple[int, int], str | None] = {}
    for i, answer in enumerate(answers):
        if is_about(answer, frame):
            for j, gold in enumerate(golds):
                if is_right(answer, gold, frame):
                    conflicts[i, j] = conflict(_record(answer), _record(gold))
    most = len(answers) + len(golds)
    weights = {pair: most + (_AGREEING if reason is None else 1.0) for pair, reason in conflicts.items()}
    return [Pair(i, j, conflicts[i, j]) for i, j in assign(weights)]


def _stated(measurement: Measurement, frame: Frame) -> Stated:
    stated = Stated(measurement.value, measurement.unit, measurement.qualifier)
    value, unit = stated.quantity()
    if not frame.positive and value is not None and value.bound and value.shape == "number":
        return Stated(repr(value.numbers[0]), unit or frame.unit)
    return Stated(measurement.value, unit or frame.unit, measurement.qualifier if frame.positive else "")


def _record(measurement: Measurement) -> Record:
    return Record(
        material_or_system=measurement.material,
        property_name=measurement.definition or "value",
        value_string=measurement.value,
        value_detail=measurement.definition,
        conditions=measurement.conditions,
        method=measurement.method,
        location=Location(page=1),
    )
