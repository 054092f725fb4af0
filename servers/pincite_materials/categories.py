"""Are two categories one? In one spelling, abbreviations written out, words of the kind and remarks aside."""

import re
from functools import lru_cache

from pincite_materials.symmetry import crystal_system, crystal_system_of, space_group_number
from pincite_materials.text import plain

_ABBREVIATED: dict[str, str] = {
    "fcc": "face-centred cubic", "ccp": "face-centred cubic", "bcc": "body-centred cubic",
    "hcp": "hexagonal close-packed", "bct": "body-centred tetragonal", "dhcp": "double hexagonal close-packed",
    "sc": "superconducting", "afm": "antiferromagnetic", "fm": "ferromagnetic", "pm": "paramagnetic",
}  # fmt: skip
"""Abbreviations of the field, each with one meaning among categories."""

_ABBREVIATION = re.compile(
    r"(?<![A-Za-z])(?:" + "|".join(r"\.?".join(short) + r"\.?" for short in _ABBREVIATED) + r")(?![A-Za-z])",
    re.IGNORECASE,
)
_SPELLINGS = (
    (re.compile(r"\bcenter(?=ed\b)"), "centr"),
    (re.compile(r"iz(?=(?:ed|ation|ing|e)\b)"), "is"),
    (re.compile(r"\bclosed(?=[ -]packed)"), "close"),
)
_KIND = re.compile(
    r"(?<![A-Za-z])(?:single[- ]phase|types?|structured?|structures|prototypes?|phase|lattice|crystal|system|symmetry"
    r"|space[- ]group|ordered|ordering|behaviou?r)(?![A-Za-z])"
)
"""Words that say of what kind a category is, and not which one."""

_REMARK = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
_NOT = re.compile(r"(?<![A-Za-z])(?:no|not|non|or|nor|un\w+|rather|without)(?![A-Za-z])", re.IGNORECASE)
"""Words in a remark that may take back what it stands beside."""


def category_form(text: str) -> str:
    """A category in comparable spelling: lower case, one kind of dash and quote, no spaces, hyphens or marks."""
    folded = plain(text).casefold().replace("’", "'").replace("′", "'")
    return re.sub(r"[\s\-_^{}$\"“”]", "", folded).strip(".,;:")


@lru_cache(maxsize=16384)
def written_out(text: str) -> str:
    """``category_form`` with abbreviations written out, in one spelling of English."""
    return category_form(_spelled(text))


@lru_cache(maxsize=16384)
def same_category(answer: str, true: str) -> bool:
    """Whether two categories are one: ``NiAs-type (hexagonal)`` is ``NiAs``, ``FCC`` is ``face-centred cubic``.

    A remark in brackets of one side does not count unless it takes something back or names another lattice or crystal
    system than the rest of that side does.
    """
    if written_out(answer) == written_out(true):
        return True
    mine, theirs = _core(answer), _core(true)
    return bool(mine) and mine == theirs


def space_group_told(text: str) -> int | None:
    """The space group that a text names, also beside its crystal system: ``Pnma (orthorhombic)``. None where the two
    do not agree."""
    number = space_group_number(text)
    if number is not None:
        return number
    words = [word.strip("(),;") for word in text.split()]
    systems = {crystal_system(word) for word in words if crystal_system(word) is not None}
    rest = " ".join(word for word in words if crystal_system(word) is None and not _KIND.fullmatch(word.lower()))
    rest = re.sub(r"\b(?:space|group)\b", "", rest).strip()
    number = space_group_number(rest) if rest else None
    if number is None or (systems and systems != {crystal_system(crystal_system_of(number))}):
        return None
    return number


def _core(text: str) -> str:
    """The category without remarks and words of its kind; "" where a remark may take it back."""
    remarks = [match[1] for match in _REMARK.finditer(text)]
    bare = _REMARK.sub(" ", text)
    named = crystal_system(bare)
    written = written_out(bare)
    if any(_NOT.search(remark) for remark in remarks):
        return ""
    if any(category_form(_ABBREVIATED[word.lower()]) not in written for r in remarks for word in _words(r)):
        return ""
    if named is not None and any(crystal_system(remark) not in {None, named} for remark in remarks):
        return ""
    bare = re.sub(r"[,;]\s*(?:single[- ]phase)\s*$", "", bare.strip(), flags=re.IGNORECASE)
    return category_form(_KIND.sub(" ", _spelled(bare))) or category_form(bare)


def _words(text: str) -> list[str]:
    """The abbreviations that a text consists of or has in capitals."""
    return [word for word in re.findall(r"[A-Za-z]+", text) if word.lower() in _ABBREVIATED]


def _spelled(text: str) -> str:
    folded = _ABBREVIATION.sub(lambda short: _ABBREVIATED[short[0].replace(".", "").lower()], plain(text).casefold())
    for pattern, replacement in _SPELLINGS:
        folded = pattern.sub(replacement, folded)
    return folded
