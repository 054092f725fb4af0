import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "mutations.py"


@pytest.mark.parametrize(("kind", "count"), [("pdf", 20), ("jats", 20), ("html", 20)])
def test_mutated_files_end_in_an_error_or_a_sound_paper(kind: str, count: int) -> None:
    """A slice of the benchmark's mutants, with a seed of its own."""
    command = [sys.executable, str(SCRIPT), "--format", kind, "--count", str(count), "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{count} mutants of {kind}" in done.stdout
