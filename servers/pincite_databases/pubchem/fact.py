"""A fact on a compound."""

from typing import NotRequired

from typing_extensions import TypedDict


class Fact(TypedDict):
    """A value as PubChem gives it; ``basis`` is how it was come by or who reports it, ``references`` what they cite."""

    name: str
    value: str
    basis: str
    unit: NotRequired[str]
    references: NotRequired[list[str]]
    url: NotRequired[str]
    cut: NotRequired[str]
