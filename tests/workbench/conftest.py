"""Workbenches of both kinds over one folder of files; a kind that is missing skips its tests, but fails them in CI."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client
from mcp_types import CallToolResult

from pincite_core.errors import UnavailableError
from pincite_core.settings import Settings, load_settings
from pincite_sandbox.choose import SandboxKind
from pincite_sandbox.science import prepare_science
from pincite_workbench.server import create_server

Call = Callable[..., "object"]


class Bench:
    """A client of a workbench: ``await bench("run_python", code=…)`` gives the result."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def __call__(self, tool: str, **arguments: object) -> CallToolResult:
        return await self._client.call_tool(tool, arguments)

    async def says(self, tool: str, **arguments: object) -> str:
        """The text of a result."""
        result = await self(tool, **arguments)
        return "\n".join(block.text for block in result.content if block.type == "text")


@pytest.fixture(scope="module", params=[pytest.param("docker", marks=pytest.mark.docker), "bubblewrap"])
def kind(request: pytest.FixtureRequest, missing: Callable[[str], None]) -> SandboxKind:
    """A kind of sandbox that this machine has, with the packages installed."""
    request.getfixturevalue(f"{request.param}_ready")
    try:
        prepare_science(request.param, load_settings().cache_dir)
    except UnavailableError as error:
        missing(str(error))
    return request.param


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The folder of the task's files."""
    folder = tmp_path / "task"
    folder.mkdir()
    return folder


@pytest.fixture
def open_bench(kind: SandboxKind, files: Path) -> Callable[[], AbstractAsyncContextManager[Bench]]:
    """Opens a workbench server of its own, as a trial does."""

    @asynccontextmanager
    async def opened() -> AsyncGenerator[Bench]:
        cache = load_settings().cache_dir
        settings = Settings(roots=(files,), workbench_sandbox=kind, workbench_memory_mb=512, cache_dir=cache)
        async with Client(create_server(settings)) as client:
            yield Bench(client)

    return opened
