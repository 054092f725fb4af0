"""Analysis: the rows of one analysis, how its table shows them, and its picture."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite_harness.analyses.trials import TrialData
from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.mean_json import mean_json
from pincite_scoring.statistics import Mean

Row = Mapping[str, Any]
"""Values are texts, numbers, None for what cannot be said, or a ``Mean``."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table: the key of its values in the rows, its title, and the digits behind the point."""

    key: str
    title: str
    digits: int = 0


@dataclass(frozen=True, slots=True)
class Analysis:
    """``about`` says what is counted and how, ``notes`` what is left out of these runs. A picture may be empty."""

    key: str
    title: str
    about: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    picture: Markup = field(default_factory=lambda: Markup(""))
    notes: tuple[str, ...] = ()

    @property
    def header(self) -> tuple[str, ...]:
        """The titles of the columns."""
        return tuple(column.title for column in self.columns)

    def cells(self) -> list[tuple[str, ...]]:
        """The rows as texts, by ``header``."""
        return [tuple(_cell(row.get(column.key), column.digits) for column in self.columns) for row in self.rows]

    def to_json(self) -> dict[str, Any]:
        """Rows and notes; numbers are not rounded."""
        return {"title": self.title, "about": self.about, "notes": list(self.notes), "rows": _rows_json(self.rows)}


Analyse = Callable[[Group, TrialData], Analysis | None]
"""One analysis of the runs of a family; None where they have nothing that it could count."""


def _rows_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [{key: _value_json(value) for key, value in row.items()} for row in rows]


def _value_json(value: Any) -> Any:
    return mean_json(value) if isinstance(value, Mean) else value


def _cell(value: Any, digits: int) -> str:
    if value is None:
        return "–"
    if isinstance(value, Mean):
        if value.mean is None:
            return "–"
        error = f" ± {value.standard_error:,.{digits}f}" if value.standard_error is not None else ""
        return f"{value.mean:,.{digits}f}{error}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,.{digits}f}"
    return str(value)
