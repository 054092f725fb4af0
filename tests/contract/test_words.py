"""The README, the command line and the servers name the same things."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from pincite_core.servers import SERVERS
from pincite_harness.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PINCITE = str(Path(sys.executable).with_name("pincite"))
ROWS = {
    name: set(re.findall(r"`(\w+)`", tools))
    for name, tools in re.findall(r"^\| `([a-z]+)` \| [^|]+ \| ([^|]+) \|$", README, re.MULTILINE)
}


def test_readme_shows_every_server() -> None:
    assert set(ROWS) == set(SERVERS)


@pytest.mark.parametrize("server", sorted(ROWS))
async def test_readme_names_every_tool(server: str, tmp_path: Path) -> None:
    set_up = {"PINCITE_VISION_URL": "http://127.0.0.1:9/v1", "PINCITE_VISION_MODEL": "m"}
    set_up |= {"PINCITE_SEARXNG_URL": "http://127.0.0.1:9"}  # without these some tools are not listed
    command = StdioServerParameters(command=PINCITE, args=["serve", server], cwd=tmp_path, env=set_up)
    async with Client(command) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == ROWS[server]


def test_readme_uses_every_command_and_no_other() -> None:
    assert set(
        re.findall(r"pincite (\w+)", "\n".join(re.findall(r"`[^`]*`|^pincite .*$", README, re.MULTILINE)))
    ) == set(COMMANDS)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself(command: str) -> None:
    done = subprocess.run([PINCITE, command, "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert f"pincite {command}" in done.stdout


def test_packages_of_servers_are_servers() -> None:
    packages = {path.parent.name.removeprefix("pincite_") for path in ROOT.glob("servers/pincite_*/__main__.py")}
    assert packages == set(SERVERS)
