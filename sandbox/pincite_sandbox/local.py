"""Sandboxes on this machine without a daemon: what bubblewrap and plain processes share."""

import asyncio
import contextlib
import json
import os
import socket
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from pincite_core.errors import NotFoundError, UnavailableError

from .base import ExecResult, Health, OnOutput, SandboxSpec
from .control import Control
from .doors import door_address
from .figures import Figures
from .guest.files import pack_files
from .output import Output
from .trouble import check_command, file_error, start_error

PACKAGE = Path(__file__).resolve().parent
BOOT = "import sys; sys.path.append(sys.argv[1]); from guest.main import main; sys.exit(main(sys.argv[2:]))"
"""Starts a program of ``guest``: Python's -I leaves its folder out of the path, appending shadows nothing."""

MIB = 1 << 20
"""Bytes of a mebibyte."""
_START_SECONDS = 30.0
"""Seconds until the supervisor answers. Set by judgement."""
_STOP_SECONDS = 15.0
"""Seconds until a stopped sandbox has ended; then it is killed. Set by judgement."""
_HEALTH_SECONDS = 10.0
"""Seconds until a healthy sandbox has answered. Set by judgement."""
_STDERR_SHOWN = 2000
"""Bytes of the sandbox's complaints that an error shows."""
_FILE_TOO_BIG = 128 + 25
"""Ended by SIGXFSZ: a file grew past the limit for one file."""


@dataclass(slots=True)
class Launch:
    """How to start a supervisor: its command line up to the configuration, and the configuration."""

    command: list[str]
    config: dict[str, Any]
    env: dict[str, str] = field(default_factory=dict[str, str])
    """The environment of the supervisor and the ground of every command's."""
    inherited: tuple[int, ...] = ()
    """Descriptors that the command line names; closed here once it has them."""


class LocalSandbox(ABC):
    """A supervisor process on this machine that runs the commands; see ``base.Sandbox`` for the methods."""

    backend = "local"

    def __init__(self, spec: SandboxSpec) -> None:
        self.spec = spec
        self.workdir = ""
        self.warnings: tuple[str, ...] = ()
        self._control: Control | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._stderr: BinaryIO | None = None
        self._ports: dict[str, int] = {}
        self._env: dict[str, str] = {}

    @abstractmethod
    async def prepare(self) -> Launch:
        """Make what the supervisor needs and say how to start it."""

    async def figures(self) -> Figures:
        """Which limits are in force now, and how often they have bitten, where somebody counts."""
        return Figures.of(await self.reported())

    def doubts(self, figures: Figures, ready: Mapping[str, Any]) -> tuple[str, ...]:
        """Warnings for what was asked for and is not in force, from what the sandbox said when it was ready."""
        return ()

    @abstractmethod
    async def clean_up(self) -> None:
        """Remove what ``prepare`` made, after the supervisor has ended; safe to call twice."""

    async def start(self) -> None:
        """Start the supervisor; UnavailableError with its own words when it does not come up."""
        for name, path in self.spec.doors.items():
            if not path.is_socket():
                raise NotFoundError(f"The door {name} is not there.", seen=f"{path} is not a socket")
        try:
            launch = await self.prepare()
            self._env = launch.env
            await self._launch(launch)
        except BaseException:
            await self.stop()
            raise

    async def _launch(self, launch: Launch) -> None:
        ours, theirs = socket.socketpair()
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115
        with theirs, contextlib.ExitStack() as untaken:
            # A start that is cancelled leaves no end open.
            untaken.callback(ours.close)
            config = {**launch.config, "control_fd": theirs.fileno()}
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *launch.command,
                    json.dumps(config),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.DEVNULL,
                    stderr=self._stderr,
                    env=launch.env,
                    cwd="/",
                    pass_fds=(theirs.fileno(), *launch.inherited),
                    start_new_session=True,
                )
            except OSError as error:
                raise UnavailableError(f"The {self.backend} sandbox cannot start.", seen=str(error)) from error
            finally:
                for descriptor in launch.inherited:
                    os.close(descriptor)
            self._control = Control(*await asyncio.open_connection(sock=ours))
            untaken.pop_all()
        try:
            ready = await self._control.ready(_START_SECONDS)
        except UnavailableError as error:
            raise UnavailableError(
                f"The {self.backend} sandbox did not come up.",
                seen=self._said() or error.seen,
                next="pincite sandbox check",
            ) from error
        self._ports = ready["doors"]
        self.warnings = (*self.warnings, *self.doubts(await self.figures(), ready))

    def _said(self) -> str:
        if self._stderr is None:
            return ""
        self._stderr.seek(0)
        return self._stderr.read(_STDERR_SHOWN).decode("utf-8", "replace").strip()

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
        if files:
            await self.put_all(files)
        variables = {**self._env, **self.spec.env, **(env or {})}
        check_command(argv, variables)
        folder = str(PurePosixPath(self.workdir, cwd or ""))
        output = Output(output_limit, on_output)
        began = time.monotonic()
        call = {"op": "exec", "argv": list(argv), "cwd": folder, "env": variables}
        before = await self.figures()
        timed_out = False
        answer: dict[str, Any] = {}
        try:
            async with asyncio.timeout(timeout):
                answer, _ = await self._ask(call, on_output=output.feed)
        except TimeoutError:
            timed_out = True
            await self._kill()
        except UnavailableError:
            raise
        except BaseException:
            await asyncio.shield(self._kill())
            raise
        if "error" in answer:
            raise start_error(answer["errno"], answer["what"], argv[0], folder)
        return ExecResult(
            exit_code=None if timed_out else answer["exit_code"],
            stdout=output.bytes_of("stdout"),
            stderr=output.bytes_of("stderr"),
            seconds=time.monotonic() - began,
            timed_out=timed_out,
            truncated=output.truncated,
            **await self._bitten(before, None if timed_out else answer["exit_code"]),
        )

    async def _bitten(self, before: Figures, exit_code: int | None) -> dict[str, bool]:
        try:
            bitten = (await self.figures()).bitten(before)
        except UnavailableError:
            if exit_code is not None:
                raise
            # It could not be emptied and was stopped whole: how the command ended is known all the same.
            return {}
        return {**bitten, "out_of_space": bitten["out_of_space"] or exit_code == _FILE_TOO_BIG}

    async def reported(self) -> Mapping[str, Any]:
        """The supervisor's figures."""
        answer, _ = await self._ask({"op": "limits"})
        return answer["limits"]

    async def _kill(self) -> None:
        """End every process; a sandbox in which that fails is stopped whole."""
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                answer, _ = await self._ask({"op": "kill"})
            ended = bool(answer.get("ended"))
        except (TimeoutError, UnavailableError):
            ended = False
        if not ended:
            await self.stop()

    async def end_processes(self) -> None:
        """End every process of the agent."""
        await self._kill()

    async def put(self, path: str, data: bytes) -> None:
        """Write a file inside."""
        answer, _ = await self._ask({"op": "put", "path": path}, data)
        if "error" in answer:
            raise file_error(answer)

    async def put_all(self, files: Mapping[str, bytes]) -> None:
        """Write several files inside."""
        answer, _ = await self._ask({"op": "put_all"}, pack_files(files))
        if "error" in answer:
            raise file_error(answer)

    async def get(self, path: str, *, max_bytes: int = 50_000_000) -> bytes:
        """Read a regular file from inside."""
        answer, data = await self._ask({"op": "get", "path": path, "max_bytes": max_bytes})
        if "error" in answer:
            raise file_error(answer)
        return data

    async def stop(self) -> None:
        """End every process and remove everything."""
        control, self._control = self._control, None
        process, self._process = self._process, None
        if control is not None:
            await control.close()
        if process is not None:
            try:
                await asyncio.wait_for(process.wait(), _STOP_SECONDS)
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if self._stderr is not None:
            self._stderr.close()
            self._stderr = None
        await self.clean_up()

    async def health(self) -> Health:
        """Whether the supervisor answers."""
        try:
            async with asyncio.timeout(_HEALTH_SECONDS):
                await self._ask({"op": "limits"})
        except UnavailableError as error:
            return Health(ok=False, detail=error.seen or error.what)
        except TimeoutError:
            return Health(ok=False, detail=f"the supervisor did not answer in {_HEALTH_SECONDS:.0f} s")
        return Health(ok=True)

    async def _ask(
        self, request: dict[str, Any], body: bytes = b"", on_output: OnOutput | None = None
    ) -> tuple[dict[str, Any], bytes]:
        """A request to the supervisor; when it has ended, the error carries its last words."""
        try:
            return await self._running().request(request, body, on_output)
        except UnavailableError as error:
            raise UnavailableError(error.what, seen=self._said() or error.seen, next=error.next) from error

    def _running(self) -> Control:
        if self._control is None:
            raise UnavailableError("The sandbox is not running.", seen="it was stopped, or never started")
        return self._control
