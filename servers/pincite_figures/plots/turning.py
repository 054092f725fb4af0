"""Turning: a figure that stands on its side, turned so that its words read level."""

from collections import Counter
from dataclasses import replace

from pincite_figures.plots.labels import Label, Print
from pincite_figures.plots.numbers import read_number
from pincite_figures.plots.paths import Drawing, Part, Points, Shape
from pincite_papers.model import Rect

_LEAST_NUMBERS = 4
"""Count: a figure with fewer numbers is taken to stand upright, however they read. Set by judgement."""
_MOST_OF_THEM = 0.95
"""The share of the numbers that read one way on a figure that stands on its side: the labels of both axes do."""


def find_turn(printed: Print) -> int:
    """The direction in degrees, 90, 270 or 0, in which the numbers of a figure on its side read.

    Numbers may also be turned on an upright figure: then the ones along an upright axis stand on its left, where the
    bottom of a figure on its side never is.
    """
    numbers = [label for label in printed.labels if read_number(label.text) is not None]
    turns = Counter(round(label.angle) % 360 for label in numbers)
    if turns.total() < _LEAST_NUMBERS:
        return 0
    turn, count = turns.most_common(1)[0]
    if turn not in (90, 270) or count < _MOST_OF_THEM * turns.total():
        return 0
    xs, ys = [label.x for label in printed.labels], [label.y for label in printed.labels]
    column, row = _commonest([label.x for label in numbers]), _commonest([label.y for label in numbers])
    bottom = column > (min(xs) + max(xs)) / 2 if turn == 90 else row < (min(ys) + max(ys)) / 2
    return turn if bottom else 0


def _commonest(places: list[float]) -> float:
    return Counter(round(place / 2) * 2 for place in places).most_common(1)[0][0]


def turn_drawing(drawing: Drawing, turn: int) -> Drawing:
    """The drawing with what read in direction ``turn`` level."""
    shapes = [
        Shape(
            [Part(_points(part.points, turn), part.closed, part.curved) for part in shape.parts],
            shape.stroke,
            shape.fill,
            shape.width,
            shape.dash,
            turn_box(shape.box, turn),
            shape.order,
            shape.opaque,
            None if shape.clip is None else turn_box(shape.clip, turn),
        )
        for shape in drawing.shapes
    ]
    return Drawing(shapes, [turn_box(image, turn) for image in drawing.images])


def turn_print(printed: Print, turn: int) -> Print:
    """The words with those that read in direction ``turn`` level."""
    labels = [
        Label(label.text, turn_box(label.box, turn), label.size, (label.angle - turn) % 360, label.color)
        for label in printed.labels
    ]
    symbols = [replace(symbol, box=turn_box(symbol.box, turn)) for symbol in printed.symbols]
    return Print(labels, symbols)


def _points(points: Points, turn: int) -> Points:
    turned = points[:, ::-1].copy()
    turned[:, 0 if turn == 90 else 1] *= -1
    return turned


def turn_box(box: Rect, turn: int) -> Rect:
    """A box turned about the origin: by 90 what reads upward becomes level, by 270 what reads downward."""
    if turn == 90:
        return Rect(-box.y1, box.x0, -box.y0, box.x1)
    return Rect(box.y0, -box.x1, box.y1, -box.x0)
