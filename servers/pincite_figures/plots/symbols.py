"""Symbols: glyphs of circles, as R prints its points, drawn as the shapes that they show."""

import math
from collections.abc import Sequence
from itertools import count

import numpy as np

from pincite_figures.plots.labels import Symbol
from pincite_figures.plots.paths import Part, Shape

_CIRCLE = 0x25CF
"""The filled circle of Unicode, which the ``l`` of ZapfDingbats is read as."""
_NODES = 12
"""Count of nodes of the outline that stands for a circle."""


def draw_symbols(symbols: Sequence[Symbol], first: int) -> tuple[list[Shape], list[Symbol]]:
    """The circles among symbols as shapes, filled or open, which a legend can show, too; and the symbols that are left.

    ``first`` is the order of the first of these shapes.
    """
    orders = count(first)
    circles = [symbol for symbol in symbols if symbol.name.endswith(f" {_CIRCLE}")]
    left = [symbol for symbol in symbols if not symbol.name.endswith(f" {_CIRCLE}")]
    return [_circle(symbol, order) for symbol, order in zip(circles, orders, strict=False)], left


def _circle(symbol: Symbol, order: int) -> Shape:
    box = symbol.box
    middle = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2])
    half = np.array([box.x1 - box.x0, box.y1 - box.y0]) / 2
    turn = np.linspace(0, 2 * math.pi, _NODES, endpoint=False)
    nodes = middle + half * np.stack((np.cos(turn), np.sin(turn)), axis=1)
    edge, face = (symbol.color, None) if symbol.outlined else (None, symbol.color)
    return Shape([Part(nodes, True, True)], edge, face, 0.0, (), box, order)
