"""The commands of docs/commands.md print what stands below them.

python tests/harness/cli/test_commands_page.py      writes what they print now
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/commands.md"
_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)


def ran(folder: Path) -> str:
    """The page with what its commands print in ``folder``, errors included."""
    shutil.copytree(ROOT / "tasks/literature_qa/papers", folder / "papers", ignore=shutil.ignore_patterns("*.md"))
    environment = os.environ | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PINCITE_CACHE_DIR": str(folder / "cache"),
        "PINCITE_ROOTS": str(folder),
    }

    def block(match: re.Match[str]) -> str:
        made: list[str] = []
        for line in match[0].splitlines():
            if line.startswith("$ "):
                done = subprocess.run(
                    ["bash", "-c", line[2:]], cwd=folder, env=environment, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT, text=True, timeout=120,
                )  # fmt: skip
                made += [line, *done.stdout.rstrip("\n").expandtabs().splitlines()]
        return "\n".join(made) + "\n"

    return _BLOCK.sub(block, PAGE.read_text())


def test_the_commands_print_what_the_page_says(tmp_path: Path) -> None:
    pytest.importorskip("pymatgen", reason="pymatgen is missing: pip install 'pincite[materials]'")
    shown = ran(tmp_path)
    assert "Traceback" not in shown
    assert shown == PAGE.read_text(), "python tests/harness/cli/test_commands_page.py writes what they print now"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        PAGE.write_text(ran(Path(temporary)))
