"""Names of authors as sources spell them: compared by family name and initials."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite_literature.model import Author
from pincite_literature.titles import fold

MOST = 200
"""Authors of a work that are compared."""

_LONGEST = 200
"""Characters of a name that are compared."""

_SPLIT = re.compile(r"[\s.,\-‐‑–'’ʼ·]+")
_UMLAUT = re.compile(r"(?<=[aou])e|[^\w]")
_SUFFIX = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md", "dr", "prof"})
_PARTICLES = frozenset({
    "van", "der", "den", "de", "la", "le", "von", "zu", "di", "da", "del", "della", "dos", "das", "do", "du", "ter",
    "ten", "el", "al", "bin", "ibn", "st", "san", "y", "e", "und",
})  # fmt: skip
_GROUP = re.compile(r"\b(?:collaborations?|consortium|group|team|committee|network|society|initiative|project)\b")


@dataclass(frozen=True, slots=True)
class Name:
    """A name made comparable: its whole words, any of which may be the family name, and all initials."""

    words: frozenset[str]
    initials: frozenset[str]
    family: frozenset[str] = frozenset()
    """Words of the family name where the source parts it, else empty."""
    group: bool = False
    """A collaboration rather than a person."""


def read_name(author: Author) -> Name:
    """The name made comparable; ü and ue, hyphens, apostrophes and particles of any case agree."""
    name = f"{author.given[:_LONGEST]} {author.family[:_LONGEST]}" if author.family else author.name[:_LONGEST]
    return _read(name, author.family[:_LONGEST])


@lru_cache(maxsize=8192)
def _read(name: str, family_name: str) -> Name:
    family = frozenset(_folded(family_name))
    words: set[str] = set()
    initials: set[str] = set()
    for part in _SPLIT.split(name):
        folded = "".join(_folded(part))
        if not folded or folded in _SUFFIX:
            continue
        if len(part) <= 3 and part.isupper() and not name.isupper() and folded not in family:
            initials.update(folded)
            continue
        initials.add(folded[0])
        if len(folded) > 1:
            words.add(folded)
    telling = frozenset(words) - _PARTICLES or frozenset(words)
    family = family - _PARTICLES or family
    return Name(telling, frozenset(initials), family, is_group(name))


def same_name(one: Name, other: Name) -> bool:
    """Whether two names can be one person's: a whole word in common (the family name where parted), initials too."""
    shared = one.words & other.words
    if one.family and other.family:
        shared = one.family & other.family
    elif one.family or other.family:
        shared &= one.family | other.family
    if not shared:
        return False
    heads = {word[0] for word in shared}
    rests = [name.initials - heads or name.initials for name in (one, other)]
    if any(name.initials <= heads for name in (one, other)):
        return True
    return bool(rests[0] & rests[1]) or bool(one.words & other.words - shared)


def agreement(one: Sequence[Name], other: Sequence[Name]) -> float | None:
    """Which part of the shorter list of authors is in the other one, from 0 to 1; None when a list is empty.

    A collaboration agrees with any list of persons longer than ten, which is how some sources print it.
    """
    if not one or not other:
        return None
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if len(shorter) <= 2 and any(name.group for name in shorter) and len(longer) > 10:
        return 1.0
    by_word: dict[str, list[Name]] = {}
    for name in longer[:MOST]:
        for word in name.words:
            by_word.setdefault(word, []).append(name)
    compared = shorter[:MOST]
    found = sum(
        any(same_name(name, candidate) for word in name.words for candidate in by_word.get(word, ())[:20])
        for name in compared
    )
    return found / len(compared)


def is_group(name: str) -> bool:
    """Whether the name is a collaboration's rather than a person's."""
    return bool(_GROUP.search(name.lower()))


def _folded(text: str) -> list[str]:
    """Words folded further than titles: ae, oe, ue to one letter."""
    return [word for part in _SPLIT.split(fold(text)) if (word := _UMLAUT.sub("", part))] if text else []
