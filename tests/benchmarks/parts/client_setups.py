"""How the real CLI clients are pointed at a scripted model: for each the command of one prompt, and its environment.

Each takes the model's address, the home folder and the prompt. What the client needs to reach the model is added to its
configuration in that folder.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def claude(url: str, _home: Path, prompt: str) -> tuple[list[str], dict[str, str]]:
    command = ["claude", "-p", prompt, "--allowedTools", "mcp__pincite", "--output-format", "stream-json", "--verbose"]
    return command, {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "x",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "ENABLE_TOOL_SEARCH": "false",
        "MCP_CONNECTION_NONBLOCKING": "0",
        "MCP_CONNECT_TIMEOUT_MS": "60000",
    }


def codex(url: str, home: Path, prompt: str) -> tuple[list[str], dict[str, str]]:
    file = home / ".codex/config.toml"
    before = (
        f'model = "scripted"\nmodel_provider = "fake"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
        f'[model_providers.fake]\nname = "fake"\nbase_url = "{url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n'
    )
    entered = file.read_text() if file.is_file() else ""
    entered = entered.replace("startup", 'required = true\ndefault_tools_approval_mode = "approve"\nstartup')
    file.parent.mkdir(exist_ok=True)
    file.write_text(before + "\n" + entered)
    return ["codex", "exec", "--json", "--skip-git-repo-check", prompt], {"FAKE_KEY": "x"}


def gemini(url: str, home: Path, prompt: str) -> tuple[list[str], dict[str, str]]:
    _add(home / ".gemini/settings.json", {"security": {"auth": {"selectedType": "gemini-api-key"}}})
    command = ["gemini", "-p", prompt, "-m", "gemini-2.5-flash", "-o", "stream-json", "--approval-mode", "yolo"]
    return command, {
        "GEMINI_API_KEY": "x",
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_CLI_NO_RELAUNCH": "true",
    }


def qwen(url: str, home: Path, prompt: str) -> tuple[list[str], dict[str, str]]:
    settings = {"security": {"auth": {"selectedType": "openai"}}, "memory": {"enableManagedAutoMemory": False}}
    _add(home / ".qwen/settings.json", settings)
    command = ["qwen", prompt, "-o", "stream-json", "--auth-type", "openai", "--exclude-tools", "tool_search", "--yolo"]
    return command, {
        "OPENAI_API_KEY": "x",
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_MODEL": "scripted",
        "QWEN_CODE_NO_RELAUNCH": "true",
    }


def _add(file: Path, settings: dict[str, Any]) -> None:
    """What the client needs to ask the scripted model, beside what was entered."""
    before: dict[str, Any] = json.loads(file.read_text()) if file.is_file() else {}
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({**before, **settings}))


CLIENTS: dict[str, Callable[[str, Path, str], tuple[list[str], dict[str, str]]]] = {
    "claude": claude,
    "codex": codex,
    "gemini": gemini,
    "qwen": qwen,
}
