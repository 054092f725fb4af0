"""Repeats: a run's answers judged several times, every judging kept, and how far the metrics agree."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError, PinciteError
from pincite_harness.runs.judge_opening import check_judge, open_judge
from pincite_harness.runs.run_folder import RunFolder
from pincite_harness.trial.marking import SCORE_FILE, Marker
from pincite_harness.trial.plan import TrialPlan
from pincite_scoring import ScoringOptions
from pincite_scoring.judging.choice import JudgeChoice
from pincite_scoring.statistics import Stability, stability_of
from pincite_tasks.files import read_json, write_json

REPEATS = "repeats"
"""Folder in a trial's: ``2/score.json`` and ``2/judging.jsonl`` of the second judging, and so on. The first one is the
trial's own."""
REPEATS_FILE = "repeats.json"

Say = Callable[[str], None]


@dataclass(slots=True)
class Repeated:
    """The stability of each metric over the repeats, and what failed."""

    metrics: dict[str, Stability] = field(default_factory=dict[str, Stability])
    failed: list[str] = field(default_factory=list[str])


def repeatable_judge(folder: RunFolder, changes: Mapping[str, Any] | None = None) -> JudgeChoice:
    """The model that judges the run with these ``changes`` of its specification; BadInputError where there is none:
    rules always score alike, and Harbor's tests are their own."""
    specification = folder.read().specification.model_copy(update=dict(changes or {}))
    if specification.harbor is None and specification.judge is not None:
        return specification.judge
    raise BadInputError(
        "Only what a model judges differs from one scoring to the next.",
        seen=f"tests of {specification.harbor}" if specification.harbor else f"no model judges {folder.path}",
        next="Name a judge with --judge PROVIDER:NAME, or leave --repeat out.",
    )


def repeat_judging(folder: RunFolder, times: int, say: Say) -> Repeated:
    """Judge every scored trial of a run ``times`` times in all, the run's own score being the first, with the run's
    folder held; ``say`` gets a line for each repeat. Verdicts of a repeat are kept like any other: after an interrupt
    or an outage the same call goes on. BadInputError where no model judges the run."""
    choice = repeatable_judge(folder)
    specification = folder.read().specification
    repeated = Repeated()
    with folder.held():
        plans = specification.plan(specification.load_families())
        check_judge(choice, plans)
        scored = [plan for plan in plans if _metrics(folder.trial(plan.name))]
        for number in range(2, times + 1):
            _judge_all(folder, scored, choice, specification.compat, number, repeated)
            say(f"{folder.path}: judging {number} of {times} done")
        repeated.metrics = _stability(folder, scored, times)
        metrics = {name: asdict(one) for name, one in repeated.metrics.items()}
        write_json(folder.path / REPEATS_FILE, {"judge": choice.name, "repeats": times, "metrics": metrics})
    return repeated


def _judge_all(
    folder: RunFolder, plans: Sequence[TrialPlan], choice: JudgeChoice, compat: Any, number: int, repeated: Repeated
) -> None:
    """Judge each trial once more into its folder of this repeat."""
    judge = open_judge(choice, repeat=number)
    marker = Marker((plan.task for plan in plans), ScoringOptions(judge, compat))
    try:
        for plan in plans:
            place = folder.trial(plan.name)
            kept = place / REPEATS / str(number)
            kept.mkdir(parents=True, exist_ok=True)
            (kept / SCORE_FILE).unlink(missing_ok=True)
            marking = marker.marking(plan.family, plan.task, place, record=kept)
            try:
                _, score = marking.mark_file(place / plan.family.settings.answer)
                write_json(kept / SCORE_FILE, score)
            except PinciteError as error:
                repeated.failed.append(f"{plan.name}, judging {number}: {error.short()}")
    finally:
        marker.close()


def _stability(folder: RunFolder, plans: Sequence[TrialPlan], times: int) -> dict[str, Stability]:
    """Of each metric that the trials have in every judging."""
    by_repeat: list[dict[str, Mapping[str, float]]] = []
    for number in range(1, times + 1):
        places = {plan.name: folder.trial(plan.name) for plan in plans}
        if number > 1:
            places = {name: place / REPEATS / str(number) for name, place in places.items()}
        by_repeat.append({name: _metrics(place) for name, place in places.items()})
    names = dict.fromkeys(name for metrics in by_repeat[0].values() for name in metrics)
    found = {name: stability_of([_values(trials, name) for trials in by_repeat]) for name in names}
    return {name: one for name, one in found.items() if one is not None}


def _values(trials: Mapping[str, Mapping[str, float]], name: str) -> dict[str, float]:
    return {trial: metrics[name] for trial, metrics in trials.items() if name in metrics}


def _metrics(place: Path) -> Mapping[str, float]:
    """The metrics with a value of a folder's score.json; none where there is no score."""
    path = place / SCORE_FILE
    if not path.is_file():
        return {}
    metrics: Mapping[str, float | None] = read_json(path).get("metrics", {})
    return {name: float(value) for name, value in metrics.items() if value is not None}
