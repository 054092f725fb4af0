"""SQL over runs: the tables in a DuckDB of their own, and as Parquet files."""

import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import orjson

from pincite_core.errors import BadInputError, MissingExtraError
from pincite_harness.analyses.query_tables import COLUMNS, QueryTables, Row

if TYPE_CHECKING:
    import duckdb

_LARGEST_ROW = 1 << 30
"""Bytes of one row as JSON: the text of a result stands in one, and DuckDB's default is 16 MiB."""
_STAMP = "%Y%m%dT%H%M%S"


@contextmanager
def open_tables(paths: Sequence[Path]) -> Generator["duckdb.DuckDBPyConnection"]:
    """A database in memory with the tables of the runs. MissingExtraError without DuckDB."""
    try:
        import duckdb
    except ImportError as error:
        raise MissingExtraError.of("query", needed_for="A query") from error
    with duckdb.connect() as database:
        for name, rows in QueryTables.of(paths).rows.items():
            _load(database, name, COLUMNS[name], rows)
        yield database


def ask(database: "duckdb.DuckDBPyConnection", sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The names of the columns and the rows that a statement gives; BadInputError for one that cannot be run."""
    import duckdb

    try:
        answer = database.execute(sql)
        names = [column[0] for column in answer.description or []]
        return names, answer.fetchall()
    except duckdb.Error as error:
        known = "; ".join(f"{name}({', '.join(columns)})" for name, columns in COLUMNS.items())
        raise BadInputError("The query cannot be run.", seen=str(error), next=f"The tables: {known}") from error


def write_parquet(database: "duckdb.DuckDBPyConnection", transcripts: Sequence[Row], folder: Path) -> list[Path]:
    """Write each table as NAME.parquet, and the transcripts into a folder that Inspect Scout opens. The paths."""
    from pincite_harness.analyses.scout import COLUMNS as SCOUT

    folder.mkdir(parents=True, exist_ok=True)
    written = [_copy(database, name, folder / f"{name}.parquet") for name in COLUMNS]
    _load(database, "transcripts", SCOUT, transcripts)
    stamp = datetime.now(UTC).strftime(_STAMP)
    below = folder / "transcripts"
    below.mkdir(exist_ok=True)
    for older in below.glob("transcripts_*.parquet"):
        older.unlink()
    written.append(_copy(database, "transcripts", below / f"transcripts_{stamp}_{uuid4().hex[:8]}.parquet"))
    return written


def _load(database: "duckdb.DuckDBPyConnection", name: str, columns: Mapping[str, str], rows: Sequence[Row]) -> None:
    """Make a table of rows; what a row lacks is null."""
    listed = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
    database.execute(f"CREATE TABLE {name} ({listed})")
    if not rows:
        return
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        for row in rows:
            file.write(orjson.dumps(row) + b"\n")
        file.flush()
        kinds = ", ".join(f"'{column}': '{kind}'" for column, kind in columns.items())
        options = f"columns={{{kinds}}}, format='newline_delimited', maximum_object_size={_LARGEST_ROW}"
        database.execute(f"INSERT INTO {name} SELECT * FROM read_json(?, {options})", [file.name])  # noqa: S608


def _copy(database: "duckdb.DuckDBPyConnection", name: str, path: Path) -> Path:
    quoted = str(path).replace("'", "''")
    database.execute(f"COPY {name} TO '{quoted}' (FORMAT parquet, COMPRESSION zstd)")
    return path
