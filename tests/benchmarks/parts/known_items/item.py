"""KnownItem: a query and the chunks that answer it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownItem:
    """A query of one part; ``relevant`` are the locators of all chunks that answer it, ``said`` what it came from."""

    part: str
    query: str
    relevant: frozenset[str]
    said: str
