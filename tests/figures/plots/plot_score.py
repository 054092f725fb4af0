"""Scores of what was read of a plot against the numbers it was drawn from.

Errors are shares of the axis range (of its decades on a logarithmic axis). A true series that nothing matches counts
with an error of 1 at each of its points.
"""

from dataclasses import dataclass, field
from itertools import product

import numpy as np
import pypdfium2 as pdfium
from plot_truth import Drawn, Floats, TruePanel, TrueSeries

from pincite_figures.plots.model import Plot, PlotPanel, PlotSeries
from pincite_figures.plots.read import read_plots
from pincite_papers.model import Rect
from pincite_papers.pdf.glyphs import Frame
from pincite_papers.pdf.parse import parse_pdf

_RECALLED = 0.02
_MOST_POINTS = 200


@dataclass(slots=True)
class Score:
    """How one plot was read: errors at the true points, and counts of series."""

    errors: list[float] = field(default_factory=list[float])
    true_series: int = 0
    recalled: int = 0
    false_series: int = 0
    named: int = 0
    right_names: int = 0
    panels: int = 0
    right_labels: int = 0
    refused: str = ""
    right_refusal: bool | None = None


def read_drawn(drawn: Drawn) -> tuple[Plot, Rect, int]:
    """What read_plots gives for a drawn plot: in a paper the box of its figure, else the whole page; box and page."""
    page_number, box = 0, None
    if drawn.paper:
        figure = parse_pdf(drawn.pdf, max_pages=9).figures[0]
        assert figure.page is not None
        page_number, box = figure.page - 1, figure.bbox
    with pdfium.PdfDocument(drawn.pdf) as document:
        page = document[page_number]
        frame = Frame.of(page)
        box = box or Rect(0, 0, frame.width, frame.height)
        plot = read_plots(page, box)
        page.close()
    return plot, box, page_number


def score(drawn: Drawn, plot: Plot) -> Score:
    """The score of what was read."""
    found = Score(refused=plot.refused.value if plot.refused else "")
    if drawn.refused:
        found.right_refusal = found.refused in drawn.refused
        found.false_series = sum(len(panel.series) for panel in plot.panels)
        return found
    left = [panel for panel in plot.panels if panel.series]
    for truth in drawn.panels:
        found.panels += 1
        own = min(left, key=lambda panel: _apart(truth, panel), default=None)
        if own is not None:
            left.remove(own)
            found.right_labels += own.label == truth.label
        _score_panel(truth, own, found)
    found.false_series += sum(len(panel.series) for panel in left)
    return found


def _apart(truth: TruePanel, panel: PlotPanel) -> float:
    """How far the ends of the axes are from the true ones."""
    ends = {axis.name: (axis.start, axis.end) for axis in panel.axes}
    total = 0.0
    for name, wanted in (("x", truth.x), ("y", truth.y)):
        if name == "x" and truth.categories:
            continue
        given = ends.get(name)
        total += 9.0 if given is None else float(np.abs(_share(given, wanted, name in truth.log) - [0, 1]).sum())
    return total


def _share(values: Floats | tuple[float, ...], limits: tuple[float, float], log: bool) -> Floats:
    """Values as shares of the way from one limit to the other."""
    given, ends = np.asarray(values, float), np.asarray(limits, float)
    if log:
        given, ends = np.log10(np.where(given > 0, given, np.nan)), np.log10(ends)
    return (given - ends[0]) / (ends[1] - ends[0])


def _score_panel(truth: TruePanel, panel: PlotPanel | None, found: Score) -> None:
    given = panel.series if panel is not None else []
    errors = {(i, j): _errors(truth, t, s) for (i, t), (j, s) in product(enumerate(truth.series), enumerate(given))}
    order = sorted(errors, key=lambda pair: float(np.median(errors[pair])) if len(errors[pair]) else 9.0)
    matched: dict[int, int] = {}
    for i, j in order:
        if i not in matched and j not in matched.values() and len(errors[i, j]) and np.median(errors[i, j]) < _RECALLED:
            matched[i] = j
    for i, series in enumerate(truth.series):
        if not _shown(truth, series):
            continue
        found.true_series += 1
        if i in matched:
            found.recalled += 1
            found.errors += errors[i, matched[i]].tolist()
            if series.name:
                found.right_names += given[matched[i]].name == series.name
        else:
            found.errors += [1.0] * min(len(series.x), _MOST_POINTS)
        found.named += bool(series.name)
    found.false_series += len(given) - len(matched)


def _shown(truth: TruePanel, series: TrueSeries) -> bool:
    """Whether any point of a series lies inside the axes."""
    low, high = sorted(truth.y2 if series.axis == "y2" and truth.y2 else truth.y)
    left, right = sorted(truth.x)
    return bool(((series.y >= low) & (series.y <= high) & (series.x >= left) & (series.x <= right)).any())


def _errors(truth: TruePanel, series: TrueSeries, given: PlotSeries) -> Floats:
    """The error at each true point inside the axes."""
    limits = truth.y2 if series.axis == "y2" and truth.y2 else truth.y
    x, y = _share(series.x, truth.x, "x" in truth.log), _share(series.y, limits, "y" in truth.log)
    inside = (x >= -1e-9) & (x <= 1 + 1e-9) & (y >= -1e-9) & (y <= 1 + 1e-9)
    columns = given.columns
    name = "y2" if series.axis == "y2" and "y2" in columns else "y"
    if series.axis == "y2" and "y2" not in given.axes:
        return np.ones(int(inside.sum()))
    if (given.kind == "band") != (series.kind == "band") or (given.kind == "bars") != (series.kind == "bars"):
        return np.ones(int(inside.sum()))
    if series.kind != "band" and name not in columns:
        return np.ones(int(inside.sum()))
    own_x = np.arange(len(given), dtype=float) if truth.categories else columns["x"]
    at = _share(own_x, truth.x, "x" in truth.log)
    errors: list[Floats] = []
    if series.kind != "band":
        errors.append(_distances(x, y, at, _share(columns[name], limits, "y" in truth.log), series.kind)[inside])
    for true_end, column in ((series.low, f"{name}_low"), (series.high, f"{name}_high")):
        if true_end is None:
            continue
        end = np.clip(_share(true_end, limits, "y" in truth.log), 0, 1)
        if column not in columns:
            errors.append(np.ones(int(inside.sum())))
            continue
        seen = _share(columns[column], limits, "y" in truth.log)
        errors.append(_distances(x, end, at, seen, "curve" if series.kind == "band" else "points")[inside])
    every = np.concatenate(errors)
    if len(every) > _MOST_POINTS:
        every = every[np.linspace(0, len(every) - 1, _MOST_POINTS).astype(int)]
    return every


def _distances(x: Floats, y: Floats, at: Floats, seen: Floats, kind: str) -> Floats:
    """For points the distance to the nearest one along the worse axis; for curves the distance along y."""
    known = np.isfinite(at) & np.isfinite(seen)
    at, seen = at[known], seen[known]
    if not len(at):
        return np.ones(len(x))
    nearest = np.maximum(np.abs(x[:, None] - at), np.abs(y[:, None] - seen)).min(1)
    if kind != "curve":
        return nearest
    order = np.argsort(at, kind="stable")
    level = np.interp(x, at[order], seen[order])
    outside = (x < at.min() - 0.01) | (x > at.max() + 0.01)
    return np.minimum(nearest, np.where(outside, 1.0, np.abs(level - y)))
