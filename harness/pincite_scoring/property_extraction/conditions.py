"""Whether the conditions of two records can be reconciled."""

import re
from collections.abc import Iterable
from functools import lru_cache

from pincite_materials.elements import ELEMENTS
from pincite_materials.name_parts import take_apart
from pincite_materials.opposites import opposed
from pincite_materials.property_names import contrasts
from pincite_materials.text import plain
from pincite_materials.units import convert
from pincite_materials.values import Value, parse_value
from pincite_scoring.property_extraction.condition_classes import (
    FORMS,
    FUNCTIONALS,
    GASES,
    STRUCTURES,
    SYSTEMS,
    TECHNIQUES,
    TEXTURES,
    THEORY,
    TREATMENTS,
    classes,
)
from pincite_scoring.property_extraction.records import Record

_RELATIVE = 0.01
"""Two numbers of one condition agree within 1 %: conditions are set points, not results."""

_UNITS = {"temperature": "K", "pressure": "GPa", "field": "T", "frequency": "Hz", "wavelength": "μm"}
_STATED = ("temperature", "pressure", "field", "frequency")
"""Conditions with a number; a wavelength stands in the place of a frequency."""
_ROOM = re.compile(r"\b(?:room[\s-]*temp\w*|rt|ambient temp\w*)\b", re.IGNORECASE)
_ROOM_RANGE = (285.0, 305.0)
"""Kelvins that "room temperature" may mean: 12 to 32 degrees Celsius. Set by judgement."""
_AMBIENT = re.compile(r"\b(?:ambient|atmospheric|normal|zero)\b", re.IGNORECASE)
_ZERO = re.compile(r"\b(?:zero|self)[\s-]*field\b|^(?:zero|none|self-field|without field)$", re.IGNORECASE)
_ZERO_KELVIN = re.compile(r"\b(?:zero temperature|absolute zero|t\s*->\s*0|t\s*→\s*0)\b", re.IGNORECASE)
_ZERO_RESISTANCE = next(iter(contrasts("zero resistance")))
_MAGNETIC = re.compile(
    r"\b(?:from|by|in) (?:the )?(?:\w+ )?(?:susceptib|magneti[sz]ation|meissner|squid)", re.IGNORECASE
)
_DEFINITION = re.compile(r"peak|maximum|inflection|extrapolated|start|end|finish")
"""Points of a transition besides those that ``contrasts`` knows."""

_TREATED = re.compile(
    r"\bafter\s+(?:\d|exposure|air|age?ing|stor|anneal|heat|immers)|\bexposed\b|\bexposure\b|"
    r"\bage(?:d|ing)\b(?!\s+\d+\s*(?:[-–]|to\b|and\b|or\b|years?\b))",
    re.IGNORECASE,
)
"""What was done to a sample before it was measured again; unstated, nothing was."""

_AMBIENT_GPA = 1e-3
"""Up to 10 bar counts as ambient: pressures of synthesis gas do not change what was measured."""

_QUANTITY = re.compile(
    r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:\s*[×x]\s*10\s*\^?[-+]?\d+)?"
    r"\s*[A-Za-zμΩÅ°%][\w/^%.·-]*(?:\s+[a-zA-Z]+\^?-\d+)*"
)
_ISOTOPE = re.compile(r"(?<![\w.])(?P<mass>\d{1,3})(?P<of>[A-Z][a-z]?)(?!\w)")
_KELVIN = "K"
"""Not read as potassium: ``40K`` is a temperature."""
_DIRECTIONS = tuple(
    (re.compile(pattern, re.IGNORECASE), direction)
    for pattern, direction in (
        (r"(?:⊥|perpendicular to|normal to)\s*(?:the\s*)?(?:ab|a-b|basal|layer|plane|film|surface|substrate)", "c"),
        (r"(?:⊥|perpendicular to|normal to)\s*(?:the\s*)?c\b", "ab"),
        (r"out[\s-]*of[\s-]*plane|cross[\s-]*plane|\[001\]|<001>|\(001\)", "c"),
        (r"in[\s-]*plane|\bab\b|\ba-b\b|basal plane|within the layers", "ab"),
        (r"\[100\]|<100>|(?<![\w-])a(?:[\s-]*axis|[\s-]*direction)?(?![\w-])", "a"),
        (r"\[010\]|(?<![\w-])b(?:[\s-]*axis|[\s-]*direction)?(?![\w-])", "b"),
        (r"(?<![\w-])c(?:[\s-]*axis|[\s-]*direction)?(?![\w-])", "c"),
    )
)
_ARTICLE = re.compile(r"\b(?:a|the)\s+(?!axis|direction)(?=[a-z]{4,})", re.IGNORECASE)
_INDEX = re.compile(r"\[(-?\d\s*-?\d\s*-?\d)\]|<(\d\s*\d\s*\d)>")


def conflict(a: Record, b: Record) -> str | None:
    """Why two records cannot be one measurement, or None.

    A condition that one side leaves out is not a contradiction, but for pressure: unstated pressure is ambient. Numbers
    agree within 1 % after conversion; words are compared by class (single crystal, ceramic, film, …), contrasts
    (heating and cooling, onset and midpoint) over name, detail and conditions; theory contradicts experiment, and one
    technique another.
    """
    for kind in _STATED:
        if not _agree(kind, stated(a, kind), stated(b, kind)):
            return f"{kind} differs: {stated(a, kind) or 'ambient'} against {stated(b, kind) or 'ambient'}"
    first, second = directions(_oriented(a)), directions(_oriented(b))
    if first and second and first.isdisjoint(second):
        return "orientation differs"
    sides_a, sides_b = contrasts(_all_words(a)), contrasts(_all_words(b))
    for group in {group for group, _ in sides_a} & {group for group, _ in sides_b}:
        if {s for g, s in sides_a if g == group}.isdisjoint({s for g, s in sides_b if g == group}):
            return "the measurements are defined differently (onset, midpoint, zero resistance and the like)"
    return _definition_conflict(a, b) or _state_conflict(a, b) or _opposed(a, b) or _method_conflict(a, b)


def stated(record: Record, kind: str) -> str:
    """The condition ``kind`` of a record: its field, else what its property name says of it in a fitting unit."""
    own = str(getattr(record.conditions, kind))
    return own or next(iter(_named(record.property_name, kind)), "")


@lru_cache(maxsize=16384)
def _named(name: str, kind: str) -> tuple[str, ...]:
    """What a property name says of one kind of condition: ``at T = 77 K``, ``in zero field``."""
    found: list[str] = []
    for phrase in take_apart(name).conditions:
        if (kind == "temperature" and _ROOM.search(phrase)) or (kind == "field" and _ZERO.search(phrase)):
            found.append(phrase)
        for printed in _QUANTITY.findall(plain(phrase)):
            value = parse_value(printed)
            if value is not None and value.unit and convert(1.0, value.unit, _UNITS[kind]) is not None:
                found.append(printed)
    return tuple(found)


def _agree(kind: str, a: str, b: str) -> bool:
    if plain(a).casefold() == plain(b).casefold():
        return True
    if not a or not b:
        only = _amount(kind, a or b)
        return kind != "pressure" or only is None or max(only) == 0.0
    first, second = _amount(kind, a), _amount(kind, b)
    if kind == "frequency" and first is None and second is None:
        first, second = _amount("wavelength", a), _amount("wavelength", b)
    if first is None or second is None:
        return True
    slack = _RELATIVE * max(map(abs, first + second))
    if len(first) == len(second) == 2 and _ROOM_RANGE not in (first, second):
        return abs(first[0] - second[0]) <= slack and abs(first[1] - second[1]) <= slack
    return first[0] <= second[-1] + slack and second[0] <= first[-1] + slack


@lru_cache(maxsize=4096)
def _amount(kind: str, text: str) -> tuple[float, ...] | None:
    """The number (or low and high) in kelvin, gigapascal, tesla or hertz; None for words that give none."""
    if kind == "temperature" and _ROOM.search(text):
        return _ROOM_RANGE
    if kind == "temperature" and _ZERO_KELVIN.search(text):
        return (0.0,)
    if (kind == "pressure" and _AMBIENT.search(text)) or (kind == "field" and _ZERO.search(text.strip())):
        return (0.0,)
    value = parse_value(text)
    if value is None:
        printed = _QUANTITY.search(plain(text))
        value = parse_value(printed[0]) if printed else None
    if value is None:
        return None
    unit = value.unit or _UNITS[kind]
    numbers = [convert(number, unit, _UNITS[kind]) for number in _ends(value)]
    found = sorted(number for number in numbers if number is not None)
    if len(found) < len(numbers):
        return None
    return tuple(0.0 if kind == "pressure" and abs(n) <= _AMBIENT_GPA else n for n in found)


def _ends(value: Value) -> tuple[float, ...]:
    return (min(value.numbers), max(value.numbers)) if len(value.numbers) > 1 else value.numbers


@lru_cache(maxsize=4096)
def directions(text: str) -> frozenset[str]:
    """The crystal directions that a text names: a, b, c, ab, or indices such as ``110``."""
    text = plain(text).replace("//", "∥").replace("||", "∥")
    text = re.sub(r"∥|\bparallel to\b|\balong\b", " ", _ARTICLE.sub("", text))
    found: set[str] = set()
    for pattern, direction in _DIRECTIONS:
        if pattern.search(text):
            found.add(direction)
            text = pattern.sub(" ", text)
    found |= {re.sub(r"\s", "", match[1] or match[2]) for match in _INDEX.finditer(text)}
    return frozenset(found)


def _oriented(record: Record) -> str:
    """The orientation field, else what the name says of it in so many words."""
    if record.conditions.orientation:
        return record.conditions.orientation
    name = record.property_name
    matches = re.findall(
        r"[Hh]\s*(?:∥|//|\|\|)\s*\w+|in[- ]plane|out[- ]of[- ]plane|ab[- ]plane|\bc[- ]axis|∥\s*\w+|⊥\s*\w+", name
    )
    return "" if "lattice" in name.lower() or "parameter" in name.lower() else " ".join(matches)


def _all_words(record: Record) -> str:
    conditions = record.conditions
    parts = (
        record.property_name,
        record.value_detail,
        conditions.sample_state,
        conditions.other_conditions,
        record.method,
    )
    return " ; ".join(part for part in parts if part)


def _definition_conflict(a: Record, b: Record) -> str | None:
    """A point of a transition in parentheses (``(onset)``) contradicts another word in parentheses (``(peak)``)."""
    for one, other in ((a, b), (b, a)):
        mine, theirs = (take_apart(record.property_name).asides for record in (one, other))
        defined = [aside for aside in mine if contrasts(aside)]
        if defined and len(theirs) == 1 and _DEFINITION.fullmatch(theirs[0]) and theirs[0] not in defined:
            return f"the measurements are defined differently: {defined[0]} against {theirs[0]}"
        if _ZERO_RESISTANCE in contrasts(_defined_by(one)) and _MAGNETIC.search(_defined_by(other)):
            return "the measurements are defined differently: zero resistance against susceptibility"
    return None


def _defined_by(record: Record) -> str:
    """What a record says of its quantity: name, detail and method."""
    return f"{record.property_name} ; {record.value_detail} ; {record.method}"


def _state_conflict(a: Record, b: Record) -> str | None:
    for label, words, x, y in (
        ("sample state", FORMS, a.conditions.sample_state, b.conditions.sample_state),
        ("sample state", TREATMENTS, a.conditions.sample_state, b.conditions.sample_state),
        ("sample state", TEXTURES, a.conditions.sample_state, b.conditions.sample_state),
        ("sample state", SYSTEMS, a.conditions.sample_state, b.conditions.sample_state),
        ("sample state", STRUCTURES, a.conditions.sample_state, b.conditions.sample_state),
        ("environment", GASES, a.conditions.environment, b.conditions.environment),
    ):
        first, second = classes(x, words), classes(y, words)
        if first and second and first.isdisjoint(second):
            return f"{label} differs: {x} against {y}"
    first, second = _isotopes(a.conditions.sample_state), _isotopes(b.conditions.sample_state)
    if any(first[element] != second[element] for element in first.keys() & second.keys()):
        return f"isotope differs: {a.conditions.sample_state} against {b.conditions.sample_state}"
    if _treated_alone(a, b) and not (_omits(a) or _omits(b)):
        return "one was measured after a treatment that the other does not state"
    for label in ("sample_state", "other_conditions", "environment"):
        x, y = str(getattr(a.conditions, label)), str(getattr(b.conditions, label))
        if x and y and _quantities_conflict(x, y):
            return f"{label} differs: {x} against {y}"
    return None


def _opposed(a: Record, b: Record) -> str | None:
    """What the conditions in words, wherever they stand, say that excludes the other's (n-type and p-type)."""
    found = opposed(_surroundings(a), _surroundings(b))
    return f"conditions differ: {found}" if found else None


def _surroundings(record: Record) -> str:
    conditions = record.conditions
    parts = (conditions.sample_state, conditions.other_conditions, conditions.environment, conditions.orientation)
    return " ; ".join(part for part in parts if part)


@lru_cache(maxsize=4096)
def _isotopes(text: str) -> dict[str, frozenset[int]]:
    """By element the mass numbers that a text states, as in ``70Ge``."""
    found: dict[str, frozenset[int]] = {}
    for match in _ISOTOPE.finditer(plain(text)):
        if (element := match["of"]) in ELEMENTS and element != _KELVIN:
            found[element] = found.get(element, frozenset()) | {int(match["mass"])}
    return found


def _treated_alone(a: Record, b: Record) -> bool:
    """Whether only one was measured after a treatment; "100 cycles" says as much as "after 100 cycles"."""
    x, y = _told(a), _told(b)
    if bool(_TREATED.search(x)) == bool(_TREATED.search(y)):
        return False
    return not set(_quantities(x)) & set(_quantities(y))


def _told(record: Record) -> str:
    """All that a record says of its sample and surroundings, and the words of its quote that say what was done."""
    return f"{_all_words(record)} ; {record.conditions.environment}"


def _omits(record: Record) -> bool:
    """Whether a record states no condition at all: it may have left them out."""
    return not any(record.conditions.stated)


def _quantities_conflict(a: str, b: str) -> bool:
    """Whether both texts give exactly one quantity of some kind, and not the same one."""
    first, second = _quantities(a), _quantities(b)
    for value, unit in first:
        alike = [number for number in (convert(y, of, unit) for y, of in second) if number is not None]
        mine = [number for number in (convert(x, of, unit) for x, of in first) if number is not None]
        if len(alike) == len(mine) == 1 and abs(alike[0] - value) > _RELATIVE * max(abs(value), abs(alike[0])):
            return True
    return False


@lru_cache(maxsize=4096)
def _quantities(text: str) -> tuple[tuple[float, str], ...]:
    values: Iterable[Value | None] = (parse_value(found) for found in _QUANTITY.findall(plain(text)))
    return tuple((value.numbers[0], value.unit) for value in values if value is not None and value.unit)


def _method_conflict(a: Record, b: Record) -> str | None:
    x, y = f"{a.method} {a.model_or_fit}".strip(), f"{b.method} {b.model_or_fit}".strip()
    if not a.method or not b.method:
        return None
    if bool(classes(x, THEORY)) != bool(classes(y, THEORY)):
        return f"one is theory, the other experiment: {a.method} against {b.method}"
    for label, words in (("functional", FUNCTIONALS), ("technique", TECHNIQUES)):
        first, second = classes(x, words), classes(y, words)
        if first and second and first.isdisjoint(second):
            return f"{label} differs: {a.method} against {b.method}"
    return None
