"""Whether a reference gives a title at all: many name authors, journal, volume and page alone."""

import re
from collections.abc import Iterable, Iterator

from pincite_literature.titles import fold
from pincite_papers.doi import IN_TEXT

_OUTSIDE = re.compile(rf"https?://\S+|{IN_TEXT.pattern}|\bdoi\b:?|\barxiv:?\s?\S+", re.IGNORECASE)
_PARTED = re.compile(r"[.,;:!?](?:\s+|$)|[()\[\]“”\"«»]|\s[-–—]\s")
_WORD = re.compile(r"[^\W\d_][\w'’‐-]*")
_INITIALED = re.compile(
    r"(?:and\s|&\s)?(?:(?:[A-Z]\.?[\s-]?){1,3}|(?:[A-Z][\w'’‐-]+\s){1,2}(?:[A-Z]\.?){1,3}|.*\bet al)"
)
"""A part that is a name with its initials, or initials alone."""
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
    parts = list(_named(_OUTSIDE.sub(" ", text), names))
    if any(_VOLUME.search(part) is None and _in_lower_case(part) >= _SENTENCE_WORDS for part in parts):
        return True
    return len(parts) > 1


def _named(text: str, names: set[str]) -> Iterator[str]:
    """The parts of two words or more, or of one and a number, that have no author's name."""
    for part in _PARTED.split(text):
        words = _WORD.findall(part)
        is_name = len(words) == 1 and _NUMBER.search(part) is None
        if not words or is_name or _INITIALED.fullmatch(part.strip()):
            continue
        if names.isdisjoint(fold(word) for word in words):
            yield part


def _in_lower_case(part: str) -> int:
    return sum(len(word) >= _LETTERS and word[0].islower() for word in _WORD.findall(part))


def _parts(author: str) -> list[str]:
    """The names of an author, initials left out."""
    return [fold(word) for word in _WORD.findall(author) if len(word) > 2]
