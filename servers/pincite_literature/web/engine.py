"""What a search engine of the web offers."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Protocol

from pincite_core.http.policy import SourcePolicy


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found; texts are plain, ``date`` as the engine states it, "" without one."""

    title: str
    url: str
    snippet: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class Hits:
    """Pages in the engine's order. ``notes`` say what the engine itself could not ask."""

    pages: tuple[Hit, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """Which pages are wanted: from the day ``after`` on, before the day ``before``, in a language (``en``)."""

    after: date | None = None
    before: date | None = None
    language: str = ""

    @property
    def last(self) -> date | None:
        """The last day that is wanted."""
        return self.before - timedelta(days=1) if self.before is not None else None

    def holds(self, stated: str) -> bool:
        """Whether a page of that stated date is wanted; always, where the date is not a day (YYYY-MM-DD)."""
        try:
            day = date.fromisoformat(stated)
        except ValueError:
            return True
        early = self.after is not None and day < self.after
        return not early and (self.before is None or day < self.before)


ANY = Window()
"""All pages."""


class Engine(Protocol):
    """A search engine; made from the settings, without touching the network."""

    policy: SourcePolicy
    filters: frozenset[str]
    """What it filters by itself: ``dates``, ``language``."""

    async def search(self, query: str, *, limit: int, window: Window = ANY) -> Hits:
        """Pages for the words, in the window as far as the engine can; raises what ``Web.get`` raises."""
        ...
