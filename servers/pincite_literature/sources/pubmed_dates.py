"""Dates of PubMed's records."""

import re

from pincite_literature.appearance import Appearance, appearance
from pincite_literature.dates import PartialDate, first_sure
from pincite_literature.sources.record import Record

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ONLY_ONLINE = ("Electronic", "Electronic-eCollection")
"""NLM's models of publication without a printed issue (PubModel): articles are cited by their electronic date."""
_WORD = re.compile(r"\d{4}|[A-Za-z]+|\d{1,2}")


def dates_of(journal_issue: Record, article: Record, model: str) -> Appearance:
    """When the article came out in its issue, and electronically; ``model`` is its PubModel.

    A purely electronic journal dates its issues after the fact ("eCollection 2023"): its articles go by their own day.
    """
    printed = date_of(journal_issue.record("PubDate"))
    online = [date_of(one) for one in article.records("ArticleDate")]
    in_issue = bool(journal_issue.text("Volume") or journal_issue.text("Issue"))
    if model in ONLY_ONLINE and any(online):
        own = appearance(None, online)
        public = first_sure([own["published"], printed])
        return {**own, "first_public": public if public != own["published"] else None}
    return appearance(printed, online) if in_issue else appearance(None, [*online, printed])


def date_of(date: Record) -> PartialDate | None:
    """The date of an element with Year, Month (name or number) and Day, or with MedlineDate in words.

    A range counts as its end ("1998 Dec-1999 Jan" is January 1999), or as what it has in common ("2000 Mar-Apr" is
    2000): a cutoff must not let pass what may be later. A season is its year.
    """
    if words := date.text("MedlineDate"):
        return in_words(words)
    return PartialDate.of(date.text("Year"), _month(date.text("Month")), date.text("Day"))


def in_words(words: str) -> PartialDate | None:
    """The date of "2020 Mar 5", "2020 Jan-Feb" or "2020 Spring"; see ``date_of`` for ranges."""
    first, dash, last = words.replace("–", "-").partition("-")
    start = _parts(first)
    if start is None or not dash:
        return start
    end = _parts(last)
    if end is not None:
        return end
    rest = [part.lower() for part in _WORD.findall(last)]
    if rest and rest[0][:3] in _MONTHS:
        same = _month(rest[0]) == start.month
        return PartialDate(start.year, start.month if same else None)
    return PartialDate(start.year, start.month if rest and rest[0].isdigit() else None)


def _parts(words: str) -> PartialDate | None:
    """The date at the start of words that begin with a year."""
    parts = [*_WORD.findall(words), "", "", ""]
    return PartialDate.of(parts[0], _month(parts[1]), parts[2]) if len(parts[0]) == 4 else None


def _month(text: str) -> int | str:
    name = text.strip().lower()[:3]
    return _MONTHS.index(name) + 1 if name in _MONTHS else text
