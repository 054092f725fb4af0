"""Gold: the table that an answer is compared with, its formulas and its evidence."""

import csv
import io
from collections.abc import Mapping
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from pincite_core.errors import BadInputError
from pincite_tasks.task import describe_validation

Cell = str | list[str]


class Evidence(BaseModel):
    """Where a value of the table, or an input of a formula, is printed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    row: int = Field(ge=0)
    name: str
    """A column, or an input of ``inputs``."""
    paper: str
    """The paper's file name."""
    quote: str = Field(min_length=1)


class GoldTable(BaseModel):
    """A table: ``rows`` hold a text or a list of texts for every column; an empty text is an empty cell."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    columns: list[str] = Field(min_length=1)
    """All columns in their order."""
    keys: list[str] = Field(min_length=1)
    """Columns that tell the rows apart."""
    numeric: list[str] = Field(default_factory=list)
    """Columns whose cells are compared as numbers."""
    lists: list[str] = Field(default_factory=list)
    """Columns whose cells are lists, so that a comma separates."""
    rows: list[dict[str, Cell]] = Field(min_length=1)
    names: dict[str, list[str]] = Field(default_factory=dict[str, list[str]])
    """Other names that a column may well have in an answer to this query, by column: ``result`` may be "perplexity"."""
    derived: dict[str, str] = Field(default_factory=dict)
    """Formulas of computed columns over columns and inputs: ``100 * ({Net profit} / {Revenue})``."""
    inputs: list[dict[str, str]] = Field(default_factory=list[dict[str, str]])
    """What formulas need beside the columns, by row: numbers that the documents print."""
    evidence: list[Evidence] = Field(default_factory=list[Evidence])

    @property
    def targets(self) -> list[str]:
        """The columns that are scored: all but the keys."""
        return [column for column in self.columns if column not in self.keys]

    def key(self, row: int) -> tuple[str, ...]:
        """The key of a row."""
        return tuple(cell_text(self.rows[row][column]) for column in self.keys)

    def row_inputs(self, row: int) -> Mapping[str, str]:
        """What formulas may use for a row: its cells and its inputs."""
        cells = {name: cell for name, cell in self.rows[row].items() if isinstance(cell, str)}
        return {**cells, **(self.inputs[row] if row < len(self.inputs) else {})}

    @field_validator("rows", "inputs", mode="before")
    @classmethod
    def _texts(cls, rows: Any) -> Any:
        """Numbers become their texts and null an empty text, as data sets hold them."""
        if not isinstance(rows, list):
            return rows
        return [{k: _text(v) for k, v in row.items()} if isinstance(row, dict) else row for row in rows]  # pyright: ignore[reportUnknownVariableType]

    @model_validator(mode="after")
    def _names_agree(self) -> "GoldTable":
        known = set(self.columns)
        if len(known) != len(self.columns):
            raise ValueError("a column is there twice")
        for kind, names in (
            ("keys", self.keys),
            ("numeric", self.numeric),
            ("lists", self.lists),
            ("names", self.names),
            ("derived", self.derived),
        ):
            if unknown := sorted(set(names) - known):
                raise ValueError(f"{kind} names no column: {', '.join(unknown)}")
        if not self.targets:
            raise ValueError("there is no column beside the keys")
        for number, row in enumerate(self.rows):
            if set(row) != known:
                raise ValueError(f"row {number} has other columns: {', '.join(sorted(set(row) ^ known))}")
        if self.inputs and len(self.inputs) != len(self.rows):
            raise ValueError("inputs has not one entry a row")
        return self


def read_gold(gold: object) -> GoldTable:
    """The gold table; BadInputError with every fault."""
    try:
        return GoldTable.model_validate(gold)
    except ValidationError as error:
        raise BadInputError(
            "The gold table is broken.",
            seen=describe_validation(error),
            next="Give columns, keys and rows; run pincite tasks validate on the task family.",
        ) from error


def cell_text(cell: Cell) -> str:
    """A cell as one text, as answers hold it: a list as JSON."""
    return cell if isinstance(cell, str) else orjson.dumps(cell).decode()


def to_csv(table: GoldTable) -> str:
    """The table as CSV with a header, in the order of its columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([cell_text(row[column]) for column in table.columns] for row in table.rows)
    return out.getvalue()


def _text(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    return [_text(each) for each in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]
