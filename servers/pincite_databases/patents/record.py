"""A patent document as a source describes it."""

from dataclasses import dataclass
from datetime import date

from pincite_core.http.exchange import Response

_ISO_DAY = len("2001-02-03")


@dataclass(frozen=True, slots=True)
class Patent:
    """One publication. Dates are ISO text as the source gives them, empty where it gives none."""

    number: str
    title: str
    applicants: tuple[str, ...] = ()
    inventors: tuple[str, ...] = ()
    published: str = ""
    filed: str = ""
    priority: str = ""
    abstract: str = ""
    classes: tuple[str, ...] = ()
    """CPC or IPC symbols."""
    family: str = ""
    """Number of the simple family (DOCDB), where the source gives it."""
    url: str = ""
    """Its page for people."""

    def surely_before(self, day: date | None) -> bool:
        """Whether it was surely published before ``day``; always where there is none."""
        latest = self.published if len(self.published) == _ISO_DAY else f"{self.published[:4]}-12-31"
        return day is None or (self.published != "" and latest < day.isoformat())


@dataclass(frozen=True, slots=True)
class PatentPage:
    """Patents in the source's order."""

    patents: tuple[Patent, ...]
    total: int | None
    next_page: str | None
    response: Response | None
    """The answer that they stand in; None where the source answers "not found" for an empty list."""


@dataclass(frozen=True, slots=True)
class PatentText:
    """Claims and description as published (or machine-translated, where ``note`` says so)."""

    claims: tuple[str, ...]
    description: str
    note: str = ""
