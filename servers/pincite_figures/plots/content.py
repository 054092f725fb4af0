"""Content of read_plot: the panels and series that the job read, as results show them."""

from array import array
from dataclasses import dataclass
from typing import Any, NotRequired

import orjson
from typing_extensions import TypedDict

from pincite_core.errors import NotFoundError
from pincite_core.paging import decode_cursor, encode_cursor, fill_page
from pincite_figures.naming import figure_locator, figure_name
from pincite_figures.plots.table import PointTable, describe_error
from pincite_papers.model import Paper

JOB = "pincite_figures.plots.job:read_plot_job"
"""Reads the plots of a figure; see its module for the reply."""
_ENTRY_CHARS = 420
"""Characters of JSON kept for the entry of a series without its points. Set by judgement."""
_FRAME_CHARS = 400
"""Characters of JSON kept for what a result holds besides panels and series. Set by judgement."""
_MOST_SERIES = 60
"""Count of series of one result; the next cursor gives the rest. Set by judgement."""
_MOST_ROWS = 5000
"""Count of points of one series in one result; the next cursor gives the rest. Set by judgement."""
_LISTED = 30
"""Count of panels or series that an error names, and of refused panels that a result lists. Set by judgement."""
_WHY = {
    "raster_figure": "it is a picture of pixels, nothing in it is drawn with lines",
    "no_axes": "no axes with numbers were found: it is not a plot, or one that cannot be read",
    "axis_without_numbers": "one of its axes has no numbers",
    "too_few_tick_labels": "an axis has too few numbers to tell its scale",
    "labels_fit_no_scale": "the numbers of an axis stand on neither a linear nor a logarithmic scale",
    "text_is_drawn_as_outlines": "its labels are outlines, not text",
    "heat_map": "it maps values to colours (an image, a mosaic or contour fields)",
    "no_series": "its axes hold no curve, marker or bar",
    "flagged": "it was flagged as the wrong figure",
}


class PlotAxisEntry(TypedDict):
    """An axis: values at its ends (left or bottom first), the likely ``error`` of a value, and as a share of its range.

    ``multiplier`` is printed beside it and already in the values. ``basis`` says what marks the places of its labels.
    """

    axis: str
    title: str
    scale: str
    start: float
    end: float
    error: str
    error_share: float
    basis: str
    multiplier: NotRequired[str]
    note: NotRequired[str]


class PlotPanelEntry(TypedDict):
    """A plot area: its letter, or its number from the top left; ``refused`` says why it has no series."""

    panel: str
    axes: list[PlotAxisEntry]
    notes: NotRequired[list[str]]
    refused: NotRequired[str]


class PlotSeriesEntry(TypedDict):
    """A series: ``series`` is what read_plot takes; ``points`` are lines of ``columns``, which ``shown`` counts."""

    series: str
    panel: str
    name: str
    kind: str
    color: str | None
    line: str
    marker: str
    axes: list[str]
    n: int
    ranges: dict[str, list[float]]
    columns: list[str]
    shown: str
    points: str
    notes: NotRequired[list[str]]


class PlotContent(TypedDict):
    """The plots of a figure: panels and series; or why it was ``refused``, what was seen and what to do instead."""

    figure: str
    locator: str | None
    page: int | None
    refused: NotRequired[str]
    seen: NotRequired[str]
    next: NotRequired[str]
    panels: list[PlotPanelEntry]
    total_series: int
    series: list[PlotSeriesEntry]
    next_cursor: str | None


@dataclass(slots=True)
class _Item:
    """A series as the job gave it: its id, its panel's name and place, and its points."""

    name: str
    panel: str
    panel_index: int
    series: dict[str, Any]
    table: PointTable


def empty_content(paper: Paper, index: int) -> PlotContent:
    """A result without panels and series."""
    figure = paper.figures[index]
    return PlotContent(
        figure=figure_name(paper, index),
        locator=figure_locator(paper, figure),
        page=figure.page,
        panels=[],
        total_series=0,
        series=[],
        next_cursor=None,
    )


def plot_content(
    paper: Paper,
    index: int,
    reply: dict[str, Any],
    body: bytes,
    *,
    figure: str,
    panel: str,
    series: str,
    cursor: str,
    max_chars: int,
) -> PlotContent:
    """The result of what the job replied for a figure that was named ``figure``."""
    content = empty_content(paper, index)
    if reply["refused"]:
        return refuse(content, reply["refused"], reply["seen"])
    values = array("d")
    values.frombytes(body)
    items = _items(reply, values, panel)
    content["total_series"] = len(items)
    query = ("read_plot", paper.paper_id, paper.parser, index, figure, panel, series)
    start = decode_cursor(cursor, *query)
    if series:
        found = _find_series(items, series, content["figure"])
        after, total = _fill_points(content, reply, found, start, max_chars)
    else:
        after, total = _fill_series(content, reply, items, start, max_chars), len(items)
    content["next_cursor"] = encode_cursor(after, *query) if after < total else None
    return content


def refuse(content: PlotContent, reason: str, seen: str) -> PlotContent:
    """A result that says why there are no series."""
    content["refused"] = reason
    content["seen"] = f"{_WHY[reason]}: {seen}" if seen else _WHY[reason]
    content["next"] = (
        "Go on without it."
        if reason == "flagged"
        else "Look at it with view_figure and zoom_figure; say that values read by eye are estimates."
    )
    return content


def _items(reply: dict[str, Any], values: "array[float]", wanted: str) -> list[_Item]:
    """The series of the wanted panel, or of all."""
    names = _panel_names(reply)
    chosen = range(len(names))
    if wanted:
        plain = wanted.strip(" ().").casefold()
        chosen = [k for k, name in enumerate(names) if plain in {name.casefold(), str(k + 1)}][:1]
        if not chosen:
            raise NotFoundError(
                f"The figure has no plot panel {wanted[:30]!r}.",
                seen=f"its plot panels are {', '.join(names[:_LISTED])}",
                next="Give one of these, or none for all.",
            )
    items: list[_Item] = []
    for k in chosen:
        panel = reply["panels"][k]
        for number, series in enumerate(panel["series"], 1):
            table = PointTable(series, panel["axes"], values)
            items.append(_Item(f"{names[k]}.{number}" if len(names) > 1 else str(number), names[k], k, series, table))
    return items


def _panel_names(reply: dict[str, Any]) -> list[str]:
    """The letters of the panels; numbers where they have none."""
    return [panel["label"] or str(number) for number, panel in enumerate(reply["panels"], 1)]


def _find_series(items: list[_Item], wanted: str, figure: str) -> _Item:
    found = [item for item in items if item.name == wanted] or [
        item for item in items if item.series["name"] and item.series["name"].casefold() == wanted.strip().casefold()
    ]
    if len(found) == 1:
        return found[0]
    known = ", ".join(f"{item.name} {item.series['name']}".strip() for item in items[:_LISTED])
    raise NotFoundError(
        f"{figure} has {'no' if not found else 'more than one'} series {wanted[:60]!r}.",
        seen=f"its series are {known}" if known else "no series was read",
        next="Give the id of one of these.",
    )


def _fill_series(content: PlotContent, reply: dict[str, Any], items: list[_Item], start: int, max_chars: int) -> int:
    """Entries from ``start`` on with their panels; returns where they end."""
    left = max_chars - _FRAME_CHARS
    rest = items[start:]
    panels = {item.panel_index for item in rest}
    frames = sum(_size(_panel_entry(reply, k)) for k in panels)
    share = (left - min(frames, left // 2)) // max(min(len(rest), _MOST_SERIES), 1) - _ENTRY_CHARS
    shown_panels: dict[int, PlotPanelEntry] = {}

    def render(item: _Item) -> dict[str, Any]:
        entry: dict[str, Any] = {"series": _entry(item, *item.table.thinned(max(share, 100)))}
        if item.panel_index not in shown_panels:
            shown_panels[item.panel_index] = entry["panel"] = _panel_entry(reply, item.panel_index)
        return entry

    shown, after = fill_page(items, start, render, max_chars=left, max_items=_MOST_SERIES)
    kept = {item.panel_index for item in items[start:after]}
    content["series"] = [entry["series"] for entry in shown]
    content["panels"] = [shown_panels[k] for k in sorted(kept)]
    if start == 0:
        refused = [k for k, panel in enumerate(reply["panels"]) if panel["refused"]]
        content["panels"] += [_panel_entry(reply, k) for k in refused[:_LISTED] if k not in kept]
    return after


def _fill_points(
    content: PlotContent, reply: dict[str, Any], item: _Item, start: int, max_chars: int
) -> tuple[int, int]:
    """All points of one series from ``start`` on that fit; returns where they end and how many there are."""
    content["panels"] = [_panel_entry(reply, item.panel_index)]
    left = max_chars - _FRAME_CHARS - _ENTRY_CHARS - _size(content["panels"][0])
    rows, after = fill_page(
        range(len(item.table)), start, item.table.row, max_chars=max(left, 200), max_items=_MOST_ROWS
    )
    entry = _entry(item, [], 1)
    entry["points"] = "\n".join(rows)
    entry["shown"] = f"points {start + 1}-{after} of {len(item.table)}"
    content["series"] = [entry]
    return after, len(item.table)


def _entry(item: _Item, chosen: list[int], step: int) -> PlotSeriesEntry:
    series, table = item.series, item.table
    entry = PlotSeriesEntry(
        series=item.name,
        panel=item.panel,
        name=series["name"],
        kind=series["kind"],
        color=series["color"],
        line=series["line"],
        marker=series["marker"],
        axes=series["axes"],
        n=len(table),
        ranges=table.ranges(),
        columns=table.header,
        shown=_shown(len(chosen), len(table), step),
        points="\n".join(map(table.row, chosen)),
    )
    if series["notes"]:
        entry["notes"] = series["notes"]
    return entry


def _shown(chosen: int, n: int, step: int) -> str:
    return f"all {n} points" if step == 1 else f"{chosen} of {n} points: every {step}th and the last"


def _panel_entry(reply: dict[str, Any], index: int) -> PlotPanelEntry:
    panel = reply["panels"][index]
    entry = PlotPanelEntry(panel=_panel_names(reply)[index], axes=[_axis_entry(axis) for axis in panel["axes"]])
    if panel["notes"]:
        entry["notes"] = panel["notes"]
    if panel["refused"]:
        entry["refused"] = f"{panel['refused']}: {_WHY[panel['refused']]}"
    return entry


def _axis_entry(axis: dict[str, Any]) -> PlotAxisEntry:
    entry = PlotAxisEntry(
        axis=axis["name"],
        title=axis["title"][:200],
        scale=axis["scale"],
        start=float(f"{axis['start']:.6g}"),
        end=float(f"{axis['end']:.6g}"),
        error=describe_error(axis),
        error_share=float(f"{axis['error']:.2g}"),
        basis=axis["basis"],
    )
    if axis["multiplier"]:
        entry["multiplier"] = axis["multiplier"]
    notes = ["numbers of a neighbouring panel with the same range"] if axis["shared"] else []
    if axis["labels"] == 2:
        notes.append("calibrated by two labels alone")
    if notes:
        entry["note"] = "; ".join(notes)
    return entry


def _size(entry: object) -> int:
    return len(orjson.dumps(entry))
