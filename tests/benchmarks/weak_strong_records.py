"""Do the hard sets of property_extraction and record_filling tell a weak reader from a strong one?

    python tests/benchmarks/weak_strong_records.py

Two scripted agents without a model and without gold follow the same rules; the *strong* one reads all pages and tables
of a task's paper, the *weak* one only the page that has most words of what is asked.
"""

import sys
from pathlib import Path
from statistics import fmean
from typing import Any

from paper_readers import records
from paper_readers.pages import Reader

from pincite_harness.family import load_family
from pincite_harness.scoring import ScoringOptions
from pincite_harness.scoring.case import Case
from pincite_harness.scoring.scorer import get_scorer
from pincite_papers.model import Paper
from pincite_papers.pdf import parse_pdf

TASKS = Path(__file__).resolve().parents[2] / "tasks"
LEAST = 0.3
"""The least difference of the two means that issue 16 asks of every hard set."""
FAMILIES = {
    "property_extraction": ("f1", "scope", records.properties),
    "record_filling": ("overall", "schema", records.objects),
}
"""The headline of each family, the parameter that asks, and the rules that answer."""


def measure(name: str, opened: dict[Path, Paper]) -> dict[str, tuple[float, float]]:
    """(weak, strong) of each task."""
    headline, parameter, answer = FAMILIES[name]
    family = load_family(TASKS / name)
    scorer = get_scorer(family.settings.scorer)
    found: dict[str, tuple[float, float]] = {}
    for task in family.sets["hard"]:
        for path in task.papers:
            if path not in opened:
                opened[path] = parse_pdf(path.read_bytes(), max_pages=60)
        papers = {path.name: opened[path] for path in task.papers}
        asked = str(task.parameters[parameter])
        marks: list[float] = []
        for reader in (Reader.of_one_page(papers, asked), Reader.of_all(papers)):
            case = Case(answer(asked, reader), task.gold, papers, task.parameters, task.metadata)
            score: Any = scorer.score(case, ScoringOptions())
            marks.append(score.metrics.get(headline) or 0.0)
        found[task.task_id] = (marks[0], marks[1])
    return found


def main() -> int:
    """Print both scores of every task; 1 where a set does not keep the readers apart."""
    opened: dict[Path, Paper] = {}
    apart = True
    for name in FAMILIES:
        found = measure(name, opened)
        print(f"{name} ({FAMILIES[name][0]}): weak, strong")
        for task_id, (weak, strong) in found.items():
            print(f"  {weak:.3f}  {strong:.3f}  {task_id}")
        weak, strong = (fmean(marks[index] for marks in found.values()) for index in (0, 1))
        apart = apart and strong - weak >= LEAST
        print(f"  {weak:.3f}  {strong:.3f}  mean of {len(found)}: they differ by {strong - weak:.3f}")
    return 0 if apart else 1


if __name__ == "__main__":
    sys.exit(main())
