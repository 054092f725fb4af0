"""Permits to send to a source: its published rate holds for all processes of a machine that share a cache folder.

A sliding window: of any ``requests + 1`` in a row the last is sent only ``seconds`` after the first had reached the
source. When that was is known from its answer, or taken to be ``lateness`` after it was sent.
"""

import re
import secrets
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import anyio

from pincite_core.http.owner import this_process
from pincite_core.http.policy import Rate
from pincite_core.http.rate_window import Flight, RateWindow, lateness
from pincite_core.http.rate_window_file import RateWindowFile, sweep

_LONGEST_REST = 86_400.0
"""Seconds: a server that asks for a longer rest than a day is asked again after a day. Set by judgement."""
_LEASE_SECONDS = 3.0
"""Seconds after its deadline until a request whose process died no longer counts. Set by judgement."""
_HEARTBEAT_SECONDS = 0.5
"""Seconds between signs of life of one who waits in the queue; see ``_HEARD_WITHIN_SECONDS``."""
_HEARD_WITHIN_SECONDS = 2.0
"""Seconds after which one who gave no sign of life loses its place: four heartbeats."""
_FREE_PAUSE, _LONGEST_FREE_PAUSE = 0.01, 0.1
"""Seconds between looks at a window that should be free, doubled up to the longest. Set by judgement."""
_RELEASE_SECONDS = 6.0
"""Seconds to give a permit back when cancelled: a little above the wait for the lock (5 s)."""

_windows: dict[Path, RateWindowFile] = {}
_windows_lock = threading.Lock()


class PermitTooLateError(Exception):
    """The permit comes ``seconds`` from now, after the deadline; ``resting`` when the source asked to be left alone."""

    def __init__(self, seconds: float, *, resting: bool) -> None:
        super().__init__(seconds, resting)
        self.seconds = seconds
        self.resting = resting


@dataclass(frozen=True, slots=True)
class Lane:
    """Sources that share one rate limit, at the addresses that ``name`` stands for."""

    name: str
    rate: Rate


class Permit:
    """The right to send one request; until it is given back it counts as unanswered."""

    def __init__(self, name: str, lane: Lane, window: RateWindowFile) -> None:
        self._name = name
        self._lane = lane
        self._window = window
        self._sent = 0.0
        self._arrived = 0.0
        self._used = True

    async def sent(self) -> None:
        """The request is out."""
        self._sent = time.monotonic()
        await self._window.change(self._lane.rate, self._note_sent)

    def answered(self) -> None:
        """The source began to answer."""
        self._arrived = time.monotonic()

    def unused(self) -> None:
        """The request never reached the source, so it does not count."""
        self._used = False

    async def give_back(self) -> None:
        """The exchange is over, however it ended."""
        await self._window.change(self._lane.rate, self._note_end)

    def _note_sent(self, window: RateWindow, _now: float) -> None:
        if self._name in window.flights:
            window.flights[self._name].sent = self._sent

    def _note_end(self, window: RateWindow, now: float) -> None:
        window.flights.pop(self._name, None)
        if self._used:
            arrived = self._arrived or now
            window.past.append(min(arrived, self._sent + lateness(self._lane.rate)) if self._sent else arrived)


class Limiter:
    """Gives permits, first come first served; its windows lie in ``folder``, one file a lane."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @asynccontextmanager
    async def permit(self, lane: Lane, deadline: float) -> AsyncGenerator[Permit]:
        """A permit, once it has come; PermitTooLateError at once when that would be after ``deadline``.

        ``deadline`` is a time of ``time.monotonic``; the caller sees to it that the permit is over by then.
        """
        window = self._window(lane)
        name = secrets.token_hex(6)
        await self._take(name, lane, window, deadline)
        permit = Permit(name, lane, window)
        try:
            yield permit
        finally:
            with anyio.move_on_after(_RELEASE_SECONDS, shield=True):
                await permit.give_back()

    async def rest(self, lane: Lane, seconds: float) -> None:
        """Leave the source alone for ``seconds`` (at most a day), in every process."""

        def note(window: RateWindow, now: float) -> None:
            window.rest_until = max(window.rest_until, now + min(seconds, _LONGEST_REST))

        await self._window(lane).change(lane.rate, note)

    async def _take(self, name: str, lane: Lane, window: RateWindowFile, deadline: float) -> None:
        number = 0

        def step(kept: RateWindow, now: float) -> float:
            """Seconds to wait before the next step; 0 when the permit has come."""
            nonlocal number
            number = number or kept.next_number()
            position = kept.position(number)
            due = kept.due(position, lane.rate, now)
            if due > deadline:
                kept.queue.pop(name, None)
                resting = kept.rest_until > deadline
                raise PermitTooLateError((kept.rest_until if resting else due) - now, resting=resting)
            if due <= now and len(kept.flights) + position < lane.rate.at_once:
                kept.queue.pop(name, None)
                kept.flights[name] = Flight(deadline + _LEASE_SECONDS, owner=this_process())
                return 0.0
            free = min(_FREE_PAUSE * (1 + position), _LONGEST_FREE_PAUSE)
            pause = min(due - now, _HEARTBEAT_SECONDS) if due > now else free
            kept.queue[name] = (number, now + pause + _HEARD_WITHIN_SECONDS)
            return max(pause, 0.001)

        try:
            while True:
                pause = await window.change(lane.rate, step)
                if not pause:
                    return
                await anyio.sleep(pause)
        except BaseException:
            with anyio.move_on_after(_RELEASE_SECONDS, shield=True):
                await window.change(lane.rate, lambda kept, _now: kept.queue.pop(name, None))
            raise

    def _window(self, lane: Lane) -> RateWindowFile:
        path = self._folder / _file_name(lane.name)
        with _windows_lock:
            if path not in _windows:
                if not any(known.parent == self._folder for known in _windows):
                    sweep(self._folder)
                _windows[path] = RateWindowFile(path)
            return _windows[path]


def _file_name(lane: str) -> str:
    plain = re.sub(r"[^a-z0-9_.-]+", "-", lane.lower())[:60].strip(".-")
    return f"{plain}-{sha256(lane.encode()).hexdigest()[:8]}"
