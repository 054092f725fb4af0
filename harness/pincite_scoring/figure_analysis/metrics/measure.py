"""Measure: the value of one metric, or why it was not computed; means of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Measure:
    """``value`` None says that the metric was not computed, for this ``reason``; ``by`` names what computed it."""

    value: float | None
    by: str = ""
    reason: str = ""

    def to_row(self, metric: str) -> dict[str, Any]:
        """A record of score.json."""
        status = "not_computed" if self.value is None else "computed"
        return {"status": status, "metric": metric, "value": self.value, "by": self.by, "reason": self.reason}


def mean_of(measures: Mapping[str, Measure], names: Sequence[str]) -> Measure:
    """The mean of all of ``names``; not computed where one of them was not, for it would be another mean."""
    values = [value for name in names if (value := measures[name].value) is not None]
    if len(values) < len(names):
        missing = [name for name in names if measures[name].value is None]
        return Measure(None, reason=f"not computed: {', '.join(missing)}")
    return Measure(sum(values) / len(values), f"mean of {', '.join(names)}")
