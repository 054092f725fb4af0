"""Scoring again: trials of Harbor tasks whose verifier is a separate one are verified again from their artifacts."""

import asyncio
from collections.abc import Sequence

from pincite_core.errors import BadInputError, PinciteError
from pincite_harness.harbor import artifacts, verifying
from pincite_harness.harbor.family import FAMILY
from pincite_harness.harbor.images import check_docker
from pincite_harness.harbor.plan import HarborTrialPlan
from pincite_harness.harbor.run import HarborRun
from pincite_harness.runs.rescored import Rescored
from pincite_harness.runs.run_folder import RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.faults import describe_fault, is_of_machine
from pincite_harness.trial.marking import SCORE_FILE, Marker, unscored
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.run import Surroundings
from pincite_harness.trial.servers import SERVERS
from pincite_tasks.failure import SCORED, Cause, Status, TrialError
from pincite_tasks.files import write_json
from pincite_tasks.trial_record import TRIAL_FILE, TrialRecord


def score_again(
    folder: RunFolder, specification: RunSpecification, plans: Sequence[TrialPlan], marker: Marker, done: Rescored
) -> None:
    """Run the tests of every finished trial again and count it in ``done``. Blocks.

    A shared verifier needs the agent's container, which is gone: its trials keep their score and are told of;
    BadInputError where all are such. UnavailableError without Docker, before any score is replaced.
    """
    apart = [plan for plan in plans if isinstance(plan, HarborTrialPlan) and _is_separate(plan)]
    again = {plan.name for plan in apart}
    if shared := sorted({plan.task.task_id for plan in plans if plan.name not in again}):
        what = "Tasks that are verified in the agent's own container, which is gone, cannot be scored again."
        if not apart:
            raise BadInputError(what, seen=", ".join(shared), next="Run them again.")
        done.notes.append(f"{what} They keep their scores: {', '.join(shared)}")
    check_docker(with_agents=False)
    around = Surroundings("docker", marker, SERVERS, runtime=specification.runtime)
    asyncio.run(_verify_all(folder, apart, around, done, specification.concurrency or 1))


def _is_separate(plan: HarborTrialPlan) -> bool:
    return plan.harbor.task.config.verifier.separate


async def _verify_all(
    folder: RunFolder, plans: Sequence[HarborTrialPlan], around: Surroundings, done: Rescored, width: int
) -> None:
    places = asyncio.Semaphore(width)

    async def one(plan: HarborTrialPlan) -> None:
        async with places:
            try:
                await _verify_trial(folder, plan, around, done)
            except Exception as error:
                if is_of_machine(error):
                    raise
                done.failed += 1
                told = str(error) if isinstance(error, PinciteError) else describe_fault("score", error)
                done.notes.append(f"{plan.name}: {told}")

    async with asyncio.TaskGroup() as group:
        for plan in plans:
            group.create_task(one(plan))


async def _verify_trial(folder: RunFolder, plan: HarborTrialPlan, around: Surroundings, done: Rescored) -> None:
    record, place = folder.record(plan.name), folder.trial(plan.name)
    if record is None or not record.finished:
        return
    if record.cause not in SCORED | {Cause.SCORER_FAILED} or not (place / artifacts.FOLDER).is_dir():
        done.unscored += 1
        return
    try:
        rewards = await HarborRun(plan, place, around).verify_again()
    except TrialError as error:
        done.failed += 1
        failed = error.failure
        kept = "" if failed.cause is Cause.SCORER_FAILED else " Its score is the one it had."
        done.notes.append(f"{plan.name}: {failed.detail}{kept}")
        if not kept:
            write_json(place / SCORE_FILE, unscored(FAMILY, FAMILY, failed.detail))
        return
    write_json(place / SCORE_FILE, verifying.as_score(rewards))
    if record.cause is Cause.SCORER_FAILED:
        write_json(place / TRIAL_FILE, _mended(record).model_dump(mode="json"))
    done.scored += 1


def _mended(record: TrialRecord) -> TrialRecord:
    """The record of a trial that only its tests had failed."""
    return record.model_copy(update={"status": Status.COMPLETED, "cause": None, "detail": None, "answered": True})
