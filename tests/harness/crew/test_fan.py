"""fan: order, width, and errors that do not end the others."""

import asyncio
from typing import Any

import pytest


def test_results_come_in_order_and_no_more_than_the_width_run_at_once(crew: Any) -> None:
    running, most = 0, 0

    async def job(item: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.002 * (10 - item))
        running -= 1
        if item == 3:
            raise crew.Refused("no")
        return item * 10

    results = asyncio.run(crew.fan(range(10), job, width=4))
    assert most == 4
    assert crew.kept(results) == [item * 10 for item in range(10) if item != 3]
    assert (results[3].item, str(results[3].error)) == (3, "no")


def test_an_outage_is_never_an_empty_result(crew: Any) -> None:
    failed = crew.Failed(1, OSError("the door is gone"))
    with pytest.raises(OSError, match="gone"):
        crew.kept([5, failed])
    with pytest.raises(crew.Refused):
        crew.kept([crew.Failed(1, crew.Refused("no"))])
    with pytest.raises(ValueError, match="width=0"):
        asyncio.run(crew.fan([1], lambda item: item, width=0))
