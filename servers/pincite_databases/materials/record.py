"""A material as a database describes it."""

from dataclasses import dataclass
from typing import Literal

Nature = Literal["computed", "experimental", "stated"]
"""Where a number comes from: a calculation, a measurement, or what the database states without saying."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of a material: ``unit`` is empty for text and counts; ``note`` says by which method or convention."""

    name: str
    value: str | float | bool
    unit: str = ""
    nature: Nature = "stated"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    """One entry: ``id`` is the database's own with its prefix (``mp-149``, ``cod-9008565``)."""

    id: str
    database: str
    formula: str
    url: str
    """Its page for people."""
    facts: tuple[Fact, ...]
    deprecated: bool = False


def number(value: object) -> float | None:
    """A finite number, or None for anything else: a wrong type in one field drops the field."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < float("inf") else None
