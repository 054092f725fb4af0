"""Do the hard sets on long papers tell a weak reader from a strong one?

    python tests/benchmarks/weak_strong_papers.py [FAMILY...] [--json]

Two scripted agents without a model and without gold answer every task of ``records-hard.jsonl`` and are scored. Both
follow the same rules; the *strong* one reads all pages and tables of a task's papers, the *weak* one only the page that
has most words of what is asked. A set that measures reading must keep them apart: by at least .3 of the headline, else
the exit status is 1. The rules were written with these papers at hand: they say what rules can, nothing of a model.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from paper_readers import analyses, records, tables
from paper_readers.pages import Reader

from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf
from pincite_scoring import ScoringOptions
from pincite_scoring.case import Case
from pincite_scoring.scorer import get_scorer
from pincite_tasks.family import load_family
from pincite_tasks.task import Task

TASKS = Path(__file__).resolve().parents[2] / "tasks"
LEAST = 0.3
"""The least difference of the two means at which a hard set tells the two apart."""
FAMILIES: Mapping[str, tuple[str, str, Callable[[str, Reader], Any]]] = {
    "property_extraction": ("f1", "scope", records.properties),
    "record_filling": ("overall", "schema", records.objects),
    "table_construction": ("cell_f1", "query", tables.answer),
    "figure_analysis": ("claims", "query", analyses.answer),
}
"""The headline of each family, the parameter that asks, and the rules that answer."""


def papers_of(task: Task, opened: dict[Path, Paper]) -> dict[str, Paper]:
    """The parsed papers of a task by file name."""
    for path in task.papers:
        if path not in opened:
            opened[path] = parse_pdf(path.read_bytes(), max_pages=60)
    return {path.name: opened[path] for path in task.papers}


def measure(name: str, opened: dict[Path, Paper]) -> dict[str, dict[str, float]]:
    """Headline by task and reader."""
    family = load_family(TASKS / name)
    scorer = get_scorer(family.settings.scorer)
    headline, parameter, write = FAMILIES[name]
    found: dict[str, dict[str, float]] = {}
    for task in family.sets["hard"]:
        papers = papers_of(task, opened)
        asked = str(task.parameters[parameter])
        files = {path.name: path for path in task.files}
        for kind, reader in (("weak", Reader.of_one_page(papers, asked)), ("strong", Reader.of_all(papers))):
            answer = write(asked, reader)
            case = Case(answer or None, task.gold, papers, task.parameters, task.metadata, files, task.corpus)
            score: Any = scorer.score(case, ScoringOptions())
            found.setdefault(task.task_id, {})[kind] = score.metrics.get(headline) or 0.0
    return found


def means(found: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Both means and their difference."""
    made = {kind: sum(each[kind] for each in found.values()) / len(found) for kind in ("weak", "strong")}
    return {**made, "difference": made["strong"] - made["weak"]}


def main() -> int:
    """Print both scores of every task; 1 where a set does not keep the readers apart."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", default=list(FAMILIES))
    parser.add_argument("--json", action="store_true", help="as JSON")
    arguments = parser.parse_args()
    opened: dict[Path, Paper] = {}
    measured = {name: measure(name, opened) for name in arguments.families}
    apart = all(means(found)["difference"] >= LEAST for found in measured.values())
    if arguments.json:
        print(json.dumps({name: {"means": means(found), "tasks": found} for name, found in measured.items()}, indent=1))
        return 0 if apart else 1
    for name, found in measured.items():
        print(f"{name} ({FAMILIES[name][0]}): weak, strong")
        for task_id, each in found.items():
            print(f"  {each['weak']:.3f}  {each['strong']:.3f}  {task_id}")
        mean = means(found)
        verdict = "apart" if mean["difference"] >= LEAST else f"NOT apart by {LEAST}"
        print(f"  {mean['weak']:.3f}  {mean['strong']:.3f}  mean: {mean['difference']:.3f}, {verdict}")
    return 0 if apart else 1


if __name__ == "__main__":
    sys.exit(main())
