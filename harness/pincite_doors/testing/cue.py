"""Cue: what a scripted model does with one request."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_doors.testing.faults import Fault
from pincite_doors.testing.script import Turn


@dataclass(frozen=True, slots=True)
class Cue:
    """A turn to play or a fault to meet; neither for a side request."""

    turn: Turn | None = None
    index: int | None = None
    fault: Fault | None = None


def fault_at(faults: Sequence[Fault], spoiled: int) -> Fault | None:
    """The fault that a turn meets after ``spoiled`` requests for it met one; None when it is played."""
    for fault in faults:
        if fault.times is None or spoiled < fault.times:
            return fault
        spoiled -= fault.times
    return None
