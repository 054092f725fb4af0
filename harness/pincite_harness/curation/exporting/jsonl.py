"""JSON lines: task families as a data set that Hugging Face's ``datasets`` loads, one file a family, with its card."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from pincite_harness.curation.exporting.licence import licence_of
from pincite_harness.curation.exporting.placing import new_folder, place, write_text
from pincite_tasks.family import Family
from pincite_tasks.files import write_atomic
from pincite_tasks.task import Task

_LICENCES = {"Apache-2.0": "apache-2.0", "MIT": "mit", "CC-BY-4.0": "cc-by-4.0", "CC-BY-SA-4.0": "cc-by-sa-4.0"}
"""Names of licences on the hub by their SPDX names; others are ``other`` there."""
_SPLIT = "test"
_TYPES = dict.fromkeys(("papers", "files", "servers"), "sequence: string") | {"before": "dtype: timestamp[s]"}
"""Types of a row's keys that are not texts; days are read as times, whatever the card says."""


def export_jsonl(pairs: Sequence[tuple[Family, Task]], out: Path) -> None:
    """Write ``data/<family>.jsonl``, the papers and files that its rows name, ``README.md`` as the data card, and
    ``eval.yaml``, by which the hub takes the data set for a benchmark."""
    new_folder(out)
    families = {family.name: family for family, _ in pairs}
    keys: tuple[str, ...] = ()
    for family in families.values():
        tasks = [task for each, task in pairs if each is family]
        rows = [_row(family, task) for task in tasks]
        keys = tuple(rows[0])
        write_atomic(out / "data" / f"{family.name}.jsonl", b"".join(orjson.dumps(row) + b"\n" for row in rows))
        for task in tasks:
            for source, name in _sources(family, task).items():
                place(source, out / name)
    counts = {name: sum(family.name == name for family, _ in pairs) for name in families}
    write_text(out / "README.md", _card(list(families.values()), counts, keys))
    write_text(out / "eval.yaml", _benchmark(list(families.values())))


def _sources(family: Family, task: Task) -> dict[Path, str]:
    """Every file of a task by where it lies in the data set."""
    kinds = (("papers", task.papers), ("files", task.files))
    named = {path: f"{kind}/{family.name}/{task.task_id}/{path.name}" for kind, paths in kinds for path in paths}
    if task.corpus is not None:
        inside = sorted(path for path in task.corpus.rglob("*") if path.is_file())
        folder = f"files/{family.name}/corpora/{task.corpus.name}"
        named |= {path: f"{folder}/{path.relative_to(task.corpus).as_posix()}" for path in inside}
    return named


def _row(family: Family, task: Task) -> dict[str, Any]:
    """The same keys and types in every row of every family: what differs in shape is JSON text."""
    named = _sources(family, task)
    metadata: Mapping[str, Any] = task.metadata
    return {
        "task_id": task.task_id,
        "family": family.name,
        "title": str(metadata.get("title", family.settings.title)),
        "prompt": family.fill_prompt(task),
        "answer_file": family.settings.answer,
        "answer_schema": _text(family.answer_schema(task)),
        "papers": [named[path] for path in task.papers],
        "files": [named[path] for path in task.files],
        "corpus": f"files/{family.name}/corpora/{task.corpus.name}" if task.corpus is not None else None,
        "parameters": _text(task.parameters),
        "before": task.before.isoformat() if task.before is not None else None,
        "servers": list(family.settings.servers),
        "scorer": family.settings.scorer,
        "gold": _text(task.gold) if task.gold is not None else None,
        "licence": licence_of(family, task),
        "metadata": _text(metadata),
    }


def _text(value: Any) -> str:
    return orjson.dumps(value).decode()


def _features(keys: Sequence[str]) -> list[str]:
    """The types of a row's keys, which cannot be told from a family whose rows all leave one out."""
    return [line for key in keys for line in (f"  - name: {key}", f"    {_TYPES.get(key, 'dtype: string')}")]


def _benchmark(families: Sequence[Family]) -> str:
    """eval.yaml (hub docs, "Evaluation Results"): a task a family, whose id the results of models name. Texts are
    written as JSON, which is YAML too."""
    lines = [
        f"name: {json.dumps('Tasks of pincite')}",
        f"description: {json.dumps('; '.join(family.settings.title for family in families))}",
        "evaluation_framework: pincite",
        "tasks:",
    ]
    for family in families:
        lines += [f"- id: {family.name}", f"  config: {family.name}", f"  split: {_SPLIT}"]
    return "\n".join([*lines, ""])


def _card(families: Sequence[Family], counts: Mapping[str, int], keys: Sequence[str]) -> str:
    """README.md with the metadata that the hub reads: licence, and a configuration with its types for each family."""
    names = sorted({licence_of(family) for family in families})
    licence = _LICENCES.get(names[0], "other") if len(names) == 1 else "other"
    head = [f"license: {licence}"]
    if licence == "other":
        head.append(f"license_name: {json.dumps(', '.join(names))}")
    head += [
        "pretty_name: Tasks of pincite",
        "task_categories:",
        "- question-answering",
        "tags:",
        "- science",
        "configs:",
    ]
    for family in families:
        head += [
            f"- config_name: {family.name}",
            "  data_files:",
            f"  - split: {_SPLIT}",
            f"    path: data/{family.name}.jsonl",
        ]
    head.append("dataset_info:")
    for family in families:
        head += [f"- config_name: {family.name}", "  features:", *_features(keys)]
    rows = [
        (f"`{family.name}`", str(counts[family.name]), family.settings.title, licence_of(family)) for family in families
    ]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(
        [
            "---",
            *head,
            "---",
            "# Tasks of pincite",
            "",
            "One row a task. `prompt` is the whole instruction; `papers` and `files` are paths in this data set;",
            "`answer_schema`, `parameters`, `gold` and `metadata` are JSON as text. `licence` is the row's own.",
            "The gold answers are here: keep them from models in training.",
            "",
            "| configuration | tasks | what | licence |",
            "| --- | --- | --- | --- |",
            *lines,
            "",
        ]
    )
