"""Filling: a task of record_filling, as the readers of its data sets make it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from pincite_harness.curation.importing.dataset import DatasetEntry
from pincite_harness.curation.importing.own_papers import to_task_id
from pincite_scoring.record_filling.compiling import compile_schema
from pincite_scoring.record_filling.schema import EVIDENCE, PARAMETER, read_schema
from pincite_tasks.catalog import bundled_folder
from pincite_tasks.task import Inputs, Record


def bundled_schema(name: str) -> str:
    """The text of a schema that comes with the family."""
    path = bundled_folder() / "record_filling" / "schemas" / f"{name}.toml"
    return path.read_text(encoding="utf-8").strip()


def new_task_id(text: str, taken: set[str]) -> str:
    """A task id made of ``text`` that is none of ``taken``, which gets it."""
    base = to_task_id(text) or "paper"
    task_id, number = base, 1
    while task_id in taken:
        number += 1
        task_id = f"{base}-{number}"
    taken.add(task_id)
    return task_id


def distinct(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The objects, those with equal values made one that holds the evidence of all."""
    found: dict[bytes, dict[str, Any]] = {}
    for each in objects:
        values = {name: value for name, value in each.items() if name != EVIDENCE}
        known = found.setdefault(orjson.dumps(values, option=orjson.OPT_SORT_KEYS), {**values, EVIDENCE: []})
        known[EVIDENCE] += [piece for piece in each.get(EVIDENCE, []) if piece not in known[EVIDENCE]]
    return list(found.values())


def filling_entry(
    task_id: str,
    schema: str,
    objects: list[dict[str, Any]],
    paper: tuple[str, Path | bytes],
    metadata: Mapping[str, Any],
    files: Mapping[str, Path | bytes] | None = None,
) -> DatasetEntry:
    """The task and its files: ``paper`` is a file name and its content, ``files`` are further ones by path."""
    name, content = paper
    read = read_schema(schema)
    answer_schema = f"schemas/{read.name}.json"
    inputs = Inputs(papers=[f"papers/{name}"], parameters={PARAMETER: schema}, answer_schema=answer_schema)
    record = Record(task_id=task_id, inputs=inputs, gold={"objects": objects}, metadata=dict(metadata))
    compiled = orjson.dumps(compile_schema(read), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    return DatasetEntry(record, {f"papers/{name}": content, answer_schema: compiled, **(files or {})})
