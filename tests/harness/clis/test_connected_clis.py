"""The real CLIs after ``pincite connect``: their model is shown the tools and calls one."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite_doors.testing import ScriptedModel, call, say
from pincite_harness.cli.main import app

PAPERS = Path(__file__).parents[3] / "tasks/property_extraction/papers"
PROMPT = "Convert 66 kDa to g/mol."


def claude(url: str, _home: Path) -> tuple[list[str], dict[str, str]]:
    command = ["claude", "-p", PROMPT, "--allowedTools", "mcp__pincite", "--output-format", "stream-json", "--verbose"]
    return command, {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "x",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "ENABLE_TOOL_SEARCH": "false",
        "MCP_CONNECTION_NONBLOCKING": "0",
        "MCP_CONNECT_TIMEOUT_MS": "60000",
    }


def codex(url: str, home: Path) -> tuple[list[str], dict[str, str]]:
    file = home / ".codex/config.toml"
    before = (
        f'model = "scripted"\nmodel_provider = "fake"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
        f'[model_providers.fake]\nname = "fake"\nbase_url = "{url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n'
    )
    entered = file.read_text().replace("startup", 'required = true\ndefault_tools_approval_mode = "approve"\nstartup')
    file.write_text(before + "\n" + entered)
    return ["codex", "exec", "--json", "--skip-git-repo-check", PROMPT], {"FAKE_KEY": "x"}


def gemini(url: str, home: Path) -> tuple[list[str], dict[str, str]]:
    _add(home / ".gemini/settings.json", {"security": {"auth": {"selectedType": "gemini-api-key"}}})
    command = ["gemini", "-p", PROMPT, "-m", "gemini-2.5-flash", "-o", "stream-json", "--approval-mode", "yolo"]
    return command, {
        "GEMINI_API_KEY": "x",
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_CLI_NO_RELAUNCH": "true",
    }


def qwen(url: str, home: Path) -> tuple[list[str], dict[str, str]]:
    settings = {"security": {"auth": {"selectedType": "openai"}}, "memory": {"enableManagedAutoMemory": False}}
    _add(home / ".qwen/settings.json", settings)
    command = ["qwen", PROMPT, "-o", "stream-json", "--auth-type", "openai", "--exclude-tools", "tool_search", "--yolo"]
    return command, {
        "OPENAI_API_KEY": "x",
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_MODEL": "scripted",
        "QWEN_CODE_NO_RELAUNCH": "true",
    }


def _add(file: Path, settings: dict[str, Any]) -> None:
    """What the client needs to ask the scripted model, beside what was entered."""
    file.write_text(json.dumps({**json.loads(file.read_text()), **settings}))


@pytest.mark.parametrize("client", [claude, codex, gemini, qwen])
def test_the_model_of_a_connected_client_is_shown_the_tools_and_calls_one(
    client: Callable[[str, Path], tuple[list[str], dict[str, str]]],
    clis: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hidden = ("PINCITE_", "CLAUDE", "CODEX", "GEMINI", "ANTHROPIC", "OPENAI", "XDG_")
    for name in [name for name in os.environ if name.startswith(hidden)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", os.pathsep.join([str(clis), str(Path(sys.executable).parent), os.environ["PATH"]]))
    folder = tmp_path / "work"
    folder.mkdir()
    arguments = ["connect", client.__name__, "--serve", "documents,materials", "--root", str(PAPERS), "--yes"]
    entered = CliRunner().invoke(app, arguments)
    assert entered.exit_code == 0, entered.output
    script = [
        call("pincite.convert_units", value="66 kDa", to="g/mol"),
        call("pincite.open_paper", paper="ybco_oxygen.pdf"),
        say("66000 g/mol."),
    ]
    with ScriptedModel(script) as model:
        command, env = client(model.url, tmp_path)
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            timeout=180,
            stdin=subprocess.DEVNULL,
        )
    assert not model.troubles, model.troubles
    assert model.left == 0, done.stdout[-3000:] + done.stderr[-3000:]
    last = json.dumps(model.requests[-1].body, ensure_ascii=False)
    assert "66000" in last
    assert "pc:" in last
