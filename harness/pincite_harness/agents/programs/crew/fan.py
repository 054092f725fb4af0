"""Fan: many jobs at the same time, a bounded number of them, with results in the order of the items."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from .budget import Spent
from .role import Refused

WIDTH = 8
"""Jobs at once by default: what a rate limit of a small account bears, and as many as ``react`` has tool calls."""
I = TypeVar("I")  # noqa: E741 - an item
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Failed:
    """The job of an item that raised ``error``."""

    item: object
    error: Exception


async def fan(items: Iterable[I], job: Callable[[I], Awaitable[T]], width: int = WIDTH) -> list[T | Failed]:
    """``job(item)`` for each item, ``width`` at a time; results in the order of the items. A job that fails leaves a
    ``Failed`` in its place and the others go on."""
    if width < 1:
        raise ValueError(f"width={width}: at least one job runs at a time")
    gate = asyncio.Semaphore(width)

    async def run(item: I) -> T | Failed:
        async with gate:
            try:
                return await job(item)
            except Exception as error:  # noqa: BLE001 - it is kept, and raised by `kept`
                return Failed(item, error)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(run(item)) for item in items]
    return [task.result() for task in tasks]


def kept(results: Sequence[T | Failed]) -> list[T]:
    """The results without those that failed by a refusal or because the budget was spent. Any other error is raised,
    and so is the first one where nothing is left: an outage is never an empty result."""
    good: list[T] = []
    bad: list[Failed] = []
    for result in results:
        if isinstance(result, Failed):
            bad.append(result)
        else:
            good.append(result)
    for failed in bad:
        if not good or not isinstance(failed.error, Spent | Refused):
            raise failed.error
    return good
