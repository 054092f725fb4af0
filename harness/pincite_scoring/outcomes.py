"""Outcomes: what reports count of a scorer's records, as how many answers were right, partly right or wrong."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Record = Mapping[str, Any]


def _every(_record: Record) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How often each value stands under ``key`` in the records for which ``where`` holds; records without one do not
    count.

    ``order`` gives the values as they are shown, the best first; any other follows. With ``single`` every scored trial
    has exactly one: it is the trial's outcome.
    """

    title: str
    order: tuple[str, ...]
    key: str = "status"
    where: Callable[[Record], bool] = _every
    single: bool = False

    def of(self, records: Iterable[Record]) -> list[str]:
        """The values of one trial's records."""
        return [str(record[self.key]) for record in records if self.where(record) and record.get(self.key) is not None]
