"""What ``pincite doctor`` says of sandboxes; imported only there, since the thin base has no package of theirs."""

from collections.abc import Callable, Coroutine

from pincite_core.errors import PinciteError
from pincite_sandbox import bubblewrap
from pincite_sandbox.base import SandboxSpec
from pincite_sandbox.choose import docker_refused, open_sandbox
from pincite_sandbox.images import AGENTS_IMAGE, BUILD_LINE, DEFAULT_IMAGE
from pincite_sandbox.owner import owner_label

Found = tuple[str, str, str, str, bool]
"""Title, detail, trouble, remedy, and whether nothing works without it."""


async def _process() -> Found:
    title, trouble = "plain process sandbox", ""
    try:
        sandbox = await open_sandbox("process", SandboxSpec("doctor", owner_label()))
        await sandbox.stop()
    except PinciteError as error:
        trouble = str(error)
    return title, "works (isolates nothing: for --unsafe and pincite's own programs)", trouble, "", True


async def _bubblewrap() -> Found:
    return "bubblewrap sandbox", "works", await bubblewrap.why_not(), bubblewrap.INSTALL, False


async def _docker(title: str, image: str) -> Found:
    refused = await docker_refused(image)
    remedy = BUILD_LINE if image in refused else f"scripts/start-docker (Debian, as root), then {BUILD_LINE}"
    return title, f"a daemon answers and has {image}", refused, remedy, False


async def _default_image() -> Found:
    return await _docker("Docker sandbox", DEFAULT_IMAGE)


async def _agents_image() -> Found:
    return await _docker("Docker sandbox for agents with a model", AGENTS_IMAGE)


CHECKS: tuple[Callable[[], Coroutine[None, None, Found]], ...] = (_process, _bubblewrap, _default_image, _agents_image)
"""What is checked, in order."""
