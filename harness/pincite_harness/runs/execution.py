"""Execution: a run from its folder to its records, with the machine cleaned first and signals obeyed."""

import asyncio
import os
import signal
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from types import FrameType

from rich.console import Console

from pincite_core.errors import PinciteError, UnavailableError
from pincite_core.settings import load_settings
from pincite_doors.descriptors import connections_for
from pincite_doors.models.playback import Playback
from pincite_doors.traffic import TrafficLimits
from pincite_harness.agents.host import PYTHON
from pincite_harness.runs.job import Job
from pincite_harness.runs.judge_opening import open_judge
from pincite_harness.runs.progress import watch
from pincite_harness.runs.run_folder import RETRIES, RunDocument, RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.run import Surroundings
from pincite_harness.trial.servers import SERVERS
from pincite_harness.trial.workspace import reap_workspaces
from pincite_sandbox.choose import SandboxKind, choose_kind, docker_refused
from pincite_sandbox.images import AGENTS_PYTHON
from pincite_sandbox.reaper import reap
from pincite_scoring import ScoringOptions
from pincite_tasks.failure import Cause
from pincite_tasks.plural import plural
from pincite_tasks.trial_record import TrialRecord

EXIT_INTERRUPTED = 130
"""Exit code of an interrupted command: 128 + SIGINT, as shells have it."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def prepare_agent(specification: RunSpecification, plans: Sequence[TrialPlan], say: Callable[[str], None]) -> None:
    """Look at the image that the run names, and install what its agent needs, before any trial; what is there already
    is taken. UnavailableError or BadInputError where that cannot be."""
    agent = plans[0].agent
    if specification.image:
        object.__setattr__(agent, "image_id", _check_image(agent.docker_image))
    docker = specification.sandbox == "docker" or specification.harbor is not None
    if specification.sandbox == "auto" and not docker:
        docker = not asyncio.run(docker_refused(agent.docker_image))
    agent.prepare(docker, say)
    if any("workbench" in plan.family.settings.own_servers for plan in plans):
        _prepare_workbench(specification.sandbox, say)
    if specification.image and agent.programs:
        _check_image(agent.docker_image, [AGENTS_PYTHON if name == PYTHON else name for name in agent.programs])


def _prepare_workbench(sandbox: SandboxKind, say: Callable[[str], None]) -> None:
    """Install what its programs may import, before a trial waits for it."""
    from pincite_sandbox.science import prepare_science

    kind, _ = asyncio.run(choose_kind("auto" if sandbox == "process" else sandbox))
    say("installing the workbench's packages, unless they were before")
    prepare_science(kind, load_settings().cache_dir, say)


def _check_image(name: str, commands: Sequence[str] = ()) -> str:
    # The SDK takes a third of a second to import: only who names an image pays.
    from pincite_sandbox.images.layer import check_image

    return check_image(name, commands)


def check_sandbox(specification: RunSpecification, plans: Sequence[TrialPlan]) -> None:
    """UnavailableError, before any trial, when nothing on this machine isolates an agent that must be isolated."""
    if specification.harbor is not None:
        from pincite_harness.harbor.images import check_docker

        check_docker(with_agents=plans[0].agent.image == "agents")
        return
    for agent in {plan.agent.name: plan.agent for plan in plans}.values():
        if not (specification.unsafe or agent.trusted):
            asyncio.run(choose_kind(specification.sandbox, agent.docker_image))


def execute(
    folder: RunFolder,
    document: RunDocument,
    plans: Sequence[TrialPlan],
    console: Console,
    *,
    again: Collection[Cause] = (),
    playback: Callable[[], Playback] | None = None,
) -> dict[str, TrialRecord]:
    """Run what is not finished yet, with the run's folder held; returns the records of all trials that have ended.

    Trials that failed of a cause in ``again`` are run again; what they left is kept under their ``retries``.
    ``playback`` makes what each trial gets again of a recorded one.
    UnavailableError when another harness holds the folder, or when this machine cannot write what it must.
    """
    with folder.held():
        try:
            _set_aside(folder, plans, again, console)
            return asyncio.run(_execute(folder, document, plans, console, playback))
        except OSError as error:
            raise UnavailableError(
                "The run stopped because of a fault of this machine; what is finished is kept.",
                seen=f"{type(error).__name__}: {error}",
                next=f"Correct it (a full disk, say), then: pincite resume {folder.path}",
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
) -> dict[str, TrialRecord]:
    specification = document.specification
    traffic = TrafficLimits(connections=connections_for(min(specification.concurrency, len(plans) or 1)))
    reaped = len(await reap()) + len(await asyncio.to_thread(reap_workspaces))
    if reaped:
        console.print(f"removed what dead runs had left: {plural(reaped, 'thing')}", markup=False, highlight=False)
    options = ScoringOptions(open_judge(specification.judge), specification.compat)
    marker = Marker((plan.task for plan in plans), options)
    records = [folder.record(plan.name) for plan in plans]
    finished = sum(record is not None and record.finished for record in records)
    try:
        with watch(console, total=len(plans), finished=finished) as events:
            job = Job(
                folder,
                plans,
                Surroundings(
                    specification.sandbox,
                    marker,
                    SERVERS,
                    specification.web,
                    specification.runtime,
                    specification.unsafe,
                    library=specification.shared_library(),
                    traffic=traffic,
                    server_models=specification.server_models,
                    playback=playback,
                ),
                events,
                concurrency=specification.concurrency,
                retries=specification.retries,
            )
            with _obey_signals(job, console):
                return await job.run()
    finally:
        marker.break_off()
        await asyncio.to_thread(marker.close)


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
