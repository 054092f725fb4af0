"""Keys under which works are cited."""

import re
from collections.abc import Sequence

from pincite_literature.export.people import person
from pincite_literature.model import Work
from pincite_literature.titles import fold, normal_title

_SKIPPED = frozenset({"a", "an", "the", "on", "of", "in", "for", "and", "to", "with", "by", "from", "at"})


def citation_keys(works: Sequence[Work]) -> list[str]:
    """A key a work (``lovelace2019charge``), unique among them, ASCII; independent of their order.

    Works of one key get a, b, … in the order of their identifiers and titles; the same work twice still gets two keys.
    """
    bases = [_base(work) for work in works]
    order = sorted(
        range(len(works)), key=lambda index: (bases[index], repr(works[index].ids), works[index].title, index)
    )
    keys = [""] * len(works)
    taken: dict[str, int] = {}
    many = {base for base in bases if bases.count(base) > 1}
    used = set(bases)
    for index in order:
        base = bases[index]
        if base not in many:
            keys[index] = base
            continue
        while True:
            taken[base] = taken.get(base, 0) + 1
            key = base + _letters(taken[base])
            if key not in used:
                break
        used.add(key)
        keys[index] = key
    return keys


def _base(work: Work) -> str:
    first = person(work.authors[0]) if work.authors else None
    name = (first.family or first.literal) if first else ""
    words = [word for word in normal_title(work.title).split() if word not in _SKIPPED]
    year = str(work.published.year) if work.published else ""
    parts = [_ascii(name)[:30], year, _ascii(words[0])[:20] if words else ""]
    return "".join(parts) or "work"


def _ascii(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", fold(text))


def _letters(number: int) -> str:
    """a, b, …, z, aa, ab, …"""
    letters = ""
    while number:
        number, place = divmod(number - 1, 26)
        letters = chr(ord("a") + place) + letters
    return letters
