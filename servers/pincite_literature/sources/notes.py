"""Notes that indexes of journals put on a work about its retraction or correction, as notices."""

import re

from pincite_literature.dates import PartialDate
from pincite_literature.model import Notice, NoticeKind

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def notice_of(kind: NoticeKind, source: str, *, label: str, reference: str, pmid: str | None) -> Notice:
    """The notice; its date is the year in the reference ("Nature. 2021 Mar;591(7848):E1")."""
    year = _YEAR.search(reference)
    date = PartialDate.of(year[0]) if year else None
    return Notice(kind, source, date=date, id=f"pmid:{pmid}" if pmid else "", label=label)
