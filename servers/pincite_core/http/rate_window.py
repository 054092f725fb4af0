"""Who asked a source when, and who waits: what the processes of a machine share about one rate limit.

Times are seconds of ``time.monotonic``, which all processes of a machine have in common and no clock change touches.
"""

from dataclasses import dataclass, field
from typing import Any, cast

import orjson

from pincite_core.http.owner import is_gone
from pincite_core.http.policy import Rate

GUARD_SECONDS = 0.005
"""Seconds added to each turn: clocks of processes and the network differ by some milliseconds. Set by judgement."""
_LONGEST_SECONDS = 86_400.0
"""Seconds: no published rate counts over more than a day."""
_MOST_PAST = 4096
"""Requests that a window remembers; a file with more is damaged. Set by judgement."""
_MOST_WAITING = 4096
"""Those who wait in one window; a file with more is damaged."""


@dataclass(slots=True)
class Flight:
    """A request without its answer; ``until`` is when its caller gives up, ``sent`` when it was out (0: not yet),
    ``owner`` the process of the caller.
    """

    until: float
    sent: float = 0.0
    owner: str = ""


@dataclass(slots=True)
class RateWindow:
    """``past``: by when each answered request had reached the source. ``flights`` and ``queue`` by the callers' names;
    the queue's values are the numbers that order it and by when a caller must have been heard of again.
    """

    past: list[float] = field(default_factory=list[float])
    flights: dict[str, Flight] = field(default_factory=dict[str, Flight])
    queue: dict[str, tuple[int, float]] = field(default_factory=dict[str, tuple[int, float]])
    numbers: int = 0
    rest_until: float = 0.0
    span: float = 0.0
    """The longest window that any process counts in."""

    def tidy(self, rate: Rate, now: float) -> None:
        """Drop requests outside every window, and callers that are gone (killed, or stopped too long)."""
        self.span = min(max(self.span, rate.seconds), _LONGEST_SECONDS)
        for name, flight in list(self.flights.items()):
            if flight.until <= now or is_gone(flight.owner):
                self.past.append(min(flight.sent + lateness(rate), now) if flight.sent else now)
                del self.flights[name]
        self.past = sorted(moment for moment in self.past if moment > now - self.span - GUARD_SECONDS)[-_MOST_PAST:]
        self.queue = {name: entry for name, entry in self.queue.items() if entry[1] > now}

    def due(self, position: int, rate: Rate, now: float) -> float:
        """When a caller may send that has ``position`` others before it, as far as is known.

        A request that is out counts as having arrived within ``lateness`` of being sent, one that is not yet out as
        arriving now.
        """
        late = lateness(rate)
        moments = self.past + [flight.sent + late if flight.sent else now for flight in self.flights.values()]
        moments = sorted(moments)[-rate.requests :]
        turn = max(now, self.rest_until)
        for _ in range(position + 1):
            if len(moments) >= rate.requests:
                turn = max(turn, moments[-rate.requests] + rate.seconds + GUARD_SECONDS)
            moments.append(turn)
        return turn

    def position(self, number: int) -> int:
        """How many callers wait ahead of the one with this number."""
        return sum(1 for other, _ in self.queue.values() if other < number)

    def next_number(self) -> int:
        """A number for the end of the queue."""
        self.numbers += 1
        return self.numbers

    def to_bytes(self) -> bytes:
        """One line of JSON."""
        flights = {name: [flight.until, flight.sent, flight.owner] for name, flight in self.flights.items()}
        kept = [self.past, flights, self.queue, self.numbers, self.rest_until, self.span]
        return orjson.dumps(kept) + b"\n"


def lateness(rate: Rate) -> float:
    """Seconds in which a request that was sent is taken to have reached the source: 50 to 500 ms."""
    return min(max(rate.seconds / 10, 0.05), 0.5)


def read_window(stored: bytes, rate: Rate, now: float) -> RateWindow:
    """The window of a file. What cannot be read, or lies in the future, counts as a window just used up."""
    if not stored:
        return RateWindow()
    try:
        kept = cast("list[Any]", orjson.loads(stored.partition(b"\n")[0]))
        past, flights, queue, numbers, rest_until, span = kept
        window = RateWindow(
            [float(moment) for moment in past],
            {
                str(name): Flight(float(until), float(sent), str(owner))
                for name, (until, sent, owner) in flights.items()
            },
            {str(name): (int(number), float(until)) for name, (number, until) in queue.items()},
            int(numbers),
            float(rest_until),
            float(span),
        )
    except (ValueError, TypeError, AttributeError, OverflowError):
        return _used_up(rate, now)
    return window if _plausible(window, now) else _used_up(rate, now)


def _plausible(window: RateWindow, now: float) -> bool:
    moments = [*window.past, *(flight.sent for flight in window.flights.values())]
    ends = [window.rest_until, *(flight.until for flight in window.flights.values())]
    ends += [until for _, until in window.queue.values()]
    small = len(window.past) <= _MOST_PAST and len(window.queue) <= _MOST_WAITING
    return (
        small
        and all(0.0 <= moment <= now + 1.0 for moment in moments)
        and all(0.0 <= end <= now + _LONGEST_SECONDS for end in ends)
    )


def _used_up(rate: Rate, now: float) -> RateWindow:
    return RateWindow(past=[now] * min(rate.requests, _MOST_PAST))
