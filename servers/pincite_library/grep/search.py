"""Exact search over all papers of a library: hits in order, counted up to a bound, in bounded time."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from pincite_core.errors import LimitReachedError
from pincite_library.grep.matchers import Matcher
from pincite_library.model import Segment

MOST_HITS = 10_000
"""Counting stops there."""

MOST_SECONDS = 10.0
"""Time for one search: a pattern without a text of three characters in it looks through the whole library."""

_TIMED = 32
"""Segments between looks at the clock."""


@dataclass(frozen=True, slots=True)
class Place:
    """A hit: ``start`` to ``end`` in the canonical text of the segment's paper."""

    segment: Segment
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Found:
    """The hits asked for and the number of all; ``stopped`` says what ended the search before the library's end."""

    places: list[Place]
    total: int
    stopped: Literal["", "count", "time"]


def find(
    segments: Iterable[Segment],
    matcher: Matcher,
    *,
    skip: int = 0,
    take: int = 20,
    most: int = MOST_HITS,
    seconds: float = MOST_SECONDS,
) -> Found:
    """Hits ``skip`` to ``skip + take`` of ``matcher`` in ``segments``: ``Store.segments`` of its clauses."""
    deadline = time.monotonic() + seconds
    places: list[Place] = []
    total = 0
    for number, segment in enumerate(segments):
        if number % _TIMED == 0 and time.monotonic() > deadline:
            return Found(places, total, "time")
        try:
            count = matcher.count(segment)
        except LimitReachedError:
            return Found(places, total, "time")
        if count and total < skip + take and total + count > skip:
            spans = matcher.spans(segment)[max(skip - total, 0) : skip + take - total]
            read = replace(segment, content=segment.text)
            places += [Place(read, segment.start + start, segment.start + end) for start, end in spans]
        total += count
        if total >= most:
            return Found(places[: max(most - skip, 0)], most, "count")
    return Found(places, total, "")
