"""Run one trial of a Harbor task: its own image with our doors, its own tests as the score."""

import secrets
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pincite_core.errors import PinciteError, UnavailableError
from pincite_core.http.redaction import keys_of
from pincite_doors.redactor import Redactor
from pincite_doors.upstream import ServerLaunch
from pincite_doors.web.door import WebDoor
from pincite_harness.agents.agent import Launch
from pincite_harness.agents.host import PYTHON
from pincite_harness.harbor import artifacts, verifying
from pincite_harness.harbor.container import ROOT, HarborContainer
from pincite_harness.harbor.family import FAMILY
from pincite_harness.harbor.health import wait_until_healthy
from pincite_harness.harbor.images import ImageSource, ReadyImage
from pincite_harness.harbor.opening import Opener, limits_of, remarks_of
from pincite_harness.harbor.plan import HarborTrialPlan
from pincite_harness.harbor.relay import Relay
from pincite_harness.harbor.templates import fill
from pincite_harness.trial.agent_phase import AgentRun, run_agent, why_it_ended
from pincite_harness.trial.doors import MODEL, TOOLS, WEB, Doors, proxy_variables
from pincite_harness.trial.marking import unscored
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.sessions import keep_sessions
from pincite_harness.trial.workspace import Workspace
from pincite_sandbox.base import Sandbox
from pincite_sandbox.images import AGENTS_PYTHON
from pincite_sandbox.owner import owner_label
from pincite_sandbox.process import OWNER_VARIABLE
from pincite_tasks.answer import Answer
from pincite_tasks.catalog import bundled_folder
from pincite_tasks.failure import SCORED, Cause, Failure, TrialError
from pincite_tasks.trial_record import SandboxNote

VERIFY = "verify"
"""The web door of the verifier, which has a token of its own."""
SOLUTION = "/solution"


class HarborRun(TrialRun):
    """Runs a Harbor task in its own image and scores it by its own tests."""

    def __init__(self, plan: HarborTrialPlan, folder: Path, surroundings: Surroundings, *, retries: int = 0) -> None:
        super().__init__(plan, folder, surroundings, retries=retries)
        self._harbor = plan.harbor
        self._task = plan.harbor.task
        self._env = fill(self._task.config.environment.env, "the environment")
        self._verify_token = secrets.token_urlsafe(32)
        keys = [*keys_of(surroundings.settings), *[route.key for route in self._routes]]
        self._redactor = Redactor([self.token, self._verify_token], keys)
        hidden = (bundled_folder(), folder.parent)
        self._opener = Opener(plan.name, surroundings.runtime, hidden, self._exit)
        self._sockets: dict[str, Path] = {}
        self._inner: Workspace | None = None
        self._container: HarborContainer | None = None
        self._brought: tuple[str, ...] = ()
        self._rewards: dict[str, float] | None = None

    async def _until_collected(self) -> None:
        with self._clock.stage("prepare"):
            workspace = await self._prepare()
            self._inner = await self._open_relays(workspace)
            image = await self._opener.image(self._agent_source(), self._task.config.environment)
        with self._clock.stage("start"):
            container = await self._start_container(image)
            doors = await self._open_doors(self._inner)
            launch, env = await self._brief(container.sandbox)
        with self._clock.stage("agent"):
            log = self._folder / "agent.log"
            run = await run_agent(
                container.sandbox, launch, env, doors, self._plan, log, self._redactor, leave_running=True
            )
        with self._clock.stage("collect"):
            self._exit_code = run.ending.exit_code
            await self._collect_all(container)
        self._failure = self._why(run, doors)
        if self._failure is None or self._failure.cause in SCORED:
            with self._clock.stage("validate"):
                self._rewards = await self._verify(container)

    def _why(self, run: AgentRun, doors: Doors) -> Failure | None:
        """Ending an agent at its wall clock ends the task's servers with it, which must not pass for their failure."""
        limits = limits_of(self._task.config.environment)
        if run.result is not None and run.result.timed_out and doors.limit is None:
            failure = doors.model_failure
            outage = failure if failure is not None and failure.cause is Cause.MODEL_FAILED else None
            seconds = self._plan.family.settings.limits.wall_clock_seconds
            return outage or Failure(Cause.LIMIT_REACHED, f"wall clock: {seconds:g} s")
        return why_it_ended(run, doors, self._plan, limits, answered=True)

    # The container

    async def _open_relays(self, workspace: Workspace) -> Workspace:
        """Sockets for the container to be started with; returns the workspace in which their doors will listen."""
        inner = replace(workspace, doors=workspace.doors / "inner")
        inner.doors.mkdir(mode=0o711)
        names = [TOOLS, *([MODEL] if self._plan.model is not None else [])]
        names += [WEB] if self._harbor.network.agent else []
        names += [VERIFY] if self._harbor.network.verifier else []
        for name in names:
            relay = Relay(workspace.socket(name), inner.socket(name))
            try:
                await relay.open()
            except OSError as error:
                raise TrialError(Cause.SANDBOX_FAILED, f"A door's socket cannot be made: {error}") from error
            self._exit.push_async_callback(relay.close)
            self._sockets[name] = relay.outside
        return inner

    def _agent_source(self) -> ImageSource:
        environment = self._task.config.environment
        if environment.docker_image is not None:
            return ImageSource(None, environment.docker_image)
        return ImageSource(self._task.environment, seconds=environment.build_timeout_sec)

    async def _start_container(self, image: ReadyImage) -> HarborContainer:
        """The agent's container, with what its image starts by itself, once it is healthy."""
        config = self._task.config
        doors = {name: path for name, path in self._sockets.items() if name != VERIFY or not config.verifier.separate}
        with_agents = self._plan.agent.image == "agents"
        container = await self._opener.for_agent(
            image, config.environment, config.agent.user, doors=doors, env=self._env, with_agents=with_agents
        )
        self._container = container
        remarks = self._plan.agent.remarks(container.sandbox.backend)
        warnings = [*container.sandbox.warnings, *remarks_of(config.environment), *remarks]
        self._note = SandboxNote(backend=container.sandbox.backend, warnings=warnings)
        try:
            if self._task.brings_files:
                await container.copy_in(self._task.environment, container.sandbox.workdir)
            await self._check_python(container)
            self._opener.begin(container, image, self._env)
            if config.environment.healthcheck is not None:
                await wait_until_healthy(container, config.environment.healthcheck, self._env)
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        return container

    async def _check_python(self, container: HarborContainer) -> None:
        """UnavailableError where the agent's libraries are for another Python than that of the task's image."""
        if PYTHON in self._plan.agent.programs:
            done = await container.shell(f"{AGENTS_PYTHON} -c 'import pydantic_core'", seconds=60)
            if done.exit_code != 0:
                said = done.stderr.decode("utf-8", "replace").strip()[-300:]
                raise UnavailableError(
                    f"{self._plan.agent.name} does not run on the Python of the task's image.", seen=said
                )

    # The agent

    def _launches(self, workspace: Workspace, web: Mapping[str, str], doors: Doors) -> list[ServerLaunch]:
        """The task's servers over stdio: commands in the container, each behind a process of this machine."""
        container = self._container
        assert container is not None
        variables = [f"{name}={value}" for name, value in self._env.items()]
        bridge = [sys.executable, "-P", "-m", "pincite_harness.harbor.attach", container.sandbox.container]
        bridge += [container.user, container.sandbox.workdir, "env", *variables]
        return [
            ServerLaunch(server.name, [*bridge, server.command or "", *server.args], {OWNER_VARIABLE: owner_label()})
            for server in self._task.config.environment.mcp_servers
            if server.transport == "stdio"
        ]

    async def _addresses(self, sandbox: Sandbox) -> dict[str, str]:
        """Those behind the door, and those that listen in the container, which are reached there."""
        inside = {
            server.name: server.url or ""
            for server in self._task.config.environment.mcp_servers
            if server.transport == "streamable-http"
        }
        return await super()._addresses(sandbox) | inside

    async def _brief(self, sandbox: Sandbox) -> tuple[Launch, Mapping[str, str]]:
        """The agent's command; the oracle's is the task's own solution."""
        if self._plan.agent.needs_gold:
            return await self._solution()
        launch, env = await super()._brief(sandbox)
        task = self._plan.task
        own = {*(path.name for path in task.files), *(["schema.json"] if task.answer_schema else [])}
        files = {name: data for name, data in launch.files.items() if name not in own}
        self._brought = tuple(sorted({name.partition("/")[0] for name in files}))
        await self._check_room(sandbox)
        return replace(launch, files=files), env

    async def _solution(self) -> tuple[Launch, Mapping[str, str]]:
        container = self._container
        assert container is not None
        try:
            await container.copy_in(self._task.solution, SOLUTION)
            await container.shell(f"chmod +x {SOLUTION}/solve.sh", user=ROOT, seconds=60)
            env = fill(self._task.config.solution.env, "the solution")
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        return Launch((f"{SOLUTION}/solve.sh",), {"DEBIAN_FRONTEND": "noninteractive", **env}), {}

    async def _check_room(self, sandbox: Sandbox) -> None:
        """TrialError where the task's working folder has files of the names that the agent's brief needs."""
        container = self._container
        assert container is not None
        names = " ".join(self._brought)
        found = await container.shell(f"for name in {names}; do test -e $name && echo $name; done; true", seconds=60)
        if taken := found.stdout.decode().split():
            detail = f"{sandbox.workdir} has files of its own that the agent's brief would replace: {', '.join(taken)}"
            raise TrialError(Cause.SANDBOX_FAILED, detail)

    # What it left

    async def _collect_all(self, container: HarborContainer) -> None:
        """The agent's sessions and the task's artifacts; then the brief goes, for tests look at the folder."""
        config = self._task.config
        kept = await keep_sessions(container.sandbox, self._plan.agent.sessions, self._folder, self._redactor)
        self._warn(kept)
        try:
            if self._brought:
                await container.shell(f"rm -rf -- {' '.join(self._brought)}", user=ROOT, seconds=60)
            for hook in config.verifier.collect:
                done = await container.shell(hook.command, user=hook.user, env=self._env, seconds=hook.timeout_sec)
                if done.exit_code != 0:
                    self._warn(f"a command of [[verifier.collect]] ended with {done.exit_code}: {hook.command}")
            folder = self._folder / artifacts.FOLDER
            await artifacts.collect(container, config.collected, folder, self._redactor)
            self._data = artifacts.find_answer(config.collected, folder, self._plan.family.settings.answer)
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error

    async def verify_again(self) -> dict[str, float]:
        """The rewards that a separate verifier gives now for the artifacts that the trial left in its folder; a
        TrialError where it cannot be started or gives none."""
        try:
            self._inner = await self._open_relays(await self._prepare())
            return await self._test(await self._handed_over())
        finally:
            await self._exit.aclose()

    async def _verify(self, container: HarborContainer) -> dict[str, float]:
        """The rewards, from the agent's own container or from a fresh one that was handed the artifacts."""
        if self._task.config.verifier.separate:
            await container.stop()
            container = await self._handed_over()
        return await self._test(container)

    async def _test(self, container: HarborContainer) -> dict[str, float]:
        config = self._task.config
        environment = config.verifier.environment or config.environment
        env = fill(environment.env, "the verifier") | fill(config.verifier.env, "the verifier")
        env |= await self._verifier_web(container)
        folder = self._folder / verifying.FOLDER
        return await verifying.verify(container, self._task, env, folder, self._redactor)

    async def _handed_over(self) -> HarborContainer:
        """A verifier's own container with the artifacts."""
        container = await self._verifier_container()
        try:
            await artifacts.hand_over(container, self._task.config.collected, self._folder / artifacts.FOLDER)
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        return container

    async def _verifier_container(self) -> HarborContainer:
        """A container of the first of: the image that the verifier names, the one that tests/ builds, the task's."""
        config = self._task.config
        own = config.verifier.environment
        environment = own or config.environment
        if own is not None and own.docker_image is not None:
            source = ImageSource(None, own.docker_image)
        elif (self._task.tests / "Dockerfile").is_file():
            source = ImageSource(self._task.tests, seconds=environment.build_timeout_sec)
        else:
            source = self._agent_source()
        image = await self._opener.image(source, environment)
        doors = {name: path for name, path in self._sockets.items() if name == VERIFY}
        return await self._opener.for_verifier(image, environment, doors=doors)

    async def _verifier_web(self, container: HarborContainer) -> dict[str, str]:
        """The variables of the verifier's web door, opened now, where it has one."""
        hosts, inner = self._harbor.network.verifier, self._inner
        if not hosts or inner is None:
            return {}
        record = self._folder / "wire" / "verifier-web.jsonl"
        door = WebDoor(inner.socket(VERIFY), self._verify_token, hosts, record, self._redactor)
        try:
            await door.open()
            self._exit.push_async_callback(door.close)
            return dict(proxy_variables(await container.sandbox.door_url(VERIFY), self._verify_token))
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error

    async def _judge(self) -> None:
        """The rewards as the score; without them there is none, and why stands in it."""
        with self._clock.stage("score"):
            self._failure = self._without_tools() or self._failure
            lost = self._failure is not None and self._failure.cause not in SCORED
            if self._rewards is None or lost:
                cause = self._failure.cause if self._failure is not None else None
                self._score = unscored(FAMILY, FAMILY, f"The trial failed: {cause}.")
            else:
                self._answer = Answer(value=self._rewards)
                self._score = verifying.as_score(self._rewards)
