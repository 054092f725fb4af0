"""Window: the days that a search is about."""

import datetime
from dataclasses import dataclass
from typing import Self

from pincite_literature.dates import PartialDate
from pincite_literature.sources.source import Query

_ONE_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Window:
    """From ``first`` to ``last``, both included; None where it is open."""

    first: datetime.date | None = None
    last: datetime.date | None = None

    @classmethod
    def of(cls, query: Query) -> Self:
        """The days of the query's years that are before its cutoff."""
        first = datetime.date(min(max(query.first_year, 1), 9999), 1, 1) if query.first_year is not None else None
        last = datetime.date(min(max(query.last_year, 1), 9999), 12, 31) if query.last_year is not None else None
        return cls(first, last).before(query.before)

    def before(self, day: datetime.date | None) -> Self:
        """The part of it that is before ``day``."""
        if day is None:
            return self
        end = max(day, datetime.date(1, 1, 2)) - _ONE_DAY
        return type(self)(self.first, end if self.last is None else min(self.last, end))

    @property
    def empty(self) -> bool:
        """Whether no day is in it: nothing needs to be asked."""
        return self.first is not None and self.last is not None and self.last < self.first


def stated_date(text: str) -> PartialDate | None:
    """An ISO date as precise as it can be trusted where a source fills up what it does not know with ones.

    "2020-01-01" is a year, "2020-05-01" a month: a work of that very day loses a little, a cutoff loses nothing.
    """
    date = PartialDate.parse(text)
    if date is None or date.day != 1:
        return date
    return PartialDate(date.year, date.month if date.month != 1 else None)
