"""Table: the points of a series as lines of comma-separated values, rounded to what an axis can tell."""

import math
from array import array
from collections.abc import Sequence
from typing import Any

_LEAST_DIGITS, _MOST_DIGITS = 3, 9
"""Digits of a number at least and at most, between which the axis decides."""


class PointTable:
    """The points of one series: ``columns`` by name, and how each is written.

    ``values`` are the columns one after another; ``axes`` are those of its panel, as the job gives them.
    """

    def __init__(self, series: dict[str, Any], axes: Sequence[dict[str, Any]], values: "array[float]") -> None:
        self._n: int = series["n"]
        self._categories: list[str] = series["categories"]
        self._names: list[str] = series["columns"]
        at = series["at"]
        self._columns = [values[at + k * self._n : at + (k + 1) * self._n] for k in range(len(self._names))]
        by_name = {axis["name"]: axis for axis in axes}
        self._forms = [_form(by_name.get(name.partition("_")[0])) for name in self._names]

    def __len__(self) -> int:
        return self._n

    @property
    def header(self) -> list[str]:
        """The names of the columns."""
        return (["category"] if self._categories else []) + self._names

    def row(self, index: int) -> str:
        """A point; nothing between two commas where it has no value."""
        cells = [
            _write(column[index], *form) if column[index] == column[index] else ""
            for column, form in zip(self._columns, self._forms, strict=True)
        ]
        if self._categories:
            name = self._categories[index] if index < len(self._categories) else ""
            cells.insert(0, '"' + name.replace('"', "'").replace("\n", " ") + '"')
        return ",".join(cells)

    def ranges(self) -> dict[str, list[float]]:
        """The least and the greatest value of x and y columns."""
        found: dict[str, list[float]] = {}
        for name, column, form in zip(self._names, self._columns, self._forms, strict=True):
            known = [value for value in column if value == value]
            if known and name != "piece":
                found[name] = [float(_write(min(known), *form)), float(_write(max(known), *form))]
        return found

    def thinned(self, budget: int) -> tuple[list[int], int]:
        """The points that fit in ``budget`` characters, at least two of them: every k-th and the last; and k."""
        sample = [len(self.row(int(k * (self._n - 1) / 7))) + 2 for k in range(8)] if self._n > 8 else []
        width = max(sample, default=0)
        most = max(budget // max(width, 1), 2)
        step = 1 if self._n <= max(most, 8) else math.ceil((self._n - 1) / (most - 1))
        chosen = list(range(0, self._n, step))
        return (chosen if chosen[-1:] == [self._n - 1] else [*chosen, self._n - 1]) if self._n else [], step


def _form(axis: dict[str, Any] | None) -> tuple[int, int | None]:
    """Significant digits, and decimals where the axis is linear, of a tenth of the likely error."""
    if axis is None:
        return 6, None
    if axis["scale"] == "log":
        share = max(axis["error_value"] - 1.0, 1e-9)
        return min(max(math.ceil(-math.log10(share)) + 1, _LEAST_DIGITS), _MOST_DIGITS), None
    error = max(axis["error_value"], 1e-300)
    largest = max(abs(axis["start"]), abs(axis["end"]), error)
    digits = math.ceil(math.log10(largest / error)) + 1
    return min(max(digits, _LEAST_DIGITS), _MOST_DIGITS), math.ceil(-math.log10(error)) + 1


def _write(value: float, digits: int, decimals: int | None) -> str:
    """A number in as few characters as its digits allow."""
    if not math.isfinite(value):
        return ""
    rounded = value if decimals is None else round(value, min(decimals, 320)) + 0.0
    return f"{rounded:.{digits}g}"


def describe_error(axis: dict[str, Any]) -> str:
    """The likely error of a value read off an axis."""
    if axis["scale"] == "log":
        return f"± {axis['error_value'] - 1:.2g} of the value"
    return f"± {axis['error_value']:.2g}"
