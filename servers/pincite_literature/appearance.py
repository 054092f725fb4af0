"""When a work appeared: the date of the version that is cited, and the first day on which any version could be read.

The rule: an article is cited by the year of its issue (printed, or the volume's), as its volume and pages are; before
it has an issue, or where the journal has none but the web, by the day it was published online. A preprint is cited by
the day of its first version. A cutoff counts by the first day on which any version could be read.
"""

from collections.abc import Iterable
from typing import TypedDict

from pincite_literature.dates import PartialDate, first_sure, refined
from pincite_literature.model import Dated, Identifiers
from pincite_literature.versions import preprint_month


class Appearance(TypedDict):
    """The fields of a Work that tell when it appeared."""

    published: PartialDate | None
    dated_by: Dated
    first_public: PartialDate | None


def appearance(issue: PartialDate | None, online: Iterable[PartialDate | None], *, said: bool = True) -> Appearance:
    """The dates of a work that came out in an issue of that date (None for no issue), and online on the others.

    ``said``: whether the source tells that these days are those online.
    """
    others = [date for date in online if date is not None]
    public = first_sure([*others, issue])
    if issue is None:
        return Appearance(published=public, dated_by="online" if said and public else "", first_public=None)
    published = refined(issue, others)
    return Appearance(published=published, dated_by="issue", first_public=public if public != published else None)


def gathered(date: PartialDate | None, ids: Identifiers, others: Iterable[str], *, article: bool) -> Appearance:
    """The dates of a record whose source gives one date to a work and all its versions.

    A date not after the month in which the preprint was posted is the preprint's: it does not date the article.
    """
    names = [name for name in (ids.arxiv, *others) if name]
    months = [month for name in names if (month := preprint_month(name)) is not None]
    if article and date is not None and any(date.earliest <= month.latest for month in months):
        return Appearance(published=None, dated_by="", first_public=date)
    return Appearance(published=date, dated_by="", first_public=None)
