"""Names of authors in the parts that citation formats part them into."""

import re
from dataclasses import dataclass

from pincite_literature.export.text import clean
from pincite_literature.model import Author
from pincite_literature.names import is_group

_PARTICLES = frozenset({
    "van", "der", "den", "de", "la", "le", "von", "zu", "zur", "zum", "vom", "di", "da", "del", "della", "dos", "das",
    "do", "du", "ter", "ten", "te", "el", "al", "bin", "ibn", "af", "av", "'t", "op", "in",
})  # fmt: skip
_SUFFIX = re.compile(r"^(?:Jr|Sr|I{2,3}|IV)\.?$", re.IGNORECASE)
_INITIALS = re.compile(r"^[A-ZÀ-Þ]{1,3}$")


@dataclass(frozen=True, slots=True)
class Person:
    """A name in parts; a corporate or single name has ``literal`` alone."""

    family: str = ""
    given: str = ""
    particle: str = ""
    """``van der``: of the family name, in lower case."""
    suffix: str = ""
    literal: str = ""


def person(author: Author) -> Person | None:
    """The parts of a name, found from its spelling where the source does not part them; None of an empty name.

    A particle is a run of known lower-case words before the family name, ``Lovelace AM`` a family name with initials.
    """
    name = clean(author.name)
    family, given = clean(author.family), clean(author.given)
    if not family and not given:
        if not name:
            return None
        if is_group(name) or len(name.split()) == 1:
            return Person(literal=name)
        family, given = _parted(name)
    if not family:
        return Person(literal=given)
    if not given and is_group(family):
        return Person(literal=family)
    family, suffix = _without_suffix(family)
    if not suffix:
        given, suffix = _without_suffix(given)
    particle, family = _without_particle(family)
    return Person(family, _dotted(given), particle, suffix)


def _parted(name: str) -> tuple[str, str]:
    """Family and given name."""
    if "," in name:
        family, _, given = name.partition(",")
        given, _, suffix = given.partition(",")
        return f"{family.strip()} {suffix.strip()}".strip(), given.strip()
    words = name.split()
    suffix = [words.pop()] if len(words) > 2 and _SUFFIX.match(words[-1]) else []
    if _INITIALS.match(words[-1]) and not _INITIALS.match(words[0]) and not name.isupper():
        return " ".join([*words[:-1], *suffix]), words[-1]
    start = len(words) - 1
    while start > 1 and words[start - 1] in _PARTICLES:
        start -= 1
    return " ".join([*words[start:], *suffix]), " ".join(words[:start])


def _without_suffix(name: str) -> tuple[str, str]:
    words = name.replace(",", " ").split()
    if len(words) > 1 and _SUFFIX.match(words[-1]):
        return " ".join(words[:-1]), words[-1]
    return name.strip(" ,"), ""


def _without_particle(family: str) -> tuple[str, str]:
    words = family.split()
    count = 0
    while count < len(words) - 1 and words[count] in _PARTICLES:
        count += 1
    return " ".join(words[:count]), " ".join(words[count:])


def _dotted(given: str) -> str:
    """``AM`` as ``A. M.``; any other given name as it is."""
    return " ".join(f"{letter}." for letter in given) if _INITIALS.match(given) else given
