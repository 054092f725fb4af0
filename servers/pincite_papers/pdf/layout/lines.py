"""Lines: fragments of one baseline and column joined, with their scripts, in the order of the content stream."""

from dataclasses import dataclass

import numpy as np

from pincite_papers.pdf.layout.fragments import BACK_STEP, WIDE_GAP, Printed

_SAME_BASELINE = 0.12
"""Type sizes: fragments whose baselines differ by no more stand on one line; more is a script or another line. Set by
judgement."""
_SCRIPT_SIZE = 0.92
"""Times the size of the base: print of at most this size may be a script; larger print is not. Set by judgement."""
_CLEAR_SCRIPT = 0.8
"""Times the size of the base: print of at most this size is a script even where it is hardly shifted
(``_LEAST_SHIFT``). Set by judgement."""
_LEAST_SHIFT = 0.04
"""Type sizes: clearly smaller print shifted by more is a script, by less it stands on the line (small capitals). Set
by judgement."""
_SMALLEST_SCRIPT = 0.4
"""Times the size of the base: smaller print is not a script of it. Set by judgement."""
_SCRIPT_RISE = 0.75
"""Type sizes by which a script is raised or lowered at most; more is another line. Set by judgement."""
_SCRIPT_GAP = 0.8
"""Type sizes of white between a base and its script at most; a fragment further off is not its script. Set by
judgement."""


@dataclass(slots=True)
class Fragment:
    """Printed glyphs ``start`` to ``end`` on one baseline; ``level`` is 1 for a superscript, -1 for a subscript."""

    start: int
    end: int
    x0: float
    x1: float
    base: float
    size: float
    turn: int
    level: int = 0


def fragments_of(ink: Printed, starts: np.ndarray) -> list[Fragment]:
    """The fragments that start at ``starts``."""
    if not len(starts):
        return []
    ends = np.append(starts[1:], len(ink.glyphs))
    left = np.minimum.reduceat(ink.x0, starts)
    right = np.maximum.reduceat(ink.x1, starts)
    columns = (starts, ends, left, right, ink.base[starts], ink.size[starts], ink.turn[starts])
    return [Fragment(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]


def group_lines(fragments: list[Fragment]) -> list[list[Fragment]]:
    """Fragments that follow each other in the stream as lines; sets each fragment's ``level``."""
    lines: list[list[Fragment]] = []
    current: list[Fragment] = []
    base = size = 0.0
    for fragment in fragments:
        if current and fragment.turn == current[-1].turn:
            level = _joins(current, base, size, fragment)
            if level is not None:
                fragment.level = level
                current.append(fragment)
                if level == 0 and fragment.size > size:
                    size = fragment.size
                continue
            if _rises_from(current, size, fragment):
                for script in current:
                    script.level = 1 if script.base < fragment.base else -1
                current.append(fragment)
                base, size = fragment.base, fragment.size
                continue
        current = [fragment]
        lines.append(current)
        base, size = fragment.base, fragment.size
    return lines


def _joins(line: list[Fragment], base: float, size: float, fragment: Fragment) -> int | None:
    """The level at which a fragment continues a line, None where it does not."""
    last = line[-1]
    step = fragment.x0 - last.x1
    drop = fragment.base - base
    scale = max(size, fragment.size)
    shifted = fragment.size <= _CLEAR_SCRIPT * size and abs(drop) > _LEAST_SHIFT * size
    if abs(drop) <= _SAME_BASELINE * scale and not shifted:
        stacked = last.level != 0 and fragment.level == 0
        reach = 0.3 if not stacked else 1.0
        return 0 if -reach * scale <= step <= WIDE_GAP * scale else None
    if not _SMALLEST_SCRIPT * size <= fragment.size <= _SCRIPT_SIZE * size or abs(drop) > _SCRIPT_RISE * size:
        return None
    level = 1 if drop < 0 else -1
    if last.level == -level and fragment.x0 >= last.x0 - 0.25 * size and step <= _SCRIPT_GAP * size:
        return level
    return level if -0.35 * size <= step <= _SCRIPT_GAP * size else None


def _rises_from(line: list[Fragment], size: float, fragment: Fragment) -> bool:
    """Whether a line so far is only the script before a fragment of base size (``^1Department``)."""
    if (
        any(part.level for part in line)
        or size > _SCRIPT_SIZE * fragment.size
        or size < _SMALLEST_SCRIPT * fragment.size
    ):
        return False
    last = line[-1]
    if sum(part.end - part.start for part in line) > 12:
        return False
    step = fragment.x0 - last.x1
    drop = last.base - fragment.base
    return -BACK_STEP / 2 * fragment.size <= step <= fragment.size and 0.05 < abs(drop) / fragment.size <= _SCRIPT_RISE
