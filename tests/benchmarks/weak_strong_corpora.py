"""How far the hard sets on large literatures tell a weak reader from a strong one: ``python
tests/benchmarks/weak_strong_corpora.py [FAMILY…] [-n N] [--out DIR]``.

Runs the readers of ``corpus_readers`` (rules, no model) on the hard sets and prints the mean of each family's marks, as
a share of the most, with what answering every task alike would get. Takes some three minutes a family.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Any

HERE = Path(__file__).parent
MARKS: dict[str, dict[str, float]] = {
    "precedent_search": {"score": 2.0, "values_all": 1.0, "accuracy_strict": 1.0},
    "literature_qa": {"accuracy": 1.0},
}
"""What is compared, with the most that there is of it; the first that the scorer computes is the family's mark."""
LEAST = 0.3
"""The difference below which a hard set does not tell the two apart."""


def run(family: str, reader: str, out: Path, at_once: int) -> list[dict[str, Any]]:
    """The metrics of each trial."""
    command = [Path(sys.executable).with_name("pincite"), "run", family, "--set", "hard", "--sandbox", "local"]
    command += ["--agent", HERE / "corpus_readers", "--agent-option", f"entry={reader}.py"]
    command += ["--out", out, "--name", f"{family}-{reader}", "-n", str(at_once)]
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    scores = sorted((out / f"{family}-{reader}" / "trials").glob("*/score.json"))
    return [json.loads(path.read_text(encoding="utf-8"))["metrics"] for path in scores]


def commonest(family: str) -> float:
    """The share of the tasks that have the commonest answer."""
    lines = (HERE.parents[1] / "tasks" / family / "records-hard.jsonl").read_text(encoding="utf-8").splitlines()
    golds = [json.loads(line)["gold"] for line in lines]
    return Counter(str(gold.get("reported", gold.get("answer"))) for gold in golds).most_common(1)[0][1] / len(golds)


def main() -> int:
    """Print a table; 1 where a family's readers differ by less than ``LEAST``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", default=list(MARKS))
    parser.add_argument("-n", type=int, default=2, dest="at_once")
    parser.add_argument("--out", type=Path)
    told = parser.parse_args()
    failed = False
    print(f"{'family':18} {'metric':16} {'weak':>6} {'strong':>6} {'differ':>6}   commonest answer")
    for family in told.families:
        with tempfile.TemporaryDirectory() as scratch:
            weak, strong = (run(family, each, told.out or Path(scratch), told.at_once) for each in ("weak", "strong"))
        for metric, most in MARKS[family].items():
            if metric in strong[0]:
                means = [fmean((each[metric] or 0.0) / most for each in trials) for trials in (weak, strong)]
                failed = failed or means[1] - means[0] < LEAST
                row = f"{means[0]:6.3f} {means[1]:6.3f} {means[1] - means[0]:6.3f}"
                print(f"{family:18} {metric:16} {row}   {commonest(family):.2f} of {len(strong)} tasks")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
