"""The clients: where each keeps its MCP servers, and how an entry looks there."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pincite_core.errors import BadInputError

START_SECONDS, TOOL_SECONDS = 60, 600
"""What Codex waits for a server's start and for a call: its own 10 and 60 s are short for a busy machine."""

Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Launch:
    """What a client starts: an absolute command, its arguments and its variables."""

    command: str
    arguments: tuple[str, ...]
    env: dict[str, str]


@dataclass(frozen=True, slots=True)
class ClientEntry:
    """A client: its title, the file for one user and the one inside a project (None: it has none), the section that
    names servers in it, and how it writes one."""

    title: str
    user: Callable[[], Path]
    project: str | None
    section: str
    entry: Callable[[Launch], Entry]
    format: Literal["json", "toml"] = "json"
    then: str = ""
    """What the user does next."""


def _home(*parts: str) -> Callable[[], Path]:
    return lambda: Path.home().joinpath(*parts)


def _variable(name: str, otherwise: Callable[[], Path], file: str) -> Callable[[], Path]:
    """``file`` in the folder that a variable names, else another path."""
    return lambda: Path(os.environ[name]) / file if os.environ.get(name) else otherwise()


def _application(*parts: str, linux: str = "") -> Callable[[], Path]:
    """A file among the settings of applications of this system."""

    def place() -> Path:
        if sys.platform == "darwin":
            return Path.home().joinpath("Library", "Application Support", *parts)
        if sys.platform == "win32":
            return Path(os.environ.get("APPDATA") or Path.home() / "AppData/Roaming").joinpath(*parts)
        return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config").joinpath(
            linux or parts[0], *parts[1:]
        )

    return place


def _settings(*parts: str) -> Callable[[], Path]:
    """A file under ``XDG_CONFIG_HOME``, else ``~/.config``, on Windows too."""
    return lambda: Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config").joinpath(*parts)


def _plain(launch: Launch) -> Entry:
    return {"command": launch.command, "args": list(launch.arguments), "env": launch.env}


def _typed(launch: Launch) -> Entry:
    return {"type": "stdio", **_plain(launch)}


def _codex(launch: Launch) -> Entry:
    made = _plain(launch)
    env = made.pop("env")
    return {**made, "startup_timeout_sec": START_SECONDS, "tool_timeout_sec": TOOL_SECONDS, "env": env}


def _zed(launch: Launch) -> Entry:
    return {"source": "custom", **_plain(launch)}


def _opencode(launch: Launch) -> Entry:
    command = [launch.command, *launch.arguments]
    return {"type": "local", "command": command, "environment": launch.env, "enabled": True}


CLIENTS = {
    "claude": ClientEntry(
        "Claude Code",
        _variable("CLAUDE_CONFIG_DIR", _home(".claude.json"), ".claude.json"),
        ".mcp.json",
        "mcpServers",
        _typed,
        then="`claude mcp list` shows it.",
    ),
    "claude-desktop": ClientEntry(
        "Claude Desktop",
        _application("Claude", "claude_desktop_config.json"),
        None,
        "mcpServers",
        _plain,
        then="Restart Claude Desktop.",
    ),
    "codex": ClientEntry(
        "Codex",
        _variable("CODEX_HOME", _home(".codex", "config.toml"), "config.toml"),
        ".codex/config.toml",
        "mcp_servers",
        _codex,
        "toml",
        then="`codex mcp list` shows it.",
    ),
    "gemini": ClientEntry(
        "Gemini CLI",
        _home(".gemini", "settings.json"),
        ".gemini/settings.json",
        "mcpServers",
        _plain,
        then="`gemini mcp list` shows it, in a folder that it trusts.",
    ),
    "qwen": ClientEntry(
        "Qwen Code",
        _home(".qwen", "settings.json"),
        ".qwen/settings.json",
        "mcpServers",
        _plain,
        then="`qwen mcp list` shows it.",
    ),
    "cursor": ClientEntry(
        "Cursor",
        _home(".cursor", "mcp.json"),
        ".cursor/mcp.json",
        "mcpServers",
        _typed,
        then="Switch it on under Settings, MCP.",
    ),
    "vscode": ClientEntry(
        "VS Code",
        _application("Code", "User", "mcp.json"),
        ".vscode/mcp.json",
        "servers",
        _typed,
        then="Start it with the command MCP: List Servers.",
    ),
    "zed": ClientEntry(
        "Zed", _settings("zed", "settings.json"), ".zed/settings.json", "context_servers", _zed, then="Zed starts it."
    ),
    "windsurf": ClientEntry(
        "Windsurf",
        _home(".codeium", "windsurf", "mcp_config.json"),
        None,
        "mcpServers",
        _plain,
        then="Refresh the servers in Cascade.",
    ),
    "opencode": ClientEntry(
        "opencode",
        _settings("opencode", "opencode.json"),
        "opencode.json",
        "mcp",
        _opencode,
        then="`opencode mcp list` shows it.",
    ),
}
"""The clients by name."""


def client_named(name: str) -> ClientEntry:
    """The client ``name``; BadInputError for one that is not known."""
    if name not in CLIENTS:
        raise BadInputError(
            f"There is no client {name!r} that pincite can connect to.",
            next=f"Give one of: {', '.join(CLIENTS)}; any other takes the command of --print.",
        )
    return CLIENTS[name]


def file_of(client: ClientEntry, *, project: bool) -> Path:
    """The file that is changed, symbolic links followed; BadInputError where a client has none in a project."""
    if not project:
        return Path(os.path.realpath(client.user()))
    if client.project is None:
        raise BadInputError(
            f"{client.title} keeps no servers in a project.", next="Leave --project out: it is connected for the user."
        )
    return Path(os.path.realpath(Path.cwd() / client.project))


def own_command() -> tuple[str, tuple[str, ...]]:
    """The absolute command of this pincite: its script, else its interpreter with the module."""
    script = Path(sys.executable).with_name("pincite.exe" if sys.platform == "win32" else "pincite")
    if script.is_file():
        return str(script), ()
    return sys.executable, ("-P", "-m", "pincite_harness")


def launch_of(names: Sequence[str], tools: str, roots: Sequence[Path], env: dict[str, str]) -> Launch:
    """What a client starts to have these servers, with the folders ``roots`` to read from."""
    command, before = own_command()
    filtered = ("--tools", tools) if tools else ()
    variables = {"PINCITE_ROOTS": os.pathsep.join(map(str, roots)), **env}
    return Launch(command, (*before, "serve", *names, *filtered), variables)
