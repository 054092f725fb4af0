"""Plots: the series that read_plot reads of a figure, put back over the print that they were read from."""

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite_core.errors import NotFoundError
from pincite_figures.naming import target_of
from pincite_figures.plots.content import JOB
from pincite_figures.plots.table import describe_error
from pincite_harness.desk.papers import Papers
from pincite_harness.desk.surroundings import widened
from pincite_papers.model import Paper, Rect

MOST_POINTS = 1500
"""Of one series: more are thinned, every k-th and the last. Set by judgement."""
_FAR = 3.0
"""Points (1/72 inch) outside of its panel beyond which a point is left out: it is off the print. Set by judgement."""


@dataclass(frozen=True, slots=True)
class SeriesShown:
    """A series with its ``points`` on the page in points, and ``paths`` that join those of one piece where it is a
    line. ``undrawn`` of its points have no place on the page: an axis has categories for numbers."""

    name: str
    kind: str
    color: str
    count: int
    points: Sequence[tuple[float, float]]
    paths: Sequence[str]
    undrawn: int
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class PanelShown:
    """A plot area in points, its axes in words, and its series; ``refused`` says why there are none."""

    label: str
    box: tuple[float, float, float, float]
    axes: Sequence[str]
    series: Sequence[SeriesShown]
    notes: Sequence[str]
    refused: str


@dataclass(frozen=True, slots=True)
class PlotShown:
    """What was read of a figure on a page, whose ``box`` with a margin is in points; ``refused`` says why
    nothing was, ``seen`` what was seen."""

    figure: str
    page: int
    box: Rect
    panels: Sequence[PanelShown]
    refused: str
    seen: str


def show_plot(papers: Papers, paper: Paper, index: int) -> PlotShown:
    """Read the plots of a figure. NotFoundError where there is no such figure on a page, and what the job raises."""
    if not 0 <= index < len(paper.figures):
        raise NotFoundError("The paper has no such figure.")
    figure = paper.figures[index]
    if figure.page is None or figure.bbox is None:
        raise NotFoundError("This figure stands on no page that could be drawn over.")
    reply, body = papers.run(JOB, paper, {"target": target_of(paper, index)})
    values = array("d")
    values.frombytes(body)
    panels = [_panel(panel, values) for panel in reply["panels"]]
    box = _above_captions(paper, figure.page, figure.bbox, widened(paper, figure.page, figure.bbox))
    name = figure.label or "a figure"
    return PlotShown(name, figure.page, box, panels, _words(reply["refused"]), str(reply["seen"]))


def _above_captions(paper: Paper, page: int, figure: Rect, box: Rect) -> Rect:
    """The box without what its margin has of a caption's lines below the figure."""
    captions = [block.bbox for block in paper.blocks if block.kind == "caption" and block.page == page]
    middle = (figure.y0 + figure.y1) / 2
    tops = [each.y0 for each in captions if each is not None and each.x0 < box.x1 and box.x0 < each.x1]
    return Rect(box.x0, box.y0, box.x1, min([box.y1, *(top for top in tops if top > middle)]))


def _panel(panel: Mapping[str, Any], values: "array[float]") -> PanelShown:
    axes = {axis["name"]: axis for axis in panel["axes"]}
    box: tuple[float, float, float, float] = tuple(panel["box"])
    series = [_series(each, axes, box, values) for each in panel["series"]]
    axes_said = [_axis(axis) for axis in panel["axes"]]
    return PanelShown(panel["label"], box, axes_said, series, panel["notes"], _words(panel["refused"]))


def _axis(axis: Mapping[str, Any]) -> str:
    title = f" {axis['title']}" if axis["title"] else ""
    error = describe_error(dict(axis))
    return f"{axis['name']}{title}: {axis['start']:g} to {axis['end']:g}, {axis['scale']}, {error}"


def _series(
    series: Mapping[str, Any],
    axes: Mapping[str, Mapping[str, Any]],
    box: tuple[float, float, float, float],
    values: "array[float]",
) -> SeriesShown:
    count = int(series["n"])
    columns = {
        name: values[series["at"] + k * count : series["at"] + (k + 1) * count]
        for k, name in enumerate(series["columns"])
    }
    step = max(1, -(-count // MOST_POINTS))
    chosen = [*range(0, count, step)]
    if count and chosen[-1] != count - 1:
        chosen.append(count - 1)
    placed = [(at, place) for at in chosen if (place := _place(columns, axes, box, at)) is not None]
    pieces = columns.get("piece")
    paths = list(_paths(placed, pieces)) if series["kind"].startswith("line") else []
    return SeriesShown(
        name=series["name"] or series["kind"],
        kind=series["kind"],
        color=series["color"] or "",
        count=count,
        points=[place for _, place in placed],
        paths=paths,
        undrawn=len(chosen) - len(placed),
        notes=series["notes"],
    )


def _place(
    columns: Mapping[str, "array[float]"],
    axes: Mapping[str, Mapping[str, Any]],
    box: tuple[float, float, float, float],
    at: int,
) -> tuple[float, float] | None:
    """Where a point stands on the page; None where an axis has no numbers, or it is far outside of its panel."""
    x = _along(columns.get("x"), axes.get("x"), at, (box[0], box[2]))
    y = _along(columns.get("y"), axes.get("y"), at, (box[3], box[1]))
    if x is None and y is None:
        x = _along(columns.get("x2"), axes.get("x2"), at, (box[0], box[2]))
    if y is None:
        y = _along(columns.get("y2"), axes.get("y2"), at, (box[3], box[1]))
    if x is None or y is None:
        return None
    inside = box[0] - _FAR <= x <= box[2] + _FAR and box[1] - _FAR <= y <= box[3] + _FAR
    return (round(x, 2), round(y, 2)) if inside else None


def _along(
    column: "array[float] | None", axis: Mapping[str, Any] | None, at: int, ends: tuple[float, float]
) -> float | None:
    if column is None or axis is None or not math.isfinite(column[at]):
        return None
    spread = _SPREADS.get(axis["scale"])
    if spread is None:
        return None
    try:
        start, end, value = spread(axis["start"]), spread(axis["end"]), spread(column[at])
    except ValueError:
        return None
    if start == end:
        return None
    return ends[0] + (value - start) / (end - start) * (ends[1] - ends[0])


def _even(value: float) -> float:
    return value


def _root(value: float) -> float:
    return math.copysign(math.sqrt(abs(value)), value)


_SPREADS = {"linear": _even, "log": math.log10, "square root": _root}
"""How values of each kind of scale are spread evenly along their axis."""


def _paths(placed: Sequence[tuple[int, tuple[float, float]]], pieces: "array[float] | None") -> Iterator[str]:
    """The points of each piece as the points of a polyline."""
    parts: list[list[str]] = []
    last: float | None = None
    for at, (x, y) in placed:
        piece = pieces[at] if pieces is not None else 0.0
        if piece != last:
            parts.append([])
            last = piece
        parts[-1].append(f"{x},{y}")
    yield from (" ".join(part) for part in parts if len(part) > 1)


def _words(reason: str) -> str:
    return reason.replace("_", " ")
