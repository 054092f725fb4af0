"""Run one trial: prepare, start sandbox and doors, run agent, collect, stop, validate, score, write."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import orjson

from pincite_core.errors import BadInputError, ForbiddenError, LimitReachedError, NotFoundError, PinciteError
from pincite_core.http.redaction import keys_of
from pincite_core.settings import Settings, load_settings
from pincite_doors.models.playback import Playback
from pincite_doors.redactor import Redactor
from pincite_doors.template import ServerTemplate
from pincite_doors.traffic import TrafficLimits
from pincite_doors.upstream import ServerLaunch
from pincite_harness.agents.agent import Briefing, Launch
from pincite_harness.agents.host import program_folders, search_path
from pincite_harness.marking.errors import ScorerFailedError
from pincite_harness.trial.agent_phase import run_agent, why_it_ended
from pincite_harness.trial.brief import write_brief
from pincite_harness.trial.carrying import NOTE, NOTHING, Carried, keep_carried, read_carried
from pincite_harness.trial.doors import MODEL, TOOLS, WEB, Access, Doors, proxy_variables
from pincite_harness.trial.faults import FAULTS_FILE, cause_of, describe_fault, is_of_machine, write_fault
from pincite_harness.trial.marking import SCORE_FILE, Marker, Marking, unscored
from pincite_harness.trial.model_routes import model_routes
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.server_models import ServerModels
from pincite_harness.trial.servers import Commands, launch_server, launch_third_party, secrets_of, workbench_variables
from pincite_harness.trial.sessions import keep_sessions
from pincite_harness.trial.shared_library import SharedLibrary
from pincite_harness.trial.stages import STAGES, StageClock, now
from pincite_harness.trial.tools_shown import lost_tools
from pincite_harness.trial.workspace import Workspace, open_workspace
from pincite_sandbox.base import Limits, Sandbox, SandboxSpec
from pincite_sandbox.choose import SandboxKind, open_sandbox
from pincite_sandbox.owner import owner_label
from pincite_tasks.answer import Answer
from pincite_tasks.catalog import bundled_folder
from pincite_tasks.failure import SCORED, Cause, Failure, Status, TrialError
from pincite_tasks.files import write_atomic, write_json
from pincite_tasks.trial_record import (
    TRIAL_FILE,
    SandboxNote,
    StageTime,
    TokenCount,
    TrialRecord,
    earlier_spending,
)
from pincite_tasks.web import WebChoice
from pincite_trajectory.build import Episode, build_trajectory, trajectory_json
from pincite_trajectory.call_counts import CallCounts

T = TypeVar("T")
_TOKEN_BYTES = 32
"""Bytes of a trial's token: 256 bits."""
_LIMITS = Limits()
_UNWRITTEN = {"status": Status.FAILED, "cause": Cause.SANDBOX_FAILED}
"""What becomes of a trial whose record cannot be written."""


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
    library: SharedLibrary | None = None
    """An ingested library that all trials read; None: each has an empty one of its own."""
    traffic: TrafficLimits = field(default_factory=TrafficLimits)
    """What the doors of each trial take together."""
    server_models: ServerModels = field(default_factory=ServerModels)
    """The models that servers ask, and their settings."""
    playback: Callable[[], Playback] | None = None
    """Makes what a trial gets again of a recorded one, for each trial its own; None where all is live."""
    template: ServerTemplate | None = None
    """What forks pincite's servers; None: each is started afresh."""


class TrialRun:
    """Runs ``plan`` into ``folder``. ``run`` returns its record; a cancelled task cleans up and returns one too."""

    def __init__(
        self,
        plan: TrialPlan,
        folder: Path,
        surroundings: Surroundings,
        *,
        retries: int = 0,
        carried: Carried = NOTHING,
    ) -> None:
        self._plan = plan
        self._folder = folder
        self._around = surroundings
        self._retries = retries
        self._carried = carried
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._before = surroundings.web.cutoff(plan.task.before, surroundings.settings.before)
        self._corpus = plan.task.corpus if surroundings.web.corpora else None
        self._playback = surroundings.playback() if surroundings.playback is not None else None
        self._server_token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._routes = model_routes(plan, surroundings.server_models, surroundings.web, self._playback)
        self._third_party = plan.family.settings.third_party
        of_models = [route.key for route in self._routes]
        keys = [*keys_of(surroundings.settings), *of_models, *secrets_of(self._third_party)]
        self._redactor = Redactor([self.token, self._server_token], keys)
        self._clock = StageClock()
        self._doors: Doors | None = None
        self._exit = AsyncExitStack()
        self._closing: asyncio.Task[None] | None = None
        self._failure: Failure | None = None
        self._note: SandboxNote | None = None
        self._exit_code: int | None = None
        self._faults: list[str] = []
        self._totals: Mapping[str, Any] = {}
        """What the trajectory counts of the whole."""
        self._data: bytes | None = None
        self._answer = Answer(fault="The trial ended before an answer was collected.")
        self._score = unscored(plan.family.name, plan.family.settings.scorer, "The trial did not come to its score.")

    async def run(self) -> TrialRecord:
        """All stages; what went wrong is in the record, not raised, but for a fault of the machine (a full disk): every
        other trial would meet that too."""
        started_at = now()
        try:
            try:
                await self._until_collected()
            except TrialError as error:
                self._failure = error.failure
            except Exception as error:  # noqa: BLE001 - a fault in one trial is that trial's, not the run's
                self._failure = self._fault(self._clock.current, error)
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
            if self._plan.chain:
                self._warn(await keep_carried(sandbox, self._folder, self._redactor))
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
        around = self._around
        played = self._playback.tools if self._playback is not None else None
        access = Access(self.token, self._server_token, self._routes, self._redactor, played)
        web = around.web.environment(self._before) | await self._open_corpus()
        web |= workbench_variables(around.sandbox, around.runtime)
        web["PINCITE_WITHHELD"] = orjson.dumps(self._plan.task.withheld).decode()
        self._doors = doors = Doors(self._plan, self._folder, workspace, access, around.traffic)
        self._exit.push_async_callback(doors.close)
        await doors.open_models()
        await doors.open(self._launches(workspace, web, doors))
        return doors

    def _launches(self, workspace: Workspace, web: Mapping[str, str], doors: Doors) -> list[ServerLaunch]:
        """How the task's servers are started; the variables ``web`` describe the web that they see."""
        commands, cache = self._around.servers, self._around.settings.cache_dir
        servers = self._plan.family.settings.own_servers
        given = {**self._plan.agent.server_environment, **web}
        models, library = self._around.server_models, self._around.library
        launches: list[ServerLaunch] = []
        for name in servers:
            reached = doors.model_variables(name, models)
            launches.append(
                launch_server(name, workspace, commands, given, cache, models, reached, library, self._around.template)
            )
        try:
            others = [launch_third_party(server, workspace.papers, workspace.scratch) for server in self._third_party]
        except PinciteError as error:
            raise TrialError(Cause.SERVER_FAILED, str(error)) from error
        return [*launches, *others]

    async def _open_corpus(self) -> dict[str, str]:
        """The variables by which servers see the task's made-up literature, which is served until the trial ends."""
        if self._corpus is None:
            return {}
        from pincite_tasks.corpus.corpus import open_corpus
        from pincite_tasks.corpus.server import CorpusServer

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
            image=agent.docker_image,
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
                prompt=self._prompt(),
                workdir=sandbox.workdir,
                tools=await self._addresses(sandbox),
                token=self.token,
                seconds=plan.family.settings.limits.wall_clock_seconds,
                python=plan.agent.python(docker=sandbox.backend == "docker"),
                model=plan.model,
                role_models=plan.role_models,
                model_url=await sandbox.door_url(MODEL) if plan.model is not None else "",
                hosted_tools=plan.family.settings.model.hosted_tools,
            )
            launch = plan.agent.launch(briefing)
            launch = replace(launch, files=self._carried.briefed() | write_brief(plan, briefing, launch))
            env: dict[str, str] = {} if sandbox.backend == "docker" else search_path(plan.agent)
            if doors is not None and WEB in doors.sockets:
                env |= proxy_variables(await sandbox.door_url(WEB), self.token)
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        return launch, env

    def _prompt(self) -> str:
        """The task's prompt; in a chain it says what ``carry/`` is."""
        prompt = self._plan.prompt
        return prompt + NOTE if self._plan.chain else prompt

    async def _addresses(self, sandbox: Sandbox) -> dict[str, str]:
        """The address of each server of the task, as the agent reaches it."""
        door = await sandbox.door_url(TOOLS)
        return {name: f"{door}/mcp/{name}" for name in self._plan.family.settings.servers}

    async def _collect(self, sandbox: Sandbox) -> bytes | None:
        name, most = self._plan.family.settings.answer, self._plan.family.settings.limits.answer_bytes
        try:
            data = await sandbox.get(name, max_bytes=most)
        except NotFoundError:
            return None
        except LimitReachedError as error:
            detail = f"{name} has more than {most:,} bytes (answer_bytes): {error}"
            raise TrialError(Cause.INVALID_ANSWER, detail) from error
        except (BadInputError, ForbiddenError) as error:
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
            except Exception as error:  # noqa: BLE001 - see ``run``
                # The answer is safe; what is left on the machine is for the next start's reaper.
                if not isinstance(error, PinciteError):
                    self._fault("stop", error)
                self._note = self._note or SandboxNote(backend=str(self._around.sandbox))
                self._warn(f"not stopped cleanly: {error}")

    async def _judge(self) -> None:
        """Check and score the answer, in a process that is killed when the trial is cancelled."""
        family = self._plan.family
        try:
            marking = self._around.marker.marking(family, self._plan.task, self._folder)
            with self._clock.stage("validate"):
                self._failure = await asyncio.to_thread(self._without_tools) or self._failure
                fault = await _unless_cancelled(marking, marking.check, self._data)
                self._answer = Answer(fault=fault)
                if fault is not None and self._failure is None:
                    self._failure = Failure(Cause.INVALID_ANSWER, fault)
            cause = self._failure.cause if self._failure is not None else None
            with self._clock.stage("score"):
                if cause not in SCORED:
                    self._score = unscored(family.name, family.settings.scorer, f"The trial failed: {cause}.")
                    return
                data = self._data if fault is None else None
                self._score = await _unless_cancelled(marking, marking.mark, data)
        except Exception as error:  # noqa: BLE001 - see ``run``
            self._unmarked(error)

    def _unmarked(self, error: Exception) -> None:
        """There is no score: the trial failed of its scorer, unless it had failed of an outage before."""
        if isinstance(error, ScorerFailedError) and error.trace:
            write_fault(self._folder, self._clock.current, error, self._redactor, error.trace)
        elif not isinstance(error, PinciteError):
            self._fault(self._clock.current, error)
        reason = str(error) if isinstance(error, PinciteError) else f"{type(error).__name__}: {error}"
        if self._failure is None or self._failure.cause in SCORED:
            self._failure = Failure(Cause.SCORER_FAILED, reason)
        self._score = unscored(self._plan.family.name, self._plan.family.settings.scorer, reason)

    def _fault(self, stage: str, error: Exception) -> Failure:
        """Note an error that nobody expected; raised again where it is the machine's."""
        if is_of_machine(error):
            raise error
        told = describe_fault(stage, error)
        self._faults.append(told)
        write_fault(self._folder, stage, error, self._redactor)
        return Failure(cause_of(stage), f"A fault of the harness ({FAULTS_FILE} has more): {told}")

    def _without_tools(self) -> Failure | None:
        """What an agent does that lost its tools says nothing about it."""
        agent, failure = self._plan.agent, self._failure
        if self._doors is not None and self._doors.traffic.exceeded is not None:
            return None  # its own flood may have crowded them out of the record
        if not agent.shows_tools or (failure is not None and failure.cause not in SCORED):
            return None
        lost = lost_tools(self._folder, self._plan.family.settings.servers)
        return Failure(Cause.SERVER_FAILED, lost) if lost is not None else None

    def _write(self, started_at: str) -> TrialRecord:
        with self._clock.stage("write"):
            try:
                self._write_evidence(started_at)
            except Exception as error:  # noqa: BLE001 - see ``run``
                self._fault("write", error)
        record = self._record()
        try:
            self._write_json(TRIAL_FILE, record.model_dump(mode="json"))
        except Exception as error:  # noqa: BLE001 - see ``run``: the trial is not finished, and a resumed run runs it again
            told = self._fault("write", error).detail
            return self._record().model_copy(update=_UNWRITTEN | {"detail": told})
        return record

    def _write_evidence(self, started_at: str) -> None:
        """The answer, the score and the trajectory; the last cannot take the others with it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._data is not None:
            write_atomic(self._folder / self._plan.family.settings.answer, self._data)
        self._write_json(SCORE_FILE, self._score)
        self._pass_on()
        trajectory = build_trajectory(self._folder, self._episode(started_at))
        self._totals = (trajectory.final_metrics.extra if trajectory.final_metrics is not None else None) or {}
        self._write_json("trajectory.json", trajectory_json(trajectory))

    def _pass_on(self) -> None:
        """A trial that an outage ended, or that was stopped, passes on what it got."""
        if self._plan.chain and self._failure is not None and self._failure.cause not in SCORED:
            self._carried.write(self._folder)

    def _episode(self, started_at: str) -> Episode:
        plan = self._plan
        prompt = self._prompt()
        ended_at = self._clock.stages.get("agent", {}).get("finished_at", started_at)
        names = (plan.name, plan.agent.name, plan.agent.version)
        return Episode(*names, prompt, started_at, ended_at, self._data, plan.family.settings.answer)

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
            detail=failure.detail if failure is not None else self._faults_told(),
            stages={name: StageTime.model_validate(times[name]) for name in STAGES if name in times},
            sandbox=self._note,
            model=f"{plan.model.provider}:{plan.model.name}" if plan.model is not None else None,
            **self._spent(),
            exit_code=self._exit_code,
            answered=self._answer.fault is None,
            before=self._before,
            web=self._around.web.seen(corpus=self._corpus is not None),
            corpus=self._corpus.name if self._corpus is not None else None,
            live_servers=[server.name for server in self._third_party if not server.offline],
            retries=self._retries,
            chain=plan.chain or None,
            place=plan.place or None,
            carry_in=self._carried.digest,
            carry_out=read_carried(self._folder).digest if plan.chain else None,
            faults=self._faults,
        )

    def _faults_told(self) -> str | None:
        """Faults of the harness that the trial came through, such as one in building its trajectory."""
        return f"A fault of the harness ({FAULTS_FILE} has more): {'; '.join(self._faults)}" if self._faults else None

    def _spent(self) -> dict[str, Any]:
        """What the doors counted."""
        doors = self._doors
        if doors is None:
            return {}
        counts = CallCounts(calls=doors.tool_meter.calls) if not self._totals else CallCounts.read(self._totals, [])
        spent: dict[str, Any] = counts.to_json()
        meter = doors.model_meter
        if meter is not None:
            usage = meter.usage
            spent |= {"model_calls": meter.calls, "tokens": TokenCount.of(usage), "cost_usd": meter.cost_usd}
            spent["roles"] = self._totals.get("roles", {})
            spent["models"] = self._totals.get("models", {})
        if doors.spent_before is not None and doors.spent_before.model_calls:
            spent["earlier"] = earlier_spending(doors.spent_before)
        return spent

    def _write_json(self, name: str, value: Any) -> None:
        write_json(self._folder / name, orjson.loads(self._redactor.clean(orjson.dumps(value))))


async def _unless_cancelled(marking: Marking, work: Callable[[bytes | None], T], data: bytes | None) -> T:
    """What the blocking ``work`` returns; a cancelled trial does not wait for it but ends its process."""
    try:
        return await asyncio.to_thread(work, data)
    except asyncio.CancelledError:
        marking.end()
        raise
