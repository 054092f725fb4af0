"""The runner of the benchmarks lists and runs them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)


def test_every_benchmark_is_listed_with_its_purpose() -> None:
    listed = ran("list").stdout
    names = {line.split()[0] for line in listed.splitlines() if not line.startswith(" ")}
    assert {"claims", "fidelity", "fidelity/compare", "plots", "trial_overhead"} <= names
    assert not {"parts", "corpus_readers/strong", "rates"} & names
    assert "How surely a quote is told from what only looks like one" in listed


def test_a_benchmark_gets_its_arguments_and_gives_its_status() -> None:
    ended = ran("run", "formula_matching", "--no-such-option")
    assert (ended.returncode, "unrecognized arguments: --no-such-option" in ended.stderr) == (2, True)


def test_an_unknown_benchmark_is_refused() -> None:
    ended = ran("run", "nonsense")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "There is no benchmark 'nonsense'" in ended.stderr
