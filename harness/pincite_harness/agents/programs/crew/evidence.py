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
_PLACE = re.compile(rf"\[?{LOCATOR.pattern}\]?")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote with its page; ``stands`` is None where nothing was checked."""

    quote: str
    page: int
    stands: bool | None = None

    def record(self) -> dict[str, Any]:
        """The fields that answers have for it."""
        return {"quote": self.quote, "page": self.page}


def check(quote: str, page: int, read: Data) -> Evidence:
    """Whether ``quote`` stands in the text of its page as it was read, but for dashes, spaces, quotation marks and
    case; locators in the text are passed over. An empty quote does not stand."""
    wanted = folded(quote)
    return Evidence(quote, page, bool(wanted) and wanted in folded(_PLACE.sub(" ", read.text)))


def capped(confidence: float, evidence: Evidence) -> float:
    """The confidence, at most 0.3 where the quote does not stand; one that was not checked is left."""
    return min(confidence, CAP) if evidence.stands is False else confidence


def folded(text: str) -> str:
    """Text for comparing: one dash, one kind of quotation marks, single spaces, no case."""
    plain = unicodedata.normalize("NFC", text).translate(_DASHES).translate(_QUOTES).replace("\u00ad", "")
    return " ".join(plain.split()).casefold()
