"""Budget: no new round at 85 %, no call at 95 %, and an end that is not a fault."""

import time
from typing import Any

import pytest

from pincite_doors.testing import hang, say


def test_a_budget_opens_nothing_at_85_and_stops_at_95(crew: Any) -> None:
    now = 0.0
    budget = crew.Budget({"calls": 100, "seconds": 1000}, clock=lambda: now)
    for _ in range(84):
        budget.take()
    assert budget.room() and budget.room(11) and not budget.room(12)
    budget.take()
    assert not budget.room(), "85 of 100"
    for _ in range(10):
        budget.take()
    with pytest.raises(crew.Spent, match="calls 95 of 100"):
        budget.take()
    now = 0.0
    late = crew.Budget({"seconds": 1000}, clock=lambda: now)
    for now, room in ((849.0, True), (850.0, False), (949.0, False)):  # noqa: B007 - the clock reads it
        assert late.room() is room
        late.take()
    now = 950.0
    with pytest.raises(crew.Spent):
        late.take()


def test_the_smaller_limit_holds(crew: Any) -> None:
    task = {"limits": {"model_calls": 200, "tokens": None, "wall_clock_seconds": 600.0, "cost_usd": 2.0}}
    budget = crew.Budget.of(task, {"calls": "20", "tokens": "1000", "seconds": "900"})
    assert budget.limits == {"calls": 20, "tokens": 1000, "seconds": 600, "cost": 2}
    assert crew.Budget.of({}, {"calls": "0"}).room(10**9)


def test_tokens_of_calls_under_way_count_with_the_mean(crew: Any, rig: Any) -> None:
    role = crew.Role("r", "Say.", str)
    with rig([say("x " * 200)] * 20, limits={"tokens": 2000}) as made:

        async def all_at_once(made: Any) -> list[Any]:
            await made.ask(role, ["go"], who="0")
            return await crew.fan(range(19), lambda n: made.ask(role, ["go"], who=str(n)), width=19)

        results = made.run(all_at_once)
    spent = [result for result in results if isinstance(result, crew.Failed)]
    assert spent and all(isinstance(result.error, crew.Spent) for result in spent)
    assert made.crew.budget.tokens < 2000 * 1.1
    assert crew.kept(results) == [result for result in results if result not in spent]


def test_a_call_that_hangs_is_given_up_before_the_wall_clock_ends(crew: Any, rig: Any) -> None:
    with rig([hang()], limits={"wall_clock_seconds": 0.5}) as made:
        begun = time.monotonic()
        with pytest.raises(crew.Spent):
            made.run(lambda made: made.ask(crew.Role("r", "Say.", str), ["go"], who="0"))
        assert made.crew.budget.left("seconds") < 0.1
    assert time.monotonic() - begun < 30
