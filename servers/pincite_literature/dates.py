"""Dates of works, which are often known to the month or the year only."""

import calendar
import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A year, perhaps with month, perhaps with day; ``str`` gives ISO 8601 of that precision."""

    year: int
    month: int | None = None
    day: int | None = None

    def __str__(self) -> str:
        parts = [f"{self.year:04d}", *(f"{part:02d}" for part in (self.month, self.day) if part is not None)]
        return "-".join(parts)

    @classmethod
    def of(cls, year: object, month: object = None, day: object = None) -> Self | None:
        """The date of numbers or digits as sources give them; what is not a date is left out, None without a year."""
        numbers = [_number(part) for part in (year, month, day)]
        if numbers[0] is None or not 1000 <= numbers[0] <= 9999:
            return None
        if numbers[1] is None or not 1 <= numbers[1] <= 12:
            return cls(numbers[0])
        if numbers[2] is None or not 1 <= numbers[2] <= calendar.monthrange(numbers[0], numbers[1])[1]:
            return cls(numbers[0], numbers[1])
        return cls(numbers[0], numbers[1], numbers[2])

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """The date at the start of ISO text ("2021", "2021-03", "2021-03-05T…"), None when there is none."""
        return cls.of(*text.strip()[:10].split("-")[:3]) if text.strip() else None

    @property
    def earliest(self) -> datetime.date:
        """The first day that it can be."""
        return datetime.date(self.year, self.month or 1, self.day or 1)

    @property
    def latest(self) -> datetime.date:
        """The last day that it can be."""
        month = self.month or 12
        return datetime.date(self.year, month, self.day or calendar.monthrange(self.year, month)[1])

    def surely_before(self, day: datetime.date) -> bool:
        """Whether every day that it can be is before ``day``."""
        return self.latest < day

    def holds(self, other: "PartialDate") -> bool:
        """Whether ``other`` lies within this date: 2020-03-05 within 2020-03 and within 2020."""
        return self.earliest <= other.earliest and other.latest <= self.latest


def first_sure(dates: Iterable[PartialDate | None]) -> PartialDate | None:
    """By when it had surely happened: the date that ends first, of those the most precise ("2020-05" before "2020")."""
    known = [date for date in dates if date is not None]
    return min(known, key=lambda date: (date.latest, -date.earliest.toordinal()), default=None)


def earliest(dates: Iterable[PartialDate]) -> PartialDate | None:
    """The earliest date; one of month or year gives way to a finer one within it."""
    given = set(dates)
    telling = [date for date in given if not any(other != date and date.holds(other) for other in given)]
    return min(telling, key=lambda date: (date.earliest, date.latest), default=None)


def refined(date: PartialDate, others: Iterable[PartialDate | None]) -> PartialDate:
    """``date``, or the first of the others that lies within it: "2020" is more precisely the "2020-03-05" online."""
    within = earliest(other for other in others if other is not None and date.holds(other))
    return within or date


def _number(part: object) -> int | None:
    if isinstance(part, int):
        return None if isinstance(part, bool) else part
    digits = part.strip() if isinstance(part, str) else ""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 4 else None
