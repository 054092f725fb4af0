"""What a search engine of the web offers."""

from dataclasses import dataclass
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


class Engine(Protocol):
    """A search engine; made from the settings, without touching the network."""

    policy: SourcePolicy

    async def search(self, query: str, *, limit: int) -> Hits:
        """Pages for the words; raises what ``Web.get`` raises."""
        ...
