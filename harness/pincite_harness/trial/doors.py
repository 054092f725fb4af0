"""Doors: the ways out of a trial's sandbox, opened together and watched together."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite_core.errors import PinciteError
from pincite_doors.door import ToolDoor
from pincite_doors.media import MediaStore
from pincite_doors.meter import ToolMeter
from pincite_doors.playback import ToolPlayback
from pincite_doors.recorder import WireRecorder
from pincite_doors.redactor import Redactor
from pincite_doors.traffic import Traffic, TrafficLimits
from pincite_doors.upstream import ServerLaunch
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.server_models import ServerModels
from pincite_harness.trial.workspace import Workspace
from pincite_tasks.failure import Cause, Failure, TrialError

if TYPE_CHECKING:
    from pincite_doors.models.door import ModelDoor
    from pincite_doors.models.meter import ModelMeter
    from pincite_doors.models.route import Route
    from pincite_tasks.spending import Spent

TOOLS, MODEL, WEB = "tools", "model", "web"
_AGENTS_OWN = frozenset({"bad_request", "context_overflow", "policy"})
"""What the provider or the door rightly refuses: another try would meet the same."""
_SILENT_SHARE = 0.5
"""A model that was silent for this share of the wall clock, up to the end, is what the trial failed of."""


@dataclass(frozen=True, slots=True)
class Access:
    """What opens a trial's doors and what must not be written: tokens of the agent and of the servers, the models'
    routes with their keys, the redactor."""

    token: str
    server_token: str
    routes: Sequence["Route"]
    redactor: Redactor
    playback: ToolPlayback | None = None
    """Results of a recorded trial that calls get again."""


class Doors:
    """The tool door always, the model door for an agent with a model, the web door for a task with allowed hosts."""

    def __init__(
        self, plan: TrialPlan, folder: Path, workspace: Workspace, access: Access, traffic: TrafficLimits
    ) -> None:
        self.traffic = Traffic(replace(traffic, **plan.family.settings.traffic.model_dump(exclude_none=True)))
        self.tool_meter = ToolMeter(plan.family.settings.limits.tool_calls)
        self.model_meter: ModelMeter | None = None
        self.sockets: dict[str, Path] = {}
        """Socket of each open door by name."""
        self.spent_before: Spent | None = None
        """What earlier attempts at the trial took; None where there is no model."""
        self._plan = plan
        self._folder = folder
        self._workspace = workspace
        self._access = access
        self._media = MediaStore(folder, self.traffic)
        self._tools: ToolDoor | None = None
        self._model: ModelDoor | None = None
        self._exit = AsyncExitStack()

    async def open_models(self) -> None:
        """Open the model door, where anybody has a model: servers, which start next, must know its address.
        TrialError where it cannot listen."""
        if not self._access.routes:
            return
        try:
            await self._open_model()
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error

    def model_variables(self, server: str, models: ServerModels) -> dict[str, str]:
        """The variables by which a server reaches its models, once the model door is open."""
        found: dict[str, str] = {}
        for use, model in models.models.items():
            assert self._model is not None
            found |= model.variables(use, self._model.address(server, use), self._access.server_token)
        return found

    async def open(self, launches: list[ServerLaunch]) -> None:
        """Open every other door; TrialError when a server does not come up or a door cannot listen."""
        settings = self._plan.family.settings
        try:
            await self._open_tools(launches)
        except PinciteError as error:
            raise TrialError(Cause.SERVER_FAILED, str(error)) from error
        try:
            if settings.web.allowed_hosts:
                await self._open_web(settings.web.allowed_hosts)
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error

    async def close(self) -> None:
        """Close every door; safe to call twice."""
        await self._exit.aclose()

    async def ended(self) -> None:
        """Wait until a server has died or a limit of the doors was met: the agent cannot go on for long."""
        waits = [self.traffic.reached.wait()]
        if self._tools is not None:
            waits.append(self._tools.failed.wait())
        if self._model is not None:
            waits.append(self._model.limited.wait())
        tasks = [asyncio.create_task(wait) for wait in waits]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def server_failure(self) -> str | None:
        """Which server died of what, or None."""
        return self._tools.failure if self._tools is not None else None

    @property
    def limit(self) -> str | None:
        """The limit that was reached, with its value, or None."""
        if self.traffic.exceeded is not None:
            return self.traffic.exceeded
        if self.model_meter is not None and self.model_meter.exceeded:
            return self.model_meter.exceeded
        return f"tool calls: {self.tool_meter.limit}" if self.tool_meter.exceeded else None

    @property
    def model_failure(self) -> Failure | None:
        """How the model's last answer went wrong: refused, an outage, or by the agent's own request; None after a good
        one, and where the agent gave up on an answer that may still have come."""
        trouble = self._model.trouble if self._model is not None else None
        if trouble is None:
            return None
        if trouble.kind == "cancelled":
            seconds = self._plan.family.settings.limits.wall_clock_seconds
            if trouble.silent_seconds < seconds * _SILENT_SHARE:
                return None
            seconds = f"{trouble.silent_seconds:.0f} s"
            detail = f"The model had sent nothing, or next to nothing, for {seconds} when the agent ended."
            return Failure(Cause.MODEL_FAILED, detail)
        if trouble.kind == "refused":
            return Failure(Cause.REFUSED, trouble.detail)
        cause = Cause.AGENT_FAILED if trouble.kind in _AGENTS_OWN else Cause.MODEL_FAILED
        return Failure(cause, f"{trouble.kind}: {trouble.detail}")

    async def _open_tools(self, launches: list[ServerLaunch]) -> None:
        recorder = WireRecorder(self._folder / "wire" / "mcp.jsonl", self._access.redactor, self.traffic)
        socket = self._workspace.socket(TOOLS)
        door = ToolDoor(
            socket,
            self._access.token,
            meter=self.tool_meter,
            recorder=recorder,
            media=self._media,
            traffic=self.traffic,
            playback=self._access.playback,
        )
        await door.open(launches, self._plan.family.settings.tools, self._folder / "wire")
        self._exit.push_async_callback(door.close)
        self._tools = door
        self.sockets[TOOLS] = socket

    async def _open_model(self) -> None:
        from pincite_doors.models.door import ModelDoor
        from pincite_doors.models.meter import ModelMeter
        from pincite_doors.models.recorder import ModelRecorder
        from pincite_doors.models.route import unpriced
        from pincite_models.pricing import price_of
        from pincite_tasks.spending import SPENT_FILE, SpendingLog, read_spending

        settings = self._plan.family.settings
        self.spent_before = read_spending(self._folder / SPENT_FILE)
        log = SpendingLog(self._folder / SPENT_FILE)
        self._exit.callback(log.close)
        main = self._plan.model
        price = price_of(main) if main is not None else unpriced
        self.model_meter = ModelMeter(settings.limits, price, self.spent_before, log)
        socket = self._workspace.socket(MODEL)
        door = ModelDoor(
            socket,
            self._access.token,
            *self._access.routes,
            meter=self.model_meter,
            recorder=ModelRecorder(
                self._folder / "wire" / "llm.jsonl", self._access.redactor, self._media, self.traffic
            ),
            traffic=self.traffic,
            server_token=self._access.server_token,
        )
        await door.open()
        self._exit.push_async_callback(door.close)
        self._model = door
        if main is not None:
            self.sockets[MODEL] = socket

    async def _open_web(self, hosts: list[str]) -> None:
        from pincite_doors.web.door import WebDoor

        socket = self._workspace.socket(WEB)
        record = self._folder / "wire" / "web.jsonl"
        door = WebDoor(socket, self._access.token, hosts, record, self._access.redactor, traffic=self.traffic)
        await door.open()
        self._exit.push_async_callback(door.close)
        self.sockets[WEB] = socket


def proxy_variables(url: str, token: str) -> Mapping[str, str]:
    """The variables by which programs find the web door: both spellings, for programs disagree."""
    address = url.replace("http://", f"http://agent:{token}@")
    names = {"http_proxy": address, "https_proxy": address, "no_proxy": "127.0.0.1,localhost"}
    return names | {name.upper(): value for name, value in names.items()}
