"""Which material is a record of? Formulas by ``pincite_materials.identity``, short names as the papers use them."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from pincite_materials.abbreviations import abbreviations_in, family_member
from pincite_materials.formulas import material_name
from pincite_materials.identity import material_of, same_material
from pincite_papers.model import Paper

_JOINED = re.compile(
    r"\s*(?:\+|\bcomposites?\b|\b(?P<how>infiltrated|coated|decorated|loaded|covered|mixed|blended)\b)\s*(?:with\b)?\s*",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"(?P<name>[^\s(][^(]*?)\s+\((?P<other>[A-Z][^=]{2,})\)")
_BEFORE = re.compile(
    r"(?P<second>\S+)-(?P<how>infiltrated|coated|decorated|loaded|covered)\s+(?P<first>.+)", re.IGNORECASE
)


class Materials:
    """Compares the materials of answers and gold; equal questions are answered once."""

    def __init__(self, papers: Mapping[str, Paper], golds: Iterable[str]) -> None:
        self._names: dict[str, str] = {}
        for paper in papers.values():
            self._names = {**abbreviations_in(paper.text), **self._names}
        self._golds = tuple(golds)
        self._known: dict[tuple[str, str], bool] = {}

    def same(self, a: str, b: str) -> bool:
        """Whether two records are of one material: one formula, or short names that stand for one."""
        if (a, b) not in self._known:
            self._known[a, b] = self._same(a, b)
        return self._known[a, b]

    def _same(self, a: str, b: str) -> bool:
        return any(self._one(first, second) for first in _names(a) for second in _names(b))

    def _one(self, a: str, b: str) -> bool:
        if same_material(a, b):
            return True
        first, second = self._resolved(a), self._resolved(b)
        if (first, second) != (a, b) and same_material(first, second):
            return True
        (how, one), (way, other) = _parts(a), _parts(b)
        if len(one) < 2 or len(one) != len(other) or (how and way and how != way):
            return False
        mine = {material_of(self._resolved(part)) for part in one}
        return mine == {material_of(self._resolved(part)) for part in other} and len(mine) == len(one)

    def _resolved(self, name: str) -> str:
        """The formula that a name stands for in the papers, or among the gold's materials; else the name."""
        short = self._names.get(material_name(name))
        return short or family_member(name, self._golds) or name


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    """The name, and where it ends in parentheses that name a material again, both alone."""
    again = _AGAIN.fullmatch(text.strip())
    if again is None or not any(character.isdigit() for character in text):
        return (text,)
    return text, again["name"], again["other"]


@lru_cache(maxsize=4096)
def _parts(name: str) -> tuple[str, tuple[str, ...]]:
    """How two materials are joined in a name (``infiltrated``, "" unsaid), and which."""
    before = _BEFORE.fullmatch(name.strip())
    if before is not None:
        return before["how"].lower(), (before["first"], before["second"])
    how = next((match["how"].lower() for match in _JOINED.finditer(name) if match["how"]), "")
    parts = tuple(part for part in _JOINED.sub("\0", name).split("\0") if part.strip())
    return how, tuple(part.strip() for part in parts)
