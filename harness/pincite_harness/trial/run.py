"""Run one trial: prepare, start sandbox and doors, run agent, collect, stop, validate, score, write."""

import asyncio
import secrets
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from pincite_core.errors import LimitReachedError, NotFoundError, PinciteError
from pincite_core.http.echoes import keys_of
from pincite_core.settings import load_settings
from pincite_harness.failure import SCORED, Cause, Failure, Status, TrialError
from pincite_harness.files import write_atomic, write_json
from pincite_harness.gateway.door import ToolDoor
from pincite_harness.gateway.media import MediaStore
from pincite_harness.gateway.meter import ToolMeter
from pincite_harness.gateway.recorder import WireRecorder
from pincite_harness.gateway.redactor import Redactor
from pincite_harness.servers import Commands, launch_server
from pincite_harness.trajectory.build import Episode, build_trajectory, trajectory_json
from pincite_harness.trial.answer import ANSWER_FILE, MAX_BYTES, Answer, check_answer
from pincite_harness.trial.brief import write_brief
from pincite_harness.trial.log import AgentLog
from pincite_harness.trial.marking import SCORE_FILE, Marker, unscored
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.record import TRIAL_FILE, SandboxNote, StageTime, TrialRecord
from pincite_harness.trial.stages import StageClock, now
from pincite_harness.trial.workspace import Workspace, open_workspace
from pincite_harness.web import WebChoice
from pincite_sandbox.base import ExecResult, Sandbox, SandboxSpec
from pincite_sandbox.choose import SandboxKind, open_sandbox
from pincite_sandbox.owner import owner_label

_TOKEN_BYTES = 32
_GRACE_SECONDS = 10.0
"""How long an agent may go on after one of its servers died."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all trials of a run share."""

    sandbox: SandboxKind
    marker: Marker
    servers: Commands
    web: WebChoice = field(default_factory=WebChoice)


class TrialRun:
    """Runs ``plan`` into ``folder``. ``run`` returns its record; a cancelled task cleans up and returns one too."""

    def __init__(self, plan: TrialPlan, folder: Path, surroundings: Surroundings, *, retries: int = 0) -> None:
        self._plan = plan
        self._folder = folder
        self._around = surroundings
        self._retries = retries
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._before = surroundings.web.cutoff(plan.task.before)
        self._redactor = Redactor([self.token], keys_of(load_settings()))
        self._clock = StageClock()
        self._meter = ToolMeter(plan.family.settings.limits.tool_calls)
        self._exit = AsyncExitStack()
        self._failure: Failure | None = None
        self._note: SandboxNote | None = None
        self._exit_code: int | None = None
        self._data: bytes | None = None
        self._answer = Answer(fault="The trial ended before an answer was collected.")
        self._score = unscored(plan.family.name, plan.family.settings.scorer, "The trial did not come to its score.")

    async def run(self) -> TrialRecord:
        """All stages; what went wrong is in the record, not raised, but for a fault of the harness itself."""
        started_at = now()
        try:
            try:
                await self._until_collected()
            except TrialError as error:
                self._failure = error.failure
            finally:
                await self._stop()
            await self._judge()
        except asyncio.CancelledError:
            self._failure = Failure(Cause.CANCELLED, "The run was interrupted.")
        writing = asyncio.create_task(asyncio.to_thread(self._write, started_at))
        try:
            return await asyncio.shield(writing)
        except asyncio.CancelledError:
            return await writing

    async def _until_collected(self) -> None:
        with self._clock.stage("prepare"):
            workspace = await self._prepare()
        with self._clock.stage("start"):
            door = await self._open_door(workspace)
            sandbox = await self._start_sandbox(workspace)
        with self._clock.stage("agent"):
            result = await self._run_agent(sandbox, door)
        with self._clock.stage("collect"):
            self._data = await self._collect(sandbox)
        self._failure = self._why(result, door)

    async def _prepare(self) -> Workspace:
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            return self._exit.enter_context(open_workspace(self._plan.task, self._folder))
        except OSError as error:
            raise TrialError(Cause.SANDBOX_FAILED, f"The workspace cannot be prepared: {error}") from error

    async def _open_door(self, workspace: Workspace) -> ToolDoor:
        settings = self._plan.family.settings
        recorder = WireRecorder(self._folder / "wire" / "mcp.jsonl", self._redactor)
        media = MediaStore(self._folder)
        door = ToolDoor(workspace.socket, self.token, meter=self._meter, recorder=recorder, media=media)
        web = self._around.web.environment(self._before)
        launches = [launch_server(name, workspace, self._around.servers, web) for name in settings.servers]
        try:
            await door.open(launches, settings.tools, self._folder / "wire")
        except PinciteError as error:
            raise TrialError(Cause.SERVER_FAILED, str(error)) from error
        self._exit.push_async_callback(door.close)
        return door

    async def _start_sandbox(self, workspace: Workspace) -> Sandbox:
        spec = SandboxSpec(
            name=f"{self._plan.name}-{secrets.token_hex(4)}", owner=owner_label(), doors={"tools": workspace.socket}
        )
        try:
            sandbox = await open_sandbox(self._around.sandbox, spec)
            self._exit.push_async_callback(sandbox.stop)
            self._note = SandboxNote(backend=sandbox.backend, warnings=list(sandbox.warnings))
            brief = write_brief(self._plan, await sandbox.door_url("tools"), self.token)
            for name, data in brief.items():
                await sandbox.put(name, data)
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        return sandbox

    async def _run_agent(self, sandbox: Sandbox, door: ToolDoor) -> ExecResult | None:
        """How the agent ended; None when it was ended because a server had died."""
        log = AgentLog(self._folder / "agent.log", self._redactor)
        agent = self._plan.agent
        seconds = self._plan.family.settings.limits.wall_clock_seconds
        running = asyncio.create_task(
            sandbox.exec(agent.argv, env=agent.env, timeout=seconds, on_output=log.write, output_limit=0)
        )
        dying = asyncio.create_task(door.failed.wait())
        try:
            await asyncio.wait({running, dying}, return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                await asyncio.wait({running}, timeout=_GRACE_SECONDS)
            return await running if running.done() else None
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        finally:
            for task in (running, dying):
                task.cancel()
            await asyncio.gather(running, dying, return_exceptions=True)
            log.close()

    async def _collect(self, sandbox: Sandbox) -> bytes | None:
        try:
            data = await sandbox.get(ANSWER_FILE, max_bytes=MAX_BYTES)
        except NotFoundError:
            return None
        except LimitReachedError as error:
            raise TrialError(Cause.INVALID_ANSWER, str(error)) from error
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        return self._redactor.clean(data)

    def _why(self, result: ExecResult | None, door: ToolDoor) -> Failure | None:
        limits = self._plan.family.settings.limits
        self._exit_code = result.exit_code if result is not None else None
        if result is None or door.failure is not None:
            return Failure(Cause.SERVER_FAILED, door.failure or "A server died.")
        if result.timed_out:
            return Failure(Cause.LIMIT_REACHED, f"wall clock: {limits.wall_clock_seconds:g} s")
        if self._meter.exceeded:
            return Failure(Cause.LIMIT_REACHED, f"tool calls: {limits.tool_calls}")
        if result.exit_code != 0:
            return Failure(Cause.AGENT_FAILED, f"The agent ended with exit code {result.exit_code}; see agent.log.")
        return None

    async def _stop(self) -> None:
        """Close the sandbox and the doors to the end, even when the trial is cancelled meanwhile."""
        with self._clock.stage("stop"):
            closing = asyncio.create_task(self._close())
            try:
                await asyncio.shield(closing)
            except asyncio.CancelledError:
                await closing
                raise

    async def _close(self) -> None:
        try:
            await self._exit.aclose()
        except PinciteError as error:
            # The answer is safe; what is left on the machine is for the next start's reaper.
            note = self._note or SandboxNote(backend=str(self._around.sandbox))
            self._note = note.model_copy(update={"warnings": [*note.warnings, f"not stopped cleanly: {error}"]})

    async def _judge(self) -> None:
        family = self._plan.family
        with self._clock.stage("validate"):
            self._answer = check_answer(self._data, family.schema)
            if self._answer.fault is not None and self._failure is None:
                self._failure = Failure(Cause.INVALID_ANSWER, self._answer.fault)
        cause = self._failure.cause if self._failure is not None else None
        with self._clock.stage("score"):
            if cause not in SCORED:
                self._score = unscored(family.name, family.settings.scorer, f"The trial failed: {cause}.")
                return
            try:
                self._score = await asyncio.to_thread(
                    self._around.marker.mark, family.settings.scorer, self._plan.task, self._answer.value
                )
            except Exception as error:  # noqa: BLE001 - a scorer's fault is the trial's cause, not the run's end
                reason = f"{type(error).__name__}: {error}"
                self._failure = Failure(Cause.SCORER_FAILED, reason)
                self._score = unscored(family.name, family.settings.scorer, reason)

    def _write(self, started_at: str) -> TrialRecord:
        plan = self._plan
        with self._clock.stage("write"):
            self._folder.mkdir(parents=True, exist_ok=True)
            if self._data is not None:
                write_atomic(self._folder / ANSWER_FILE, self._data)
            prompt = plan.family.fill_prompt(plan.task)
            ended_at = self._clock.stages.get("agent", {}).get("finished_at", started_at)
            episode = Episode(plan.name, plan.agent.name, plan.agent.version, prompt, started_at, ended_at, self._data)
            self._write_json("trajectory.json", trajectory_json(build_trajectory(self._folder, episode)))
            self._write_json(SCORE_FILE, self._score)
        record = self._record()
        self._write_json(TRIAL_FILE, record.model_dump(mode="json"))
        return record

    def _record(self) -> TrialRecord:
        plan, failure = self._plan, self._failure
        return TrialRecord(
            name=plan.name,
            task_id=plan.task.task_id,
            family=plan.family.name,
            attempt=plan.attempt,
            agent=plan.agent.name,
            agent_version=plan.agent.version,
            status=failure.status if failure is not None else Status.COMPLETED,
            cause=failure.cause if failure is not None else None,
            detail=failure.detail if failure is not None else None,
            stages={name: StageTime.model_validate(stage) for name, stage in self._clock.stages.items()},
            sandbox=self._note,
            tool_calls=self._meter.calls,
            exit_code=self._exit_code,
            answered=self._answer.fault is None,
            before=self._before,
            web=self._around.web.mode,
            retries=self._retries,
        )

    def _write_json(self, name: str, value: Any) -> None:
        write_json(self._folder / name, orjson.loads(self._redactor.clean(orjson.dumps(value))))
