"""Own tables: a user's queries and gold tables become tasks of table_construction.

A folder with ``tasks.toml``, the gold tables as CSV, and the documents in ``papers/`` (or in the folder of --papers;
PDF, HTML, XML, Markdown, Word or plain text)::

    [[tasks]]
    id = "growth_acme"
    table = "growth_acme.csv"
    documents = ["acme_2021.pdf", "acme_2022.pdf"]
    type = "financial_0"                 # one of task_types.toml: its query, keys, numbers, lists and formulas
    language = "en"
    words = { subject = "Acme" }         # what its query leaves open

Without ``type`` the task has ``query`` and ``keys`` of its own, and ``numeric``, ``lists`` and ``derived`` where it
needs them. Columns that formulas name and that are neither keys nor asked for (``inputs``; of a type ``prior revenue``
and such) are not part of the gold table. With ``online = true`` the agent gets the documents' names alone.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.curation.importing.aoe_documents import Shelf, as_paper
from pincite_harness.curation.importing.csv_table import csv_cell, read_csv_table
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_scoring.table_construction.formulas import names_in
from pincite_scoring.table_construction.gold import GoldTable, read_gold
from pincite_scoring.table_construction.task_types import ONLINE, TaskType, task_type
from pincite_tasks.task import TASK_ID_PATTERN, Inputs, Record, describe_validation

_TASKS = "tasks.toml"
_NEXT = "docs/tasks.md shows one."


class OwnTable(BaseModel):
    """One task of tasks.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=TASK_ID_PATTERN)
    table: str
    documents: list[str] = Field(min_length=1)
    type: str = ""
    language: str = "en"
    words: dict[str, str] = Field(default_factory=dict)
    query: str = ""
    keys: list[str] = Field(default_factory=list)
    numeric: list[str] = Field(default_factory=list)
    lists: list[str] = Field(default_factory=list)
    derived: dict[str, str] = Field(default_factory=dict)
    inputs: list[str] = Field(default_factory=list)
    names: dict[str, list[str]] = Field(default_factory=dict)
    """Other names of columns, see ``gold.GoldTable.names``."""
    title: str = ""
    online: bool = False


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    tasks: list[OwnTable] = Field(min_length=1)


def read_own_tables(source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
    """The tasks of the file; a task that is broken or whose file is not there is left out with a note."""
    documents = Shelf((options.papers or source / "papers",))
    for own in _tasks(source / _TASKS):
        where = f"{source / _TASKS}, {own.id}"
        with options.item(where):
            yield _entry(own, where, source, documents, options)


def _entry(own: OwnTable, where: str, source: Path, documents: Shelf, options: ImportOptions) -> DatasetEntry:
    kind = _kind(own, where)
    gold = _gold(own, kind, source / own.table, options)
    sources: dict[str, Path | bytes] = {}
    parameters: dict[str, Any] = {"query": kind.query}
    if own.online:
        parameters |= {"mode": "online", "where": ONLINE[own.language], "documents": own.documents}
    for name in own.documents if not own.online else ():
        path = documents.find(name)
        if path is None:
            raise NotFoundError(f"{where}: there is no {name} in {documents.folders[0]}.", next="Add it.")
        title, content = as_paper(path)
        sources[f"papers/{title}"] = content
    record = Record(
        task_id=own.id,
        inputs=Inputs(papers=list(sources), parameters=parameters),
        gold=gold.model_dump(exclude_defaults=True),
        metadata={
            "title": own.title or own.id,
            "language": own.language,
            **({"type": own.type} if own.type else {}),
        },
    )
    return DatasetEntry(record, sources)


def _tasks(path: Path) -> list[OwnTable]:
    if not path.is_file():
        raise NotFoundError(f"There is no {path}.", next=_NEXT)
    try:
        return _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).tasks
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"{path} is not TOML.", seen=str(error), next="Correct it.") from error
    except ValidationError as error:
        raise BadInputError(f"{path} describes no tasks.", seen=describe_validation(error), next=_NEXT) from error


def _kind(own: OwnTable, where: str) -> TaskType:
    """What is asked: the type with its query filled, or the task's own."""
    if own.language not in ONLINE:
        raise BadInputError(f"{where}: no language is called {own.language!r}.", seen=", ".join(ONLINE), next=_NEXT)
    if not own.type:
        if not own.query or not own.keys:
            raise BadInputError(f"{where} has neither a type nor a query and keys.", next="Give them.")
        return TaskType(
            query=own.query, keys=own.keys, values=[], numeric=own.numeric, lists=own.lists, derived=own.derived
        )
    kind = task_type(own.language, own.type)
    try:
        return kind.model_copy(update={"query": own.query or kind.ask(**own.words)})
    except KeyError as error:
        raise BadInputError(f"{where}: the query of {own.type} needs the word {error}.", next="Add it.") from error


def _gold(own: OwnTable, kind: TaskType, path: Path, options: ImportOptions) -> GoldTable:
    header, rows = read_csv_table(path)
    named = {name for formula in kind.derived.values() for name in names_in(formula)}
    inputs = [name for name in header if name in own.inputs or (kind.values and name in named - {*kind.columns})]
    columns = [name for name in header if name not in inputs]
    if stray := [name for name in columns if kind.values and name not in kind.columns]:
        raise BadInputError(
            f"{path} has columns that {own.type} does not ask for: {', '.join(stray)}.",
            seen=", ".join(kind.columns),
            next="Name them as the type does, or leave them out.",
        )
    if missing := [name for name in kind.keys if name not in columns]:
        raise BadInputError(f"{path} has no key {', '.join(missing)}.", seen=", ".join(header), next="Add it.")
    derived = {name: formula for name, formula in kind.derived.items() if name in columns}
    for name, formula in kind.derived.items():
        if name in derived and (unknown := [each for each in names_in(formula) if each not in header]):
            options.note(f"{own.id}: the formula of {name}, for {path.name} has no {', '.join(unknown)}")
            del derived[name]
    table = {
        "columns": columns,
        "keys": kind.keys,
        "numeric": [name for name in kind.numeric if name in columns or not kind.values],
        "lists": [name for name in kind.lists if name in columns or not kind.values],
        "rows": [{name: csv_cell(row[name]) for name in columns} for row in rows],
        "derived": derived,
        "names": own.names,
        "inputs": [{name: row[name] for name in inputs} for row in rows] if inputs else [],
    }
    try:
        return read_gold(table)
    except BadInputError as error:
        raise BadInputError(
            f"{path} and what tasks.toml says of {own.id} do not agree.", seen=error.seen, next="Correct one of them."
        ) from error
