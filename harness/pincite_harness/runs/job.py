"""Job: runs the trials of a run side by side, retries outages, and stops when it is told to."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import PinciteError
from pincite_core.http.retries import Backoff
from pincite_harness.harbor.plan import HarborTrialPlan
from pincite_harness.runs.run_folder import RunFolder
from pincite_harness.trial.faults import describe_fault, is_of_machine
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_tasks.failure import RETRYABLE, Cause, Status
from pincite_tasks.trial_record import TrialRecord

_BACKOFF = Backoff(1.0)


@dataclass(frozen=True, slots=True)
class JobEvents:
    """What a job tells whoever watches; each is called from the event loop."""

    started: Callable[[TrialPlan], None]
    retried: Callable[[TrialPlan, TrialRecord], None]
    ended: Callable[[TrialPlan, TrialRecord], None]


class Job:
    """Runs what of ``plans`` is not finished yet, at most ``concurrency`` at once."""

    def __init__(
        self,
        folder: RunFolder,
        plans: Sequence[TrialPlan],
        surroundings: Surroundings,
        events: JobEvents,
        *,
        concurrency: int,
        retries: int,
    ) -> None:
        self._folder = folder
        self._plans = plans
        self._around = surroundings
        self._events = events
        self._concurrency = concurrency
        self._retries = retries
        self._running: set[asyncio.Task[None]] = set()
        self._stopping = False

    @property
    def stopping(self) -> bool:
        """Whether ``stop`` was called."""
        return self._stopping

    def stop(self) -> None:
        """Start no more trials and cancel those that run; each cleans up and is recorded as cancelled."""
        self._stopping = True
        for task in self._running:
            task.cancel()

    async def run(self) -> dict[str, TrialRecord]:
        """Every trial's record by name, those of finished ones from before too; trials not started are missing."""
        records: dict[str, TrialRecord] = {}
        waiting: list[TrialPlan] = []
        for plan in self._plans:
            record = self._known(plan.name)
            if record is not None and record.finished:
                records[plan.name] = record
            else:
                waiting.append(plan)
        waiting.reverse()
        width = min(self._concurrency, len(waiting))
        self._running = {asyncio.create_task(self._work(waiting, records)) for _ in range(width)}
        if self._running:
            await self._wait()
        return records

    def _known(self, name: str) -> TrialRecord | None:
        """A trial's record; one that is damaged is set aside with its folder, and its trial is run again."""
        try:
            return self._folder.record(name)
        except PinciteError:
            self._folder.set_aside(name)
            return None

    async def _wait(self) -> None:
        """Wait for the workers; a fault of the machine in one stops the others before it is raised."""
        try:
            await asyncio.wait(self._running, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            if any(not task.done() for task in self._running):
                self.stop()
                await asyncio.wait(self._running)
        for task in self._running:
            if not task.cancelled() and (error := task.exception()) is not None:
                raise error

    async def _work(self, waiting: list[TrialPlan], records: dict[str, TrialRecord]) -> None:
        while waiting and not self._stopping:
            plan = waiting.pop()
            self._events.started(plan)
            try:
                self._folder.discard(plan.name)
                record = await self._try(plan)
            except Exception as error:
                # Beside its stages a trial has its folder: where that cannot be used, the others still can.
                if is_of_machine(error):
                    raise
                record = _faulty(plan, error)
            if record is not None:
                records[plan.name] = record
                self._events.ended(plan, record)

    async def _try(self, plan: TrialPlan) -> TrialRecord | None:
        """One trial, again after an outage; each failed attempt is kept under ``retries``. None when it was stopped
        between two attempts."""
        failed = self._folder.set_aside(plan.name)
        for retry in range(self._retries + 1):
            run = _run_of(plan, self._folder.trial(plan.name), self._around, failed)
            record = await run.run()
            if record.cause not in RETRYABLE or retry == self._retries or self._stopping:
                return record
            self._events.retried(plan, record)
            failed = self._folder.set_aside(plan.name)
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(_BACKOFF.pause(retry + 1))
            if self._stopping:
                break
        return None


def _run_of(plan: TrialPlan, folder: Path, around: Surroundings, retries: int) -> TrialRun:
    """What runs a trial of this plan."""
    if not isinstance(plan, HarborTrialPlan):
        return TrialRun(plan, folder, around, retries=retries)
    from pincite_harness.harbor.run import HarborRun

    return HarborRun(plan, folder, around, retries=retries)


def _faulty(plan: TrialPlan, error: Exception) -> TrialRecord:
    """What is told of a trial that could not be run or recorded; it is in no file, so a resumed run runs it again."""
    return TrialRecord(
        name=plan.name,
        task_id=plan.task.task_id,
        family=plan.family.name,
        attempt=plan.attempt,
        agent=plan.agent.name,
        agent_version=plan.agent.version,
        status=Status.FAILED,
        cause=Cause.SANDBOX_FAILED,
        detail=f"A fault of the harness: {describe_fault('trial', error)}",
    )
