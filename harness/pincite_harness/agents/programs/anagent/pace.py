"""Pace: how much of the wall clock each stage may take, and what becomes of a role that gives nothing."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from crew import Crew, Refused, Said, Spent
from door import DoorError
from pydantic_ai.exceptions import AgentRunError
from thinking import ThinkingError

from anagent.events import Lost
from anagent.memory import Enough

T = TypeVar("T")
UNTIL = {"planner": 0.2, "expert": 0.55, "solver": 0.8, "critic": 0.88, "solver again": 0.95}
"""Share of the wall clock at which a stage is given up (stated here): a model that is silent in one of them leaves a
fifth or more of it to the first analysis, and each later stage only betters an answer that is written already."""


class Outage(ThinkingError):  # noqa: N818 - its name is what the trial's log says
    """A role could not be asked. What the others wrote is kept, and the trial is not a fair one."""


class Pace:
    """Runs the stages of one trial, each until its share of the wall clock."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew
        self.outages: list[str] = []

    def seconds(self, stage: str) -> float | None:
        """What a stage may still take; None without a limit."""
        limit = self.crew.budget.limits.get("seconds")
        return None if limit is None else max(0.0, limit * UNTIL[stage] - self.crew.budget.seconds)

    async def attempt(self, stage: str, role: str, asking: Awaitable[Said[T]]) -> Said[T] | None:
        """What a role says, with or without a value; None where it refused, was silent, could not be asked, or had no
        budget. Each of these, and a reply that does not fit, is noted as Lost."""
        waiting = asyncio.timeout(self.seconds(stage))
        try:
            async with waiting:
                said = await asking
        except TimeoutError as error:
            if not waiting.expired():
                self._outage(role, error)
                return None
            self._lost(role, "silence", f"nothing within {UNTIL[stage]:.0%} of the wall clock")
            return None
        except Refused as error:
            self._lost(role, "refused", str(error))
            return None
        except (Spent, Enough) as error:
            self._lost(role, "spent", str(error))
            return None
        except (AgentRunError, ThinkingError, DoorError, OSError) as error:
            self._outage(role, error)
            return None
        if said.value is None:
            self._lost(role, "fault", said.fault)
        return said

    def finish(self) -> None:
        """Outage where a role could not be asked."""
        if self.outages:
            raise Outage("; ".join(self.outages))

    def _outage(self, role: str, error: Exception) -> None:
        why = f"{type(error).__name__}: {error}"
        self.outages.append(f"{role}: {why}")
        self._lost(role, "outage", why)

    def _lost(self, role: str, cause: str, why: str) -> None:
        self.crew.state.emit(Lost(role=role, cause=cause, why=why))
