"""Trajectories: read once, kept for the trials looked at last, and told step by step."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from pincite_core.errors import BadInputError, LimitReachedError, NotFoundError
from pincite_harness.reports.trials.steps import offered_tools
from pincite_trajectory.atif import Step, Trajectory
from pincite_trajectory.build import MODEL_WIRE, TOOL_WIRE, Episode, build_trajectory
from pincite_trajectory.exports import clock
from pincite_trajectory.wire import read_records

_MOST_BYTES = 200_000_000
"""Of a trajectory.json: a larger one would take gigabytes of memory."""
_MOST_WIRE = 40_000_000
"""Bytes of the wire of a trial that goes on: its steps are read again whenever it grows."""
_MOST_KEPT = 4
"""Trajectories in memory, those looked at last."""


@dataclass(frozen=True)
class Conversation:
    """The task's own conversation (number 0), or that of a sub-agent or another role."""

    number: int
    title: str
    trajectory: Trajectory

    @property
    def steps(self) -> list[Step]:
        """Its steps, of which the first has number 1."""
        return self.trajectory.steps

    @cached_property
    def offered(self) -> frozenset[str]:
        """Names of the tools that its model was offered."""
        return offered_tools(self.trajectory)

    @cached_property
    def begun(self) -> list[datetime]:
        """When each step began."""
        found: list[datetime] = []
        for index, step in enumerate(self.steps):
            known = step.timestamp is not None or not found
            found.append(clock.begun(self.steps, index) if known else found[-1])
        return found

    def step(self, number: int) -> Step:
        """A step by its number; NotFoundError where there is none."""
        if not 1 <= number <= len(self.steps):
            raise NotFoundError(f"There is no step {number}.", seen=f"{len(self.steps)} steps")
        return self.steps[number - 1]


@dataclass(frozen=True, slots=True)
class Told:
    """A trajectory as its conversations, the task's own first."""

    conversations: tuple[Conversation, ...]

    def conversation(self, number: int) -> Conversation:
        """One of them; NotFoundError where there is none."""
        if not 0 <= number < len(self.conversations):
            raise NotFoundError(f"There is no conversation {number}.")
        return self.conversations[number]

    def numbered(self, trajectory_id: str | None) -> int | None:
        """The number of the conversation that a step refers to."""
        for each in self.conversations:
            if trajectory_id is not None and each.trajectory.trajectory_id == trajectory_id:
                return each.number
        return None


class Trajectories:
    """Safe in several threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Path, int, int], Told] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, folder: Path) -> Told:
        """What the trajectory of the trial in ``folder`` tells, or its wire while the trial goes on. NotFoundError
        where there is neither, LimitReachedError where it is too large, BadInputError where it cannot be read."""
        path = folder / "trajectory.json"
        if path.is_file():
            return self._once((path, *_state(path)), lambda: _read(path))
        wire = [folder / name for name in (MODEL_WIRE, TOOL_WIRE)]
        states = [_state(each) for each in wire]
        if not any(size for _, size in states):
            raise NotFoundError("There are no steps yet.")
        latest, size = max(at for at, _ in states), sum(size for _, size in states)
        return self._once((folder, latest, size), lambda: _so_far(folder, size))

    def _once(self, key: tuple[Path, int, int], read: Callable[[], Trajectory]) -> Told:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        told = tell(read())
        with self._lock:
            self._kept[key] = told
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return told


def _state(path: Path) -> tuple[int, int]:
    """Time and size of a file, zeros where there is none."""
    try:
        stat = path.stat()
    except OSError:
        return 0, 0
    return stat.st_mtime_ns, stat.st_size


def tell(trajectory: Trajectory) -> Told:
    """The conversations of a trajectory, those inside others behind them."""
    found = [Conversation(0, "the task", trajectory)]
    for number, inner in enumerate(_embedded(trajectory), start=1):
        role = str((inner.extra or {}).get("role") or "other conversation")
        found.append(Conversation(number, f"{role}: {inner.trajectory_id}", inner))
    return Told(tuple(found))


def _embedded(trajectory: Trajectory) -> Iterator[Trajectory]:
    for inner in trajectory.subagent_trajectories or []:
        yield inner
        yield from _embedded(inner)


def _read(path: Path) -> Trajectory:
    size = path.stat().st_size
    if size > _MOST_BYTES:
        raise LimitReachedError("The trajectory is too large to be shown.", seen=f"{size:,} bytes")
    try:
        return Trajectory.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise BadInputError("The trajectory cannot be read.", seen=str(error)[:400]) from error


def _so_far(folder: Path, size: int) -> Trajectory:
    """The steps of a trial that goes on, from what its doors have recorded; there is no answer yet."""
    if size > _MOST_WIRE:
        raise LimitReachedError("The steps are shown when the trial has ended.", seen=f"{size:,} bytes of wire")
    began = datetime.now(UTC).isoformat()
    for record in read_records(folder / TOOL_WIRE):
        began = str(record.get("at") or began)
        break
    episode = Episode(folder.name, "agent", "", "The prompt is recorded when the trial ends.", began, began, None)
    try:
        trajectory = build_trajectory(folder, episode)
    except (OSError, ValidationError, ValueError) as error:
        raise BadInputError("The wire cannot be read.", seen=str(error)[:400]) from error
    steps = trajectory.steps[:-1] or trajectory.steps
    return trajectory.model_copy(update={"steps": steps})
