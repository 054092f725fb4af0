"""Opening: the containers of one trial of a Harbor task, from image to entrypoint."""

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from pincite_core.errors import PinciteError
from pincite_harness.harbor.config import Environment
from pincite_harness.harbor.container import HarborContainer
from pincite_harness.harbor.images import ImageSource, ReadyImage, prepare_image
from pincite_harness.harbor.volumes import agent_volumes
from pincite_sandbox.base import Limits, OpenImage, SandboxSpec
from pincite_sandbox.owner import owner_label
from pincite_tasks.failure import Cause, TrialError

_DEFAULTS = Limits(memory_mb=4096, pids=2048)


def limits_of(environment: Environment) -> Limits:
    """The resources that a task asks for, ours where it does not say."""
    memory, cpus = environment.memory_mb or _DEFAULTS.memory_mb, environment.cpus or _DEFAULTS.cpus
    return replace(_DEFAULTS, memory_mb=memory, cpus=cpus)


def remarks_of(environment: Environment) -> list[str]:
    """What of a task's environment is not kept here, for the trial's record."""
    storage = environment.storage_mb
    asked = f" (the task asks for {storage} MB)" if storage is not None else ""
    remarks = [f"it is the task's own image: its root may be written and its disk is not bounded{asked}"]
    if environment.skills_dir is not None:
        remarks.append("the task's skills were not given to the agent")
    return remarks


@dataclass(frozen=True, slots=True)
class Opener:
    """Opens containers of the trial ``name``, which ``leaving`` removes at its end. What fails is a TrialError of the
    sandbox; ``hidden`` must not be seen inside."""

    name: str
    runtime: str
    hidden: tuple[Path, ...]
    leaving: AsyncExitStack

    async def image(self, source: ImageSource, environment: Environment) -> ReadyImage:
        """The image, built where it is not there."""
        try:
            return await asyncio.to_thread(prepare_image, source, environment.workdir)
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error

    async def for_agent(
        self, image: ReadyImage, environment: Environment, user: str | int | None, *,
        doors: Mapping[str, Path], env: Mapping[str, str], with_agents: bool,
    ) -> HarborContainer:  # fmt: skip
        """The agent's container; ``with_agents`` shows it the programs of the agents' image."""
        try:
            volumes: Mapping[str, str] = await asyncio.to_thread(agent_volumes) if with_agents else {}
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        opened = OpenImage(image.workdir, str(user) if user is not None else image.user, volumes)
        return await self._start(image, environment, opened, doors, env)

    async def for_verifier(
        self, image: ReadyImage, environment: Environment, *, doors: Mapping[str, Path]
    ) -> HarborContainer:
        """A container of a verifier's own, which may hold gold; what its image starts by itself has begun."""
        opened = OpenImage(image.workdir, image.user, verifying=True)
        container = await self._start(image, environment, opened, doors, {})
        self.begin(container, image, {})
        return container

    def begin(self, container: HarborContainer, image: ReadyImage, env: Mapping[str, str]) -> None:
        """Start what the image names as its entrypoint, as Harbor does before it waits for ever."""
        if image.entrypoint:
            beginning = container.begin([*image.entrypoint, "sh", "-c", "sleep infinity"], env)
            self.leaving.callback(beginning.cancel)

    async def _start(
        self, image: ReadyImage, environment: Environment, opened: OpenImage, doors: Mapping[str, Path],
        env: Mapping[str, str],
    ) -> HarborContainer:  # fmt: skip
        spec = SandboxSpec(
            name=f"{self.name}-{secrets.token_hex(4)}",
            owner=owner_label(),
            doors=doors,
            env=env,
            limits=limits_of(environment),
            image=image.name,
            runtime=self.runtime,
            hidden=self.hidden,
            open_image=opened,
        )
        container = HarborContainer(spec)
        self.leaving.push_async_callback(container.stop)
        try:
            await container.start()
        except PinciteError as error:
            raise TrialError(Cause.SANDBOX_FAILED, str(error)) from error
        return container
