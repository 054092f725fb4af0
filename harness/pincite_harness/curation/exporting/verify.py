"""Verify: the program of an exported task's tests/test.sh. Scores the answer as a trial of pincite's own does.

``python -m pincite_harness.curation.exporting.verify TASKS ANSWER LOGS``: the folder of the task's family with its one
task, the agent's answer, and the folder that gets ``reward.json`` and ``score.json``.
"""

import math
import sys
from pathlib import Path
from typing import Any

import orjson

from pincite_core.errors import PinciteError
from pincite_harness.trial.marking import SCORE_FILE, Marker
from pincite_scoring import ScoringOptions
from pincite_scoring.scorer import get_scorer
from pincite_tasks.answer import MAX_BYTES
from pincite_tasks.family import Family, load_family
from pincite_tasks.files import write_json
from pincite_tasks.task import Task

REWARD_FILE = "reward.json"
REWARD = "reward"
"""The one number of a task: here the first metric of the scorer's headline. Harbor makes a column of every other key,
and counts a key that one task has and another has not as zero: all further metrics stand in score.json alone."""


def reward_of(score: dict[str, Any]) -> float | None:
    """The reward of a score; None where it is not defined."""
    value = score["metrics"].get(leading_metric(score))
    return value if value is not None and math.isfinite(value) else None


def leading_metric(score: dict[str, Any]) -> str:
    """The name of the metric that tells most, by the score's scorer."""
    return get_scorer(score["scorer"]).headline[0].name


def headline_values(score: dict[str, Any]) -> dict[str, float]:
    """The metrics of the scorer's headline in its order, the same names for every answer; NaN where one is not
    computed."""
    metrics: dict[str, float | None] = score["metrics"]
    found = {metric.name: metrics.get(metric.name) for metric in get_scorer(score["scorer"]).headline}
    return {name: math.nan if value is None else value for name, value in found.items()}


def score_answer(family: Family, task: Task, data: bytes | None) -> dict[str, Any]:
    """The content of score.json for what was left as the answer, and under ``fault`` what is wrong with that."""
    marker = Marker([task], ScoringOptions())
    try:
        marking = marker.marking(family, task)
        fault = marking.check(data)
        return marking.mark(data if fault is None else None) | {"fault": fault}
    finally:
        marker.close()


def main(arguments: list[str]) -> int:
    """Write the score and the reward; 1 without a reward where there is no score, which the output then explains."""
    tasks, answer, logs = (Path(argument).resolve() for argument in arguments)
    data = answer.read_bytes()[: MAX_BYTES + 1] if answer.is_file() else None
    try:
        family = load_family(tasks)
        [task] = family.tasks
        score = score_answer(family, task, data if data is None or len(data) <= MAX_BYTES else None)
    except PinciteError as error:
        print(f"not scored: {error}", file=sys.stderr)  # noqa: T201
        return 1
    write_json(logs / SCORE_FILE, score)
    if score["status"] != "scored":
        print(f"not scored: {score['reason']}", file=sys.stderr)  # noqa: T201
        return 1
    print(orjson.dumps(score["metrics"], option=orjson.OPT_INDENT_2).decode())  # noqa: T201
    reward = reward_of(score)
    if reward is None:
        print(f"not scored: {leading_metric(score)} is not defined for this answer", file=sys.stderr)  # noqa: T201
        return 1
    write_json(logs / REWARD_FILE, {REWARD: reward})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
