"""Job: runs the trials of a run side by side, retries outages, and stops when it is told to."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pincite_core.errors import PinciteError
from pincite_core.http.retries import Backoff
from pincite_harness.runs.engine import Engine, faulty
from pincite_harness.runs.run_folder import RunFolder
from pincite_harness.trial.carrying import NOTHING, Carried, read_carried
from pincite_harness.trial.faults import describe_fault, is_of_machine
from pincite_harness.trial.plan import TrialPlan
from pincite_tasks.failure import RETRYABLE
from pincite_tasks.trial_record import TRIAL_FILE, TrialRecord

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
        engine: Engine,
        events: JobEvents,
        *,
        concurrency: int,
        retries: int,
    ) -> None:
        self._folder = folder
        self._plans = plans
        self._engine = engine
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
        lines = [self._unfinished(line, records) for line in in_lines(self._plans)]
        waiting = [line for line in lines if line]
        waiting.reverse()
        width = min(self._concurrency, len(waiting))
        self._running = {asyncio.create_task(self._work(waiting, records)) for _ in range(width)}
        if self._running:
            await self._wait()
        return records

    def _unfinished(self, line: Sequence[TrialPlan], records: dict[str, TrialRecord]) -> list[TrialPlan]:
        """What of trials that run one after another is still to be run: from the first one on that is not finished.
        Those after it began with what it may now pass on otherwise; what they left is kept under ``retries``."""
        for number, plan in enumerate(line):
            record = self._known(plan.name)
            if record is None or not record.finished:
                for later in line[number + 1 :]:
                    self._folder.set_aside(later.name)
                return list(line[number:])
            records[plan.name] = record
        return []

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

    async def _work(self, waiting: list[list[TrialPlan]], records: dict[str, TrialRecord]) -> None:
        while waiting and not self._stopping:
            for plan in waiting.pop():
                if self._stopping:
                    return
                await self._run_one(plan, records)

    async def _run_one(self, plan: TrialPlan, records: dict[str, TrialRecord]) -> None:
        self._events.started(plan)
        try:
            self._folder.discard(plan.name)
            record = await self._try(plan)
        except Exception as error:
            # Beside its stages a trial has its folder: where that cannot be used, the others still can.
            if is_of_machine(error):
                raise
            record = faulty(plan, f"A fault of the harness: {describe_fault('trial', error)}")
        if record is not None:
            records[plan.name] = record
            self._events.ended(plan, record)

    def _passed_on(self, plan: TrialPlan) -> Carried:
        """What the trial at the place before passed on, or the nearest one before it that could be recorded."""
        if not plan.chain:
            return NOTHING
        before = [other for other in self._plans if other.chain == plan.chain and other.place < plan.place]
        for other in sorted(before, key=lambda other: -other.place):
            if self._known(other.name) is not None:
                return read_carried(self._folder.trial(other.name))
        return NOTHING

    async def _try(self, plan: TrialPlan) -> TrialRecord | None:
        """One trial, again after an outage; each failed attempt is kept under ``retries``. None when it was stopped
        between two attempts, or before the first began."""
        failed = self._folder.set_aside(plan.name)
        for retry in range(self._retries + 1):
            folder = self._folder.trial(plan.name)
            record = await self._engine.run(plan, folder, retries=failed, carried=self._passed_on(plan))
            if (folder / TRIAL_FILE).is_file():
                await self._publish(plan.name)
            if record is None or record.cause not in RETRYABLE or retry == self._retries or self._stopping:
                return record
            self._events.retried(plan, record)
            failed = self._folder.set_aside(plan.name)
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(_BACKOFF.pause(retry + 1))
            if self._stopping:
                break
        return None

    async def _publish(self, name: str) -> None:
        """Bring a complete trial to where the run is read, to the end also when the job is stopped meanwhile."""
        publishing = asyncio.ensure_future(asyncio.to_thread(self._folder.publish, name))
        while not publishing.done():
            with suppress(asyncio.CancelledError):
                await asyncio.shield(publishing)
        publishing.result()


def in_lines(plans: Sequence[TrialPlan]) -> list[list[TrialPlan]]:
    """The plans as lists of those that run one after another: each chain by its places, and every other plan alone."""
    lines: dict[str, list[TrialPlan]] = {}
    for plan in plans:
        lines.setdefault(f"chain {plan.chain}" if plan.chain else f"trial {plan.name}", []).append(plan)
    return [sorted(line, key=lambda plan: plan.place) for line in lines.values()]
