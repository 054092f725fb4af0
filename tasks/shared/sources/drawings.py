"""Kinds of drawings that single long papers have beside the common ones: flow charts, forest plots, survival curves,
bars on a broken axis, maps. Each takes the axes and its part of the truth."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from matplotlib.patches import Rectangle

Json = dict[str, Any]
COLOURS = ("#1f4e79", "#b8461b", "#3b7d3b", "#6a3d8a", "#8a6d1b", "#2a8a8a")


def draw_flow(axes: Any, plot: Json) -> None:
    """Boxes of text at (x, y) of the unit square, joined by arrows of box numbers."""
    boxes = plot["boxes"]
    for start, end in plot["arrows"]:
        (x0, y0, *_), (x1, y1, *_) = boxes[start], boxes[end]
        axes.annotate("", (x1, y1), (x0, y0), arrowprops={"arrowstyle": "->", "linewidth": 0.7, "shrinkB": 12})
    for x, y, text in boxes:
        frame = {"boxstyle": "square,pad=0.4", "facecolor": "white", "edgecolor": "black", "linewidth": 0.7}
        axes.text(x, y, text, ha="center", va="center", fontsize=6.5, bbox=frame)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_axis_off()


def draw_forest(axes: Any, plot: Json) -> None:
    """One estimate with its interval a row, the numbers printed at the right."""
    rows = plot["rows"]
    for number, (_, middle, low, high) in enumerate(rows):
        axes.plot((low, high), (-number, -number), color="black", linewidth=0.9)
        axes.plot(middle, -number, "s", color=COLOURS[0], markersize=4)
        shown = f"{middle:.1f} ({low:.1f} to {high:.1f})".replace("-", "\u2212")
        axes.text(1.02, -number, shown, transform=axes.get_yaxis_transform(), va="center", fontsize=6.5)
    axes.axvline(0, color="black", linewidth=0.6, linestyle="--")
    axes.set_yticks([-number for number in range(len(rows))], [row[0] for row in rows])
    axes.set_xlabel(plot["x_label"])


def draw_steps(axes: Any, plot: Json) -> None:
    """Survival curves: levels that hold until the next time."""
    for number, series in enumerate(plot["series"]):
        colour = COLOURS[number % len(COLOURS)]
        axes.step(series["x"], series["y"], where="post", color=colour, label=series["label"], linewidth=1.1)
    axes.set_xlabel(plot["x_label"])
    axes.set_ylabel(plot["y_label"])
    if plot.get("y_range"):
        axes.set_ylim(*plot["y_range"])
    if plot.get("legend", True):
        axes.legend(frameon=False, fontsize=6.5, loc=plot.get("legend_at", "best"))


def draw_broken(axes: Any, plot: Json) -> None:
    """Bars on an axis that leaves a range out: above ``cut[0]`` it goes on at ``cut[1]``."""
    low, high = plot["cut"]
    gap = high - low
    names = plot["series"][0]["x"]
    count = len(plot["series"])
    for number, series in enumerate(plot["series"]):
        places = np.arange(len(names)) + 0.8 * (number - (count - 1) / 2) / count
        heights = [y - gap if y > high else y for y in series["y"]]
        axes.bar(places, heights, 0.75 / count, color=COLOURS[number], label=series["label"])
    left, right = -0.6, len(names) - 0.4
    axes.add_patch(Rectangle((left, low * 0.97), right - left, low * 0.06, color="white", zorder=3))
    for edge in (low * 0.97, low * 1.03):
        axes.plot((left, right), (edge, edge), color="#888888", linewidth=0.6, linestyle=(0, (4, 2)), zorder=4)
    axes.set_xlim(left, right)
    ticks = plot["ticks"]
    axes.set_yticks([tick - gap if tick > high - 1e-9 else tick for tick in ticks], [f"{tick:g}" for tick in ticks])
    axes.set_xticks(range(len(names)), names)
    axes.set_ylabel(plot["y_label"])
    axes.legend(frameon=False, fontsize=6.5, loc=plot.get("legend_at", "best"))


def draw_map(axes: Any, plot: Json) -> None:
    """A drawn map: shades of height, a river, named places and a bar of length."""
    generator = np.random.default_rng(plot["seed"])
    rows, columns = np.mgrid[0:160, 0:240]
    ground = np.zeros(rows.shape)
    for _ in range(9):
        y, x, width = generator.uniform(0, 160), generator.uniform(0, 240), generator.uniform(20, 60)
        ground += np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / (2 * width**2))
    levels = np.floor(6 * (ground - ground.min()) / (ground.max() - ground.min())) / 6
    axes.imshow(levels, cmap="Greens", vmin=-0.4, vmax=1.6, interpolation="nearest")
    across = np.linspace(0, 239, 120)
    axes.plot(across, 80 + 22 * np.sin(across / 31 + plot["seed"]), color="#4a7fb5", linewidth=2.2)
    for x, y, name in plot["places"]:
        axes.plot(x, y, "^", color="black", markersize=4)
        axes.text(x + 4, y - 3, name, fontsize=6.5)
    axes.plot((170, 170 + plot["bar"]), (152, 152), color="black", linewidth=2.5)
    axes.text(170 + plot["bar"] / 2, 148, plot["scale"], ha="center", fontsize=6.5)
    axes.set_axis_off()


def draw_fitted(axes: Any, plot: Json) -> None:
    """Points of several groups with straight lines through them."""
    for number, series in enumerate(plot["series"]):
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(series["x"], series["y"], "os^D"[number % 4], color=colour, label=series.get("label"), markersize=3)
        if "line" in series:
            slope, level = series["line"]
            ends = np.array([min(series["x"]), max(series["x"])])
            axes.plot(ends, slope * ends + level, color=colour, linewidth=0.9)
    for x, y, text in plot.get("notes", []):
        axes.annotate(text, (x, y), fontsize=plot.get("note_size", 6.5))
    axes.set_xlabel(plot["x_label"])
    axes.set_ylabel(plot["y_label"])
    if plot.get("legend", True):
        axes.legend(frameon=False, fontsize=6.5, loc=plot.get("legend_at", "best"))


KINDS: Mapping[str, Callable[[Any, Json], None]] = {
    "flow": draw_flow, "forest": draw_forest, "steps": draw_steps, "broken": draw_broken, "map": draw_map,
    "fitted": draw_fitted,
}  # fmt: skip
"""The drawing of each type of plot."""
