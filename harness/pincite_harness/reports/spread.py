"""How the values of many tasks are spread: how many tasks lie where on the scale."""

import math
from collections.abc import Callable, Mapping, Sequence

from pincite_harness.reports.charts import Series, bars
from pincite_harness.reports.markup import Markup
from pincite_scoring.statistics import Mean

_STEPS = 10
"""Steps of the scale, about."""
_MOST_SINGLE = 6
"""Different values that have a bar each."""
_CLOSE = 1e-9
"""Share of a step that is the rounding of doubles."""
NONE = "no value"
Means = Mapping[str, Mean]
"""By task."""


def spread(
    title: str, tasks: Sequence[str], series: Sequence[tuple[str, Means]], *, top: float | None, digits: int
) -> Markup:
    """Bars of the numbers of tasks: of each value where there are few different ones, else of about ten equal steps
    from 0 (or the least value) to ``top`` (the greatest value where None). Tasks without a value have their own bar."""
    labels, place = _scale([mean.mean or 0.0 for _, means in series for mean in means.values()], top, digits)
    counted = [_counts(means, len(labels), place) for _, means in series]
    left = [sum(task not in means for task in tasks) for _, means in series]
    if any(left):
        labels, counted = [*labels, NONE], [[*counts, none] for counts, none in zip(counted, left, strict=True)]
    drawn = [
        Series(name, [Mean(1, float(count), None) for count in counts])
        for (name, _), counts in zip(series, counted, strict=True)
    ]
    return bars(title, labels, drawn, top=None, digits=0)


def _scale(values: Sequence[float], top: float | None, digits: int) -> tuple[list[str], Callable[[float], int]]:
    """The labels of the bars, and which bar a value belongs to."""
    different = sorted({round(value, digits) for value in values})
    if len(different) <= _MOST_SINGLE:
        return [f"{value:.{digits}f}" for value in different], lambda value: different.index(round(value, digits))
    start, end = min(*values, 0.0), max(*values, top or 0.0)
    width = _nice((end - start) / _STEPS, least=0.0 if digits else 1.0)
    first, last = math.floor(start / width), math.ceil(end / width - _CLOSE) - 1
    labels = [f"{k * width:g} to {(k + 1) * width:g}" for k in range(first, last + 1)]
    return labels, lambda value: min(math.floor(value / width + _CLOSE), last) - first


def _counts(means: Means, places: int, place: Callable[[float], int]) -> list[int]:
    counts = [0] * places
    for mean in means.values():
        counts[place(mean.mean or 0.0)] += 1
    return counts


def _nice(width: float, least: float) -> float:
    """The next of 1, 2, 2.5, 5 and 10 times a power of ten that is no smaller."""
    unit = 10.0 ** math.floor(math.log10(width))
    return max(next(unit * k for k in (1, 2, 2.5, 5, 10) if unit * k >= width * (1 - _CLOSE)), least)
