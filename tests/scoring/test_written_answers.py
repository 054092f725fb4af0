"""Answers to the bundled tasks that were written without knowledge of the scorers: a slice of those that are kept."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "answer_variants.py"
WRITTEN = sorted((SCRIPT.parent / "written_answers").glob("*.jsonl.gz"))
COUNTS = re.compile(r"^  all +(\d+)  credited +(\d+)  denied +(\d+)", re.MULTILINE)
LEFT_TO_A_JUDGE = "figure_analysis"
"""The family whose rules credit nothing in which they found one wrong statement: a judge decides on such answers."""


@pytest.mark.parametrize("answers", WRITTEN, ids=lambda path: path.name.partition(".")[0])
def test_right_answers_are_credited_and_wrong_ones_are_not(answers: Path) -> None:
    """One answer in 29; the benchmark has the bars for all of them."""
    command = [sys.executable, str(SCRIPT), str(answers), "--every", "29", "--misses"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    right, wrong = (tuple(map(int, counted)) for counted in COUNTS.findall(done.stdout))
    assert right[0] and wrong[0], done.stdout + done.stderr
    total, credited, denied = right
    decided = credited + denied if answers.name.startswith(LEFT_TO_A_JUDGE) else total
    assert credited >= 0.75 * decided > 0, done.stdout
    assert not wrong[1], done.stdout
