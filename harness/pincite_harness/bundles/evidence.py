"""Evidence: whether trajectories and costs are what the recorded wire says."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from pincite_harness.bundles.checks import Outcome, Verification
from pincite_harness.bundles.contents import BundleDocument
from pincite_harness.runs.run_folder import RunFolder
from pincite_tasks.plural import plural
from pincite_tasks.trial_record import TRIAL_FILE, TokenCount, TrialRecord
from pincite_trajectory.build import Episode, build_trajectory, trajectory_json

_TRAJECTORY = "trajectory.json"
_PROMPTS = 3
"""Users' steps among which the task's prompt is looked for: a program may put words of its own before it."""
_NEAR = 1e-6
"""US dollars by which sums of floats may differ."""


def check_trajectories(run: RunFolder, bundle: BundleDocument, found: Verification) -> None:
    """Build each trial's trajectory from its wire again, and compare."""
    wrong: list[str] = []
    missing = 0
    for name in bundle.chain.trials:
        folder = run.trial(name)
        if not (folder / _TRAJECTORY).is_file():
            missing += 1
        elif not _follows(folder):
            wrong.append(name)
    checked = len(bundle.chain.trials) - missing
    if not checked:
        found.add("trajectories", Outcome.UNKNOWN, "no trial has one")
        return
    found.judge(
        "trajectories",
        wrong,
        f"{checked} built from the wire again, the same"
        + (f"; {plural(missing, 'trial')} without one" if missing else ""),
        "trajectories do not follow from the wire",
    )


def _follows(folder: Path) -> bool:
    """Whether the trajectory follows from the wire, of some prompt and start that it states itself."""
    stated: dict[str, Any] = orjson.loads((folder / _TRAJECTORY).read_bytes())
    return any(_built(folder, episode) == stated for episode in _episodes(folder, stated))


def _episodes(folder: Path, stated: dict[str, Any]) -> Iterator[Episode]:
    """What the trajectory may have been built of beside the wire: prompts are among its users' steps."""
    record = TrialRecord.model_validate_json((folder / TRIAL_FILE).read_bytes())
    steps: list[dict[str, Any]] = stated.get("steps") or [{}]
    agent: dict[str, Any] = stated.get("agent") or {}
    time = record.stages.get("agent")
    started = str(steps[0].get("timestamp") or (time.started_at if time is not None else ""))
    ended = time.finished_at if time is not None else started
    answer = next((path for path in sorted(folder.iterdir()) if path.stem == "answer" and path.is_file()), None)
    data = answer.read_bytes() if answer is not None else None
    name = answer.name if answer is not None else "answer.json"
    prompts = [step.get("message") for step in steps if step.get("source") == "user"][:_PROMPTS]
    for prompt in [*prompts, ""]:
        if isinstance(prompt, str):
            yield Episode(
                record.name, str(agent.get("name")), str(agent.get("version")), prompt, started, ended, data, name
            )


def _built(folder: Path, episode: Episode) -> Any:
    return orjson.loads(orjson.dumps(trajectory_json(build_trajectory(folder, episode))))


def check_costs(run: RunFolder, bundle: BundleDocument, found: Verification) -> None:
    """Whether tokens and cost of each record are the sums of its trajectory."""
    wrong: list[str] = []
    asked = 0
    for name in bundle.chain.trials:
        folder = run.trial(name)
        record = TrialRecord.model_validate_json((folder / TRIAL_FILE).read_bytes())
        if record.tokens is None or not (folder / _TRAJECTORY).is_file():
            continue
        asked += 1
        if not _same_sums(record, orjson.loads((folder / _TRAJECTORY).read_bytes()).get("final_metrics") or {}):
            wrong.append(name)
    if not asked:
        found.add("tokens and cost", Outcome.UNKNOWN, "no trial asked a model")
        return
    found.judge(
        "tokens and cost", wrong, f"{plural(asked, 'record')} equal to the sums of the wire", "records say other sums"
    )


def _same_sums(record: TrialRecord, totals: Mapping[str, Any]) -> bool:
    tokens = record.tokens or TokenCount()
    if (totals.get("total_prompt_tokens"), totals.get("total_completion_tokens")) != (tokens.input, tokens.output):
        return False
    stated, summed = record.cost_usd, totals.get("total_cost_usd")
    if stated is None or summed is None:
        return stated == summed
    return abs(stated - float(summed)) <= _NEAR
