"""By what rule an expected answer can be decided, told from its words alone."""

import re

from pincite_harness.scoring.literature_qa.gold import Kind
from pincite_harness.scoring.literature_qa.words import normal

_NUMBER = re.compile(r"[-+−]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?%?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?:\D|$))")
_SEQUENCE = re.compile(r"[ACGTU]{8,}")


def kind_of(expected: str) -> Kind:
    """A single number, a yes or no or a sequence of bases (a text), or what only a model can judge (free)."""
    if _NUMBER.fullmatch(without_thousands(expected)):
        return "number"
    return "text" if normal(expected) in ("yes", "no") or _SEQUENCE.fullmatch(expected) else "free"


def without_thousands(number: str) -> str:
    """``1,377`` is 1377; the commas of a list (``1,2,3``) stay."""
    return _THOUSANDS.sub("", number)
