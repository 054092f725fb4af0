"""Servers and the commands on papers on a machine without fcntl, resource, pwd and google-re2, and without the packages
of the extra ``harness``."""

import os
import subprocess
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters

from pincite_harness.cli.main import HARNESS_MODULES

PINCITE = str(Path(sys.executable).with_name("pincite"))
PAPERS = Path(__file__).parents[2] / "tasks/property_extraction/papers"
PAPER = {"paper": "ybco_oxygen.pdf"}


def bare(folder: Path) -> dict[str, str]:
    """The environment of a machine that lacks them; jsonschema comes with the MCP SDK."""
    return os.environ | {
        "PYTHONPATH": str(Path(__file__).parent / "hidden_modules"),
        "PINCITE_TEST_HIDDEN": "fcntl,resource,pwd,re2",
        "PINCITE_TEST_ABSENT": ",".join(HARNESS_MODULES - {"jsonschema"}),
        "PINCITE_CACHE_DIR": str(folder / "cache"),
        "PINCITE_ROOTS": str(PAPERS),
    }


async def test_the_preset_read_runs_its_tools(tmp_path: Path) -> None:
    launch = StdioServerParameters(command=PINCITE, args=["serve", "read"], env=bare(tmp_path))
    calls = [
        ("open_paper", PAPER, "Oxygen content"),
        ("read_pages", {**PAPER, "pages": "1"}, "pc:46521428#p1:"),
        ("read_table", {**PAPER, "table": "1"}, "pc:46521428#p"),
        ("grep_paper", {**PAPER, "pattern": "Néel"}, "pc:46521428#p"),
        ("verify_quotes", {**PAPER, "quotes": ["a Néel temperature of 412(5) K"]}, 'stands":true'),
        ("list_figures", PAPER, "Fig. 1"),
    ]
    async with Client(launch) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        wrong: list[str] = []
        for name, arguments, expected in calls:
            made = await client.call_tool(name, arguments)
            if name not in listed or made.is_error or expected not in str(made.content):
                wrong.append(f"{name}: {str(made.content)[:300]}")
        pattern = await client.call_tool("grep_paper", {**PAPER, "pattern": "N.el", "regex": True})
    assert not wrong, "\n".join(wrong)
    assert pattern.is_error
    assert "pip install google-re2" in str(pattern.content)


def test_commands_on_papers_work_and_others_say_what_to_install(tmp_path: Path) -> None:
    paper = str(PAPERS / "ybco_oxygen.pdf")
    rows = [
        (["cite", paper, "a Néel temperature of 412(5) K"], 0, "exact"),
        (["read", paper, "--pages", "1"], 0, "Néel"),
        (["connect", "claude", "--print"], 0, "mcpServers"),
        (["doctor"], 0, "no limit of memory"),
        (["run", "property_extraction"], 1, "needs"),
    ]
    wrong: list[str] = []
    for arguments, status, expected in rows:
        done = subprocess.run([PINCITE, *arguments], env=bare(tmp_path), capture_output=True, text=True, timeout=120)
        if done.returncode != status or expected not in done.stdout + done.stderr:
            wrong.append(f"{arguments}: {done.returncode} {(done.stdout + done.stderr)[-400:]}")
    assert not wrong, "\n".join(wrong)
