"""Evidence: the place of a quote on a page that was read, and what a quote that does not stand costs its candidate."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from locators import LOCATOR

from .role import Data

CAP = 0.3
"""Most confidence (0 to 1) of a candidate whose quote does not stand: below every boundary of participation."""
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
_PLACE = re.compile(rf"\[?{LOCATOR.pattern}(?: [a-z]+(?=\]))?\]?")
"""The mark before a block, with its kind where it is not a paragraph: ``[pc:3f9a0c1d#p4:10-20 heading]``."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote with its page; ``stands`` is None where nothing was checked. ``start`` and ``end`` are its offsets in the
    paper's canonical text, where the quote stands letter for letter in a block that was shown so."""

    quote: str
    page: int
    stands: bool | None = None
    start: int | None = None
    end: int | None = None

    def record(self) -> dict[str, Any]:
        """The fields that answers have for it; offsets where they are known."""
        known = {"quote": self.quote, "page": self.page}
        return known if self.start is None else {**known, "start": self.start, "end": self.end}


def check(quote: str, page: int, read: Data) -> Evidence:
    """Whether ``quote`` stands in the text of its page as it was read, but for dashes, spaces, quotation marks and
    case; locators in the text are passed over. An empty quote does not stand."""
    wanted = folded(quote)
    if not wanted or wanted not in folded(_PLACE.sub(" ", read.text)):
        return Evidence(quote, page, False)
    return Evidence(quote, page, True, *_offsets(quote.strip(), read.text))


def _offsets(quote: str, text: str) -> tuple[int, int] | tuple[()]:
    """Where the quote stands in the canonical text, by the locator before its block; nothing where it stands in several
    places, or the block was not shown letter for letter (its locator counts other characters)."""
    places = list(_PLACE.finditer(text))
    ends = [*(place.start() for place in places[1:]), len(text)]
    found: list[int] = []
    for place, end in zip(places, ends, strict=True):
        block, first = text[place.end() : end].strip(), int(place["start"])
        if len(block) == int(place["end"]) - first:
            found += [first + at for at in range(len(block)) if block.startswith(quote, at)]
    return (found[0], found[0] + len(quote)) if len(found) == 1 else ()


def capped(confidence: float, evidence: Evidence) -> float:
    """The confidence, at most 0.3 where the quote does not stand; one that was not checked is left."""
    return min(confidence, CAP) if evidence.stands is False else confidence


def folded(text: str) -> str:
    """Text for comparing: one dash, one kind of quotation marks, single spaces, no case."""
    plain = unicodedata.normalize("NFC", text).translate(_DASHES).translate(_QUOTES).replace("\u00ad", "")
    return " ".join(plain.split()).casefold()
