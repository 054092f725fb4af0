"""Run one trial: prepare, start sandbox and doors, run agent, collect, stop, validate, score, write."""

import asyncio
import secrets
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from pincite_core.errors import BadInputError, ForbiddenError, LimitReachedError, NotFoundError, PinciteError
from pincite_core.http.echoes import keys_of
from pincite_core.settings import Settings, load_settings
from pincite_harness.agents.agent import Briefing, Launch
from pincite_harness.agents.host import program_folders, search_path
from pincite_harness.catalog import bundled_folder
from pincite_harness.failure import SCORED, Cause, Failure, Status, TrialError
from pincite_harness.files import write_atomic, write_json
from pincite_harness.gateway.redactor import Redactor
from pincite_harness.gateway.upstream import ServerLaunch
from pincite_harness.servers import Commands, launch_server
from pincite_harness.trajectory.build import Episode, build_trajectory, trajectory_json
from pincite_harness.trial.agent_phase import run_agent, why_it_ended
from pincite_harness.trial.answer import MAX_BYTES, Answer, check_answer
from pincite_harness.trial.brief import write_brief
from pincite_harness.trial.doors import MODEL, TOOLS, WEB, Access, Doors, proxy_variables
from pincite_harness.trial.marking import SCORE_FILE, Marker, unscored
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.record import TRIAL_FILE, SandboxNote, StageTime, TokenCount, TrialRecord
from pincite_harness.trial.sessions import keep_sessions
from pincite_harness.trial.stages import STAGES, StageClock, now
from pincite_harness.trial.tools_shown import lost_tools
from pincite_harness.trial.workspace import Workspace, open_workspace
from pincite_harness.web import WebChoice
from pincite_sandbox.base import Limits, Sandbox, SandboxSpec
from pincite_sandbox.choose import SandboxKind, open_sandbox
from pincite_sandbox.images import AGENTS_IMAGE, AGENTS_PYTHON, DEFAULT_IMAGE
from pincite_sandbox.owner import owner_label

_TOKEN_BYTES = 32
_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all trials of a run share."""

    sandbox: SandboxKind
    marker: Marker
    servers: Commands
    web: WebChoice = field(default_factory=WebChoice)
    runtime: str = ""
    """Another OCI runtime of the Docker daemon, such as ``runsc`` (gVisor)."""
    unsafe: bool = False
    """Whether any agent may run as a plain process where nothing isolates it; pincite's own programs may anyhow."""
    settings: Settings = field(default_factory=load_settings)
    """The user's own, as they were when the run began."""


class TrialRun:
    """Runs ``plan`` into ``folder``. ``run`` returns its record; a cancelled task cleans up and returns one too."""

    def __init__(self, plan: TrialPlan, folder: Path, surroundings: Surroundings, *, retries: int = 0) -> None:
        self._plan = plan
        self._folder = folder
        self._around = surroundings
        self._retries = retries
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._before = surroundings.web.cutoff(plan.task.before, surroundings.settings.before)
        self._corpus = plan.task.corpus if surroundings.web.corpora else None
        self._key = plan.model.key() if plan.model is not None else ""
        self._redactor = Redactor([self.token], [*keys_of(surroundings.settings), self._key])
        self._clock = StageClock()
        self._doors: Doors | None = None
        self._exit = AsyncExitStack()
        self._closing: asyncio.Task[None] | None = None
        self._failure: Failure | None = None
        self._note: SandboxNote | None = None
        self._exit_code: int | None = None
        self._totals: Mapping[str, Any] = {}
        """What the trajectory counts of the whole."""
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
                # The agent's processes have ended: its answer is judged while its container is removed.
                self._closing = asyncio.create_task(self._close())
            await self._judge()
            await asyncio.shield(self._closing)
        except asyncio.CancelledError:
            self._failure = Failure(Cause.CANCELLED, "The run was interrupted.")
        finally:
            await self._closed()
        writing = asyncio.create_task(asyncio.to_thread(self._write, started_at))
        try:
            return await asyncio.shield(writing)
        except asyncio.CancelledError:
            return await writing

    async def _until_collected(self) -> None:
        with self._clock.stage("prepare"):
            workspace = await self._prepare()
        with self._clock.stage("start"):
            doors = await self._open_doors(workspace)
            sandbox = await self._start_sandbox(doors)
            launch, env = await self._brief(sandbox)
        with self._clock.stage("agent"):
            log = self._folder / "agent.log"
            run = await run_agent(sandbox, launch, env, doors, self._plan, log, self._redactor)
        with self._clock.stage("collect"):
            self._exit_code = run.ending.exit_code
            self._warn(await keep_sessions(sandbox, self._plan.agent.sessions, self._folder, self._redactor))
            self._data = await self._collect(sandbox)
        answered = self._data is not None
        self._failure = why_it_ended(run, doors, self._plan, _LIMITS, answered=answered)

    async def _prepare(self) -> Workspace:
        self._folder.mkdir(parents=True, exist_ok=True)
        try:
            return self._exit.enter_context(open_workspace(self._plan.task, self._folder))
        except OSError as error:
            raise TrialError(Cause.SANDBOX_FAILED, f"The workspace cannot be prepared: {error}") from error

    async def _open_doors(self, workspace: Workspace) -> Doors:
        access = Access(self.token, self._key, self._redactor)
        around = self._around
        web = around.web.environment(self._before) | await self._open_corpus()
        self._doors = doors = Doors(self._plan, self._folder, workspace, access)
        self._exit.push_async_callback(doors.close)
        await doors.open(self._launches(workspace, web))
        return doors

    def _launches(self, workspace: Workspace, web: Mapping[str, str]) -> list[ServerLaunch]:
        """How the task's servers are started; the variables ``web`` describe the web that they see."""
        commands, cache = self._around.servers, self._around.settings.cache_dir
        servers = self._plan.family.settings.servers
        return [launch_server(name, workspace, commands, web, cache) for name in servers]

    async def _open_corpus(self) -> dict[str, str]:
        """The variables by which servers see the task's made-up literature, which is served until the trial ends."""
        if self._corpus is None:
            return {}
        from pincite_harness.corpus.corpus import open_corpus
        from pincite_harness.corpus.server import CorpusServer

        try:
            server = CorpusServer(await asyncio.to_thread(open_corpus, self._corpus))
        except PinciteError as error:
            raise TrialError(Cause.SERVER_FAILED, str(error)) from error
        self._exit.push_async_callback(asyncio.to_thread, server.close)
        return server.environment

    async def _start_sandbox(self, doors: Doors) -> Sandbox:
        agent = self._plan.agent
        spec = SandboxSpec(
            name=f"{self._plan.name}-{secrets.token_hex(4)}",
            owner=owner_label(),
            doors=doors.sockets,
            limits=_LIMITS,
            image=AGENTS_IMAGE if agent.image == "agents" else DEFAULT_IMAGE,
            runtime=self._around.runtime,
            programs=program_folders(agent),
            hidden=(bundled_folder(), self._plan.family.folder, self._folder.parent),
        )
        try:
            sandbox = await open_sandbox(self._around.sandbox, spec, unsafe=self._around.unsafe or agent.trusted)
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        self._exit.push_async_callback(sandbox.stop)
        warnings = [*sandbox.warnings, *agent.remarks(sandbox.backend)]
        self._note = SandboxNote(backend=sandbox.backend, warnings=warnings)
        return sandbox

    async def _brief(self, sandbox: Sandbox) -> tuple[Launch, Mapping[str, str]]:
        """The agent's command with all files that go into its working folder, and the variables beside its own."""
        plan, doors = self._plan, self._doors
        try:
            briefing = Briefing(
                prompt=plan.family.fill_prompt(plan.task),
                workdir=sandbox.workdir,
                tools=await self._addresses(sandbox),
                token=self.token,
                seconds=plan.family.settings.limits.wall_clock_seconds,
                python=AGENTS_PYTHON if sandbox.backend == "docker" else sys.executable,
                model=plan.model,
                model_url=await sandbox.door_url(MODEL) if plan.model is not None else "",
                hosted_tools=plan.family.settings.model.hosted_tools,
            )
            launch = plan.agent.launch(briefing)
            launch = replace(launch, files=write_brief(plan, briefing, launch))
            env: dict[str, str] = {} if sandbox.backend == "docker" else search_path(plan.agent)
            if doors is not None and WEB in doors.sockets:
                env |= proxy_variables(await sandbox.door_url(WEB), self.token)
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        return launch, env

    async def _addresses(self, sandbox: Sandbox) -> dict[str, str]:
        """The address of each server of the task, as the agent reaches it."""
        door = await sandbox.door_url(TOOLS)
        return {name: f"{door}/mcp/{name}" for name in self._plan.family.settings.servers}

    async def _collect(self, sandbox: Sandbox) -> bytes | None:
        try:
            data = await sandbox.get(self._plan.family.settings.answer, max_bytes=MAX_BYTES)
        except NotFoundError:
            return None
        except (BadInputError, ForbiddenError, LimitReachedError) as error:
            # Too big, or no regular file: the agent's doing, which must not pass for an outage.
            raise TrialError(Cause.INVALID_ANSWER, str(error)) from error
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        return self._redactor.clean(data)

    def _warn(self, text: str | None) -> None:
        if text and self._note is not None:
            self._note = self._note.model_copy(update={"warnings": [*self._note.warnings, text]})

    async def _closed(self) -> None:
        """Wait until the sandbox and the doors are closed, also when the trial is cancelled again meanwhile."""
        if self._closing is not None:
            try:
                await asyncio.shield(self._closing)
            except asyncio.CancelledError:
                await self._closing

    async def _close(self) -> None:
        with self._clock.stage("stop"):
            try:
                await self._exit.aclose()
            except PinciteError as error:
                # The answer is safe; what is left on the machine is for the next start's reaper.
                self._note = self._note or SandboxNote(backend=str(self._around.sandbox))
                self._warn(f"not stopped cleanly: {error}")

    async def _judge(self) -> None:
        family = self._plan.family
        with self._clock.stage("validate"):
            self._failure = self._without_tools() or self._failure
            schema = family.answer_schema(self._plan.task)
            self._answer = check_answer(self._data, schema, family.settings.answer)
            if self._answer.fault is not None and self._failure is None:
                self._failure = Failure(Cause.INVALID_ANSWER, self._answer.fault)
        cause = self._failure.cause if self._failure is not None else None
        with self._clock.stage("score"):
            if cause not in SCORED:
                self._score = unscored(family.name, family.settings.scorer, f"The trial failed: {cause}.")
                return
            try:
                self._score = await asyncio.to_thread(
                    self._around.marker.mark, family, self._plan.task, self._answer.value, self._folder
                )
            except Exception as error:  # noqa: BLE001 - a scorer's fault is the trial's cause, not the run's end
                reason = f"{type(error).__name__}: {error}"
                self._failure = Failure(Cause.SCORER_FAILED, reason)
                self._score = unscored(family.name, family.settings.scorer, reason)

    def _without_tools(self) -> Failure | None:
        """What an agent does that lost its tools says nothing about it."""
        agent, failure = self._plan.agent, self._failure
        if not agent.shows_tools or (failure is not None and failure.cause not in SCORED):
            return None
        lost = lost_tools(self._folder, self._plan.family.settings.servers)
        return Failure(Cause.SERVER_FAILED, lost) if lost is not None else None

    def _write(self, started_at: str) -> TrialRecord:
        plan = self._plan
        with self._clock.stage("write"):
            self._folder.mkdir(parents=True, exist_ok=True)
            if self._data is not None:
                write_atomic(self._folder / plan.family.settings.answer, self._data)
            prompt = plan.family.fill_prompt(plan.task)
            ended_at = self._clock.stages.get("agent", {}).get("finished_at", started_at)
            names = (plan.name, plan.agent.name, plan.agent.version)
            answer = plan.family.settings.answer
            episode = Episode(*names, prompt, started_at, ended_at, self._data, answer)
            trajectory = build_trajectory(self._folder, episode)
            self._totals = (trajectory.final_metrics.extra if trajectory.final_metrics is not None else None) or {}
            self._write_json("trajectory.json", trajectory_json(trajectory))
            self._write_json(SCORE_FILE, self._score)
        record = self._record()
        self._write_json(TRIAL_FILE, record.model_dump(mode="json"))
        return record

    def _record(self) -> TrialRecord:
        plan, failure, times = self._plan, self._failure, self._clock.stages
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
            stages={name: StageTime.model_validate(times[name]) for name in STAGES if name in times},
            sandbox=self._note,
            model=f"{plan.model.provider}:{plan.model.name}" if plan.model is not None else None,
            **self._spent(),
            exit_code=self._exit_code,
            answered=self._answer.fault is None,
            before=self._before,
            web=self._around.web.seen(corpus=self._corpus is not None),
            corpus=self._corpus.name if self._corpus is not None else None,
            retries=self._retries,
        )

    def _spent(self) -> dict[str, Any]:
        """What the doors counted."""
        doors = self._doors
        if doors is None:
            return {}
        spent: dict[str, Any] = {"tool_calls": doors.tool_meter.calls}
        spent |= {name: self._totals.get(name, 0) for name in ("refused_tool_calls", "unknown_tool_calls")}
        meter = doors.model_meter
        if meter is not None:
            usage = meter.usage
            tokens = TokenCount(
                input=usage.input_tokens,
                cached=usage.cached_tokens,
                cache_write=usage.cache_write_tokens,
                output=usage.output_tokens,
                reasoning=usage.reasoning_tokens,
            )
            spent |= {"model_calls": meter.calls, "tokens": tokens, "cost_usd": meter.cost_usd}
        return spent

    def _write_json(self, name: str, value: Any) -> None:
        write_json(self._folder / name, orjson.loads(self._redactor.clean(orjson.dumps(value))))
