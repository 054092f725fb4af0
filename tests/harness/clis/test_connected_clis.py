"""The real CLIs after ``pincite connect``: their model is shown the tools and calls one."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from pincite_doors.testing import ScriptedModel, call, say
from pincite_harness.cli.main import app

PAPERS = Path(__file__).parents[3] / "tasks/property_extraction/papers"
PROMPT = "Convert 66 kDa to g/mol."


@pytest.mark.parametrize("client", ["claude", "codex", "gemini", "qwen"])
def test_the_model_of_a_connected_client_is_shown_the_tools_and_calls_one(
    client: str,
    client_setups: ModuleType,
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
    arguments = ["connect", client, "--serve", "documents,materials", "--root", str(PAPERS), "--yes"]
    entered = CliRunner().invoke(app, arguments)
    assert entered.exit_code == 0, entered.output
    script = [
        call("pincite.convert_units", value="66 kDa", to="g/mol"),
        call("pincite.open_paper", paper="ybco_oxygen.pdf"),
        say("66000 g/mol."),
    ]
    with ScriptedModel(script) as model:
        command, env = client_setups.CLIENTS[client](model.url, tmp_path, PROMPT)
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
