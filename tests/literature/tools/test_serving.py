"""The literature server as a process: the cutoff of its command line, and the module run by itself."""

import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

PINCITE = str(Path(sys.executable).with_name("pincite"))


async def instructions(*command: str, **env: str) -> str:
    """What the server says of itself."""
    async with Client(StdioServerParameters(command=command[0], args=list(command[1:]), env=env)) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} >= {"search_papers", "get_paper"}
        return client.instructions or ""


async def test_the_cutoff_of_the_command_line_wins() -> None:
    said = await instructions(PINCITE, "serve", "literature", "--before", "2021-01-01", PINCITE_BEFORE="1999-01-01")
    assert said.endswith("Works on or after 2021-01-01, or of unknown date, are withheld.")


async def test_the_cutoff_of_the_environment() -> None:
    said = await instructions(sys.executable, "-m", "pincite_literature", PINCITE_BEFORE="1999-12-31")
    assert said.endswith("Works on or after 1999-12-31, or of unknown date, are withheld.")
    assert "withheld" not in await instructions(PINCITE, "serve", "literature")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("documents", "--before", "2021-01-01"), "The server 'documents' knows no --before."),
        (("literature", "--before", "last year"), "last year"),
        (("literature", "--before", "2021-02-30"), "2021-02-30"),
    ],
)
def test_what_is_no_cutoff(arguments: tuple[str, ...], says: str) -> None:
    done = subprocess.run([PINCITE, "serve", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
