"""Where a trajectory comes from: a trial's folder, an ATIF file, or a session of a CLI agent (a file or its folder)."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError, NotFoundError
from pincite_tasks.answer import ANSWER_FILES, find_answer
from pincite_tasks.files import decode_text, read_json
from pincite_tasks.trial_record import TRIAL_FILE, TrialRecord, parse_record
from pincite_trajectory.atif import Trajectory
from pincite_trajectory.build import MODEL_WIRE, TOOL_WIRE, Episode, build_trajectory
from pincite_trajectory.exports.inspect_log import Marked
from pincite_trajectory.validate import validate_trajectory
from pincite_trajectory.wire import read_records

TRAJECTORY_FILE = "trajectory.json"
_SCORE_FILE = "score.json"
_LIMITS = {"wall clock": "time", "tokens": "token", "cost": "cost", "model calls": "turn", "tool calls": "custom"}
"""Inspect's kinds of limits by the words of ours."""


@dataclass(frozen=True, slots=True)
class Source:
    """A trajectory, the folder that its paths of media start from, and what its trial adds to it."""

    trajectory: Trajectory
    folder: Path
    marked: Marked = field(default_factory=Marked)


def open_source(path: Path, out_folder: Path | None = None) -> Source:
    """Read ``path``; images of a session are written below ``out_folder`` (default: its own folder).

    NotFoundError where there is nothing, BadInputError for what is none of these.
    """
    if not path.exists():
        raise NotFoundError(f"There is no trajectory {path}.", next="Name a trial's folder, an ATIF file or a session.")
    if path.is_dir() and (found := _open_trial(path)) is not None:
        return found
    if path.is_file() and _is_atif(path):
        return Source(validate_trajectory(path), path.parent)
    from pincite_trajectory.sessions import read_session

    folder = out_folder or (path if path.is_dir() else path.parent)
    return Source(read_session(path, folder), folder)


def _open_trial(folder: Path) -> Source | None:
    """None where the folder is not of a trial; BadInputError where it is of a run."""
    record = parse_record(read_json(folder / TRIAL_FILE), str(folder)) if (folder / TRIAL_FILE).is_file() else None
    marked = _marked(folder, record)
    if (folder / TRAJECTORY_FILE).is_file():
        return Source(validate_trajectory(folder / TRAJECTORY_FILE), folder, marked)
    if (folder / TOOL_WIRE).is_file() or (folder / MODEL_WIRE).is_file():
        return Source(build_trajectory(folder, _unfinished(folder)), folder, marked)
    if trials := sorted(path.parent.name for path in folder.glob(f"trials/*/{TRAJECTORY_FILE}")):
        first = folder / "trials" / trials[0]
        raise BadInputError(f"{folder} is a run.", seen=", ".join(trials), next=f"Name one of its trials: {first}")
    return None


def _unfinished(folder: Path) -> Episode:
    """What can be told of a trial that was killed before its trajectory was written."""
    records = [record for name in (TOOL_WIRE, MODEL_WIRE) for record in read_records(folder / name)]
    stamps = [str(record["at"]) for record in records if "at" in record] or [datetime.now(UTC).isoformat()]
    found = find_answer(folder)
    answer, name = (found.read_bytes(), found.name) if found is not None else (None, ANSWER_FILES[0])
    return Episode(folder.resolve().name, "unknown", "unknown", "", min(stamps), max(stamps), answer, name)


def _marked(folder: Path, record: TrialRecord | None) -> Marked:
    if record is None:
        return Marked(task_id=folder.resolve().name)
    score: dict[str, Any] = read_json(folder / _SCORE_FILE) if (folder / _SCORE_FILE).is_file() else {}
    detail = record.detail or ""
    limited = record.cause is not None and record.cause.value == "limit_reached"
    return Marked(
        family=record.family,
        task_id=record.task_id,
        metrics=score.get("metrics") or {},
        error=f"{record.cause}: {detail}" if record.cause is not None and not limited else None,
        limit=_limit(detail) if limited else None,
    )


def _limit(detail: str) -> tuple[str, float, str]:
    """Kind, value and words of a limit, told as ``wall clock: 600 s``."""
    name, _, rest = detail.partition(":")
    number = next((word for word in rest.split() if word.replace(".", "", 1).isdigit()), "0")
    return _LIMITS.get(name, "custom"), float(number), detail


def _is_atif(path: Path) -> bool:
    """Whether a file says that it is ATIF, or is a JSON object with an agent and steps."""
    try:
        value: Any = orjson.loads(decode_text(path.read_bytes()))
    except (orjson.JSONDecodeError, UnicodeDecodeError):
        return False
    if not isinstance(value, dict):
        return False
    told = cast("dict[str, Any]", value)
    return str(told.get("schema_version", "")).startswith("ATIF") or {"agent", "steps"} <= set(told)
