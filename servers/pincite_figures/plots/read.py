"""Read the plots of a figure: from the page of a PDF to series in axis units, or a refusal with its reason."""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pypdfium2 as pdfium

from pincite_figures.plots.areas import Area, find_areas
from pincite_figures.plots.axes import axis_lines, number_labels
from pincite_figures.plots.extract import Extract, extract
from pincite_figures.plots.labels import Label, Print, read_print
from pincite_figures.plots.legend import LegendEntry, find_entries
from pincite_figures.plots.marks import Mark, find_marks
from pincite_figures.plots.model import Plot, PlotPanel, PlotSeries, Refusal
from pincite_figures.plots.names import home_entries, is_borrowed
from pincite_figures.plots.numbers import read_number
from pincite_figures.plots.paths import Color, Drawing, Points, meet, read_drawing
from pincite_figures.plots.scenery import find_scenery
from pincite_figures.plots.strokes import Strokes, drawn_minuses, find_strokes, is_rectangle
from pincite_figures.plots.symbols import draw_symbols
from pincite_figures.plots.titles import panel_letters, read_multiplier, read_title
from pincite_figures.plots.traces import WHITE, Straight
from pincite_figures.plots.turning import find_turn, turn_box, turn_drawing, turn_print
from pincite_figures.plots.values import describe_axis, to_series
from pincite_papers.model import Rect
from pincite_papers.pdf.glyphs import Frame

_MARGIN = 3.0
"""Points by which what is drawn and printed is read beyond a figure's box. Set by judgement."""
_AROUND = (40.0, 70.0)
"""How far, in points, the numbers of axes stand outside of a figure's box that was found by its lines alone: the first
that gives a panel is taken. Figures set large (16 pt) need the second."""
_BEYOND = {
    Refusal.NO_AXES,
    Refusal.NO_NUMBERS,
    Refusal.OUTLINED_TEXT,
    Refusal.TOO_FEW_LABELS,
    Refusal.INCONSISTENT_LABELS,
}
_LEGEND = 48.0
"""How far, in points, a legend that the figure's box leaves out stands above or below it."""
_MOST_TRACES = 120
"""Count of traces of a panel that become series; a note counts the rest. A bound on size, set by judgement."""
_LEAST_TURNED = 3
"""Count of words that read upwards along an upright axis: fewer are the parts of a title, not categories. Set by
judgement."""
_TILES = 60
"""Count of filled rectangles from which, with ``_TILE_COLORS``, an area is a heat map and not bars. Set by
judgement."""
_TILE_COLORS = 10
"""Count of colours among these rectangles: fewer are those of bars. Set by judgement."""
_FIELD_COLORS = 5
"""Count of colours of filled shapes that are not rectangles: from it on, where they cover half of an area, they are the
fields of a contour map, else bands (``test_contour_maps_are_refused``). Set by judgement."""
_COVERED = 0.4
"""The share of an area: an image that covers more makes it a heat map, a smaller one does not. Set by judgement."""


def read_plots(page: pdfium.PdfPage, box: Rect) -> Plot:
    """The plots drawn in ``box`` (points, origin top left) of an open page; LimitReachedError if that is too much.

    Where no axes have numbers in the box, they may be printed just outside of it: then a somewhat larger one is read.
    """
    plot = _read_box(page, box)
    if plot.refused not in _BEYOND:
        return plot
    for more in _AROUND:
        wider = _read_box(page, Rect(box.x0 - more, box.y0 - more, box.x1 + more, box.y1 + more))
        inside = [panel for panel in wider.panels if _mostly_within(panel.box, box)]
        if any(panel.series for panel in inside):
            return Plot(inside)
    return plot


def _mostly_within(inner: Rect, outer: Rect) -> bool:
    """Whether a panel belongs to a figure's box: most of it lies there."""
    common = meet(inner, outer)
    shared = max(common.x1 - common.x0, 0.0) * max(common.y1 - common.y0, 0.0)
    return shared >= 0.8 * (inner.x1 - inner.x0) * (inner.y1 - inner.y0)


def _read_box(page: pdfium.PdfPage, box: Rect) -> Plot:
    """The plots drawn in a box of a page."""
    frame = Frame.of(page)
    wide = Rect(box.x0 - _MARGIN, box.y0 - _MARGIN, box.x1 + _MARGIN, box.y1 + _MARGIN)
    drawing = read_drawing(page, frame, wide)
    printed = read_print(page, frame, wide, drawn_minuses(drawing.shapes))
    turn = find_turn(printed)
    if turn:
        plot = _read(turn_drawing(drawing, turn), turn_print(printed, turn), turn_box(box, turn), lambda _: [])
        for panel in plot.panels:
            panel.box = turn_box(panel.box, 360 - turn)
            panel.notes.append("the figure stands on its side: x and y are those of its words")
        return plot

    def beyond(areas: Sequence[Area]) -> list[LegendEntry]:
        return _entries_beyond(page, frame, box, areas)

    return _read(drawing, printed, box, beyond)


def _entries_beyond(page: pdfium.PdfPage, frame: Frame, box: Rect, areas: Sequence[Area]) -> list[LegendEntry]:
    """The legend entries printed above or below a figure's box, where that holds none."""
    if not areas:
        return []
    found: list[LegendEntry] = []
    for top, bottom in ((box.y1, box.y1 + _LEGEND), (box.y0 - _LEGEND, box.y0)):
        strip = Rect(box.x0 - _MARGIN, top, box.x1 + _MARGIN, bottom)
        drawing = read_drawing(page, frame, strip)
        printed = read_print(page, frame, strip)
        circles, symbols = draw_symbols(printed.symbols, len(drawing.shapes))
        shapes = [*drawing.shapes, *circles]
        shapes = [shape for shape in shapes if top - 1 <= shape.box.y0 and shape.box.y1 <= bottom + 1]
        if shapes:
            found += find_entries(shapes, find_marks(list(enumerate(shapes)), symbols), printed.labels)
    for entry in found:
        entry.parts = set()
    return found


def _read(drawing: Drawing, printed: Print, box: Rect, beyond: Callable[[Sequence[Area]], list[LegendEntry]]) -> Plot:
    """The plots of a figure whose words read level; ``beyond`` looks for a legend outside of it."""
    if not drawing.shapes:
        seen = f"{len(drawing.images)} images and no drawn lines" if drawing.images else "nothing is drawn"
        return Plot([], Refusal.RASTER if drawing.images else Refusal.NO_AXES, seen)
    circles, symbols = draw_symbols(printed.symbols, len(drawing.shapes))
    drawing, printed = replace(drawing, shapes=drawing.shapes + circles), replace(printed, symbols=symbols)
    strokes = find_strokes(drawing.shapes)
    areas = find_areas(*strokes, printed.labels)
    whole = [area for area in areas if area.y_axes or area.x_axes]
    taken = {id(label) for area in whole for axis in area.axes for label in axis.labels}
    _read_titles(whole, printed.labels, taken)
    marks = find_marks(list(enumerate(drawing.shapes)), printed.symbols)
    scenery = {part for area in whole for part in find_scenery(area, drawing.shapes, *strokes)}
    titles = {id(label) for area in whole for axis in area.axes for label in axis.titles}
    free = [label for label in printed.labels if id(label) not in taken - titles]
    entries = find_entries(drawing.shapes, marks, free, scenery) or beyond(whole)
    named = {id(entry.label) for entry in entries}
    _drop_titles(whole, named & titles)
    letters = panel_letters(whole, printed.labels, taken | named)
    boxes = [area.box for area in whole]
    homes = home_entries(entries, boxes)
    panels: list[PlotPanel] = []
    for area, letter, own in zip(whole, letters, homes, strict=True):
        lent = {entry.name for entry in own if is_borrowed(entry, area.box, boxes)}
        panel = _read_panel(area, letter, drawing, strokes, printed, marks, (entries, own, lent), taken)
        if panel is not None:
            panels.append(panel)
    read = [panel for panel in panels if panel.series]
    if read:
        return Plot(panels)
    halves = [area for area in whole if len(area.x_axes) + len(area.y_axes) == 1]
    refused, seen = _why_not(panels, halves, drawing, strokes, printed, box)
    return Plot([], refused, seen)


def _read_titles(areas: Sequence[Area], labels: Sequence[Label], taken: set[int]) -> None:
    """Multipliers and titles of all axes, in place; ``taken`` grows by their labels."""
    axes = list({id(axis): axis for area in areas for axis in area.axes if not axis.shared}.values())
    for axis in axes:
        multiplier = read_multiplier(axis, labels, taken)
        if multiplier is not None:
            taken.add(id(multiplier))
    for axis in axes:
        axis.titles = read_title(axis, labels, taken)
        axis.title = " ".join(label.text for label in axis.titles)
        taken.update(id(label) for label in axis.titles)
    by_labels = {id(axis.labels): axis for axis in axes}
    for area in areas:
        for axis in area.axes:
            source = by_labels.get(id(axis.labels))
            if axis.shared and source is not None:
                axis.title, axis.titles, axis.scale = source.title, source.titles, source.scale
                axis.multiplier = source.multiplier


def _drop_titles(areas: Sequence[Area], named: Set[int]) -> None:
    """Take names of a legend below an area out of the titles of its axes, in place."""
    for axis in (axis for area in areas for axis in area.axes):
        if any(id(label) in named for label in axis.titles):
            axis.titles = [label for label in axis.titles if id(label) not in named]
            axis.title = " ".join(label.text for label in axis.titles)


def _read_panel(
    area: Area,
    letter: str,
    drawing: Drawing,
    strokes: tuple[Strokes, Strokes],
    printed: Print,
    marks: Sequence[Mark],
    entries: tuple[Sequence[LegendEntry], Sequence[LegendEntry], Set[str]],
    taken: set[int],
) -> PlotPanel | None:
    """A panel of an area; None where it is not a plot: numbers along one direction alone, and no categories."""
    categories: list[Label] = []
    if not area.x_axes or not area.y_axes:
        categories = _find_categories(area, printed.labels, taken)
        if len(categories) < 2:
            return None
    box = area.box
    named = [(axis, "x" if k == 0 else "x2") for k, axis in enumerate(area.x_axes[:2])]
    named += [(axis, "y" if k == 0 else "y2") for k, axis in enumerate(area.y_axes[:2])]
    axes = [describe_axis(a, n, *((box.x0, box.x1) if a.line.level else (box.y0, box.y1))) for a, n in named]
    panel = PlotPanel(letter, box, axes, [])
    if _is_heat_map(area, drawing):
        panel.refused = Refusal.HEAT_MAP
        return panel
    found = extract(area, drawing.shapes, strokes, marks, entries, printed.labels)
    _fill(panel, area, found, categories)
    if not panel.series:
        panel.refused = Refusal.NO_SERIES
    return panel


def _fill(panel: PlotPanel, area: Area, found: Extract, categories: Sequence[Label]) -> None:
    """The series of a panel, and notes on what is not among them."""
    lost = 0
    for trace in found.traces[:_MOST_TRACES]:
        series = to_series(trace, area, categories)
        if series is None:
            lost += 1
        else:
            panel.series.append(series)
    if len(found.traces) > _MOST_TRACES:
        panel.notes.append(f"{len(found.traces) - _MOST_TRACES} further series were left out")
    if lost:
        panel.notes.append(f"{lost} lines or bands were left out: one axis has no numbers")
    for trace in found.references:
        line = to_series(trace, area, categories)
        if line is not None and trace.straight is not None:
            panel.notes.append(_describe_reference(line, trace.straight))
    if found.unread_strokes:
        panel.notes.append(f"{found.unread_strokes} short strokes belong to no series")
    if found.unread_fills:
        panel.notes.append(f"{found.unread_fills} filled shapes were not read")
    if len(area.x_axes) > 2 or len(area.y_axes) > 2:
        panel.notes.append("more than two axes along one side: values are on the first two")


def _describe_reference(line: PlotSeries, straight: Straight) -> str:
    """Where a line stands that runs from side to side, for the notes of its panel."""
    direction = "x" if straight is Straight.UPRIGHT else "y"
    at = [f"{name} = {column[0]:.4g}" for name, column in line.columns.items() if name in (direction, f"{direction}2")]
    return f"one straight {straight} line from side to side is not a series: {' or '.join(at)}"


def _find_categories(area: Area, labels: Sequence[Label], taken: set[int]) -> list[Label]:
    """The words along the side of an area that has no numbers."""
    box = area.box
    level = not area.x_axes
    rows: list[tuple[float, Label]] = []
    for label in labels:
        if id(label) in taken or (read_number(label.text) is not None and label.angle):
            continue
        if level:
            gap, inside = label.box.y0 - box.y1, box.x0 - label.size <= label.x <= box.x1 + label.size
        else:
            gap, inside = box.x0 - label.box.x1, box.y0 <= label.y <= box.y1
        if inside and -1 <= gap <= 2.6 * label.size + 4:
            rows.append((gap, label))
    if not rows:
        return []
    first = min(gap for gap, _ in rows)
    row = [label for gap, label in rows if gap <= first + 0.6 * label.size]
    if not level and any(label.angle for label in row) and len(row) < _LEAST_TURNED:
        return []
    numbers = number_labels(row)
    if sum("^" in label.text for label in numbers) * 2 > len(row) or (not level and 2 * len(numbers) >= len(row)):
        return []
    return row if 2 * len(number_labels(row)) < len(row) or _is_even(row, level=level) else []


def _is_even(row: Sequence[Label], *, level: bool) -> bool:
    """Whether numbers that fit no scale stand at equal steps, as names do."""
    at = sorted(label.x if level else label.y for label in row)
    steps = [b - a for a, b in pairwise(at)]
    return len(steps) >= 2 and max(steps) - min(steps) < 0.06 * max(steps) + 1.5


def _is_heat_map(area: Area, drawing: Drawing) -> bool:
    """Whether an area shows an image, a mosaic of many colours or the fields of a contour map."""
    box = area.box
    size = max((box.x1 - box.x0) * (box.y1 - box.y0), 1.0)
    for image in drawing.images:
        common = meet(image, box)
        if max(common.x1 - common.x0, 0.0) * max(common.y1 - common.y0, 0.0) > _COVERED * size:
            return True
    tiles, covered = 0, 0.0
    colors: set[Color] = set()
    fields: set[Color] = set()
    for shape in drawing.shapes:
        seen = shape.box
        if shape.fill is None or not (box.x0 - 2 <= seen.x0 and seen.x1 <= box.x1 + 2 and box.y0 - 2 <= seen.y0):
            continue
        if seen.y1 > box.y1 + 2:
            continue
        if is_rectangle(shape.parts[0]):
            tiles += 1
            colors.add(shape.fill)
        elif shape.fill != WHITE and (field := sum(_surface(part.points) for part in shape.parts)) > 0.001 * size:
            fields.add(shape.fill)
            covered += field
    mosaic = tiles >= _TILES and len(colors) >= _TILE_COLORS
    return mosaic or (len(fields) >= _FIELD_COLORS and covered > 0.5 * size)


def _surface(points: Points) -> float:
    """The surface that an outline encloses (the shoelace formula)."""
    x, y = (points - points[0]).T
    return abs(float(x @ np.roll(y, 1) - y @ np.roll(x, 1))) / 2


def _why_not(
    panels: Sequence[PlotPanel],
    halves: Sequence[Area],
    drawing: Drawing,
    strokes: tuple[Strokes, Strokes],
    printed: Print,
    box: Rect,
) -> tuple[Refusal, str]:
    """Why a figure gives no numbers, and what was seen."""
    if panels:
        refused = panels[0].refused or Refusal.NO_SERIES
        if refused is Refusal.HEAT_MAP:
            return refused, "axes around an image or a mosaic of colours"
        return refused, f"axes of {len(panels)} plot areas, and no curve, marker or bar in them"
    size = max((box.x1 - box.x0) * (box.y1 - box.y0), 1.0)
    covered = 0.0
    for image in drawing.images:
        common = meet(image, box)
        covered += max(common.x1 - common.x0, 0.0) * max(common.y1 - common.y0, 0.0)
    if covered > 0.5 * size:
        return Refusal.RASTER, f"{len(drawing.images)} images over {min(covered / size, 1):.0%} of the figure"
    numbers = number_labels(printed.labels)
    counts = max(_beside(strokes, numbers, level=level) for level in (True, False))
    long = int((strokes[0].length > 40).sum() + (strokes[1].length > 40).sum())
    seen = f"{len(drawing.shapes)} drawn shapes, {len(numbers)} numbers among {len(printed.labels)} labels"
    if not printed.labels and long >= 2:
        return Refusal.OUTLINED_TEXT, f"{len(drawing.shapes)} drawn shapes, long lines, and no text at all"
    if halves:
        missing = max(_beside(strokes, numbers, level=not half.x_axes) for half in halves)
        good = "x" if halves[0].x_axes else "y"
        reason = Refusal.INCONSISTENT_LABELS if missing >= 3 else Refusal.NO_NUMBERS
        return reason, f"{len(halves)} plot areas with a scale along {good} alone"
    if counts >= 3:
        return Refusal.INCONSISTENT_LABELS, seen
    if counts >= 1 and long >= 2:
        return Refusal.TOO_FEW_LABELS, seen
    return Refusal.NO_AXES, seen


def _beside(strokes: tuple[Strokes, Strokes], numbers: Sequence[Label], *, level: bool) -> int:
    """The most numbers that stand in a row beside one line of a direction with at least two ticks."""
    most = 0
    own, other = strokes if level else strokes[::-1]
    short = other.take(other.length <= 16)
    for line in axis_lines(own, level=level)[:60]:
        on = (short.at >= line.low - 1) & (short.at <= line.high + 1)
        on &= np.minimum(np.abs(short.low - line.at), np.abs(short.high - line.at)) <= 1.0
        if on.sum() >= 2:
            most = max(most, sum(_near(line.at, line.low, line.high, n, level=level) for n in numbers))
    return most


def _near(at: float, low: float, high: float, label: Label, *, level: bool) -> bool:
    across, along = (label.y, label.x) if level else (label.x, label.y)
    return low - 3 <= along <= high + 3 and abs(across - at) <= 2.6 * label.size
