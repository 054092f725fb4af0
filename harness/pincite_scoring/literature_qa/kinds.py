"""By what rule an expected answer can be decided, told from its words alone."""

import re

from pincite_materials.units import known
from pincite_scoring.literature_qa.gold import Kind
from pincite_scoring.literature_qa.names import sequence_of
from pincite_scoring.literature_qa.word_answers import normal

_NUMBER = re.compile(r"[-+−]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?%?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")
_QUANTITY = re.compile(rf"{_NUMBER.pattern}(?:\s*|-)(?P<unit>[^\d\s].*)")
_LONGEST_UNIT = 15
"""Characters of a unit behind a number; more are words that a model must read."""


def kind_of(expected: str) -> Kind:
    """A single number with or without a unit that is known, a yes or no or a sequence of bases (a text), or what only
    a model can judge (free)."""
    bare = without_thousands(expected.strip())
    if _NUMBER.fullmatch(bare) or _is_quantity(bare):
        return "number"
    return "text" if normal(expected) in ("yes", "no") or sequence_of(expected) else "free"


def _is_quantity(text: str) -> bool:
    quantity = _QUANTITY.fullmatch(text)
    return quantity is not None and len(quantity["unit"]) <= _LONGEST_UNIT and known(quantity["unit"])


def without_thousands(number: str) -> str:
    """``1,377`` is 1377; the commas of a list (``1,2,3``) stay."""
    return _THOUSANDS.sub("", number)
