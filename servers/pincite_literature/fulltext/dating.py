"""Dating: when the texts of a work appeared, and which of them may be shown under the cutoff."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from pincite_literature.dates import PartialDate
from pincite_literature.fulltext.route import Route
from pincite_literature.identifiers import arxiv_of_doi
from pincite_literature.model import Work
from pincite_literature.versions import is_preprint_doi, preprint_month

_VERSION = re.compile(r"v(\d{1,3})$")


@dataclass(frozen=True, slots=True)
class Dating:
    """What the records of a work (by source, cleared by the cutoff) say of the dates of its versions."""

    records: Mapping[str, Work]
    before: date | None

    @property
    def arxiv_version(self) -> int | None:
        """The version of arXiv to ask for: the newest, or under a cutoff the newest that is surely before it."""
        record = self.records.get("arxiv")
        newest = _VERSION.search(record.url) if record is not None else None
        number = int(newest[1]) if newest else None
        if self.before is None:
            return number
        changed = record.updated if record is not None else None
        return number if number and changed is not None and changed.surely_before(self.before) else 1

    def of(self, route: Route) -> PartialDate | None:
        """When the text at the end of a route appeared, None where that is not known."""
        if route.source == "arXiv":
            return self._of_arxiv(route.number)
        if route.version == "submitted" or (route.number is not None and route.number > 1):
            return None
        return None if self._is_preprint() and route.number != 1 else self._of_article()

    def refusal(self, route: Route) -> str:
        """Why the cutoff forbids a route, "" when it does not.

        What the cutoff cleared as an article is an article from before the cutoff; but a link without a stated version,
        or to what authors submitted, may lead to a text of any date.
        """
        if self.before is None:
            return ""
        when = self.of(route)
        if when is not None and not when.surely_before(self.before):
            return f"withheld: it is of {when}, and the cutoff is {self.before}"
        if route.source == "arXiv":
            return "" if when is not None else f"withheld: its date is not known, and the cutoff is {self.before}"
        if self._is_preprint() and route.number != 1:
            return f"withheld: a preprint may have been revised since, and the cutoff is {self.before}"
        if route.source in ("PMC", "Europe PMC") or route.version in ("published", "accepted"):
            return "" if when is not None else f"withheld: no record dates the article before {self.before}"
        return f"withheld: which version it is is not stated, and the cutoff is {self.before}"

    def _of_arxiv(self, number: int | None) -> PartialDate | None:
        record = self.records.get("arxiv")
        if record is not None and number is not None:
            newest = _VERSION.search(record.url)
            if newest and int(newest[1]) == number and record.updated is not None:
                return record.updated
            if number == 1:
                return record.public
        if number == 1:
            named = next((work.ids.arxiv for work in self.records.values() if work.ids.arxiv), "")
            return preprint_month(named)
        if number is None and record is not None:
            return record.updated
        return None

    def _is_preprint(self) -> bool:
        """Whether it is a preprint of another server than arXiv, whose links lead to its newest version."""
        others = [work for work in self.records.values() if work.ids.arxiv is None and not _is_of_arxiv(work)]
        return any(work.kind == "preprint" or is_preprint_doi(work.ids.doi or "") for work in others)

    def _of_article(self) -> PartialDate | None:
        """The latest of the dates at which records without an arXiv id say the article appeared."""
        dates = [
            work.public
            for work in self.records.values()
            if work.public is not None and work.ids.arxiv is None and not _is_of_arxiv(work)
        ]
        return max(dates, key=lambda day: day.latest, default=None)


def _is_of_arxiv(work: Work) -> bool:
    return work.ids.doi is not None and arxiv_of_doi(work.ids.doi) is not None
