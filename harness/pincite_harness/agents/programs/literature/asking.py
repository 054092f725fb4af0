"""Asking: a role's reply, or a note of why there is none; whatever one role fails to give, the others go on."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from crew import Crew, Refused, Said, Spent
from door import DoorError
from pydantic_ai.exceptions import AgentRunError
from thinking import ThinkingError

from .events import LeftOut

T = TypeVar("T")
UNTIL = {"gate": 0.15, "orchestrator": 0.75, "synthesis": 0.95}
"""Share of the wall clock at which a stage is given up (stated here): a silent gate leaves most of it to the search,
and a silent orchestrator a fifth of it to the synthesis and its checks."""
ONE_CALL = 0.15
"""Share of the wall clock that one call of a selector, reranker or inspector may take (stated here)."""


class Outage(ThinkingError):  # noqa: N818 - its name is what the trial's log says
    """A role could not be asked. The answer that the others left is kept, and the trial is not a fair one."""


class Asking:
    """Runs the roles of one trial."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew
        self.outages: list[str] = []

    async def attempt(self, role: str, asking: Awaitable[Said[T]]) -> tuple[Said[T] | None, str]:
        """What a role says, with or without a value, and an empty cause; or None and the cause. Every cause, and a
        reply that does not fit (``fault``), is noted as LeftOut."""
        waiting = asyncio.timeout(self._seconds(role))
        try:
            async with waiting:
                said = await asking
        except TimeoutError as error:
            if not waiting.expired():
                return self._outage(role, error)
            return self._lost(role, "silence", "nothing within its share of the wall clock")
        except Refused as error:
            return self._lost(role, "refused", str(error))
        except Spent as error:
            return self._lost(role, "spent", str(error))
        except (AgentRunError, ThinkingError, DoorError, OSError) as error:
            return self._outage(role, error)
        if said.value is None:
            self._lost(role, "fault", said.fault)
            return said, "fault"
        return said, ""

    def finish(self) -> None:
        """Outage where a role could not be asked."""
        if self.outages:
            raise Outage("; ".join(self.outages))

    def _seconds(self, role: str) -> float | None:
        """What a role may still take; None without a limit."""
        limit = self.crew.budget.limits.get("seconds")
        if limit is None:
            return None
        left = limit * UNTIL.get(role, 1.0) - self.crew.budget.seconds
        return max(0.0, left if role in UNTIL else min(left, limit * ONE_CALL))

    def _outage(self, role: str, error: Exception) -> tuple[None, str]:
        why = f"{type(error).__name__}: {error}"
        self.outages.append(f"{role}: {why}")
        return self._lost(role, "outage", why)

    def _lost(self, role: str, cause: str, why: str) -> tuple[None, str]:
        self.crew.state.emit(LeftOut(role=role, cause=cause, why=why))
        return None, cause
