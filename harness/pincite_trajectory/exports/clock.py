"""When a step, and the tool calls in it, began and ended, as far as a trajectory tells."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from pincite_trajectory.atif import ObservationResult, Step
from pincite_trajectory.exports.notes import seconds_in, wire_of

EPOCH = datetime.fromtimestamp(0, UTC)


def begun(steps: Sequence[Step], index: int) -> datetime:
    """When a step began; one without a time began with the last before it that has one."""
    for step in reversed(steps[: index + 1]):
        if step.timestamp is not None:
            return _aware(step.timestamp)
    return EPOCH


def answered(steps: Sequence[Step], index: int) -> datetime:
    """When the model's answer was whole; where nothing tells, when the step began."""
    return begun(steps, index) + timedelta(seconds=seconds_in(wire_of(steps[index])))


def called(steps: Sequence[Step], index: int, result: ObservationResult | None) -> tuple[datetime, datetime]:
    """When a call was carried out: by the server's own record, else between the answer and the next step."""
    extra = (result.extra if result is not None else None) or {}
    if "at" in extra:
        start = _aware(str(extra["at"]))
        return start, start + timedelta(seconds=seconds_in(extra))
    start = answered(steps, index)
    following = begun(steps, index + 1) if index + 1 < len(steps) else start
    return start, max(start, following)


def ended(steps: Sequence[Step]) -> datetime:
    """When the last of it was over."""
    ends = [answered(steps, index) for index in range(len(steps))]
    for index, step in enumerate(steps):
        ends += [called(steps, index, result)[1] for result in (step.observation.results if step.observation else [])]
    return max(ends, default=EPOCH)


def _aware(timestamp: str) -> datetime:
    found = datetime.fromisoformat(timestamp)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
