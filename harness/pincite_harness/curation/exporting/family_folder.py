"""A family's folder with some of its tasks and all that they need, as ``load_family`` reads it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from pincite_harness.curation.exporting.placing import place, place_folder
from pincite_tasks.family import Family
from pincite_tasks.files import write_atomic, write_json
from pincite_tasks.task import Task


def write_family_folder(folder: Path, family: Family, tasks: Sequence[Task]) -> None:
    """Write the family's definition, the records of ``tasks`` as one set, their papers, files and corpora."""
    for name in ("family.toml", "prompt.md"):
        place(family.folder / name, folder / name)
    write_json(folder / "schema.json", family.schema)
    lines = [orjson.dumps(_record(folder, task)) for task in tasks]
    write_atomic(folder / "records.jsonl", b"\n".join([*lines, b""]))


def _record(folder: Path, task: Task) -> dict[str, Any]:
    inputs: dict[str, Any] = {"parameters": task.parameters}
    for kind, paths in (("papers", task.papers), ("files", task.files)):
        inputs[kind] = [f"{kind}/{task.task_id}/{path.name}" for path in paths]
        for path, name in zip(paths, inputs[kind], strict=True):
            place(path, folder / name)
    if task.answer_schema is not None:
        inputs["answer_schema"] = f"schemas/{task.task_id}.json"
        write_json(folder / inputs["answer_schema"], task.answer_schema)
    if task.corpus is not None:
        inputs["corpus"] = f"corpora/{task.corpus.name}"
        place_folder(task.corpus, folder / inputs["corpus"])
    if task.before is not None:
        inputs["before"] = task.before.isoformat()
    return {"task_id": task.task_id, "inputs": inputs, "gold": task.gold, "metadata": task.metadata}
