"""Opening the sandbox that was asked for, or the best one that is there."""

import asyncio
from collections.abc import Callable
from typing import Literal

from pincite_core.errors import BadInputError, PinciteError, UnavailableError

from . import bubblewrap
from .base import Sandbox, SandboxSpec
from .bubblewrap import BubblewrapSandbox
from .images import BUILD_LINE, DEFAULT_IMAGE
from .process import ProcessSandbox

SandboxKind = Literal["auto", "docker", "local", "bubblewrap", "process"]

UNSAFE_LINE = "--unsafe to run it as a plain process, which may read your files and use your network"


async def open_sandbox(kind: SandboxKind, spec: SandboxSpec, *, unsafe: bool = False) -> Sandbox:
    """A started sandbox of the kind that ``choose_kind`` takes; the caller stops it.

    UnavailableError when a backend that was asked for by name is not there.
    """
    taken, passed_over = await choose_kind(kind, spec.image, unsafe=unsafe)
    sandbox = _make(taken)(spec)
    sandbox.warnings = passed_over
    await sandbox.start()
    return sandbox


async def choose_kind(
    kind: SandboxKind, image: str = "", *, unsafe: bool = False
) -> tuple[SandboxKind, tuple[str, ...]]:
    """What to open for ``kind``, and why better kinds were passed over.

    ``auto`` is Docker where a daemon answers and has the image, else ``local``; ``local`` is bubblewrap where it works.
    A plain process isolates nothing: it is taken when it is asked for by name, or with ``unsafe`` where there is
    nothing better; otherwise UnavailableError says what to install.
    """
    passed_over: tuple[str, ...] = ()
    if kind == "auto":
        refused = await docker_refused(image or DEFAULT_IMAGE)
        if not refused:
            return "docker", ()
        kind, passed_over = "local", (f"docker was passed over: {refused}",)
    if kind == "local":
        refused = await bubblewrap.why_not()
        if not refused:
            return "bubblewrap", passed_over
        kind, passed_over = "process", (*passed_over, f"bubblewrap was passed over: {refused}")
        if not unsafe:
            raise UnavailableError(
                "No sandbox that isolates the agent works on this machine.",
                seen="; ".join(passed_over),
                next=f"{bubblewrap.INSTALL}; or start Docker, then {BUILD_LINE}; or {UNSAFE_LINE}.",
            )
    return kind, passed_over


def _make(kind: str) -> Callable[[SandboxSpec], Sandbox]:
    if kind == "docker":
        from .docker import DockerSandbox

        return DockerSandbox
    if kind == "bubblewrap":
        return BubblewrapSandbox
    if kind == "process":
        return ProcessSandbox
    raise BadInputError(f"There is no sandbox {kind}.", next="auto, docker or local")


async def docker_refused(image: str = DEFAULT_IMAGE) -> str:
    """Why Docker cannot be used with this image; empty when it can."""
    return await asyncio.to_thread(_docker_refused, image)


def _docker_refused(image: str) -> str:
    # The SDK takes a third of a second to import: only who may need Docker pays.
    from .daemon import SDK_ERRORS, connect, docker_error

    try:
        client = connect(timeout=10)
    except PinciteError as error:
        return f"{error.what} {error.seen}".strip()
    try:
        client.api.inspect_image(image)
    except SDK_ERRORS as error:
        trouble = docker_error(error, "use it")
        return f"the image {image} is not there ({BUILD_LINE})" if trouble.code == "not_found" else str(trouble)
    finally:
        client.close()
    return ""
