"""The agent's phase of a trial: it runs, watched, until it ends or is ended; then why it ended is told."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import PinciteError
from pincite_doors.redactor import Redactor
from pincite_harness.agents.agent import Ending, Launch
from pincite_harness.trial.doors import Doors
from pincite_harness.trial.log import AgentLog
from pincite_harness.trial.plan import TrialPlan
from pincite_sandbox.base import ExecResult, Limits, OnOutput, Sandbox, Stream
from pincite_tasks.failure import Cause, Failure, TrialError

_GRACE_SECONDS = 10.0
"""How long an agent may go on after a server died or its model's limit was met: enough to write what it has."""
_TAIL_BYTES = 1_000_000
"""Bytes of the end of an agent's output in which the reason of its failure is looked for. Set by judgement."""


class _Tail:
    """The last megabyte of each stream, in which an agent says how it ended."""

    def __init__(self, log: AgentLog) -> None:
        self._log = log
        self._kept: dict[Stream, bytearray] = {"stdout": bytearray(), "stderr": bytearray()}

    def write(self, stream: Stream, chunk: bytes) -> None:
        self._log.write(stream, chunk)
        kept = self._kept[stream]
        kept += chunk
        if len(kept) > 2 * _TAIL_BYTES:
            del kept[:-_TAIL_BYTES]

    def ending(self, exit_code: int | None) -> Ending:
        return Ending(exit_code, bytes(self._kept["stdout"]), bytes(self._kept["stderr"]))


@dataclass(frozen=True, slots=True)
class AgentRun:
    """How the agent ran: ``result`` is None when it was ended because its doors could not go on."""

    result: ExecResult | None
    ending: Ending


async def run_agent(
    sandbox: Sandbox, launch: Launch, env: Mapping[str, str], doors: Doors, plan: TrialPlan, log_file: Path,
    redactor: Redactor, *, leave_running: bool = False,
) -> AgentRun:  # fmt: skip
    """Run it to its end, at most for the wall clock; afterwards none of its processes is left, unless what it started
    shall be seen by a task's own tests."""
    log = AgentLog(log_file, redactor)
    tail = _Tail(log)
    try:
        result = await _watched(sandbox, launch, env, doors, plan.family.settings.limits.wall_clock_seconds, tail.write)
        if not leave_running:
            await sandbox.end_processes()
    except PinciteError as error:
        raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
    finally:
        log.close()
    return AgentRun(result, tail.ending(result.exit_code if result is not None else None))


async def _watched(
    sandbox: Sandbox, launch: Launch, env: Mapping[str, str], doors: Doors, seconds: float, on_output: OnOutput
) -> ExecResult | None:
    variables = {**env, **launch.env}
    running = asyncio.create_task(
        sandbox.exec(
            launch.argv, env=variables, timeout=seconds, on_output=on_output, output_limit=0, files=launch.files
        )
    )
    ended = asyncio.create_task(doors.ended())
    try:
        await asyncio.wait({running, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            await asyncio.wait({running}, timeout=_GRACE_SECONDS)
        return await running if running.done() else None
    finally:
        for task in (running, ended):
            task.cancel()
        await asyncio.gather(running, ended, return_exceptions=True)


def why_it_ended(
    run: AgentRun, doors: Doors, plan: TrialPlan, sandbox_limits: Limits, *, answered: bool
) -> Failure | None:
    """The one cause of a trial that did not go well: the doors know best, then the sandbox, then the agent itself.

    ``answered`` says that the agent left an answer: one that it wrote although its model failed at last is good.
    """
    if doors.server_failure is not None:
        return Failure(Cause.SERVER_FAILED, doors.server_failure)
    result, model = run.result, doors.model_failure
    outage = model if model is not None and model.cause is Cause.MODEL_FAILED else None
    if result is None or doors.limit is not None:
        return Failure(Cause.LIMIT_REACHED, doors.limit or "a limit of the doors")
    if result.timed_out:
        seconds = plan.family.settings.limits.wall_clock_seconds
        return outage or Failure(Cause.LIMIT_REACHED, f"wall clock: {seconds:g} s")
    if result.exit_code == 0 and answered:
        return None
    return _exhausted(result, sandbox_limits) or outage or model or plan.agent.diagnose(run.ending) or _exit(result)


def _exhausted(result: ExecResult, limits: Limits) -> Failure | None:
    """The sandbox's own limit that the agent ran into."""
    if result.out_of_memory:
        return Failure(Cause.LIMIT_REACHED, f"memory: {limits.memory_mb} MiB")
    if result.out_of_pids:
        return Failure(Cause.LIMIT_REACHED, f"processes: {limits.pids}")
    if result.out_of_space:
        return Failure(Cause.LIMIT_REACHED, f"scratch space: {limits.scratch_mb} MiB")
    return None


def _exit(result: ExecResult) -> Failure | None:
    if result.exit_code == 0:
        return None
    return Failure(Cause.AGENT_FAILED, f"The agent ended with exit code {result.exit_code}; see agent.log.")
