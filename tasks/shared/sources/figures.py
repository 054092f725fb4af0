"""Draw the figures of a long paper from its truth: ``python figures.py TRUTH.json FOLDER``; vector as PDF, else PNG."""

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")
mpl.rcParams.update({"font.size": 7.5, "pdf.fonttype": 42, "font.family": "DejaVu Sans", "axes.linewidth": 0.7})

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from drawings import KINDS  # noqa: E402

COLOURS = ("#1f4e79", "#b8461b", "#3b7d3b", "#6a3d8a", "#8a6d1b", "#2a8a8a", "#555555", "#c04080")
MARKS = "osD^vP*X"
DPI = 150
"""Pixels an inch of raster figures: legible at full width, and some 40 kB a figure."""


def draw_axes(axes: Any, plot: dict[str, Any]) -> None:
    """Lines, points or bars with labels, scales and notes."""
    for number, series in enumerate(plot.get("series", [])):
        colour, label = COLOURS[number % len(COLOURS)], series.get("label")
        x, y = series["x"], series["y"]
        match plot.get("type", "lines"):
            case "bars":
                places = np.arange(len(x)) + 0.8 * (number - (len(plot["series"]) - 1) / 2) / len(plot["series"])
                axes.bar(places, y, 0.75 / len(plot["series"]), color=colour, label=label)
                axes.set_xticks(range(len(x)), x)
            case "points":
                axes.plot(x, y, MARKS[number % 8], color=colour, label=label, markersize=3.5)
            case _:
                style = series.get("style", "-")
                axes.plot(x, y, style, color=colour, label=label, linewidth=1.1, markersize=3)
    for x, y, text in plot.get("notes", []):
        axes.annotate(text, (x, y), fontsize=plot.get("note_size", 7))
    axes.set_xlabel(plot.get("x_label", ""))
    axes.set_ylabel(plot.get("y_label", ""))
    if plot.get("x_log"):
        axes.set_xscale("log")
    if plot.get("y_log"):
        axes.set_yscale("log")
    if plot.get("y_range"):
        axes.set_ylim(*plot["y_range"])
    if plot.get("legend", True) and any(series.get("label") for series in plot.get("series", [])):
        axes.legend(frameon=False, fontsize=6.5, loc=plot.get("legend_at", "best"))


def draw_grains(axes: Any, plot: dict[str, Any]) -> None:
    """A drawn micrograph: grains of flat greys with a scale bar."""
    generator = np.random.default_rng(plot["seed"])
    height, width = 220, 330
    seeds = generator.random((plot.get("grains", 70), 2)) * (height, width)
    rows, columns = np.mgrid[0:height, 0:width]
    squares = (rows[..., None] - seeds[:, 0]) ** 2 + (columns[..., None] - seeds[:, 1]) ** 2
    order = np.sort(squares, axis=-1)
    greys = generator.integers(5, 13, len(seeds))[np.argmin(squares, axis=-1)] * 16
    greys[np.sqrt(order[..., 1]) - np.sqrt(order[..., 0]) < 1.5] = 40
    axes.imshow(greys, cmap="gray", vmin=0, vmax=255, interpolation="nearest")
    axes.plot((width - 90, width - 20), (height - 18, height - 18), color="white", linewidth=3)
    axes.text(width - 55, height - 26, plot["scale"], color="white", ha="center", fontsize=7)
    axes.text(8, 22, plot.get("tag", ""), color="white", fontsize=8, weight="bold")
    axes.set_axis_off()


def draw(plot: dict[str, Any], path: Path) -> None:
    """One figure of one or more panels, each with an inset where the truth has one."""
    panels = plot.get("panels", [plot])
    size = plot.get("size", [3.4 * len(panels), 2.5])
    figure, grid = plt.subplots(1, len(panels), figsize=size, layout="constrained", squeeze=False)
    for number, (axes, panel) in enumerate(zip(grid[0], panels, strict=True)):
        kinds = {"grains": draw_grains, **KINDS}
        kinds.get(panel.get("type", ""), draw_axes)(axes, panel)
        if len(panels) > 1:
            axes.set_title(f"({'abcdef'[number]})", loc="left", fontsize=8)
        if "inset" in panel:
            inner = axes.inset_axes(panel["inset"].get("at", [0.55, 0.55, 0.4, 0.38]))
            inner.tick_params(labelsize=5.5)
            inset = {"note_size": 5.5, **panel["inset"]}
            KINDS.get(inset.get("type", ""), draw_axes)(inner, inset)
            inner.xaxis.label.set_size(5.5)
            inner.yaxis.label.set_size(5.5)
    if path.suffix == ".png":
        figure.savefig(path, dpi=DPI, metadata={"Software": None}, pil_kwargs={"optimize": True})
    else:
        figure.savefig(path, metadata={"CreationDate": None, "Creator": None, "Producer": None})
    plt.close(figure)


def main(truth: Path, folder: Path) -> None:
    """Draw all figures of a paper."""
    paper = json.loads(truth.read_text(encoding="utf-8"))
    for each in paper["figures"]:
        draw(each["plot"], folder / f"{paper['name']}-{each['id']}.{'png' if each['raster'] else 'pdf'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
