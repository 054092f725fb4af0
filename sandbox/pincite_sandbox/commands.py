"""Commands in a container, run by the Docker daemon."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pincite_core.errors import UnavailableError

from .daemon import SDK_ERRORS, docker_error
from .hijack import Hijacked
from .output import Output

_DRAIN_SECONDS = 0.5
"""Seconds to read what an ended command has left in its pipe. Set by judgement."""
_EXIT_CODE_SECONDS = 10.0
"""Seconds until the daemon knows the exit code of an ended command. Set by judgement."""
_POLL_SECONDS = 0.5
"""Seconds between looks whether a command still runs whose output is silent."""
_LOOK_AGAIN_SECONDS = 0.02
"""Seconds between questions to the daemon."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A command that the daemon was told to start: its id there and its output."""

    number: str
    stream: Hijacked


class Commands:
    """Runs commands as one user of one container."""

    def __init__(self, client: Any, socket_path: str, container: str, user: str) -> None:
        self._client = client
        self._socket_path = socket_path
        self._container = container
        self._user = user
        self._begun: set[str] = set()
        """Execs that were told to start and have not been seen to end."""

    async def run(
        self, argv: list[str], cwd: str, env: Mapping[str, str], output: Output, stdin: bytes | None = None
    ) -> dict[str, Any]:
        """Execute as the agent's user and return the daemon's record of it, which holds an exit code."""
        return await self.finish(await self.begin(argv, cwd, env, stdin=stdin is not None), output, stdin)

    async def begin(self, argv: list[str], cwd: str, env: Mapping[str, str], *, stdin: bool) -> Begun:
        """Start a command, which may go on to read its stdin; what it says waits."""
        created = await called(
            "run a command", self._client.api.exec_create, self._container, argv,
            user=self._user, workdir=cwd, environment=dict(env), stdin=stdin,
        )  # fmt: skip
        return Begun(created["Id"], await self._start(created["Id"]))

    async def finish(self, begun: Begun, output: Output, stdin: bytes | None = None) -> dict[str, Any]:
        """Send a command's stdin, hear it to its end, and return the daemon's record of it."""
        stream = begun.stream
        reading = asyncio.create_task(stream.read(output.feed))
        try:
            if stdin is not None:
                with contextlib.suppress(ConnectionError):
                    await stream.send(stdin)
            while not (await asyncio.wait({reading}, timeout=_POLL_SECONDS))[0]:
                # What the command left running may hold its output open for ever.
                if not (await self._inspect(begun.number))["Running"]:
                    await asyncio.wait({reading}, timeout=_DRAIN_SECONDS)
                    break
            if reading.done():
                reading.result()
            state = await self._ended(begun.number)
            self._begun.discard(begun.number)
            return state
        finally:
            reading.cancel()
            stream.close()

    async def _start(self, exec_id: str) -> Hijacked:
        """Start an exec and see it through even if the caller is cancelled: a half-started exec could not be told apart
        from a later one."""
        self._begun.add(exec_id)
        telling = asyncio.create_task(Hijacked.exec(self._socket_path, self._client.api.api_version, exec_id))
        try:
            return await asyncio.shield(telling)
        except UnavailableError:
            self._begun.discard(exec_id)
            raise
        except asyncio.CancelledError:
            telling.add_done_callback(_let_go)
            raise

    async def _ended(self, exec_id: str) -> dict[str, Any]:
        """The record of an exec whose output has ended; a daemon that died ends output too, so a number is awaited."""
        deadline = time.monotonic() + _EXIT_CODE_SECONDS
        while time.monotonic() < deadline:
            state = await self._inspect(exec_id)
            if not state["Running"] and isinstance(state["ExitCode"], int):
                return state
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        raise UnavailableError(
            "The command has no exit code: its sandbox or the Docker daemon ended.", seen=exec_id[:12]
        )

    async def _inspect(self, exec_id: str) -> dict[str, Any]:
        return await called("look at a command", self._client.api.exec_inspect, exec_id)

    async def all_begun(self) -> None:
        """Wait until what was told to start has a process or has failed: the daemon lets go of the caller, and calls
        the exec running, before it starts one."""
        for exec_id in list(self._begun):
            while True:
                state = await self._inspect(exec_id)
                if state["Pid"] or state["ExitCode"] is not None:
                    break
                await asyncio.sleep(_LOOK_AGAIN_SECONDS)
            self._begun.discard(exec_id)

    async def look(self) -> None:
        """UnavailableError when the daemon no longer knows the container."""
        await self._described()

    async def first_process(self) -> int:
        """The container's process 1, as the daemon's machine numbers it; 0 when it has ended."""
        return int((await self._described())["State"]["Pid"])

    async def _described(self) -> dict[str, Any]:
        return await called("look at the sandbox", self._client.api.inspect_container, self._container)


def _let_go(telling: asyncio.Task[Hijacked]) -> None:
    if not telling.cancelled() and telling.exception() is None:
        telling.result().close()


async def called(doing: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A blocking call of the SDK, in a thread, with its errors turned into ours."""
    try:
        return await asyncio.to_thread(function, *args, **kwargs)
    except SDK_ERRORS as error:
        raise docker_error(error, doing) from error
