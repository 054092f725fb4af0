"""pincite connect as a user runs it: every client's file, a backup, and out again."""

import base64
import json
import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError
from pincite_harness.cli.main import app
from pincite_harness.connecting import json_text
from pincite_harness.connecting.clients import CLIENTS, file_of

_STDIO = {
    "type": "object",
    "required": ["command", "args"],
    "properties": {
        "command": {"type": "string"},
        "args": {"type": "array", "items": {"type": "string"}},
        "env": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
SCHEMAS: dict[str, tuple[str, str | None, str, dict[str, Any]]] = {
    "claude": (".claude.json", ".mcp.json", "mcpServers", {**_STDIO, "required": ["type", "command"]}),
    "claude-desktop": (".config/Claude/claude_desktop_config.json", None, "mcpServers", _STDIO),
    "codex": (".codex/config.toml", ".codex/config.toml", "mcp_servers", _STDIO),
    "gemini": (".gemini/settings.json", ".gemini/settings.json", "mcpServers", _STDIO),
    "qwen": (".qwen/settings.json", ".qwen/settings.json", "mcpServers", _STDIO),
    "cursor": (".cursor/mcp.json", ".cursor/mcp.json", "mcpServers", _STDIO),
    "vscode": (
        ".config/Code/User/mcp.json",
        ".vscode/mcp.json",
        "servers",
        {**_STDIO, "required": ["type", "command"]},
    ),
    "zed": (".config/zed/settings.json", ".zed/settings.json", "context_servers", _STDIO),
    "windsurf": (".codeium/windsurf/mcp_config.json", None, "mcpServers", _STDIO),
    "opencode": (
        ".config/opencode/opencode.json",
        "opencode.json",
        "mcp",
        {
            "type": "object",
            "required": ["type", "command"],
            "properties": {
                "type": {"const": "local"},
                "command": {"type": "array", "items": {"type": "string"}, "minItems": 1},
                "environment": {"type": "object", "additionalProperties": {"type": "string"}},
                "enabled": {"type": "boolean"},
            },
            "additionalProperties": False,
        },
    ),
}
"""By client, from its documentation: its file on Linux, the one of a project, the section, and what an entry is."""


def read(file: Path) -> Any:
    text = file.read_text()
    return tomllib.loads(text) if file.suffix == ".toml" else json_text.read(text).value


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new user's home, with a folder of papers as the current one."""
    for name in (*(name for name in os.environ if name.startswith("PINCITE_")), "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "papers").mkdir()
    monkeypatch.chdir(tmp_path / "papers")
    return tmp_path


@dataclass
class Done:
    """How a command ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


def connect(*arguments: str) -> Done:
    """``pincite connect``, where nobody can be asked."""
    made = CliRunner().invoke(app, ["connect", *arguments])
    if isinstance(made.exception, BadInputError):
        return Done(2, made.stdout, str(made.exception))
    return Done(made.exit_code, made.stdout, made.stderr + str(made.exception or ""))


def test_every_client_has_its_own_file_and_shape(home: Path) -> None:
    assert set(SCHEMAS) == set(CLIENTS)
    for name, (user, project, section, _) in SCHEMAS.items():
        client = CLIENTS[name]
        assert (client.project, client.section) == (project, section)
        assert file_of(client, project=False) == home / user


def test_a_client_is_connected_changed_and_disconnected(home: Path) -> None:
    """One process a step: the table of clients is tried by the functions, two of them by the command."""
    for name in ("zed", "codex"):
        user, _, section, schema = SCHEMAS[name]
        file = home / user
        assert "Add --yes" in connect(name).stderr
        assert not file.exists()
        done = connect(name, "--yes")
        assert done.returncode == 0, done.stderr
        assert f"+++ {file}" in done.stdout
        entry = read(file)[section]["pincite"]
        jsonschema.validate(entry, schema)
        assert Path(entry["command"]).is_absolute()
        assert entry["env"] == {"PINCITE_ROOTS": str(home / "papers")}
        assert "nothing to change" in connect(name, "--yes").stdout
        first = file.read_text()
        file.chmod(0o600)
        changed = connect(name, "--serve", "all", "--tools", "-view_page", "--env", "PINCITE_CONTACT=a@b.org", "--yes")
        assert changed.returncode == 0, changed.stderr
        entry = read(file)[section]["pincite"]
        assert entry["args"] == ["serve", "all", "--tools", "-view_page"]
        assert entry["env"]["PINCITE_CONTACT"] == "a@b.org"
        (backup,) = file.parent.glob("*.bak")
        assert backup.read_text() == first
        assert file.stat().st_mode & 0o777 == 0o600
        assert connect(name, "--remove", "--yes").returncode == 0
        assert "pincite" not in read(file).get(section, {})


def test_entries_of_all_clients_fit_their_schemas(home: Path) -> None:
    from pincite_harness.connecting.change import connected, snippet
    from pincite_harness.connecting.clients import launch_of

    launch = launch_of(["read"], "", [home / "papers"], {})
    for name, (_, project, section, schema) in SCHEMAS.items():
        client = CLIENTS[name]
        entry = client.entry(launch)
        jsonschema.validate(entry, schema)
        change = connected(client, file_of(client, project=project is not None), "pincite", entry)
        assert change.write() is None
        assert read(change.file)[section]["pincite"] == entry
        assert snippet(client, "pincite", entry) == change.file.read_text()


def test_a_project_is_connected_apart_and_a_link_is_followed(home: Path) -> None:
    real = home / "dotfiles.json"
    real.write_text('{"mcpServers": {}} // mine\n')
    (home / "papers/.mcp.json").symlink_to(real)
    assert connect("claude", "--project", "--yes").returncode == 0
    assert (home / "papers/.mcp.json").is_symlink()
    assert "pincite" in real.read_text() and "// mine" in real.read_text()
    assert not (home / ".claude.json").exists()


def test_what_cannot_be_entered_is_said(home: Path) -> None:
    (home / ".gemini").mkdir()
    (home / ".gemini/settings.json").write_text('{"mcpServers": nothing}')
    rows = [
        (("nobody",), "There is no client 'nobody'"),
        (("windsurf", "--project"), "keeps no servers in a project"),
        (("gemini", "--yes"), "it is not JSON at line 1"),
        (("claude", "--root", "/not/there"), "There is no folder /not/there"),
        (("claude", "--env", "HOME=x"), "'HOME=x' is not a setting"),
        (("claude", "--serve", "raed"), "There is no server 'raed'"),
        (("claude", "--name", "a b"), "is not a name"),
    ]
    wrong: list[str] = []
    for arguments, says in rows:
        done = connect(*arguments)
        if done.returncode != 2 or says not in done.stderr or "Traceback" in done.stderr:
            wrong.append(f"{arguments}: {done.stderr}")
    assert not wrong
    assert (home / ".gemini/settings.json").read_text() == '{"mcpServers": nothing}'


def test_the_home_folder_is_not_given_away(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    refused = connect("claude", "--yes")
    assert refused.returncode == 2
    assert "Give --root FOLDER" in refused.stderr
    printed = connect("claude", "--root", "papers", "--print")
    assert json.loads(printed.stdout)["mcpServers"]["pincite"]["env"] == {"PINCITE_ROOTS": str(home / "papers")}


def test_install_links_name_a_command_that_pincite_has() -> None:
    page = (Path(__file__).parents[3] / "docs/clients.md").read_text()
    cursor = re.search(r"cursor\.com/\S+&config=([^>\s]+)", page)
    code = re.search(r"vscode\.dev/\S+&config=([^>\s]+)", page)
    assert cursor is not None and code is not None
    entries = [json.loads(base64.b64decode(unquote(cursor[1]))), json.loads(unquote(code[1]))]
    for entry in entries:
        jsonschema.validate(entry, _STDIO)
        package, *words = entry["args"]
        assert (entry["command"], package) == ("uvx", "pincite")
        assert CliRunner().invoke(app, [*words, "--help"]).exit_code == 0
