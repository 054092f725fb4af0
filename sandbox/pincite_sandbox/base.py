"""The sandbox contract: start, exec, put, get, stop, health."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

Stream = Literal["stdout", "stderr"]
OnOutput = Callable[[Stream, bytes], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """Resources of one sandbox: memory and scratch space in MiB, processes, CPUs."""

    memory_mb: int = 2048
    scratch_mb: int = 1024
    pids: int = 512
    cpus: float = 2.0


@dataclass(frozen=True, slots=True)
class OpenImage:
    """An image of somebody else's making, run as it is made: its root may be written, and commands run in ``workdir``
    as its own ``user`` (as the daemon takes one; root gets few capabilities) with its own variables. ``volumes`` are
    volumes of the daemon that are shown read-only, by the path inside. ``verifying`` says that no agent will run in it,
    so that it may hold gold."""

    workdir: str
    user: str
    volumes: Mapping[str, str] = field(default_factory=dict[str, str])
    verifying: bool = False


SHOWN = "/files"
"""Where a sandbox sees the folder ``SandboxSpec.shown``."""


@dataclass(frozen=True, slots=True)
class SandboxSpec:
    """What a sandbox is started with.

    ``doors`` maps a door's name ("tools") to the Unix socket on the host that serves it; inside, a relay on loopback
    forwards to it. ``owner`` labels what the sandbox leaves on the machine, so that a reaper finds it. ``programs`` are
    folders of this machine that a local sandbox shows inside, read-only and at the same paths; Docker has an image
    instead, and ``runtime`` names another OCI runtime of the daemon (``runsc`` for gVisor). ``hidden`` are folders and
    files of this machine, gold answers above all, that must not be seen inside: they are covered where a folder that is
    shown holds them, and refused where that cannot be. ``shown`` is a folder of this machine, readable by all, that is
    seen read-only at ``/files``. ``open_image`` is only for Docker: a task's own image, which
    cannot be sealed as tightly as ours.
    """

    name: str
    owner: str
    doors: Mapping[str, Path] = field(default_factory=dict[str, Path])
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    limits: Limits = field(default_factory=Limits)
    image: str = ""
    runtime: str = ""
    programs: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    shown: Path | None = None
    open_image: OpenImage | None = None


@dataclass(frozen=True, slots=True)
class ExecResult:
    """How a command ended. ``exit_code`` is None when it was killed by its timeout, 128 + n when signal n ended it;
    ``truncated`` says that output beyond the cap was dropped from ``stdout`` or ``stderr`` (it still reached
    ``on_output``); ``out_of_memory`` that the sandbox's memory limit killed a process meanwhile, ``out_of_pids`` that
    its limit of processes refused one, ``out_of_space`` that its scratch space is full (where these can be known)."""

    exit_code: int | None
    stdout: bytes
    stderr: bytes
    seconds: float
    timed_out: bool = False
    truncated: bool = False
    out_of_memory: bool = False
    out_of_pids: bool = False
    out_of_space: bool = False


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the sandbox can run commands, and why not."""

    ok: bool
    detail: str = ""


class Sandbox(Protocol):
    """A place to run an agent. Every failure is a PinciteError; a timeout leaves no process behind."""

    backend: str
    """Name of the backend: docker, bubblewrap or process."""

    workdir: str
    """The writable working folder, as the agent sees it."""

    warnings: tuple[str, ...]
    """What this backend cannot promise, in words for the run's record."""

    async def start(self) -> None:
        """Start it; UnavailableError when the backend is not there."""
        ...

    async def door_url(self, door: str) -> str:
        """The http:// base address of a door as seen from inside, without a trailing slash."""
        ...

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
        """Run a command to its end, at most ``timeout`` seconds; of each stream ``output_limit`` bytes are kept.
        ``files`` are put first, with the errors of ``put``: cheaper than doing so apart.

        A timeout or a cancellation ends every process of the sandbox, not only this command's. What a command leaves
        running lives on until then. NotFoundError when the program or ``cwd`` is not there, BadInputError when it
        cannot be run, UnavailableError when the sandbox ended meanwhile.
        """
        ...

    async def end_processes(self) -> None:
        """End every process of the commands; the files stay and can be read."""
        ...

    async def put(self, path: str, data: bytes) -> None:
        """Write a file below ``workdir``; its folders are made. ForbiddenError when the path leads out or passes
        through a symbolic link, LimitReachedError when the scratch space is full."""
        ...

    async def put_all(self, files: Mapping[str, bytes]) -> None:
        """Write several files in one go, with the errors of ``put``; those before a refused one are written."""
        ...

    async def get(self, path: str, *, max_bytes: int = 50_000_000) -> bytes:
        """Read a regular file below ``workdir``; NotFoundError, LimitReachedError beyond ``max_bytes``, ForbiddenError
        for a path that leads out, a symbolic link or anything but a regular file."""
        ...

    async def stop(self) -> None:
        """End every process and remove everything; safe to call twice."""
        ...

    async def health(self) -> Health:
        """Whether commands can run now."""
        ...
