"""Names: which legend entry a series belongs to, by what they look like."""

from collections.abc import Sequence, Set

from pincite_figures.plots.legend import LegendEntry
from pincite_figures.plots.paths import Color
from pincite_figures.plots.traces import Look, SeriesKind, Trace
from pincite_papers.model import Rect

_NEARER = 12.0
"""Points: areas whose distances from a legend differ by less share it. Set by judgement."""
_BESIDE, _BELOW = 4.0, 1.5
"""In type sizes: entries of one legend stand no further apart across and down; programs leave 2 and 1 at most."""
_LEAST_BORROWED = 2
"""Count of series: fewer that look like entries of another area's legend may do so by chance, in the first colours of
a program."""


def name_traces(traces: Sequence[Trace], entries: Sequence[LegendEntry], borrowed: Set[str] = frozenset()) -> None:
    """Give each trace the name of the legend entry that looks most like it, in place.

    Traces that look like one entry alike share its name; where two entries look alike, neither names anything.
    The names in ``borrowed`` are of a legend in another area and taken only where they name every trace, two or more.
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
    lent = [trace for trace in traces if trace.name in borrowed]
    if len(lent) < max(_LEAST_BORROWED, sum(trace.straight is None for trace in traces)):
        for trace in lent:
            trace.name = ""


def home_entries(entries: Sequence[LegendEntry], boxes: Sequence[Rect]) -> list[list[LegendEntry]]:
    """The legend entries that name the series of each area: of the legends inside it or next to it, else all others.

    A legend belongs to the area that holds it, or to the nearest one where the figure has several legends.
    """
    legends = _legends(entries)
    owners = [_owners(legend, boxes, alone=len(legends) == 1) for legend in legends]
    homes: list[list[LegendEntry]] = []
    for k in range(len(boxes)):
        own = [entry for legend, areas in zip(legends, owners, strict=True) if k in areas for entry in legend]
        homes.append(own or list(entries))
    return homes


def is_borrowed(entry: LegendEntry, box: Rect, boxes: Sequence[Rect]) -> bool:
    """Whether a legend entry stands in another area than ``box``."""
    return _apart(entry, box) > 0 and any(_apart(entry, other) == 0 for other in boxes)


def _legends(entries: Sequence[LegendEntry]) -> list[list[LegendEntry]]:
    """Entries that stand below or beside each other, as those of one legend do."""
    legends: list[list[LegendEntry]] = []
    for entry in entries:
        near = [legend for legend in legends if any(_neighbours(entry, other) for other in legend)]
        legends = [legend for legend in legends if legend not in near]
        legends.append([*(other for legend in near for other in legend), entry])
    return legends


def _neighbours(one: LegendEntry, other: LegendEntry) -> bool:
    """Whether two entries stand no further apart than those of one legend, in type sizes."""
    a, b = _extent(one), _extent(other)
    size = max(one.label.size, other.label.size)
    across = max(a.x0 - b.x1, b.x0 - a.x1, 0.0)
    down = max(a.y0 - b.y1, b.y0 - a.y1, 0.0)
    return across <= _BESIDE * size and down <= _BELOW * size


def _extent(entry: LegendEntry) -> Rect:
    box, label = entry.box, entry.label.box
    return Rect(min(box.x0, label.x0), min(box.y0, label.y0), max(box.x1, label.x1), max(box.y1, label.y1))


def _owners(legend: Sequence[LegendEntry], boxes: Sequence[Rect], *, alone: bool) -> set[int]:
    """The areas whose series a legend names: the one that holds it, all for the only one of a figure, else the nearest.

    Areas about as near as the nearest share it.
    """
    held = [sum(_apart(entry, box) == 0 for entry in legend) for box in boxes]
    inside = {k for k, count in enumerate(held) if count and count == max(held)}
    if inside:
        smallest = min(inside, key=lambda k: (boxes[k].x1 - boxes[k].x0) * (boxes[k].y1 - boxes[k].y0))
        return {smallest}
    if alone:
        return set(range(len(boxes)))
    apart = [min(_apart(entry, box) for entry in legend) for box in boxes]
    return {k for k, distance in enumerate(apart) if distance <= min(apart) + _NEARER}


def _apart(entry: LegendEntry, box: Rect) -> float:
    """How far an entry stands from an area: 0 within it."""
    at = entry.label.box
    x, y = (at.x0 + at.x1) / 2, (at.y0 + at.y1) / 2
    return max(box.x0 - x, x - box.x1, 0.0) + max(box.y0 - y, y - box.y1, 0.0)


def _alike(one: LegendEntry, other: LegendEntry) -> bool:
    return one.look == other.look and one.fill == other.fill and one.name != other.name


def _likeness(trace: Trace, entry: LegendEntry) -> float:
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
