"""Names: which legend entry a series belongs to, by what they look like."""

from collections.abc import Sequence

from pincite_figures.plots.legend import Entry
from pincite_figures.plots.paths import Color
from pincite_figures.plots.traces import Look, SeriesKind, Trace


def name_traces(traces: Sequence[Trace], entries: Sequence[Entry]) -> None:
    """Give each trace the name of the legend entry that looks most like it, in place.

    Traces that look like one entry alike share its name.
    """
    pairs = [
        (score, i, j)
        for i, trace in enumerate(traces)
        for j, e in enumerate(entries)
        if (score := _likeness(trace, e)) > 0
    ]
    named: set[int] = set()
    used: dict[int, float] = {}
    for score, i, j in sorted(pairs, key=lambda pair: (-pair[0], pair[1])):
        if i in named or (j in used and used[j] > score):
            continue
        named.add(i)
        used[j] = score
        traces[i].name = entries[j].name


def _likeness(trace: Trace, entry: Entry) -> float:
    """How much a trace looks like a sample: 0 for not at all, more for each trait that agrees."""
    look, sample = trace.look, entry.look
    if trace.kind in {SeriesKind.BARS, SeriesKind.BAND}:
        wanted = entry.fill if entry.fill is not None else sample.face
        return 2.0 if wanted is not None and _same(look.face, wanted) else 0.0
    score = 0.0
    if look.line is not None and sample.line is not None:
        if not _same(look.line, sample.line) or not _same_dash(look, sample):
            return 0.0
        score += 2.0 + (0.3 if abs(look.width - sample.width) < 0.15 else 0.0)
    elif look.line is not None and not look.marker:
        return 0.0
    if look.marker or sample.marker:
        if look.marker != sample.marker:
            return 0.0 if look.marker and sample.marker else score * 0.4
        if not _same(look.edge, sample.edge) or not _same(look.face, sample.face):
            return 0.0
        score += 2.0 + (0.3 if abs(look.size - sample.size) < 0.6 else 0.0)
        if (look.line is None) != (sample.line is None):
            score -= 0.8
    return score


def _same(one: Color | None, other: Color | None) -> bool:
    if one is None or other is None:
        return one is other
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 3


def _same_dash(one: Look, other: Look) -> bool:
    if len(one.dash) != len(other.dash):
        return False
    return all(abs(a - b) <= 0.1 + 0.15 * max(a, b) for a, b in zip(one.dash, other.dash, strict=True))
