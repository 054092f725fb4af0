"""Whether a reference gives a title at all: many name authors, journal, volume and page alone."""

import re
from collections.abc import Iterable, Iterator

from pincite_literature.titles import fold
from pincite_papers.doi import IN_TEXT
from pincite_provenance.audit.places import PLACE, is_placed, years_in

_OUTSIDE = re.compile(rf"https?://\S+|{IN_TEXT.pattern}|\bdoi\b:?|\barxiv:?\s?\S+", re.IGNORECASE)
_PARTED = re.compile(r"[.,;:!?](?:\s+|$)|[()\[\]“”\"«»]|\s[-–—]\s")
_WORD = re.compile(r"[^\W\d_][\w'’‐-]*")
_INITIALED = re.compile(
    r"(?:and\s|&\s)?(?:(?:[A-Z]\.?[\s-]?){1,3}|(?:[A-Z][\w'’‐-]+\s){1,2}(?:[A-Z]\.?){1,3}|.*\bet al)"
)
"""A part that is a name with its initials, or initials alone."""
_NAMES = re.compile(
    r"\W*(?:[^\W\d_][\w'’‐-]+,?\s(?:[A-Z]\.?[\s-]?){1,3}|(?:[A-Z]\.[\s-]?){1,3}\s?[^\W\d_][\w'’‐-]+)(?=[\s,.;(&]|$)"
)
"""A reference that begins with a name and its initials, or with initials and a name."""
_PLACED = " 0 "
"""Stands for volume and pages, so that the part before is known for a journal's name."""
_VOLUME = re.compile(r"(?<=\s)\d{1,4}\s*$")
_NUMBER = re.compile(r"\s\d")
_LETTERS = 4
_SENTENCE_WORDS = 2
"""Words in lower case, of four letters or more, from which on a part is a title and no journal's name, which styles of
citation write in capitals but for "of" and "the". Set by judgement."""


def gives_title(text: str, authors: Iterable[str]) -> bool:
    """Whether the reference ``text`` has a part that is a title. Parts with a name of ``authors`` are none; of the
    others the last is the journal, unless it is written as a sentence is."""
    names = {part for author in authors for part in _parts(author)}
    parts = list(_named(_OUTSIDE.sub(" ", PLACE.sub(_PLACED, _cited_part(text))), names))
    if any(_VOLUME.search(part) is None and _in_lower_case(part) >= _SENTENCE_WORDS for part in parts):
        return True
    return len(parts) > 1


def names_article(text: str, since: int) -> bool:
    """Whether a reference gives all of an article of a journal: authors before a title, volume or pages, and a year
    that is ``since`` or later."""
    first = next(iter(_PARTED.split(text.strip())), "").strip()
    is_named = _INITIALED.fullmatch(first) is not None or _NAMES.match(text) is not None
    return is_named and gives_title(text, ()) and is_placed(text) and any(year >= since for year in years_in(text))


def _cited_part(text: str) -> str:
    """A reference as far as its DOI or the end of its paragraph: what follows is said about the work."""
    paragraph = text.partition("\n\n")[0]
    found = IN_TEXT.search(paragraph)
    before = paragraph[: found.start()] if found is not None else ""
    return before if len(_WORD.findall(before)) > 1 else paragraph


def _named(text: str, names: set[str]) -> Iterator[str]:
    """The parts of two words or more, or of one and a number, that have no author's name."""
    for part in _PARTED.split(text):
        words = _WORD.findall(part)
        is_name = len(words) == 1 and _NUMBER.search(part) is None
        if not words or is_name or _INITIALED.fullmatch(part.strip(" .,")):
            continue
        if names.isdisjoint(fold(word) for word in words):
            yield part


def _in_lower_case(part: str) -> int:
    return sum(len(word) >= _LETTERS and word[0].islower() for word in _WORD.findall(part))


def _parts(author: str) -> list[str]:
    """The names of an author, initials left out."""
    return [fold(word) for word in _WORD.findall(author) if len(word) > 2]
