"""Every command that the README and the pages it leads to show is executed, in order, as a new user would: in a clone,
with its own home. What the README prints as output is what comes out."""

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from pincite_doors.testing import ScriptedModel, call, say, write

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PAGES = [README, (ROOT / "docs/getting-started.md").read_text(), (ROOT / "docs/start.md").read_text()]
PAGES += [path.read_text() for path in sorted((ROOT / "docs/servers").glob("*.md"))]
BLOCKS = re.findall(r"^```sh\n(.*?)^```", "\n".join(PAGES), re.MULTILINE | re.DOTALL)
COMMANDS = list(dict.fromkeys(line for block in BLOCKS for line in block.strip().splitlines()))
"""Each once, in the order of the pages."""
OUTPUTS = re.findall(r"^```sh\n([^\n]+)\n```\n(?:\n[^\n]+\n)?\n```text\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
"""Commands of the README, each with the output that stands under it."""
MOST_WORDS = 900
SET_UP, CHECK = COMMANDS[0], COMMANDS[1]


class Shell:
    """A new user's terminal: runs the README's commands up to one of them, each once."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self.folder = folder
        self.env = env
        self.done: dict[str, subprocess.CompletedProcess[str]] = {}

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run one command once; an earlier result is returned again."""
        if command not in self.done:
            self.done[command] = subprocess.run(
                ["bash", "-c", command], cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=900
            )
        return self.done[command]

    def after(self, pattern: str, command: str) -> subprocess.CompletedProcess[str]:
        """Run the earlier commands that match ``pattern``, then ``command``."""
        for earlier in COMMANDS[: COMMANDS.index(command)]:
            if earlier in PLAIN and re.search(pattern, earlier):
                assert self.run(earlier).returncode == 0
        return self.run(command)


@pytest.fixture(scope="session")
def shell(checkout: Path, clean_env: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Shell:
    home = tmp_path_factory.mktemp("home")
    path = os.pathsep.join([str(checkout / ".venv/bin"), clean_env["PATH"]])
    env = clean_env | {"HOME": str(home), "PATH": path, "COLUMNS": "200"}
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        env.pop(name, None)
    shell = Shell(checkout, env)
    family = checkout / "tasks/property_extraction"
    records = [json.loads(line) for line in (family / "records.jsonl").read_text().splitlines()][:2]
    (checkout / "my-papers").mkdir()
    gold = []
    for record in records:
        (paper,) = record["inputs"]["papers"]
        shutil.copy2(family / paper, checkout / "my-papers")
        gold.append({"paper": Path(paper).name, "properties": record["gold"]["properties"]})
    (checkout / "my-gold.jsonl").write_text("".join(json.dumps(line) + "\n" for line in gold))
    shutil.copy2(family / records[0]["inputs"]["papers"][0], checkout / "my.pdf")
    return shell


@pytest.fixture(scope="session")
def set_up(shell: Shell) -> Shell:
    """The terminal after the README's first command."""
    done = shell.run(SET_UP)
    assert done.returncode == 0, done.stdout + done.stderr
    return shell


def runs_of(shell: Shell, name: str) -> list[dict[str, object]]:
    return [json.loads(path.read_text()) for path in shell.folder.glob(f"runs/{name}/trials/*/trial.json")]


def test_the_readme_has_two_set_up_commands() -> None:
    set_up = README.partition("## Set up")[2].partition("\n## ")[0]
    assert len(re.findall(r"^```sh$", set_up, re.MULTILINE)) == 2
    assert SET_UP.endswith("pincite run property_extraction")


def test_the_readme_is_read_in_five_minutes() -> None:
    assert len(README.split()) <= MOST_WORDS


def test_the_readme_shows_what_two_commands_print(set_up: Shell) -> None:
    (first, _), (second, _) = OUTPUTS
    assert first == SET_UP
    assert second.startswith("pincite cite")
    for command, shown in OUTPUTS:
        printed = [line.rstrip() for line in set_up.run(command).stdout.splitlines()]
        assert not [line for line in shown.splitlines() if line not in printed], printed


def test_ci_calls_the_readmes_test_command() -> None:
    assert CHECK in (ROOT / ".ci/run").read_text().splitlines()
    assert "pytest" in (ROOT / CHECK).read_text()


def test_set_up_ends_in_a_scored_run(set_up: Shell) -> None:
    scores = [json.loads(path.read_text()) for path in set_up.folder.glob("runs/*/trials/*/score.json")]
    assert len(scores) >= 8
    assert {score["status"] for score in scores} == {"scored"}
    assert list(set_up.folder.glob("runs/*/report.html"))


HANDLED_APART = re.compile(
    r"^(scripts/check|python3 -m venv|pincite sandbox (build|check)|pincite connect|pincite library embed --get)\b"
    r"|serve|--model"
)
PLAIN = [command for command in COMMANDS if not HANDLED_APART.search(command)]


@pytest.mark.parametrize("command", PLAIN)
def test_command_runs(set_up: Shell, command: str) -> None:
    done = set_up.after(r"^pincite (run|tasks import|library add)", command)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_users_own_pdf_is_read_and_not_scored_as_zero(set_up: Shell) -> None:
    (command,) = [command for command in PLAIN if "--paper " in command]
    set_up.run(command)
    (trial,) = runs_of(set_up, "mine")
    assert trial["status"] == "completed"
    (score,) = [json.loads(path.read_text()) for path in set_up.folder.glob("runs/mine/trials/*/score.json")]
    assert score["status"] == "unscored"
    assert score["metrics"]["f1"] is None
    assert score["metrics"]["evidence_verified"] == 1.0


def test_the_library_answers_from_a_users_own_papers(set_up: Shell) -> None:
    searched, grepped = (command for command in PLAIN if re.search(r"library (search|grep)", command))
    for command in (searched, grepped):
        done = set_up.after(r"library add", command)
        assert re.search(r"pc:[0-9a-f]{8}#p\d+:\d+-\d+", done.stdout), done.stdout + done.stderr


def test_own_gold_is_scored(set_up: Shell) -> None:
    (command,) = [command for command in PLAIN if "--tasks" in command]
    set_up.after("tasks import", command)
    scores = [json.loads(path.read_text()) for path in set_up.folder.glob("runs/own/trials/*/score.json")]
    assert [score["metrics"]["f1"] for score in scores] == [1.0, 1.0]


def test_ci_builds_the_images_by_the_readmes_command() -> None:
    (command,) = [command for command in COMMANDS if command.startswith("pincite sandbox build")]
    assert command in (ROOT / ".ci/run").read_text()


def test_the_sandbox_is_checked_by_the_readmes_command(set_up: Shell, bubblewrap_ready: None) -> None:
    """By some of its probes: the others have their own tests."""
    (command,) = [command for command in COMMANDS if command.startswith("pincite sandbox check")]
    done = set_up.run(f"{command} --sandbox bubblewrap --only relay --only configuration")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ways out" not in done.stdout


@pytest.mark.docker
def test_a_real_agent_runs_by_the_readmes_command(set_up: Shell, agents_image_ready: None) -> None:
    (command,) = [command for command in COMMANDS if "--model " in command]
    script = [
        call("documents.open_paper", paper="ybco_oxygen.pdf"),
        write("answer.json", '{"properties": []}'),
        say("Done."),
    ]
    with ScriptedModel(script, key="a-users-key") as model:
        set_up.env["ANTHROPIC_API_KEY"] = "a-users-key"
        done = set_up.run(f"{command} --model-url {model.url} --sandbox docker")
    assert done.returncode == 0, done.stdout + done.stderr
    (trial,) = runs_of(set_up, "claude")
    assert trial["status"] == "completed"
    assert trial["model_calls"] == 3
    assert model.left == 0


_TRIES_TO_CONNECT = 6
"""Gemini's list gives a server 5 s to start, which a machine that is busy with other work may not give it at once."""


@pytest.mark.parametrize("cli", ["claude", "codex", "gemini"])
def test_server_plugs_into(cli: str, set_up: Shell, clis: Path) -> None:
    (command,) = [command for command in COMMANDS if command.startswith(f"pincite connect {cli}")]
    set_up.env["PATH"] = os.pathsep.join([str(clis), str(Path(sys.executable).parent), set_up.env["PATH"]])
    set_up.env["GEMINI_CLI_TRUST_WORKSPACE"] = "true"
    added = set_up.run(command)
    assert added.returncode == 0, added.stdout + added.stderr
    expected = "enabled" if cli == "codex" else "Connected"
    lines: list[str] = []
    for _ in range(_TRIES_TO_CONNECT):
        listed = set_up.run(f"{cli} mcp list")
        lines = (listed.stdout + listed.stderr).splitlines()
        (line,) = [line for line in lines if re.match(r"\W*pincite\b", line)]
        if re.search(expected, line):
            return
    pytest.fail("\n".join(lines))


async def test_server_over_http(set_up: Shell) -> None:
    (command,) = [command for command in COMMANDS if "--http" in command]
    address = shlex.split(command)[-1]
    bin_folder = set_up.folder / ".venv/bin"
    server = subprocess.Popen(
        [bin_folder / shlex.split(command)[0], *shlex.split(command)[1:]], cwd=set_up.folder, env=set_up.env
    )
    try:
        await until_healthy(f"http://{address}/health")
        async with Client(f"http://{address}/mcp") as client:
            opened = await client.call_tool("open_paper", {"paper": "my.pdf"})
        assert not opened.is_error
    finally:
        server.terminate()
        server.wait(timeout=20)


async def test_server_with_a_cutoff(set_up: Shell) -> None:
    (command,) = [command for command in COMMANDS if "--before" in command]
    program, *arguments = shlex.split(command)
    launch = StdioServerParameters(
        command=str(set_up.folder / ".venv/bin" / program), args=arguments, cwd=set_up.folder, env=set_up.env
    )
    async with Client(launch) as client:
        assert "2021-01-01" in (client.instructions or "")
        refused = await client.call_tool("search_web", {"query": "cuprates"})
    assert refused.is_error
    assert "2021-01-01" in refused.content[0].text


async def until_healthy(url: str) -> None:
    for _ in range(150):
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                assert answer.status == 200
                return
        except OSError:
            await asyncio.sleep(0.2)
    pytest.fail(f"{url} did not answer within 30 s")
