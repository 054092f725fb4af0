"""Names: which legend entry a series belongs to, by what they look like."""

from collections.abc import Sequence

from pincite_figures.plots.legend import Entry
from pincite_figures.plots.paths import Color
from pincite_figures.plots.traces import Look, SeriesKind, Trace
from pincite_papers.model import Rect

_NEARER = 12.0
"""Entries of one look whose distances from an area differ by less, in points, are of one legend."""


def name_traces(traces: Sequence[Trace], entries: Sequence[Entry]) -> None:
    """Give each trace the name of the legend entry that looks most like it, in place.

    Traces that look like one entry alike share its name; where two entries look alike, neither names anything.
    """
    entries = [entry for entry in entries if not any(_alike(entry, other) for other in entries)]
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


def home_entries(entries: Sequence[Entry], boxes: Sequence[Rect]) -> list[list[Entry]]:
    """The legend entries that name the series of each area: its own, and those of the figure.

    Of entries of one look, and of legends in areas, the nearest counts: panels may repeat the colours of another one.
    """
    homes: list[list[Entry]] = []
    for box in boxes:
        apart = [_apart(entry, box) for entry in entries]
        inside = any(distance == 0 for distance in apart)
        kept: list[Entry] = []
        for entry, distance in zip(entries, apart, strict=True):
            elsewhere = any(_apart(entry, other) == 0 for other in boxes) and distance > 0
            alike = [d for other, d in zip(entries, apart, strict=True) if _alike(entry, other)]
            if not (elsewhere and inside) and distance <= min(alike, default=distance) + _NEARER:
                kept.append(entry)
        homes.append(kept)
    return homes


def _apart(entry: Entry, box: Rect) -> float:
    """How far an entry stands from an area: 0 within it."""
    at = entry.label.box
    x, y = (at.x0 + at.x1) / 2, (at.y0 + at.y1) / 2
    return max(box.x0 - x, x - box.x1, 0.0) + max(box.y0 - y, y - box.y1, 0.0)


def _alike(one: Entry, other: Entry) -> bool:
    return one.look == other.look and one.fill == other.fill and one.name != other.name


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
