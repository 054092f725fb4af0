"""AOE for table_construction: the benchmark's tables, with documents or with their names alone.

Accepted, as published (github.com/tianyumyum/AOE and its data set): a folder with ``all_AOE_tables.jsonl`` (there, in
``table_data`` or in ``data``; or the file itself), with the documents in ``academic``, ``financial`` and ``law_docx``
beside it, in ``data``, ``documents`` or ``documents.tar``, or in the folder of --papers; and a folder of gold tables
``RECORD_ID.csv`` or ``RECORD_ID/gold_answer.csv``, as the evaluation writes them. ``task_config.yaml`` (there or in
``config``) says which columns are keys, scored and numeric; without it the types that come with the package do.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.json_fields import items
from pincite_harness.curation.importing.aoe_config import Config, TypeColumns, known_config, read_config
from pincite_harness.curation.importing.aoe_documents import Shelf, as_paper, case_page, shelf, unpacked
from pincite_harness.curation.importing.csv_table import csv_cell, read_csv_table
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_harness.curation.importing.own_papers import to_task_id
from pincite_scoring.table_construction.gold import GoldTable, read_gold
from pincite_scoring.table_construction.rows import Key, key_of
from pincite_scoring.table_construction.task_types import ONLINE, task_type
from pincite_tasks.task import Inputs, Record

_DOCUMENTS = "documents.tar"
_TABLES = "all_AOE_tables.jsonl"
_DOMAINS = {"academic": ("academic",), "financial": ("financial",), "legal": ("law_docx", "legal")}
_LANGUAGES = {"en": "en", "zh": "zh", "cn": "zh"}
_LAW = re.compile(r"《(.*?)》")
_NEXT = "Give the folder with all_AOE_tables.jsonl, or one with RECORD_ID.csv tables."
_WORDS = {
    "en": {"subject": "each of these companies", "metric": "result"},
    "zh": {"subject": "这些公司", "metric": "结果"},
}


@dataclass(frozen=True, slots=True)
class Item:
    """One table of the benchmark: where it stands, its type and language, query, documents and gold rows."""

    place: str
    record_id: str
    domain: str
    kind: str
    language: str
    query: str
    documents: list[Any]
    rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


def read_aoe(source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
    """One task a table. Without any folder of documents the tasks are online ones: the agent gets names alone.

    A table is left out, and told of, where a document is missing, or a key column; so are rows without a key or with
    one that an earlier row has (the published code counts the first), and columns that the configuration does not
    score. A line that is not a record is left out with its number.
    """
    if not source.exists():
        raise NotFoundError(f"There is no {source}.", next=_NEXT)
    home = source if source.is_dir() else source.parent
    config = _config(home, options)
    taken: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="pincite-aoe-") as scratch:
        given = [options.papers] if options.papers is not None else []
        roots = [home, *given, *unpacked(home / _DOCUMENTS, Path(scratch))]
        shelves = {domain: shelf(roots, *names) for domain, names in _DOMAINS.items()}
        offline = bool(given) or any(set(each.folders) - set(roots) for each in shelves.values())
        for item in _items(source, config, options):
            with options.item(item.record_id):
                entry = _entry(item, config, shelves, taken, options, offline=offline or item.domain == "legal")
                if entry is not None:
                    yield entry


def _config(home: Path, options: ImportOptions) -> Config:
    for path in (home / "task_config.yaml", home / "config" / "task_config.yaml"):
        if path.is_file():
            return read_config(path, options.note)
    return known_config()


def _items(source: Path, config: Config, options: ImportOptions) -> Iterator[Item]:
    files = [source] if source.is_file() else [source / inner / _TABLES for inner in ("", "table_data", "data")]
    found = next((path for path in files if path.is_file()), None)
    if found is not None and found.suffix != ".csv":
        yield from _of_lines(found, config, options)
        return
    tables = files if source.is_file() else sorted([*source.glob("*_*.csv"), *source.glob("*/gold_answer.csv")])
    if not tables:
        raise BadInputError(f"{source} holds no tables of AOE.", next=_NEXT)
    for path in tables:
        with options.item(str(path)):
            yield _of_csv(path, config)


def _of_lines(path: Path, config: Config, options: ImportOptions) -> Iterator[Item]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            place = f"{path}:{number}"
            with options.item(place):
                if line.strip():
                    yield _of_record(place, _parsed(place, line), config)


def _parsed(place: str, line: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadInputError(f"{place} is not JSON.", seen=str(error), next=_NEXT) from error
    if not isinstance(value, dict):
        raise BadInputError(f"{place} is not a record.", next=_NEXT)
    return cast("dict[str, Any]", value)


def _of_record(place: str, value: dict[str, Any], config: Config) -> Item:
    """A record with ``record_id``, or the older ``{record_id: record}``."""
    if "record_id" not in value and len(value) == 1:
        record_id, inner = next(iter(value.items()))
        value = {**inner, "record_id": record_id} if isinstance(inner, dict) else {}
    answers, record_id = value.get("answers"), value.get("record_id")
    if not isinstance(record_id, str) or not isinstance(answers, list) or not isinstance(value.get("query"), str):
        raise BadInputError(f"{place} has no record_id, query or answers.", next=_NEXT)
    rows = cast("list[Any]", answers)
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise BadInputError(f"{place}: the answers of {record_id} are not rows.", next=_NEXT)
    documents = items(value.get("input_doc"))
    domain, kind, language = _type_of(place, record_id, value.get("language"), config)
    return Item(place, record_id, domain, kind, language, value["query"], documents, rows)


def _of_csv(path: Path, config: Config) -> Item:
    """A gold table with its record's id as its name; the query is that of its type, the documents its first keys."""
    record_id = path.parent.name if path.name == "gold_answer.csv" else path.stem
    domain, kind, language = _type_of(str(path), record_id, None, config)
    rows = [{name: csv_cell(cell) for name, cell in row.items()} for row in read_csv_table(path)[1]]
    first = config[language][kind].keys[0]
    documents = list(dict.fromkeys(str(row.get(first, "")) for row in rows))
    dataset = "_".join(record_id.split("_")[1:-2]) or "the data set"
    query = task_type(language, kind).ask(**_WORDS[language], dataset=dataset)
    return Item(str(path), record_id, domain, kind, language, query, documents, rows)


def _type_of(place: str, record_id: str, stated: Any, config: Config) -> tuple[str, str, str]:
    """Domain, type and language that a record's id (``academic_10_0_en``, ``legal_3_1``) and its language give."""
    parts = record_id.split("_")
    tail = parts[-1] in _LANGUAGES and len(parts) >= 3
    kind = f"{parts[0]}_{parts[-2] if tail else parts[-1]}"
    wanted = _LANGUAGES.get(str(stated) if stated else parts[-1] if tail else "")
    for language in [wanted] if wanted else list(config):
        if parts[0] in _DOMAINS and kind in config.get(language, {}):
            return parts[0], kind, language
    seen = f"type {kind!r}, language {stated or (parts[-1] if tail else 'unknown')}"
    raise BadInputError(
        f"{place}: no task type is known for {record_id!r}.", seen=seen, next="Add it to task_config.yaml."
    )


def _entry(
    item: Item, config: Config, shelves: Mapping[str, Shelf], taken: set[str], options: ImportOptions, *, offline: bool
) -> DatasetEntry | None:
    gold = _gold(item, config[item.language][item.kind], options)
    if gold is None:
        return None
    parameters: dict[str, Any] = {"query": item.query}
    sources: dict[str, Path | bytes] = {}
    if offline:
        found = _papers(item, gold, shelves[item.domain], options)
        if found is None:
            return None
        sources = found
    else:
        names = [Path(str(name)).name.removesuffix(".md") for name in item.documents]
        parameters |= {"mode": "online", "where": ONLINE[item.language], "documents": names}
    record = Record(
        task_id=_task_id(item.record_id, taken),
        inputs=Inputs(papers=list(sources), parameters=parameters),
        gold=gold.model_dump(exclude_defaults=True),
        metadata={"title": item.record_id, "type": item.kind, "language": item.language},
    )
    return DatasetEntry(record, sources)


def _gold(item: Item, kind: TypeColumns, options: ImportOptions) -> GoldTable | None:
    """The gold table; None, with a note, where a key column or every scored one is missing."""
    there = {name for row in item.rows for name in row}
    values = [name for name in kind.values if name in there]
    if missing := [name for name in kind.keys if name not in there]:
        options.note(f"{item.record_id}: its gold has no key {', '.join(missing)}")
        return None
    if not values:
        options.note(f"{item.record_id}: its gold has none of the scored columns")
        return None
    if absent := [name for name in kind.values if name not in there]:
        options.note(f"columns that the gold of {item.record_id} does not have: {', '.join(absent)}")
    columns = [*kind.keys, *values]
    rows, seen = list[dict[str, Any]](), set[Key]()
    for row in item.rows:
        key = key_of(tuple(str(row.get(name) or "") for name in kind.keys))
        if key and key not in seen:
            seen.add(key)
            rows.append({name: row.get(name) for name in columns})
    if dropped := len(item.rows) - len(rows):
        options.note(f"{dropped} gold rows of {item.record_id} without a key of their own")
    if not rows:
        return None
    lists = [name for name in columns if any(isinstance(row[name], list) for row in rows)]
    numeric = [name for name in kind.numeric if name in values]
    return read_gold({"columns": columns, "keys": list(kind.keys), "numeric": numeric, "lists": lists, "rows": rows})


def _papers(item: Item, gold: GoldTable, documents: Shelf, options: ImportOptions) -> dict[str, Path | bytes] | None:
    """The item's papers by their path in the family; None, with a note, where one is missing."""
    papers: dict[str, Path | bytes] = {}
    wanted: list[Path] = []
    for number, document in enumerate(item.documents, start=1):
        if isinstance(document, dict):
            name, page = case_page(cast("dict[str, Any]", document), number)
            papers[f"papers/{_plain(item.record_id)}/{name}"] = page
            continue
        path = documents.find(str(document))
        if path is None:
            options.note(f"{item.record_id}: its document {document!r} is not there")
            return None
        wanted.append(path)
    if item.kind == "legal_0":
        wanted += _laws(gold, documents)
    for path in dict.fromkeys(wanted):
        name, content = as_paper(path)
        papers[f"papers/{item.domain}/{name}"] = content
    if not papers:
        options.note(f"{item.record_id}: it names no documents")
        return None
    return papers


def _laws(gold: GoldTable, documents: Shelf) -> list[Path]:
    """The codes that the gold names, where the data set has them, as the published code gives them to a model."""
    cells = [str(row[name]) for row in gold.rows for name in gold.targets]
    names = dict.fromkeys(name.strip() for cell in cells for name in _LAW.findall(cell) if "法" in name)
    return [path for name in names if (path := documents.find(name)) is not None]


def _task_id(record_id: str, taken: set[str]) -> str:
    base = _plain(record_id)
    task_id, number = base, 1
    while task_id in taken:
        number += 1
        task_id = f"{base}-{number}"
    taken.add(task_id)
    return task_id


def _plain(record_id: str) -> str:
    """What of an id a task's id and a folder's name can hold."""
    return to_task_id(record_id) or "table"
