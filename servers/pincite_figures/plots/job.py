"""read_plot_job: reads the plots of a figure in a figure worker."""

from typing import Any

import numpy as np

from pincite_core.errors import LimitReachedError
from pincite_figures.plots.model import Plot, PlotAxis, PlotPanel, PlotSeries, Refusal
from pincite_figures.plots.read import read_plots
from pincite_figures.source import OpenSource

_MOST_VALUES = 3_000_000
"""Count of float64 values in all columns of a figure: more is an error. A bound on memory, set by judgement."""
_MOST_CATEGORIES = 2000
"""Count of category names given for one series; the rest are cut off. A bound on size, set by judgement."""


def read_plot_job(source: OpenSource, arguments: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The plots of ``arguments["target"]`` (see ``naming.Target``) as JSON; their columns, float64, one after another.

    Each series names its columns and where, in values, the first of them starts; all have its ``n`` values.
    """
    subject = source.subject(arguments["target"])
    if subject.page is None:
        plot = Plot([], Refusal.RASTER, f"a picture file of {subject.width:.0f} x {subject.height:.0f} pixels")
    else:
        plot = read_plots(subject.page, subject.box)
    columns: list[np.ndarray] = []
    at = 0
    panels: list[dict[str, Any]] = []
    for panel in plot.panels:
        entry = _panel(panel)
        for series in panel.series:
            own = _with_pieces(series)
            entry["series"].append(_series(series, list(own), at))
            columns.extend(own.values())
            at += len(own) * len(series)
            if at > _MOST_VALUES:
                raise LimitReachedError(
                    "The figure has more points than one result can hold.",
                    seen=f"more than {_MOST_VALUES:,} values",
                    next="Look at it with view_figure and zoom_figure.",
                )
        panels.append(entry)
    body = np.concatenate(columns).astype("<f8").tobytes() if columns else b""
    return {"refused": plot.refused.value if plot.refused else "", "seen": plot.seen, "panels": panels}, body


def _panel(panel: PlotPanel) -> dict[str, Any]:
    box = panel.box
    return {
        "label": panel.label,
        "box": [round(edge, 1) for edge in (box.x0, box.y0, box.x1, box.y1)],
        "axes": [_axis(axis) for axis in panel.axes],
        "notes": panel.notes,
        "refused": panel.refused.value if panel.refused else "",
        "series": [],
    }


def _axis(axis: PlotAxis) -> dict[str, Any]:
    return {
        "name": axis.name,
        "title": axis.title,
        "scale": axis.scale,
        "start": axis.start,
        "end": axis.end,
        "error": axis.error,
        "error_value": axis.error_value,
        "labels": axis.labels,
        "basis": axis.basis,
        "multiplier": axis.multiplier,
        "shared": axis.shared,
    }


def _series(series: PlotSeries, columns: list[str], at: int) -> dict[str, Any]:
    return {
        "name": series.name,
        "kind": series.kind.value,
        "color": series.color,
        "line": series.line,
        "marker": series.marker,
        "axes": list(series.axes),
        "notes": series.notes,
        "categories": series.categories[:_MOST_CATEGORIES],
        "columns": columns,
        "n": len(series),
        "at": at,
    }


def _with_pieces(series: PlotSeries) -> dict[str, np.ndarray]:
    """The columns of a series, and the number of each point's piece where there are several."""
    columns = dict(series.columns)
    if len(series.starts) > 1:
        marks = np.zeros(len(series))
        marks[series.starts] = 1
        columns["piece"] = np.cumsum(marks)
    return columns
