"""How right and wrong answers, written without knowledge of the scorers, are scored by rules alone.

    python tests/benchmarks/answer_variants.py [FILE.jsonl...] [--tasks tasks] [--every N] [--misses]

Without files these are the ones kept in ``written_answers``: answers to the bundled tasks by writers who had not seen
the scorers, in three rounds. Development has seen them all, so that a new rule wants new answers. ``unmet`` in it
holds the last four rounds of figure_analysis (``round``), whose rules miss the bars on new answers. Of the seventh,
where a wrong answer has one thing wrong, the half that no rule was tuned on (``half``: measure) had 11 of 12 right ones
credited, and of 24 wrong ones 10 denied, 9 undecided and 5 credited (9 by the rules before). Its writer knew the
answers of both halves when the rules were made.

A line is one answer to a task: ``family``, ``task_id``, ``truth`` (right or wrong), ``way`` (of being so) and
``answer``, as an agent would leave it; or, of property_extraction, ``gold`` (the index of a gold record) and ``set``
(its changed fields; null removes one); or, of record_filling, ``patch``, steps on the gold's objects. Printed are the
shares credited, denied and undecided by family, truth and way, with Wilson intervals; with ``--misses`` also right
answers that were not credited and wrong ones that were not denied. A line whose answer does not satisfy the task's
schema is counted as ``invalid``, apart.

A family says what counts as credited in one function of ``READERS``, which takes the line and a function that scores an
answer; a family without one is credited where the first metric of its headline is at its top.
"""

import argparse
import copy
import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import orjson
from parts.rates import wilson

from pincite_harness.curation.validation.gold_check import GoldCheck
from pincite_scoring import Score, ScoringOptions, score
from pincite_scoring.scorer import get_scorer
from pincite_tasks.answer import check_answer
from pincite_tasks.family import Family, load_family
from pincite_tasks.task import Task

TASKS = Path(__file__).resolve().parents[2] / "tasks"
WRITTEN = Path(__file__).parent / "written_answers"
LEAST_CREDITED, LEAST_DENIED = 0.95, 0.99
"""Shares of the right and of the wrong answers from which on a reader would sign the scores."""
OUTCOMES = ("credited", "denied", "undecided", "invalid")
Line = dict[str, Any]
Scoring = Callable[[Any], Score]
"""Scores a whole answer to the line's task; ``InvalidAnswerError`` for one that breaks the schema."""


class InvalidAnswerError(Exception):
    """The answer is not one that the task's schema allows."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one line: one of ``OUTCOMES``, and why."""

    line: Line
    outcome: str
    reason: str = ""

    @property
    def missed(self) -> bool:
        """Whether a right answer was not credited or a wrong one not denied."""
        return self.outcome != ("credited" if self.line["truth"] == "right" else "denied")


class Tasks:
    """The tasks of one family, with what scores answers to them; close it after use."""

    def __init__(self, folder: Path) -> None:
        self.family: Family = load_family(folder)
        self.scorer = get_scorer(self.family.settings.scorer)
        self._by_id = {task.task_id: task for task in self.family.tasks}
        self._cases = GoldCheck(self.family, [folder, folder.parent / "shared"]).__enter__()

    def task(self, task_id: str) -> Task:
        """The task of that id."""
        return self._by_id[task_id]

    def score(self, task: Task, answer: Any) -> Score:
        """The score of an answer that satisfies the schema; InvalidAnswerError for another."""
        data = answer.encode() if isinstance(answer, str) else orjson.dumps(answer)
        fault = check_answer(data, self.family.answer_schema(task), self.family.settings.answer).fault
        if fault:
            raise InvalidAnswerError(fault)
        return score(self.scorer.name, self._cases.case(task, answer), ScoringOptions())

    def close(self) -> None:
        """Let go of the papers."""
        self._cases.__exit__(None, None, None)


def literature_qa(line: Line, scoring: Scoring) -> tuple[str, str]:
    """A question is answered rightly, wrongly or left to a judge; declining is not right."""
    (record,) = scoring(line["answer"]).records
    named = {"correct": "credited", "incorrect": "denied", "unsure": "denied", "undecided": "undecided"}
    return named[record["status"]], str(record["reason"] or "")


def property_extraction(line: Line, scoring: Scoring) -> tuple[str, str]:
    """The changed record among the gold's others is credited where it is right and paired with its own gold record."""
    row = next(row for row in scoring(line["answer"]).records if row.get("answer") == line["gold"])
    credited = row["status"] == "correct" and row["gold"] == line["gold"]
    undecided = str(row.get("reason") or "").startswith("undecided")
    return "credited" if credited else "undecided" if undecided and line["truth"] == "right" else "denied", str(row)


def figure_analysis(line: Line, scoring: Scoring) -> tuple[str, str]:
    """An analysis is credited from 0.8 on the claims headline on where rules find nothing wrong in it, and denied below
    0.1; one with half of the claims is credited from 0.3 to 0.7."""
    metrics = scoring(line["answer"]).metrics
    value, credited = metrics["claims"], metrics["credited"]
    if value is None:
        return "undecided", "no claim was decided"
    if line["truth"] == "right" and line["way"] == "half":
        return ("credited" if 0.3 <= value <= 0.7 else "denied"), f"claims {value:.2f}"
    outcome = "undecided" if credited is None else "credited" if credited else "denied"
    return outcome, f"claims {value:.2f}"


def precedent_search(line: Line, scoring: Scoring) -> tuple[str, str]:
    """Right are all values with conditions and quotes, and the full published score; less is not."""
    metrics = scoring(line["answer"]).metrics
    every, points = metrics["values_all"], metrics["score"]
    if every is None:
        return "undecided", "nothing to look for quotes in"
    full = every == 1.0 and points == 2.0
    return ("credited" if full else "denied"), f"values_all {every:.3g}, score {points:g}"


def table_construction(line: Line, scoring: Scoring) -> tuple[str, str]:
    """All cells of all rows are right, with no row too many."""
    return _all_right(scoring(line["answer"]), ("cell_f1", "row_f1"))


def record_filling(line: Line, scoring: Scoring) -> tuple[str, str]:
    """All objects are right; a right value whose quote does not stand is left undecided."""
    score = scoring(line["answer"])
    outcome, reason = _all_right(score, ("overall",))
    verified = score.metrics.get("evidence_verified")
    if outcome == "credited" and verified is not None and verified < 1:
        return "undecided", f"evidence_verified {verified:g}"
    return outcome, reason


def _all_right(score: Score, names: tuple[str, ...]) -> tuple[str, str]:
    """Credited where each metric is 1, as the gold's own answer has it; the reason names the values that are not."""
    if all(score.metrics.get(name) == 1 for name in names):
        return "credited", ""
    if score.status == "unscored":
        return "denied", str(score.reason)
    wrong = [record for record in score.records if record.get("status") not in ("correct", "aligned", "not_rated")]
    return "denied", "; ".join(str(record) for record in wrong[:3])


READERS: dict[str, Callable[[Line, Scoring], tuple[str, str]]] = {
    "property_extraction": property_extraction,
    "literature_qa": literature_qa,
    "figure_analysis": figure_analysis,
    "precedent_search": precedent_search,
    "record_filling": record_filling,
    "table_construction": table_construction,
}


def by_headline(line: Line, scoring: Scoring, tasks: Tasks) -> tuple[str, str]:
    """Credited is the top of the scorer's first metric, undecided a metric that is not defined."""
    first = tasks.scorer.headline[0]
    reached = scoring(line["answer"]).metrics[first.name]
    if reached is None:
        return "undecided", ""
    return ("credited" if reached == first.top else "denied"), f"{first.name} {reached:g}"


def whole(line: Line, task: Task) -> Line:
    """The line with its answer, where it says only what differs from the gold."""
    gold: Any = task.gold
    if "set" in line:
        return {**line, "answer": {"properties": changed(gold["properties"], line["gold"], line["set"])}}
    return {**line, "answer": patched(gold, line["patch"])} if "patch" in line else line


def changed(gold: list[Any], index: int, fields: dict[str, Any]) -> list[Any]:
    """The gold's records, fields of one of them changed, or (null) left out."""
    records = copy.deepcopy(gold)
    kept = {
        name: value for name, value in {**records[index], **fields}.items() if name not in fields or value is not None
    }
    records[index] = kept
    return records


def patched(gold: Any, steps: list[dict[str, Any]]) -> Any:
    """The gold's objects after the steps of a ``patch``: value, quote, omit, drop, add, order."""
    objects = cast("list[Line]", copy.deepcopy(gold["objects"]))
    order: list[int] = list(range(len(objects)))
    dropped: set[int] = set()
    added: list[Any] = []
    for step in steps:
        if "add" in step:
            added.append(step["add"])
        elif "order" in step:
            order = step["order"]
        elif step.get("drop"):
            dropped.add(step["row"])
        else:
            row: int = step["row"]
            _patch_field(objects[row], step)
    return {"objects": [objects[index] for index in order if index not in dropped] + added}


def _patch_field(filled: dict[str, Any], step: dict[str, Any]) -> None:
    name, evidence = step["field"], filled["evidence"]
    if step.get("omit"):
        filled.pop(name, None)
    elif "value" in step:
        filled[name] = step["value"]
    if filled.get(name) is None:
        evidence[:] = [piece for piece in evidence if piece["field"] != name]
    if "quote" in step:
        piece = {"field": name, "quote": step["quote"], "page": step["page"]}
        places = [index for index, each in enumerate(evidence) if each["field"] == name]
        evidence[places[0] if places else len(evidence) : places[0] + 1 if places else None] = [piece]


def judge(line: Line, tasks: Tasks) -> Result:
    """What becomes of one line."""
    task = tasks.task(line["task_id"])
    line = whole(line, task)

    def scoring(answer: Any) -> Score:
        return tasks.score(task, answer)

    reader = READERS.get(tasks.family.name)
    try:
        outcome, reason = reader(line, scoring) if reader is not None else by_headline(line, scoring, tasks)
    except InvalidAnswerError as error:
        outcome, reason = "invalid", str(error)
    return Result(line, outcome, reason)


def show(family: str, results: list[Result]) -> bool:
    """Print a line for each truth and way; whether both bars are met."""
    met = True
    for truth, bar, wanted in (("right", LEAST_CREDITED, "credited"), ("wrong", LEAST_DENIED, "denied")):
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for result in results:
            if result.line["truth"] == truth:
                counts[""][result.outcome] += 1
                counts[result.line["way"]][result.outcome] += 1
        total = counts[""].total()
        if not total:
            continue
        met = met and counts[""][wanted] / total >= bar
        low, high = wilson(counts[""][wanted], total)
        print(f"{family}, {truth} answers: {counts[''][wanted]} of {total} {wanted}")
        print(f"  {counts[''][wanted] / total:.1%} (95 %: {low:.1%} to {high:.1%}; bar {bar:.0%})")
        for way in sorted(counts):
            shares = "  ".join(f"{outcome} {counts[way][outcome]:4}" for outcome in OUTCOMES)
            print(f"  {way or 'all':44} {counts[way].total():4}  {shares}")
    return met


def read_lines(path: Path) -> list[Line]:
    """The lines of a file, compressed or not."""
    packed = path.read_bytes()
    text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def main() -> int:
    """Print the shares; 1 when a bar is missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", type=Path, nargs="*", default=sorted(WRITTEN.glob("*.jsonl.gz")))
    options.add_argument("--tasks", type=Path, default=TASKS)
    options.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th line")
    options.add_argument("--misses", action="store_true")
    given = options.parse_args()
    lines = [line for path in given.files for line in read_lines(path)[:: given.every]]
    met = True
    for family in sorted({line["family"] for line in lines}):
        tasks = Tasks(given.tasks / family)
        try:
            results = [judge(line, tasks) for line in lines if line["family"] == family]
        finally:
            tasks.close()
        met = show(family, results) and met
        if given.misses:
            for result in results:
                if result.missed:
                    line = result.line
                    said = json.dumps(line.get("set") or line.get("patch") or line["answer"], ensure_ascii=False)
                    print(f"  {result.outcome} though {line['truth']} ({line['way']}): {line['task_id']}: {said}")
                    print(f"      {result.reason}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
