"""docs/servers holds what the servers say and answer."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from pincite_core.servers import SERVERS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("server", SERVERS)
def test_page_is_what_the_server_says(
    server: str, module_at: Callable[[Path], ModuleType], request: pytest.FixtureRequest
) -> None:
    if server == "workbench":
        request.getfixturevalue("docker_ready")
    built = asyncio.run(module_at(ROOT / "scripts/build_server_pages.py").page(server))
    assert (ROOT / f"docs/servers/{server}.md").read_text() == built, "run python scripts/build_server_pages.py"
