"""Execution: a run from its folder to its records, with the machine cleaned first and signals obeyed."""

import asyncio
import os
import signal
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from rich.console import Console

from pincite_core.errors import PinciteError, UnavailableError
from pincite_doors.descriptors import connections_for
from pincite_doors.models.playback import Playback
from pincite_doors.traffic import TrafficLimits
from pincite_harness.runs.engine import Engine, LocalEngine, surroundings_of
from pincite_harness.runs.job import Job
from pincite_harness.runs.judge_opening import open_judge
from pincite_harness.runs.progress import watch
from pincite_harness.runs.run_folder import RETRIES, RunDocument, RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.servers import SERVERS, template_of
from pincite_harness.trial.workspace import reap_workspaces
from pincite_sandbox.reaper import reap
from pincite_scoring import ScoringOptions
from pincite_tasks.failure import Cause
from pincite_tasks.plural import plural
from pincite_tasks.trial_record import TrialRecord

EXIT_INTERRUPTED = 130
"""Exit code of an interrupted command: 128 + SIGINT, as shells have it."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def execute(
    folder: RunFolder,
    document: RunDocument,
    plans: Sequence[TrialPlan],
    console: Console,
    *,
    again: Collection[Cause] = (),
    playback: Callable[[], Playback] | None = None,
    engine: Engine | None = None,
) -> dict[str, TrialRecord]:
    """Run what is not finished yet, with the run's folder held; returns the records of all trials that have ended.

    Trials that failed of a cause in ``again`` are run again; what they left is kept under their ``retries``.
    ``playback`` makes what each trial gets again of a recorded one. ``engine`` is where trials run, as
    ``open_engine`` gave it: this process where it is None.
    UnavailableError when another harness holds the folder, or when this machine cannot write what it must.
    """
    with folder.held():
        try:
            _set_aside(folder, plans, again, console)
            return asyncio.run(_execute(folder, document, plans, console, playback, engine))
        except OSError as error:
            raise UnavailableError(
                "The run stopped because of a fault of this machine; what is finished is kept.",
                seen=f"{type(error).__name__}: {error}",
                next=f"Correct it (a full disk, say), then: pincite resume {folder.address}",
            ) from error


def _set_aside(folder: RunFolder, plans: Sequence[TrialPlan], again: Collection[Cause], console: Console) -> None:
    """Move away what trials left that are to be run again: those of a cause in ``again``, and those whose record is
    damaged, which is told."""
    for plan in plans:
        try:
            record = folder.record(plan.name)
        except PinciteError as error:
            folder.set_aside(plan.name)
            line = f"{plan.name} is run again, what it left is kept under {RETRIES}/: {error.what}"
            console.print(line, markup=False, highlight=False, soft_wrap=True)
            continue
        if record is not None and record.cause in again:
            folder.set_aside(plan.name)


async def _execute(
    folder: RunFolder,
    document: RunDocument,
    plans: Sequence[TrialPlan],
    console: Console,
    playback: Callable[[], Playback] | None,
    engine: Engine | None,
) -> dict[str, TrialRecord]:
    specification = document.specification
    reaped = len(await reap()) + len(await asyncio.to_thread(reap_workspaces))
    if reaped:
        console.print(f"removed what dead runs had left: {plural(reaped, 'thing')}", markup=False, highlight=False)
    engine = engine or _local_engine(specification, plans, playback)
    records = [folder.record(plan.name) for plan in plans]
    finished = sum(record is not None and record.finished for record in records)
    concurrency = specification.concurrency or engine.slots
    try:
        with watch(console, total=len(plans), finished=finished) as events:
            job = Job(folder, plans, engine, events, concurrency=concurrency, retries=specification.retries)
            with _obey_signals(job, console):
                return await job.run()
    finally:
        await engine.close()


def _local_engine(
    specification: RunSpecification, plans: Sequence[TrialPlan], playback: Callable[[], Playback] | None
) -> Engine:
    at_once = min(specification.concurrency or LocalEngine.slots, len(plans) or 1)
    options = ScoringOptions(open_judge(specification.judge), specification.compat)
    marker = Marker((plan.task for plan in plans), options)
    traffic = TrafficLimits(connections=connections_for(at_once))
    around = surroundings_of(specification, marker, SERVERS)
    template = template_of(plan.family for plan in plans)
    return LocalEngine(replace(around, traffic=traffic, playback=playback, template=template))


@contextmanager
def _obey_signals(job: Job, console: Console) -> Generator[None]:
    """The first Ctrl-C (or SIGTERM) stops the job cleanly, the second ends the process at once.

    The handlers are Python's own and not the event loop's: a loop that is busy would not come to them. What the second
    one leaves is little: the kernel ends the processes that score, and the next run's reaper finds the rest.
    """
    loop = asyncio.get_running_loop()
    asked = False

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            os._exit(EXIT_INTERRUPTED)
        asked = True
        loop.call_soon_threadsafe(stop)

    def stop() -> None:
        console.print("stopping; once more ends it at once", markup=False, highlight=False)
        job.stop()

    before = {number: signal.signal(number, on_signal) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
