"""Engine: where the trials of a run take place; planning, resuming and reporting do not depend on it."""

import asyncio
from pathlib import Path
from typing import Protocol

from pincite_harness.harbor.plan import HarborTrialPlan
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.carrying import Carried
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.servers import Commands
from pincite_tasks.failure import Cause, Status
from pincite_tasks.trial_record import TrialRecord


class Engine(Protocol):
    """Runs one trial at a time for each caller."""

    @property
    def slots(self) -> int:
        """How many trials it runs at once where the run does not say."""
        ...

    async def run(self, plan: TrialPlan, folder: Path, *, retries: int, carried: Carried) -> TrialRecord | None:
        """Run ``plan`` into ``folder``, which is complete once ``trial.json`` is there; ``retries`` attempts failed
        before, and ``carried`` is what the trial before it in its chain passed on. A cancelled call cleans up, and
        returns the record of a cancelled trial, or None where the trial had not begun. OSError for a fault of this
        machine that every other trial would meet too."""
        ...

    async def close(self) -> None:
        """Let go of what trials shared; no trial runs any more."""
        ...


class LocalEngine:
    """Runs trials in this process, with what they share in ``surroundings``."""

    slots = 1

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings

    async def run(self, plan: TrialPlan, folder: Path, *, retries: int, carried: Carried) -> TrialRecord | None:
        """See Engine."""
        return await _trial_run(plan, folder, self._surroundings, retries, carried).run()

    async def close(self) -> None:
        """See Engine."""
        if self._surroundings.template is not None:
            self._surroundings.template.close()
        marker = self._surroundings.marker
        marker.break_off()
        await asyncio.to_thread(marker.close)


def _trial_run(plan: TrialPlan, folder: Path, around: Surroundings, retries: int, carried: Carried) -> TrialRun:
    """What runs a trial of this plan."""
    if not isinstance(plan, HarborTrialPlan):
        return TrialRun(plan, folder, around, retries=retries, carried=carried)
    from pincite_harness.harbor.run import HarborRun

    return HarborRun(plan, folder, around, retries=retries)


def surroundings_of(specification: RunSpecification, marker: Marker, servers: Commands) -> Surroundings:
    """What the trials of a run share on the machine that runs them; the user's settings are read there."""
    return Surroundings(
        specification.sandbox,
        marker,
        servers,
        specification.web,
        specification.runtime,
        specification.unsafe,
        library=specification.shared_library(),
        server_models=specification.server_models,
    )


def faulty(plan: TrialPlan, detail: str) -> TrialRecord:
    """What is reported of a trial that could not be run or recorded; it is in no file, so a resumed run runs it
    again."""
    return TrialRecord(
        name=plan.name,
        task_id=plan.task.task_id,
        family=plan.family.name,
        attempt=plan.attempt,
        agent=plan.agent.name,
        agent_version=plan.agent.version,
        status=Status.FAILED,
        cause=Cause.SANDBOX_FAILED,
        detail=detail,
    )
