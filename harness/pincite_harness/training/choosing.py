"""Examples for who plans and who criticises: of several plans, or of several criticisms of one answer, those that led
to a better answer than a baseline's did."""

import random
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite_core.errors import BadInputError
from pincite_harness.training.example import Example, Message, conversation, media_of
from pincite_harness.training.trials import Trial, digest_of

BETTER_IN = ("s_lex", "s_sem", "s_avg")
"""Metrics in all of which a candidate must lead to more than the baseline; those of the published recipe."""
Kind = Literal["planner", "critic"]
_ASKED = {
    "planner": "Which of these plans lead to a better analysis than the weakest of them?",
    "critic": "Which of these criticisms of the analysis lead to a better one than the weakest of them?",
}
_HOW = "Answer with their letters alone, in the order of the alphabet, separated by commas."


@dataclass(frozen=True, slots=True)
class Candidate:
    """A plan or a criticism, with what it was about and the scores of the answer that it led to."""

    trial: Trial
    text: str
    subject: str
    """For criticisms the answer that is criticised; empty for plans."""
    baseline: bool

    def score(self, metric: str) -> float | None:
        """A score of the trial."""
        return self.trial.row.metrics.get(metric)


def chosen(
    kind: Kind,
    trials: Sequence[Trial],
    baselines: frozenset[str],
    metrics: Sequence[str],
    seed: int,
    skipped: dict[str, int],
) -> Iterator[Example]:
    """An example for each task (and criticised answer) with a baseline's candidate and another one that is better.
    ``baselines`` are names of runs; ``skipped`` counts what could not be compared, by its reason."""
    for task, candidates in sorted(_grouped(kind, trials, baselines).items()):
        made, why = _example(kind, candidates, metrics, random.Random(f"{seed} {task}"))  # noqa: S311
        if made is None:
            skipped[why] = skipped.get(why, 0) + 1
        else:
            yield made


def _grouped(kind: Kind, trials: Sequence[Trial], baselines: frozenset[str]) -> Mapping[str, list[Candidate]]:
    names = {trial.run.name for trial in trials}
    if missing := sorted(baselines - names):
        raise BadInputError(f"There is no run {', '.join(missing)} among these.", seen=", ".join(sorted(names)))
    groups: dict[str, list[Candidate]] = {}
    for trial in trials:
        for text, subject in _said(kind, trial):
            group = f"{trial.task.family}/{trial.task.task_id}/{digest_of(subject)}"
            found = groups.setdefault(group, [])
            if all(one.text != text for one in found):
                found.append(Candidate(trial, text, subject, trial.run.name in baselines))
    return groups


def _said(kind: Kind, trial: Trial) -> Iterator[tuple[str, str]]:
    """The plans, or the criticisms with the answer that each is of."""
    if kind == "planner":
        yield from ((str(event["plan"]), "") for event in trial.of("Planned")[-1:])
        return
    drafts = {event["number"]: str(event["answer"]) for event in trial.of("Drafted")}
    for event in [*trial.of("Graded"), *trial.of("Advised")]:
        if event["number"] in drafts and event["number"] + 1 in drafts:
            yield str(event["feedback"]), drafts[event["number"]]


def _example(
    kind: Kind, candidates: Sequence[Candidate], metrics: Sequence[str], chance: random.Random
) -> tuple[Example | None, str]:
    """The example, or why there is none."""
    baseline = next((one for one in candidates if one.baseline), None)
    if baseline is None:
        return None, f"no {kind}'s baseline"
    others = [one for one in candidates if not one.baseline]
    if not others:
        return None, "nothing to compare with the baseline"
    if any(one.score(metric) is None for one in (baseline, *others) for metric in metrics):
        return None, f"not all of {', '.join(metrics)} are known"
    better = [one for one in others if all(_more(one, baseline, metric) for metric in metrics)]
    if not better:
        return None, "none is better than the baseline"
    options = [baseline, *others][: len(string.ascii_uppercase)]
    chance.shuffle(options)
    named = dict(zip(string.ascii_uppercase, options, strict=False))
    gold = [letter for letter, one in named.items() if one in better]
    prompt = [*_shown(kind, baseline.trial), {"role": "user", "content": _question(kind, baseline.subject, named)}]
    completion: list[Message] = [{"role": "assistant", "content": ", ".join(gold)}]
    origin = baseline.trial.origin
    return Example(kind, origin, prompt, completion, (), {"choice": gold}, media_of(prompt)), ""


def _more(one: Candidate, other: Candidate, metric: str) -> bool:
    mine, theirs = one.score(metric), other.score(metric)
    return mine is not None and theirs is not None and mine > theirs


def _shown(kind: Kind, trial: Trial) -> list[Message]:
    """What the role was shown of the task, without its instruction."""
    asked = trial.asked(kind) or trial.asked("solver")
    return conversation("", asked[0].sent) if asked else []


def _question(kind: Kind, subject: str, named: Mapping[str, Candidate]) -> str:
    parts = [f"The analysis:\n\n{subject}"] if subject else []
    parts += [f"{letter}.\n{one.text}" for letter, one in named.items()]
    return "\n\n".join([*parts, f"{_ASKED[kind]} {_HOW}"])
