"""What of a terminal the model is shown: what is new since it looked last, bounded in size."""

from collections.abc import Sequence

MAX_BYTES = 10_000
"""Of a longer text its first and its last half this long are shown."""
_ANCHOR = 4
"""Lines by which a place is found again after the oldest lines have gone."""


def new_lines(before: Sequence[str], after: Sequence[str]) -> list[str] | None:
    """The lines of the pane ``after`` that were not there ``before``, from the prompt on which typing began.

    None where the two do not belong together (the screen was cleared): then the screen says more.
    """
    if not before:
        return list(after)
    kept = before[:-1]
    if list(after[: len(kept)]) == list(kept):
        return list(after[len(kept) :]) if list(after) != list(before) else []
    anchor = list(kept[-_ANCHOR:])
    if not anchor:
        return None
    for start in range(len(after) - len(anchor), -1, -1):
        if list(after[start : start + len(anchor)]) == anchor:
            return list(after[start + len(anchor) :])
    return None


def lines_of(capture: str) -> list[str]:
    """A capture of a pane as lines, without the blanks that a terminal pads them with."""
    lines = [line.rstrip() for line in capture.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def bounded(text: str, limit: int = MAX_BYTES) -> str:
    """``text``, its middle left out where it is longer than ``limit`` bytes."""
    data = text.encode()
    if len(data) <= limit:
        return text
    head, tail = data[: limit // 2].decode("utf-8", "ignore"), data[-(limit // 2) :].decode("utf-8", "ignore")
    left_out = len(data) - len(head.encode()) - len(tail.encode())
    return f"{head}\n[… {left_out} of {len(data)} bytes are left out here …]\n{tail}"
