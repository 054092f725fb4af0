"""Answers to the bundled tasks that were written without knowledge of the scorers: a slice of those that are kept."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "answer_variants.py"
WRITTEN = sorted((SCRIPT.parent / "written_answers").glob("*.jsonl.gz"))
COUNTS = re.compile(r"^  all +(\d+)  credited +(\d+)", re.MULTILINE)


@pytest.mark.parametrize("answers", WRITTEN, ids=lambda path: path.name.partition(".")[0])
def test_right_answers_are_credited_and_wrong_ones_are_not(answers: Path) -> None:
    """One answer in 29; the benchmark has the bars for all of them."""
    command = [sys.executable, str(SCRIPT), str(answers), "--every", "29", "--misses"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    right, wrong = ((int(total), int(credited)) for total, credited in COUNTS.findall(done.stdout))
    assert right[0] and wrong[0], done.stdout + done.stderr
    assert right[1] >= 0.75 * right[0], done.stdout
    assert not wrong[1], done.stdout
