"""Views: a figure and the boxes zoomed into one after the other, composed exactly."""

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from pincite_core.errors import BadInputError

_GRID = 10**9
"""Places of a view are whole multiples of 10^-9 of the figure's side, so that views compose exactly."""
_NINE = Decimal(1).scaleb(-9)
_LONGEST = 40
"""Characters of a number in a view's name; longer ones are refused."""
_MOST_DEPTH = 12
"""Zooms into each other. Set by judgement."""
_SEPARATORS = re.compile(r"[\s,;]+")

Box = tuple[Fraction, Fraction, Fraction, Fraction]
"""x0, y0, x1, y1 as fractions of what the box is in, from its top left corner."""

WHOLE: Box = (Fraction(0), Fraction(0), Fraction(1), Fraction(1))


@dataclass(frozen=True, slots=True)
class View:
    """A figure by its name, and the boxes zoomed into: each in fractions of the one before."""

    figure: str
    steps: tuple[Box, ...] = ()

    @property
    def name(self) -> str:
        """``Fig. 2 > 0.25,0.1,0.6,0.4 > …``: what a result calls the view and an argument takes."""
        return " > ".join((self.figure, *(write_box(step) for step in self.steps)))

    @property
    def region(self) -> Box:
        """The view as one box in the figure: composed in rationals, then put on a grid of 10**-9 of the figure."""
        x0, y0, x1, y1 = WHOLE
        for a0, b0, a1, b1 in self.steps:
            width, height = x1 - x0, y1 - y0
            x0, y0, x1, y1 = x0 + a0 * width, y0 + b0 * height, x0 + a1 * width, y0 + b1 * height
        return _on_grid(x0), _on_grid(y0), _on_grid(x1), _on_grid(y1)

    def zoom(self, box: Box) -> "View":
        """The view of a box in this one; BadInputError beyond 12 steps."""
        if len(self.steps) == _MOST_DEPTH:
            raise BadInputError(f"A view has at most {_MOST_DEPTH} steps.", next="Zoom from a wider view.")
        return View(self.figure, (*self.steps, box))


def read_view(figure: str, name: str) -> View:
    """The view of ``figure`` that ``name`` names; "" is the whole figure."""
    _, *steps = name.split(">")
    view = View(figure)
    for step in steps:
        view = view.zoom(read_box(step))
    return view


def read_box(text: str) -> Box:
    """``x0,y0,x1,y1`` with 0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1, read to nine decimals."""
    numbers = [part for part in _SEPARATORS.split(text.strip().strip("[]()")) if part]
    try:
        given = [Decimal(number) for number in numbers if len(number) <= _LONGEST]
    except InvalidOperation:
        given = []
    if len(given) != 4 or len(numbers) != 4 or not all(number.is_finite() for number in given):
        raise _wrong(text, "four numbers are needed")
    # Before they become fractions: that of 1e999999999 has a billion digits.
    if not all(0 <= number <= 1 for number in given):
        raise _wrong(text, "the numbers are fractions of the view, from 0 to 1")
    x0, y0, x1, y1 = (Fraction(number.quantize(_NINE)) for number in given)
    if x0 >= x1 or y0 >= y1:
        raise _wrong(text, "it is empty: x0 < x1 and y0 < y1, from the top left corner")
    return x0, y0, x1, y1


def write_box(box: Box) -> str:
    """The box as ``read_box`` reads it back exactly."""
    return ",".join(_decimal(value) for value in box)


def _decimal(value: Fraction) -> str:
    text = f"{value.numerator * _GRID // value.denominator / Decimal(_GRID):.9f}" if value.denominator > 1 else ""
    return text.rstrip("0").rstrip(".") if text else str(value.numerator)


def _on_grid(value: Fraction) -> Fraction:
    return Fraction(round(value * _GRID), _GRID)


def _wrong(text: str, why: str) -> BadInputError:
    return BadInputError(
        f"{text[:60]!r} is not a box.",
        seen=why,
        next="Give x0,y0,x1,y1 as fractions: 0,0,0.5,0.5 is the top left quarter.",
    )
