"""Rescore: the recorded answers of a run, scored again from the files."""

from collections.abc import Mapping
from typing import Any

from pincite_core.errors import BadInputError, PinciteError
from pincite_harness.runs.judge_opening import check_judge, open_judge
from pincite_harness.runs.lock import JUDGE_PROMPT, Lock, judge_digests, lock_run
from pincite_harness.runs.rescored import Rescored
from pincite_harness.runs.run_folder import RUN_FILE, RunDocument, RunFolder
from pincite_harness.trial.faults import describe_fault, is_of_machine
from pincite_harness.trial.marking import SCORE_FILE, Marker, unscored
from pincite_harness.trial.plan import TrialPlan
from pincite_scoring import ScoringOptions
from pincite_scoring.judging.choice import JudgeChoice
from pincite_tasks.failure import SCORED, Cause, Status
from pincite_tasks.files import write_json
from pincite_tasks.trial_record import TRIAL_FILE, TrialRecord


def rescore(folder: RunFolder, changes: Mapping[str, Any] | None = None) -> Rescored:
    """Score every finished trial of a run again, with the run's folder held; ``changes`` of the specification (its
    ``compat`` and ``judge``) hold from now on. Harbor tasks are scored by their own tests, where these run apart from
    the agent.

    The gold may have been corrected since (that is noted); a paper that changed is a BadInputError, a model judge that
    does not answer an UnavailableError before any score is replaced.
    """
    document = folder.read()
    harbor = document.specification.harbor
    if harbor is not None and changes:
        raise BadInputError(
            "Harbor tasks are scored by their own tests, which use neither a judge nor pincite's definitions.",
            seen=harbor,
            next=f"pincite score {folder.path}",
        )
    with folder.held():
        changed = document.specification.model_copy(update=dict(changes or {}))
        plans = changed.plan(changed.load_families())
        check_judge(changed.judge, plans)
        if changed != document.specification:
            document.specification = changed
            document.lock = _with_judge(document.lock, changed.judge)
            write_json(folder.path / RUN_FILE, document.model_dump(mode="json"))
        done = Rescored(notes=_differences(document, plans))
        options = ScoringOptions(open_judge(changed.judge), changed.compat)
        marker = Marker((plan.task for plan in plans), options)
        try:
            if harbor is not None:
                from pincite_harness.runs.harbor_again import score_again

                score_again(folder, changed, plans, marker, done)
            else:
                for plan in plans:
                    _rescore_trial(folder, plan, marker, done)
        finally:
            marker.close()
    return done


def _with_judge(lock: Lock, judge: JudgeChoice | None) -> Lock:
    """The lock with the prompts of the judge that the scores are by from now on."""
    others = {name: digest for name, digest in lock.digests.items() if not name.startswith(JUDGE_PROMPT)}
    return lock.model_copy(update={"digests": others | judge_digests(judge)})


def _rescore_trial(folder: RunFolder, plan: TrialPlan, marker: Marker, done: Rescored) -> None:
    """Score one trial again; what cannot be read or written of it is told, and the others are scored."""
    try:
        _replace_score(folder, plan, marker, done)
    except Exception as error:
        if is_of_machine(error):
            raise
        done.failed += 1
        told = str(error) if isinstance(error, PinciteError) else describe_fault("score", error)
        done.notes.append(f"{plan.name}: {told}")


def _replace_score(folder: RunFolder, plan: TrialPlan, marker: Marker, done: Rescored) -> None:
    record = folder.record(plan.name)
    if record is None or not record.finished:
        return
    if record.cause not in SCORED | {Cause.SCORER_FAILED}:
        done.unscored += 1
        return
    place, scorer = folder.trial(plan.name), plan.family.settings.scorer
    path = place / plan.family.settings.answer
    marking = marker.marking(plan.family, plan.task, place)
    try:
        fault, score = marking.mark_file(path)
    except PinciteError as error:
        done.failed += 1
        done.notes.append(f"{plan.name}: {error}")
        write_json(place / SCORE_FILE, unscored(plan.family.name, scorer, str(error)))
        return
    write_json(place / SCORE_FILE, score)
    if record.cause is Cause.SCORER_FAILED:
        write_json(place / TRIAL_FILE, _mended(record, fault).model_dump(mode="json"))
    done.scored += 1


def _mended(record: TrialRecord, fault: str | None) -> TrialRecord:
    """The record of a trial that only its scorer had failed."""
    if fault is None:
        return record.model_copy(update={"status": Status.COMPLETED, "cause": None, "detail": None})
    return record.model_copy(update={"cause": Cause.INVALID_ANSWER, "detail": fault})


def _differences(document: RunDocument, plans: list[TrialPlan]) -> list[str]:
    now = lock_run(plans, judge=document.specification.judge).digests
    changed = [name for name, digest in document.lock.digests.items() if now.get(name) != digest]
    if papers := [name for name in changed if name.startswith(("paper/", "file/", "corpus/"))]:
        raise BadInputError(
            "The run cannot be scored: a file is no longer what the agent read.",
            seen=", ".join(papers),
            next="Restore it.",
        )
    return [f"changed since the run: {name}" for name in changed if name.startswith("task/")]
