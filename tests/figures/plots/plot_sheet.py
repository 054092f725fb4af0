"""Contact sheets: what was read of plots, drawn over their renderings."""

from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, ImageDraw

from pincite_figures.plots.model import Plot, PlotAxis, PlotPanel, PlotSeries
from pincite_papers.model import Rect

_TILE = (620, 480)
_COLUMNS = 4
_ROWS = 4
_INKS = ("#ff00ff", "#00c000", "#ff8000", "#0060ff", "#c00000", "#00b0b0", "#7000a0", "#808000")


class Sheet:
    """Tiles of rendered plots with their series over them, written 16 a picture into a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._tiles: list[Image.Image] = []
        self._written = 0

    def add(self, name: str, pdf: bytes, page: int, box: Rect, plot: Plot) -> None:
        """Draw one plot."""
        boxes = [panel.box for panel in plot.panels]
        if boxes:
            box = Rect(
                max(box.x0, min(own.x0 for own in boxes) - 60),
                max(box.y0, min(own.y0 for own in boxes) - 40),
                min(box.x1, max(own.x1 for own in boxes) + 60),
                min(box.y1, max(own.y1 for own in boxes) + 50),
            )
        with pdfium.PdfDocument(pdf) as document:
            self._tiles.append(draw_tile(document[page], box, plot, name))
        if len(self._tiles) == _COLUMNS * _ROWS:
            self.close()

    def close(self) -> None:
        """Write what is not written yet."""
        if not self._tiles:
            return
        rows = -(-len(self._tiles) // _COLUMNS)
        sheet = Image.new("RGB", (_COLUMNS * _TILE[0], rows * _TILE[1]), "white")
        for k, tile in enumerate(self._tiles):
            sheet.paste(tile, (k % _COLUMNS * _TILE[0], k // _COLUMNS * _TILE[1]))
        self._written += 1
        sheet.save(self._folder / f"plots-{self._written}.png")
        self._tiles = []


def draw_tile(page: pdfium.PdfPage, box: Rect, plot: Plot, name: str) -> Image.Image:
    """A tile: the box of a page, pale, with the series in strong colours."""
    scale = min((_TILE[0] - 8) / (box.x1 - box.x0), (_TILE[1] - 28) / (box.y1 - box.y0))
    width, height = page.get_size()
    crop = (box.x0, height - box.y1, width - box.x1, box.y0)
    picture = page.render(scale=scale, crop=crop).to_pil().convert("RGB")
    picture = Image.blend(picture, Image.new("RGB", picture.size, "white"), 0.45)
    pen = ImageDraw.Draw(picture)
    for panel in plot.panels:
        _draw_panel(pen, panel, box, scale)
    tile = Image.new("RGB", _TILE, "white")
    tile.paste(picture, (4, 24))
    count = sum(len(panel.series) for panel in plot.panels)
    text = f"{name}: {plot.refused.value if plot.refused else f'{count} series'}"
    ImageDraw.Draw(tile).text((4, 4), text, fill="black")
    return tile


def _draw_panel(pen: ImageDraw.ImageDraw, panel: PlotPanel, box: Rect, scale: float) -> None:
    axes = {axis.name: axis for axis in panel.axes}
    corners = [(panel.box.x0 - box.x0) * scale, (panel.box.y0 - box.y0) * scale]
    corners += [(panel.box.x1 - box.x0) * scale, (panel.box.y1 - box.y0) * scale]
    pen.rectangle(corners, outline="#a0a0ff")
    for k, series in enumerate(panel.series):
        ink = _INKS[k % len(_INKS)]
        x_name = next((name for name in series.axes if name.startswith("x")), "")
        y_name = next((name for name in series.axes if name.startswith("y")), "")
        if x_name and y_name:
            _draw_series(pen, series, axes[x_name], axes[y_name], panel.box, box, scale, ink)


def _draw_series(
    pen: ImageDraw.ImageDraw,
    series: PlotSeries,
    x_axis: PlotAxis,
    y_axis: PlotAxis,
    area: Rect,
    box: Rect,
    scale: float,
    ink: str,
) -> None:
    columns = series.columns

    def place(x: float, y: float) -> tuple[float, float]:
        across = area.x0 + _along(x_axis, x) * (area.x1 - area.x0)
        down = area.y1 - _along(y_axis, y) * (area.y1 - area.y0)
        return (across - box.x0) * scale, (down - box.y0) * scale

    xs = columns[x_axis.name]
    ys = columns.get(y_axis.name)
    if ys is not None:
        points = [place(x, y) for x, y in zip(xs, ys, strict=True)]
        if "line" in series.kind:
            for start, end in zip(series.starts, [*series.starts[1:], len(points)], strict=True):
                pen.line(points[start:end], fill=ink, width=2)
        for x, y in points if len(points) < 400 else []:
            pen.ellipse((x - 3, y - 3, x + 3, y + 3), outline=ink)
    for end in ("low", "high"):
        column = columns.get(f"{y_axis.name}_{end}")
        if column is not None:
            for x, y in zip(xs, column, strict=True):
                if y == y:
                    a, b = place(x, y)
                    pen.line((a - 4, b, a + 4, b), fill=ink)


def _along(axis: PlotAxis, value: float) -> float:
    from math import log10

    if axis.scale == "log":
        return (log10(max(value, 1e-300)) - log10(axis.start)) / (log10(axis.end) - log10(axis.start))
    return (value - axis.start) / (axis.end - axis.start)
