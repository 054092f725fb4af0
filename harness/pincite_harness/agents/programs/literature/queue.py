"""Queue: the figures worth looking at, a fold over events, and what of them must be looked at before the end."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from crew import Event

from .events import Flagged, Inspected, Level, Queued

MUST, SHOULD = 10, 8
"""Scores (0 to 10) from which a figure must, and should, be looked at: the published policy."""

Key = tuple[str, str]
"""A paper and the plain number of its figure."""


def level_of(score: int) -> Level:
    """What a score asks for."""
    if score >= MUST:
        return "must"
    return "should" if score >= SHOULD else "may"


@dataclass(frozen=True, slots=True)
class Entry:
    """A figure: its highest score, the passage that gave it, and what became of it (empty: nothing yet)."""

    paper: str
    figure: str
    score: int
    locator: str
    became: str = ""

    @property
    def level(self) -> Level:
        """What its score asks for."""
        return level_of(self.score)

    @property
    def name(self) -> str:
        """It as a model is told of it."""
        return f'paper "{self.paper}", figure "{self.figure}" ({self.score} of 10)'


@dataclass(frozen=True, slots=True)
class Queue:
    """The figures by paper and number, and how many inspections were used."""

    entries: Mapping[Key, Entry] = field(default_factory=dict[Key, Entry])
    used: int = 0

    def left(self, most: int) -> int:
        """Inspections that are left of ``most``."""
        return max(0, most - self.used)

    def waiting(self, level: Level) -> list[Entry]:
        """The figures of that level that nobody looked at, the best score first."""
        found = [entry for entry in self.entries.values() if entry.level == level and not entry.became]
        return sorted(found, key=lambda entry: -entry.score)


def key_of(paper: str, figure: str) -> Key:
    """What tells a figure from all others: ``Fig. 2`` and ``Figure 2`` alike."""
    plain = "".join(figure.casefold().split())
    for word in ("figures", "figure", "figs.", "fig.", "figs", "fig"):
        plain = plain.removeprefix(word)
    return paper, plain.strip(".:")


def apply(queue: Queue, event: Event) -> Queue:
    """The queue after an event. A wrong figure leaves the queue and gives its inspection back."""
    if isinstance(event, Queued):
        return _queued(queue, event)
    if isinstance(event, Inspected):
        wrong = event.outcome == "wrong figure"
        return replace(_become(queue, event.paper, event.figure, event.outcome), used=queue.used + (not wrong))
    if isinstance(event, Flagged):
        return _become(queue, event.paper, event.figure, "wrong figure" if event.reason else "")
    return queue


def _queued(queue: Queue, event: Queued) -> Queue:
    key = key_of(event.paper, event.figure)
    there = queue.entries.get(key)
    if there is not None and there.score >= event.score:
        return queue
    became = there.became if there is not None else ""
    entry = Entry(event.paper, event.figure, event.score, event.locator, became)
    return replace(queue, entries={**queue.entries, key: entry})


def _become(queue: Queue, paper: str, figure: str, became: str) -> Queue:
    key = key_of(paper, figure)
    there = queue.entries.get(key) or Entry(paper, figure, 0, "")
    return replace(queue, entries={**queue.entries, key: replace(there, became=became)})
