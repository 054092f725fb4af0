"""Export: from runs to a folder of examples for one role."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError
from pincite_harness.training.calling import called, made
from pincite_harness.training.choosing import BETTER_IN, chosen
from pincite_harness.training.example import Example
from pincite_harness.training.filters import Filters
from pincite_harness.training.formats import Format, write_examples
from pincite_harness.training.imitating import imitated
from pincite_harness.training.trials import Trial, read_trials
from pincite_harness.training.writing import gold_text, written

_CHOOSERS = ("planner", "critic")
_WRITERS = ("sft", "solver")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is exported: for whom, by which filters, and for choices against which runs."""

    role: str
    filters: Filters = field(default_factory=Filters)
    baselines: frozenset[str] = frozenset()
    metrics: Sequence[str] = BETTER_IN
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Exported:
    """How many examples were written where, and why trials and candidates gave none."""

    path: Path
    count: int
    left_out: dict[str, int]


def export(runs: Sequence[Path], wanted: Wanted, folder: Path, form: Format) -> Exported:
    """Write the examples of runs. BadInputError where there are none, with the reasons; nothing is then written."""
    if wanted.role in _CHOOSERS and not wanted.baselines:
        raise BadInputError(
            f"A {wanted.role} learns to choose what is better than a baseline, and no run is named as one.",
            next="Name the baseline's run with --baseline.",
        )
    found = read_trials(runs)
    left_out = dict(found.left_out)
    trials: list[Trial] = []
    for trial in found.trials:
        if why := wanted.filters.refuses(trial):
            left_out[why] = left_out.get(why, 0) + 1
        else:
            trials.append(trial)
    examples: list[tuple[Example, Path]] = []
    folders = {(trial.run.name, trial.row.name): trial.folder for trial in trials}
    for example in _examples(trials, wanted, left_out):
        if why := wanted.filters.refuses_example(example):
            left_out[why] = left_out.get(why, 0) + 1
        else:
            examples.append((example, folders[example.origin.run, example.origin.trial]))
    if not examples:
        reasons = "; ".join(f"{count} {why}" for why, count in sorted(left_out.items())) or "no trial has such calls"
        raise BadInputError(f"The runs give no example for {wanted.role}.", seen=reasons)
    path = write_examples(examples, folder, wanted.role, form, _told(runs, wanted, left_out))
    return Exported(path, len(examples), left_out)


def _examples(trials: Sequence[Trial], wanted: Wanted, left_out: dict[str, int]) -> Iterator[Example]:
    if wanted.role == "planner" or wanted.role == "critic":
        yield from chosen(wanted.role, trials, wanted.baselines, wanted.metrics, wanted.seed, left_out)
        return
    for trial in trials:
        given = list(_of_trial(trial, wanted, left_out))
        if not given and wanted.role not in _WRITERS:
            why = f"no call of {wanted.role} that teaches"
            left_out[why] = left_out.get(why, 0) + 1
        yield from given


def _of_trial(trial: Trial, wanted: Wanted, left_out: dict[str, int]) -> Iterator[Example]:
    if wanted.role == "sft" or wanted.role == "solver":
        gold = gold_text(trial)
        why = wanted.filters.refuses_text(gold) if gold else "no gold"
        if why:
            left_out[why] = left_out.get(why, 0) + 1
        else:
            yield from written(trial, wanted.role, gold)
    elif wanted.role == "expert":
        yield from called(trial)
        yield from made(trial)
    else:
        yield from imitated(trial, wanted.role)


def _told(runs: Sequence[Path], wanted: Wanted, left_out: dict[str, int]) -> dict[str, Any]:
    """What the manifest says of how the examples were chosen."""
    filters = wanted.filters
    return {
        "runs": [path.resolve().name for path in runs],
        "least": dict(filters.least),
        "where": dict(filters.where),
        "least_words": filters.least_words,
        "most_words": filters.most_words,
        "most_context_tokens": filters.most_context,
        "held_out": sorted(filters.held_out),
        "baselines": sorted(wanted.baselines),
        "better_in": list(wanted.metrics) if wanted.role in _CHOOSERS else [],
        "seed": wanted.seed,
        "left_out": dict(sorted(left_out.items())),
    }
