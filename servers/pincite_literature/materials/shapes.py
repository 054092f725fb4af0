"""What expand_material returns."""

from typing import TypedDict

LONGEST = 200
"""Characters of a material's name."""


class Ordering(TypedDict):
    """A formula in one order of its elements."""

    order: str
    formula: str


class QueryText(TypedDict):
    """Words to search for."""

    text: str
    why: str


class SourceQuery(TypedDict):
    """A query for query_source."""

    source: str
    query: str


class Reading(TypedDict):
    """One material that the name can mean."""

    family: str
    """Equal for all spellings and dopings of one series."""
    why: str
    composition: str
    """The unknowns' values where the name fixes them ("x = 0.15")."""
    acronyms: list[str]
    names: list[str]
    sites: str
    prototype: str
    related: list[str]
    formulas: list[Ordering]
    queries: list[QueryText]
    source_queries: list[SourceQuery]


class Expansion(TypedDict):
    """What a material's name can mean, and how to search for it."""

    name: str
    readings: list[Reading]
    note: str
