"""What the builder noted on a step beyond what ATIF has fields for; empty on trajectories from elsewhere."""

from typing import Any, cast

from pincite_trajectory.atif import Step


def wire_of(step: Step) -> dict[str, Any]:
    """Times, status and ids of the call of the model."""
    return _mapping(step, "wire")


def error_of(step: Step) -> dict[str, Any]:
    """Why there is no whole answer: cause and detail."""
    return _mapping(step, "error")


def given_up(step: Step) -> bool:
    """Whether nobody took this answer up: the same was asked again, and later calls were not told of it."""
    return "superseded_by" in (step.extra or {})


def seconds_in(told: dict[str, Any]) -> float:
    """The seconds of a note; none are 0."""
    return float(told.get("seconds") or 0.0)


def _mapping(step: Step, name: str) -> dict[str, Any]:
    value = (step.extra or {}).get(name)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
