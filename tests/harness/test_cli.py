"""The command line: subcommands are listed without being imported, and errors come without a traceback."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pincite_core.errors import MissingExtraError
from pincite_core.servers import SERVERS, ServerEntry
from pincite_harness.cli.main import COMMANDS, app, load_command
from pincite_harness.cli.serve import load_server

PINCITE = str(Path(sys.executable).with_name("pincite"))


def pincite(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the console script."""
    return subprocess.run([PINCITE, *arguments], capture_output=True, text=True, timeout=60)


def test_help_names_every_command() -> None:
    done = pincite("--help")
    assert done.returncode == 0
    for name, line in COMMANDS.items():
        assert re.search(rf"\b{name}\s+{re.escape(line[:20])}", done.stdout)


def test_help_imports_no_command() -> None:
    code = (
        "import sys\nfrom pincite_harness.cli.main import app\n"
        "try:\n    app(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([n for n in sys.modules if n.startswith('pincite_harness.cli.') and n != 'pincite_harness.cli.main'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_help(name: str) -> None:
    assert load_command(name).name == name
    done = CliRunner().invoke(app, [name, "--help"], prog_name="pincite")
    assert done.exit_code == 0, done.output
    assert f"pincite {name}" in done.stdout


def test_a_typo_gets_a_suggestion() -> None:
    done = pincite("serv")
    assert done.returncode == 2
    assert "Did you mean 'serve'?" in done.stderr


def test_version() -> None:
    assert re.fullmatch(r"pincite \d+\.\d+\.\d+\S*\n", pincite("--version").stdout)


def test_serve_lists_its_servers() -> None:
    done = pincite("serve", "nothing")
    assert done.returncode == 2
    assert all(name in done.stderr for name in SERVERS)
    assert "Traceback" not in done.stderr


def test_a_missing_extra_answers_with_the_install_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "needs_what_nobody_has.py").write_text("import a_package_that_nobody_has\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingExtraError) as caught:
        load_server("demo", ServerEntry("needs_what_nobody_has", extra="materials"))
    assert caught.value.next == "pip install 'pincite[materials]'"


def test_an_import_that_no_extra_mends_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "needs_what_no_extra_has.py").write_text("import a_package_that_nobody_has\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError):
        load_server("demo", ServerEntry("needs_what_no_extra_has"))
