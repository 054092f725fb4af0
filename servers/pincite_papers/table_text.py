"""The rows of a table as lists of texts, and a row as markdown or CSV."""

import csv
import io
from collections.abc import Callable

from pincite_papers.model import Cell, Table


def rows_of(table: Table, text: Callable[[Cell], str] = lambda cell: cell.text) -> list[list[str]]:
    """The texts by row and column, as ``text`` shows a cell's; one that spans several places stands in the first."""
    grid = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        grid[cell.row][cell.column] = text(cell)
    return grid


def markdown_line(row: list[str]) -> str:
    """A row of GitHub's markdown."""
    return "| " + " | ".join(text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ") for text in row) + " |"


def markdown_rule(columns: int) -> str:
    """The line below the head of a markdown table."""
    return "|" + " --- |" * columns


def csv_line(row: list[str]) -> str:
    """A row of comma-separated values, without a line end."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(row)
    return out.getvalue()
