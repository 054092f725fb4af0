"""Flights: work that several callers ask for at the same time is done once."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class _Flight(Generic[Result]):
    def __init__(self, task: "asyncio.Task[Result]") -> None:
        self.task = task
        self.waiting = 0


class Flights(Generic[Result]):
    """Joins callers with an equal key to one run of the work, in a task that belongs to none of them.

    A caller that is cancelled leaves the others alone; the work is cancelled when nobody waits for it any more.
    """

    def __init__(self) -> None:
        self._flights: dict[tuple[int, Hashable], _Flight[Result]] = {}

    async def join(self, key: Hashable, work: Callable[[], Awaitable[Result]]) -> Result:
        """The result of the work that runs under ``key``, or of ``work``; what it raises is raised to all."""
        place = (id(asyncio.get_running_loop()), key)
        flight = self._flights.get(place)
        if flight is None:
            flight = self._flights[place] = self._start(place, work)
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                self._forget(place, flight)
                flight.task.cancel()

    def _start(self, place: tuple[int, Hashable], work: Callable[[], Awaitable[Result]]) -> _Flight[Result]:
        flight = _Flight(asyncio.ensure_future(_run(work)))
        flight.task.add_done_callback(lambda _: self._forget(place, flight))
        return flight

    def _forget(self, place: tuple[int, Hashable], flight: _Flight[Result]) -> None:
        """Let later callers start a new flight; another one that has taken the place stays."""
        if self._flights.get(place) is flight:
            del self._flights[place]


async def _run(work: Callable[[], Awaitable[Result]]) -> Result:
    return await work()
