"""The README, the pages it leads to, the command line and the servers name the same things."""

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
ROWS = re.findall(r"^\| \[`([a-z]+)`\]\(docs/servers/([a-z]+)\.md\) \|", README, re.MULTILINE)
"""Servers of the README's table, each with the page that it links to."""
PAGES = [ROOT / "README.md", ROOT / "docs/getting-started.md", *sorted((ROOT / "docs/servers").glob("*.md"))]


def test_readme_shows_every_server_and_links_its_page() -> None:
    assert {server for server, _ in ROWS} == set(SERVERS)
    assert all(server == page for server, page in ROWS)
    assert {path.stem for path in (ROOT / "docs/servers").glob("*.md")} == set(SERVERS)


@pytest.mark.parametrize("server", sorted(SERVERS))
async def test_page_of_a_server_names_every_tool(server: str, tmp_path: Path) -> None:
    set_up = {"PINCITE_VISION_URL": "http://127.0.0.1:9/v1", "PINCITE_VISION_MODEL": "m"}
    set_up |= {"PINCITE_SEARXNG_URL": "http://127.0.0.1:9"}  # without these some tools are not listed
    named = re.findall(r"^### `(\w+)`$", (ROOT / f"docs/servers/{server}.md").read_text(), re.MULTILINE)
    command = StdioServerParameters(command=PINCITE, args=["serve", server], cwd=tmp_path, env=set_up)
    async with Client(command) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == named


def test_readme_and_its_pages_use_every_command_and_no_other() -> None:
    told = "\n".join(path.read_text() for path in PAGES)
    shown = "\n".join(re.findall(r"`[^`]*`|^pincite .*$", told, re.MULTILINE))
    assert set(re.findall(r"pincite (\w+)", shown)) == set(COMMANDS)


def test_every_page_that_the_documentation_links_is_there() -> None:
    missing: list[str] = []
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
        missing += [f"{page.name}: {link}" for link in links if not (page.parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself(command: str) -> None:
    done = subprocess.run([PINCITE, command, "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert f"pincite {command}" in done.stdout


def test_packages_of_servers_are_servers() -> None:
    packages = {path.parent.name.removeprefix("pincite_") for path in ROOT.glob("servers/pincite_*/__main__.py")}
    assert packages == set(SERVERS)
