"""Budget: what a trial may still spend, so that a pipeline ends with an answer before a limit ends it."""

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

NO_NEW = 0.85
"""Share of a limit from which no new round or query is opened: 15 % are left to finish what was begun."""
STOP = 0.95
"""Share of a limit from which no call is made: 5 % are left for the tool calls that check and write the answer."""
CUT = 0.97
"""Share of the wall clock at which calls under way are given up, so that seconds are left to write the answer."""
_LIMITS = {"calls": "model_calls", "tokens": "tokens", "seconds": "wall_clock_seconds", "cost": "cost_usd"}


class Spent(Exception):  # noqa: N818 - a state that a pipeline turns into its answer, not a fault
    """The budget is spent: answer with what there is."""


class Budget:
    """Counts calls, tokens, seconds and cost (US dollars) against limits; without a limit there is always room."""

    def __init__(self, limits: Mapping[str, float], clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = {name: limit for name, limit in limits.items() if limit > 0}
        self.calls = 0
        self.tokens = 0
        self.cost = 0.0
        """Of the calls whose price is known."""
        self._clock = clock
        self._begun = clock()
        self._answered = 0
        self._under_way = 0

    @classmethod
    def of(cls, task: Mapping[str, Any], options: Mapping[str, Any]) -> "Budget":
        """The limits of task.json, or the agent's options ``calls``, ``tokens``, ``seconds`` and ``cost`` where these
        are smaller; an option of 0 or none sets nothing."""
        given: Mapping[str, Any] = task.get("limits") or {}
        limits: dict[str, float] = {}
        for name, key in _LIMITS.items():
            values = [float(value) for value in (given.get(key), options.get(name)) if value]
            if values:
                limits[name] = min(values)
        return cls(limits)

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return self._clock() - self._begun

    def left(self, name: str) -> float:
        """What is left of ``calls``, ``tokens``, ``seconds`` or ``cost``; infinity without a limit."""
        return self.limits.get(name, float("inf")) - float(getattr(self, name))

    def share(self, more_calls: int = 0) -> float:
        """The share used of the limit that is nearest to its end, if ``more_calls`` were made too. Calls that are not
        answered yet count with the mean tokens and cost of those that are."""
        pending = self._under_way + more_calls
        expected = {
            "calls": self.calls + more_calls,
            "tokens": self.tokens + pending * self._mean(self.tokens),
            "seconds": self.seconds,
            "cost": self.cost + pending * self._mean(self.cost),
        }
        return max((expected[name] / limit for name, limit in self.limits.items()), default=0.0)

    def room(self, calls: int = 1) -> bool:
        """Whether a new round or query of so many calls may be opened."""
        return self.share() < NO_NEW and self.share(calls) <= STOP

    def take(self) -> None:
        """Count a call that is about to be made; Spent where 95 % of a limit are used."""
        if self.share() >= STOP:
            raise Spent(f"the budget is spent: {self}")
        self.calls += 1
        self._under_way += 1

    def end(self, response: ModelResponse | None) -> None:
        """A call that was taken has ended, with an answer or without one."""
        self._under_way -= 1
        if response is None:
            return
        self._answered += 1
        self.tokens += response.usage.input_tokens + response.usage.output_tokens
        if "cost" in self.limits:
            self.cost += _price(response)

    def until_cut(self) -> float | None:
        """Seconds until calls under way are given up; None without a limit."""
        limit = self.limits.get("seconds")
        return None if limit is None else max(0.0, limit * CUT - self.seconds)

    def __str__(self) -> str:
        used = {name: getattr(self, name) for name in self.limits}
        return ", ".join(f"{name} {used[name]:.4g} of {limit:.4g}" for name, limit in self.limits.items())

    def _mean(self, total: float) -> float:
        return total / self._answered if self._answered else 0.0


class Metered(WrapperModel):
    """A model whose requests are counted, retries too; Spent where a request would pass the budget."""

    def __init__(self, wrapped: Model, budget: Budget) -> None:
        super().__init__(wrapped)
        self._budget = budget

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The answer; it is given up when nearly all of the wall clock is used."""
        self._budget.take()
        response = None
        waiting = asyncio.timeout(self._budget.until_cut())
        try:
            async with waiting:
                response = await super().request(messages, model_settings, model_request_parameters)
                return response
        except TimeoutError:
            if not waiting.expired():
                raise
            raise Spent(f"the budget is spent: {self._budget}") from None
        finally:
            self._budget.end(response)


def _price(response: ModelResponse) -> float:
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return 0.0  # the door knows no price either; a limit of cost was refused before the run then
