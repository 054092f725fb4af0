"""Open the judge that a run names."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pincite_core.settings import Settings, load_settings
from pincite_scoring.judging.choice import JudgeChoice
from pincite_scoring.judging.judge import Judge, RuleJudge
from pincite_scoring.judging.model_judge import ModelJudge
from pincite_scoring.scorer import get_scorer

if TYPE_CHECKING:
    from pincite_harness.trial.plan import TrialPlan

_CHECK_SECONDS = 60.0
"""Seconds in which a judge must have answered a small question. Set by judgement."""


def open_judge(choice: JudgeChoice | None, settings: Settings | None = None, repeat: int = 1) -> Judge:
    """The judge of the choice; the rules where it is None. Above 1, ``repeat`` asks a model again what it was asked
    before."""
    return RuleJudge() if choice is None else ModelJudge(choice, settings or load_settings(), repeat=repeat)


@runtime_checkable
class Showing(Protocol):
    """A scorer that shows its judge pictures."""

    def shown(self, files: Mapping[str, Path]) -> Mapping[str, Path]:
        """The pictures among a task's files, by name."""
        ...


def check_judge(choice: JudgeChoice | None, plans: Sequence["TrialPlan"] = ()) -> None:
    """Before anything is judged: that there is a key, that the model answers one small question as it should, and that
    it sees, where the scorer of one of ``plans`` shows it pictures. It has 60 seconds at most for each."""
    if choice is None:
        return
    choice.check_key()
    settings = load_settings()
    soon = min(settings.judge_seconds, _CHECK_SECONDS)
    judge = ModelJudge(choice, settings.model_copy(update={"judge_seconds": soon}))
    try:
        judge.check()
        if any(map(_shows_pictures, plans)):
            judge.check_sight()
    finally:
        judge.close()


def _shows_pictures(plan: "TrialPlan") -> bool:
    scorer = get_scorer(plan.family.settings.scorer)
    return isinstance(scorer, Showing) and bool(scorer.shown({path.name: path for path in plan.task.files}))
