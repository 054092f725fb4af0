"""pincite tables: the tables of papers, on the terminal, as CSV files or as a workbook."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite_core.errors import BadInputError
from pincite_harness.cli.outbox import Outbox, fill
from pincite_harness.cli.papers import AsJson, Named, Reading, Sources
from pincite_harness.cli.workbook import Workbook

if TYPE_CHECKING:
    from pincite import Paper, Table


def command(
    papers: Sources,
    csv: Annotated[Path | None, typer.Option(metavar="DIR", help="Write a CSV file a table here.")] = None,
    xlsx: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a workbook with a sheet a table.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the tables of papers: caption, locator, why to doubt it, and its rows as markdown; with --json a line a
    table, each cell with its locator.

    ⁅⁆ stand around characters that are read unreliably. With --csv, what is there already of the same bytes is not
    made again. It ends with 0 where there is a table, 1 where there is none, 2 where a paper could not be read.
    """
    if (csv is not None) + (xlsx is not None) + as_json > 1:
        raise BadInputError("Only one of --csv, --xlsx and --json can be given.", next="Call the command twice.")
    reading = Reading(papers, quiet=csv is not None or xlsx is not None)
    if csv is not None:
        _into(Outbox(csv, "tables csv"), reading)
    elif xlsx is not None:
        _workbook(xlsx, reading)
    else:
        _show(reading, as_json=as_json)


def _show(reading: Reading, *, as_json: bool) -> None:
    count = 0
    for source, paper in reading.papers():
        for table in paper.tables:
            count += 1
            if as_json:
                fields = described(table) | {"cells": cells_of(table)}
                typer.echo(json.dumps({"paper": source} | fields, ensure_ascii=False))
            else:
                typer.echo(_shown(source, table) + "\n")
    reading.end(found=bool(count))


def _into(outbox: Outbox, reading: Reading) -> None:
    def make(source: Named, paper: "Paper") -> Sequence[dict[str, Any]]:
        files: list[dict[str, Any]] = []
        for number, table in enumerate(paper.tables, 1):
            name = outbox.write(f"{source.stem}.table{number}.csv", table.to_csv().encode())
            files.append({"file": name} | described(table))
        return files

    fill(outbox, reading, make)


def _workbook(file: Path, reading: Reading) -> None:
    book = Workbook()
    for source, paper in reading.papers():
        for table in paper.tables:
            book.add(source, table, described(table), cells_of(table))
    if book.tables:
        book.save(file)
        typer.echo(f"{book.tables} tables: {file}", err=True)
    reading.end(found=bool(book.tables))


def described(table: "Table") -> dict[str, Any]:
    """A table without its cells."""
    rows, columns = table.shape
    made: dict[str, Any] = {
        "table": table.name,
        "caption": table.marked_caption,
        "page": table.page,
        "locator": str(table.locator),
        "rows": rows,
        "columns": columns,
        "header_rows": table.header_rows,
    }
    if table.doubts:
        made["doubts"] = list(table.doubts)
    if table.unreliable:
        made["unreliable"] = table.unreliable
    return made


def cells_of(table: "Table") -> list[dict[str, Any]]:
    """The cells, each with its locator; what is not so is left out."""
    made: list[dict[str, Any]] = []
    for cell in table.cells:
        entry: dict[str, Any] = {"row": cell.row, "column": cell.column, "text": cell.marked}
        spans = {"row_span": cell.row_span, "column_span": cell.column_span}
        entry |= {name: count for name, count in spans.items() if count > 1}
        if cell.header:
            entry["header"] = True
        entry["locator"] = str(cell.locator)
        if cell.unreliable:
            entry["unreliable"] = cell.unreliable
        made.append(entry)
    return made


def _shown(source: str, table: "Table") -> str:
    lines = [f"{source}\t{table.name}\t{table.locator}"]
    if table.marked_caption:
        lines.append(" ".join(table.marked_caption.split()))
    lines += [f"Doubtful: {reason}" for reason in table.doubts]
    if table.unreliable:
        lines.append(f"Unreliable characters: {table.unreliable}")
    return "\n".join([*lines, "", table.to_markdown()])
