"""A place that cannot be written to is a wrong argument: exit code 2, and what to do."""

import subprocess
import sys
from pathlib import Path

PAPER = Path(__file__).parents[3] / "tasks/literature_qa/papers/perovskite_ageing.pdf"


def test_a_file_in_the_place_of_a_folder(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("mine")
    for command, option in (("read", "--out"), ("tables", "--csv"), ("figures", "--out")):
        called = [sys.executable, "-m", "pincite_harness", command, str(PAPER), option, str(taken)]
        done = subprocess.run(called, capture_output=True, text=True, check=False)
        assert done.returncode == 2, done.stderr
        assert "could not be written" in done.stderr
        assert "Traceback" not in done.stderr
    assert taken.read_text() == "mine"
