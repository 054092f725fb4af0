"""A Docker sandbox: a container without network, capabilities or a writable root, that ends with its harness.

Its process 1 is the supervisor of ``guest``, run as another user than the agent: it relays the doors, and exits at the
end of its connection to the harness, upon which the daemon removes the container. Commands are executed by the daemon
as the agent's user.
"""

import asyncio
import compileall
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from docker.errors import NotFound

from pincite_core.errors import NotFoundError, PinciteError, UnavailableError

from .base import ExecResult, Health, OnOutput, SandboxSpec
from .commands import Commands, called
from .container import GVISOR_LINE, OPEN_CAPABILITIES, WORKDIR, Users, check_runtime, settings
from .container_files import ContainerFiles
from .control import Control
from .daemon import SDK_ERRORS, connect, docker_error, socket_path
from .doors import door_address
from .errand import Errand
from .figures import Figures
from .hijack import Hijacked
from .images import BUILD_LINE, DEFAULT_IMAGE
from .linter import Finding, Known, lint_container, lint_image, lint_words, refuse
from .local import PACKAGE
from .output import Output
from .outside import keep_to_the_last, kill_processes
from .process import SCRATCH_PREFIX
from .standby import Standby
from .trouble import check_command, docker_refusal, docker_start_error

_Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]

_START_SECONDS = 60.0
"""Seconds from a container's start until its supervisor answers. Set by judgement."""
_KILL_SECONDS = 15.0
"""Seconds until all processes of a command have ended. Set by judgement."""
_HEALTH_SECONDS = 10.0
"""Seconds until a healthy sandbox has answered. Set by judgement."""
_WORDS_LIMIT = 10_000
"""Bytes of a command's complaints that are kept."""
_SEARCHED: set[str] = set()
"""Images in which no gold was found."""
_DESCRIBED: dict[str, Mapping[str, Any]] = {}
"""How daemons described themselves, by socket."""


class DockerSandbox:
    """One container; see ``base.Sandbox`` for the methods."""

    backend = "docker"

    def __init__(self, spec: SandboxSpec) -> None:
        self.spec = spec
        self.image = spec.image or DEFAULT_IMAGE
        self.workdir = spec.open_image.workdir if spec.open_image is not None else WORKDIR
        self.warnings: tuple[str, ...] = ()
        self.container = ""
        """The container's id, once it is created."""
        self._client: Any = None
        self._socket_path = ""
        self._commands: Commands | None = None
        self._staging: Path | None = None
        self._control: Control | None = None
        self._standby: Standby | None = None
        self._ports: dict[str, int] = {}

    async def start(self) -> None:
        """Create and start the container and wait for its supervisor's word."""
        for name, path in self.spec.doors.items():
            if not path.is_socket():
                raise NotFoundError(f"The door {name} is not there.", seen=f"{path} is not a socket")
        try:
            self._socket_path = socket_path()
            self._client = await _connected()
            await self._launch(self._client)
        except BaseException:
            await asyncio.shield(self.stop())
            raise

    async def _launch(self, client: Any) -> None:
        self._staging = Path(tempfile.mkdtemp(prefix=f"{SCRATCH_PREFIX}{self.spec.owner.replace(':', '-')}-"))
        joined: asyncio.Queue[_Ends] = asyncio.Queue()
        control = self._staging / "control.sock"
        server = await asyncio.start_unix_server(
            lambda reader, writer: joined.put_nowait((reader, writer)), control, start_serving=False
        )
        words = Output(_WORDS_LIMIT, None)
        attached: Hijacked | None = None
        listening: asyncio.Task[None] | None = None
        try:
            await server.start_serving()
            info, image = await asyncio.gather(
                described(client, self._socket_path), called("use it", client.api.inspect_image, self.image)
            )
            check_runtime(self.spec.runtime, info)
            users = Users.on(info)
            arguments = settings(client, self.spec, self.image, users, control)
            config = client.api.create_container_config(**arguments)
            opened = self.spec.open_image
            volumes = [Path(name) for name in opened.volumes.values()] if opened is not None else []
            mounts = frozenset((PACKAGE / "guest", control, *self.spec.doors.values(), *volumes))
            capabilities = OPEN_CAPABILITIES if opened is not None else None
            shown = (self.spec.shown,) if self.spec.shown is not None else ()
            known = Known(mounts, supervisor=True, programs=shown, hidden=self.spec.hidden, opened=capabilities)
            refuse([*lint_container(config, known), *lint_image(image), *lint_words(self.spec.env)])
            created = await called("create the sandbox", client.api.create_container_from_config, config)
            self.container = created["Id"]
            user = opened.user if opened is not None else f"{users.agent}:{users.agent}"
            self._commands = Commands(client, self._socket_path, self.container, user)
            attached = await Hijacked.attach(self._socket_path, client.api.api_version, self.container)
            listening = asyncio.create_task(attached.read(words.feed))
            await called("start the sandbox", client.api.start, self.container)
            self._standby = Standby(self._commands, self.workdir)
            self._control = Control(*await _first(joined, listening))
            first, ready = await asyncio.gather(self._commands.first_process(), self._control.ready(_START_SECONDS))
            keep_to_the_last(first)
        except (TimeoutError, UnavailableError) as error:
            seen = words.bytes_of("stderr").decode("utf-8", "replace").strip() or str(error)
            remedy = f"{BUILD_LINE}; {GVISOR_LINE}" if self.spec.runtime else BUILD_LINE
            raise UnavailableError("The Docker sandbox did not come up.", seen=seen, next=remedy) from error
        finally:
            # No agent has run yet, and from now on nobody else may join.
            server.close()
            while not joined.empty():
                joined.get_nowait()[1].close()
            control.unlink(missing_ok=True)
            if listening is not None:
                listening.cancel()
            if attached is not None:
                attached.close()
        if opened is None or not opened.verifying:
            await self._look_for_gold(self._control, str(image["Id"]))
        self._ports = ready["doors"]
        self.warnings = (*self.warnings, *Figures.of(ready["limits"]).unkept(self.spec.limits, self.backend))

    async def _look_for_gold(self, control: Control, image: str) -> None:
        """ForbiddenError when the image holds gold answers; each image is looked through once a process."""
        if image in _SEARCHED:
            return
        answer, _ = await control.request({"op": "gold"})
        change = "Build the image without the answers."
        refuse([Finding("gold", f"{path} in the image {self.image}", change) for path in answer["found"][:3]])
        _SEARCHED.add(image)

    async def door_url(self, door: str) -> str:
        """The relay's address of a door."""
        return door_address(self._ports, door)

    async def exec(
        self,
        argv: Sequence[str],
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
        on_output: OnOutput | None = None,
        output_limit: int = 1_000_000,
        files: Mapping[str, bytes] | None = None,
    ) -> ExecResult:
        """Run a command to its end."""
        variables = {**self.spec.env, **(env or {})}
        check_command(argv, variables)
        folder = str(PurePosixPath(self.workdir, cwd or ""))
        errand = None
        if files or self._standby is not None:
            errand = Errand(files or {}, argv, folder, variables, on_output)
            on_output = errand.hear
        output = Output(output_limit, on_output)
        began = time.monotonic()
        before = await self._figures()
        state: dict[str, Any] = {}
        timed_out = False
        try:
            async with asyncio.timeout(timeout):
                state = await self._run(argv, folder, variables, output, errand)
        except TimeoutError:
            timed_out = True
            await self._kill()
        except BaseException as error:
            if not isinstance(error, PinciteError):
                await asyncio.shield(self._kill())
            raise
        if errand is not None:
            errand.check(argv[0], folder)
        code = None if timed_out else int(state["ExitCode"])
        refused = docker_refusal(code, int(state.get("Pid") or 0), output, argv[0])
        if refused:
            raise docker_start_error(refused, argv[0], folder)
        return ExecResult(
            exit_code=code,
            stdout=output.bytes_of("stdout"),
            stderr=output.bytes_of("stderr"),
            seconds=time.monotonic() - began,
            timed_out=timed_out,
            truncated=output.truncated,
            **await self._bitten(before, timed_out=timed_out),
        )

    async def _run(
        self, argv: Sequence[str], folder: str, env: Mapping[str, str], output: Output, errand: Errand | None
    ) -> dict[str, Any]:
        """The daemon's record of a command that has ended: an errand's goes to who stands by for one."""
        commands = self._running()
        if errand is None:
            return await commands.run(list(argv), folder, env, output)
        standby, self._standby = self._standby, None
        begun = await (standby or Standby(commands, self.workdir)).begun()
        return await commands.finish(begun, output, errand.stdin)

    def _dismiss(self) -> None:
        standby, self._standby = self._standby, None
        if standby is not None:
            standby.dismiss()

    async def _kill(self) -> None:
        """End every process of the agent; a sandbox in which that fails is stopped whole."""
        try:
            async with asyncio.timeout(_KILL_SECONDS):
                commands = self._running()
                self._dismiss()
                await commands.all_begun()
                while await self._processes():
                    if await asyncio.to_thread(kill_processes, self.container, await commands.first_process()):
                        continue
                    await commands.run(["/bin/sh", "-c", "kill -9 -1"], "/", {}, Output(_WORDS_LIMIT, None))
        except (TimeoutError, PinciteError):
            await self.stop()

    async def _processes(self) -> int:
        return int((await self._report())["processes"])

    async def _figures(self) -> Figures:
        return Figures.of((await self._report())["limits"])

    async def _bitten(self, before: Figures, *, timed_out: bool) -> dict[str, bool]:
        try:
            return (await self._figures()).bitten(before)
        except UnavailableError:
            if not timed_out:
                raise
            # It could not be emptied and was stopped whole: how the command ended is known all the same.
            return {}

    async def _report(self) -> dict[str, Any]:
        answer, _ = await self._supervisor().request({"op": "limits"})
        return answer

    async def end_processes(self) -> None:
        """End every process of the agent."""
        await self._kill()

    async def put(self, path: str, data: bytes) -> None:
        """Write a file inside."""
        await self._files().put(path, data)

    async def put_all(self, files: Mapping[str, bytes]) -> None:
        """Write several files inside with one command of the daemon."""
        await self._files().put_all(files)

    async def get(self, path: str, *, max_bytes: int = 50_000_000) -> bytes:
        """Read a regular file from inside."""
        return await self._files().get(path, max_bytes)

    def _files(self) -> ContainerFiles:
        return ContainerFiles(self._running(), self._supervisor(), self.workdir)

    async def stop(self) -> None:
        """Remove the container and everything about it."""
        self._dismiss()
        control, self._control = self._control, None
        client, self._client = self._client, None
        if control is not None:
            await control.close()
        if self._staging is not None:
            shutil.rmtree(self._staging, ignore_errors=True)
            self._staging = None
        if client is not None:
            try:
                await asyncio.to_thread(_remove, client, self.container)
            finally:
                client.close()

    async def health(self) -> Health:
        """Whether the supervisor and the daemon answer."""
        try:
            async with asyncio.timeout(_HEALTH_SECONDS):
                await self._report()
                await self._running().look()
        except PinciteError as error:
            return Health(ok=False, detail=error.seen or error.what)
        except TimeoutError:
            return Health(ok=False, detail=f"no answer in {_HEALTH_SECONDS:.0f} s")
        return Health(ok=True)

    def _supervisor(self) -> Control:
        if self._control is None:
            raise UnavailableError("The sandbox is not running.", seen="it was stopped, or never started")
        return self._control

    def _running(self) -> Commands:
        if self._client is None or self._commands is None:
            raise UnavailableError("The sandbox is not running.", seen="it was stopped, or never started")
        return self._commands


async def _connected() -> Any:
    """A client of the daemon; a cancelled caller leaves no connection behind."""
    connecting = asyncio.create_task(asyncio.to_thread(_connect))
    try:
        return await asyncio.shield(connecting)
    except asyncio.CancelledError:
        with suppress(PinciteError):
            (await connecting).close()
        raise


def _connect() -> Any:
    """A client of the daemon; the guest's programs are compiled by then, which a container could not keep."""
    compile_guest()
    return connect()


@cache
def compile_guest() -> None:
    """Compile the guest's programs once a process: a third of a supervisor's start, where the image has this
    interpreter's version. Where the folder cannot be written they are compiled at each start."""
    compileall.compile_dir(PACKAGE / "guest", maxlevels=2, quiet=2)


async def described(client: Any, socket_path: str) -> Mapping[str, Any]:
    """How the daemon at a socket describes itself, asked once a process: it takes longer than making a container."""
    if socket_path not in _DESCRIBED:
        _DESCRIBED[socket_path] = await called("describe itself", client.info)
    return _DESCRIBED[socket_path]


async def _first(joined: asyncio.Queue[_Ends], listening: asyncio.Task[None]) -> _Ends:
    """The supervisor's connection; TimeoutError when its process ended without one or nothing came in time."""
    waiting = asyncio.create_task(joined.get())
    await asyncio.wait({waiting, listening}, timeout=_START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    if not waiting.done():
        waiting.cancel()
        raise TimeoutError("the container's supervisor did not report")
    return waiting.result()


def _remove(client: Any, container: str) -> None:
    if not container:
        return
    try:
        client.api.remove_container(container, force=True)
    except NotFound:
        return
    except SDK_ERRORS as error:
        if "already in progress" in str(error):
            return
        raise docker_error(error, "remove the sandbox") from error
