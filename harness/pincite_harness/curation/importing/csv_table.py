"""CSV tables: gold tables as data sets and users hold them."""

import csv
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError, NotFoundError


def read_csv_table(path: Path, delimiter: str = ",") -> tuple[list[str], list[dict[str, str]]]:
    """The header and the rows, at least one; BadInputError names the line of a row that has not as many cells."""
    if not path.is_file():
        raise NotFoundError(f"There is no {path}.", next="Name the table as its file is called.")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows: list[dict[str, str]] = []
        reader = csv.DictReader(file, delimiter=delimiter)
        for row in reader:
            if None in row or None in row.values():
                raise BadInputError(
                    f"{path}:{reader.line_num} has not as many cells as the header.", next="Correct the line."
                )
            rows.append({str(name): cell for name, cell in row.items()})
    if not rows:
        raise BadInputError(f"{path} has no rows.", next="Give a header and rows.")
    return list(reader.fieldnames or []), rows


def csv_cell(cell: str) -> Any:
    """A cell of a gold table: a list where it is one in JSON, else its text."""
    if cell.startswith("[") and cell.endswith("]"):
        try:
            value = orjson.loads(cell)
        except orjson.JSONDecodeError:
            return cell
        return cast("list[Any]", value)
    return cell
