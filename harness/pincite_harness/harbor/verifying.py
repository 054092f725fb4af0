"""Verifying: a task's tests run in a container, and what they write becomes the trial's score."""

import asyncio
import math
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import PinciteError
from pincite_doors.redactor import Redactor
from pincite_harness.harbor.container import ROOT, HarborContainer, clean_files
from pincite_harness.harbor.family import FAMILY
from pincite_harness.harbor.task import HarborTask
from pincite_scoring.result import Score
from pincite_tasks.failure import Cause, TrialError

FOLDER = "verifier"
TESTS, LOGS = "/tests", "/logs/verifier"
REWARD_TEXT, REWARD_JSON = "reward.txt", "reward.json"
_FILE_SECONDS = 60.0
"""Seconds of a command that moves small files. Set by judgement."""
_MAX_BYTES = 50_000_000
"""Bytes of the verifier's logs. Set by judgement."""


async def verify(
    container: HarborContainer, task: HarborTask, env: Mapping[str, str], folder: Path, redactor: Redactor
) -> dict[str, float]:
    """Run tests/test.sh as Harbor does (its exit code does not count) and return the rewards; what it left at
    /logs/verifier is kept in ``folder``, in place of what an earlier verifier left. TrialError of the scorer where
    there is no reward that can be read."""
    config = task.config.verifier
    try:
        await container.shell(
            f"mkdir -p {LOGS} && rm -f -- {LOGS}/{REWARD_TEXT} {LOGS}/{REWARD_JSON}", user=ROOT, seconds=_FILE_SECONDS
        )
        if not task.bundled_tests:
            await container.copy_in(task.tests, TESTS)
        command = f"chmod +x {TESTS}/test.sh"
        await container.shell(command, user=ROOT, seconds=_FILE_SECONDS)
        command = f"({TESTS}/test.sh) > {LOGS}/test-stdout.txt 2>&1"
        ran = await container.shell(command, user=config.user, env=env, seconds=config.timeout_sec)
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        await container.copy_out(LOGS, folder, max_bytes=_MAX_BYTES)
    except PinciteError as error:
        raise TrialError(Cause.SCORER_FAILED, f"The verifier failed: {error}") from error
    clean_files(folder, redactor)
    if ran.timed_out:
        raise TrialError(Cause.SCORER_FAILED, f"The verifier took longer than {config.timeout_sec:g} s.")
    return read_rewards(folder)


def read_rewards(folder: Path) -> dict[str, float]:
    """The rewards of reward.json, else of reward.txt as ``reward``; TrialError where they are missing, empty or no
    finite numbers."""
    path = next((folder / name for name in (REWARD_JSON, REWARD_TEXT) if (folder / name).is_file()), None)
    if path is None:
        raise TrialError(
            Cause.SCORER_FAILED, f"The tests wrote neither {REWARD_JSON} nor {REWARD_TEXT}; see {FOLDER}/."
        )
    data = path.read_bytes().strip()
    if not data:
        raise TrialError(Cause.SCORER_FAILED, f"{path.name} is empty; see {FOLDER}/.")
    try:
        value: Any = orjson.loads(data) if path.name == REWARD_JSON else float(data)
    except ValueError as error:
        raise TrialError(Cause.SCORER_FAILED, f"{path.name} cannot be read: {error}") from error
    given = cast("dict[str, Any]", value) if isinstance(value, dict) else {"reward": value}
    wrong = [name for name, each in given.items() if not isinstance(each, int | float) or not math.isfinite(each)]
    if wrong:
        raise TrialError(Cause.SCORER_FAILED, f"{path.name} holds no finite number under {', '.join(sorted(wrong))}.")
    return {name: float(each) for name, each in given.items()}


def as_score(rewards: Mapping[str, float]) -> dict[str, Any]:
    """score.json of rewards: metrics without a scorer of pincite's own."""
    score = Score(FAMILY, FAMILY, "1", "the task's own tests", "scored", metrics=dict(rewards))
    return score.to_json()
