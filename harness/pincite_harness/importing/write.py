"""Write a task family: the prompt, schema and settings of a given one, with new tasks and their files."""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, cast

import orjson

from pincite_core.durable import sync_folder
from pincite_core.errors import BadInputError
from pincite_harness.family import Family, FamilySettings, load_family
from pincite_harness.importing.dataset import Dataset, Entry, ImportOptions
from pincite_harness.task import Record, Task
from pincite_harness.toml_text import toml_table

Check = Callable[[Task], None]
"""Raises BadInputError when the gold of a task is wrong."""

_COPIED = ("prompt.md", "schema.json")


def import_dataset(
    like: Family, dataset: Dataset, source: Path, out: Path, check: Check, options: ImportOptions
) -> Family:
    """Write ``<out>/<family name>`` with the tasks of a data set; BadInputError where it gives none."""
    entries = islice(dataset.read(source, options), options.limit)
    return write_family(like, _some(entries, source, dataset), out, check, dataset.title)


def write_family(like: Family, entries: Iterable[Entry], out: Path, check: Check, description: str = "") -> Family:
    """Write ``<out>/<family name>``: the settings of ``like``, and one task an entry, in their order.

    Entries are taken one by one; servers that they need are added to the family's. The folder appears whole or not at
    all: BadInputError when it is there already, when two files want one place, or when ``check`` does not hold the gold
    of a task for right.
    """
    target = out / like.name
    if target.exists():
        raise BadInputError(f"{target} is there already.", next="Give another --out, or remove it.")
    out.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=out, prefix=f".{like.name}."))
    try:
        for name in _COPIED:
            shutil.copyfile(like.folder / name, part / name)
        servers = dict.fromkeys(like.settings.servers)
        with (part / "records.jsonl").open("wb") as records:
            for entry in _once(entries):
                _place_sources(part, entry)
                records.write(_line(entry.record))
                servers |= dict.fromkeys(entry.servers)
        changes = {"servers": list(servers), "description": description or like.settings.description}
        settings = like.settings.model_copy(update=changes)
        (part / "family.toml").write_text(_settings_toml(settings), encoding="utf-8")
        for task in load_family(part).tasks:
            if task.gold is not None:
                check(task)
        part.chmod(0o755)
        part.rename(target)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    sync_folder(out)
    return load_family(target)


def _settings_toml(settings: FamilySettings) -> str:
    """family.toml: what differs from the defaults, tables last."""
    values = settings.model_dump(mode="json", exclude_defaults=True)
    tables = {name: cast("dict[str, Any]", value) for name, value in values.items() if isinstance(value, dict)}
    plain = toml_table("", {name: value for name, value in values.items() if name not in tables})
    return "\n".join([plain, *(toml_table(f"[{name}]", value) for name, value in tables.items())])


def _some(entries: Iterator[Entry], source: Path, dataset: Dataset) -> Iterator[Entry]:
    """The entries; BadInputError without any."""
    empty = True
    for entry in entries:
        empty = False
        yield entry
    if empty:
        raise BadInputError(f"{source} holds no task of {dataset.title}.", next=dataset.where or "Check --from.")


def _once(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries; BadInputError for a task id that was there already."""
    seen: set[str] = set()
    for entry in entries:
        task_id = entry.record.task_id
        if task_id in seen:
            raise BadInputError(
                f"The task {task_id!r} is there twice.",
                next="Give each an id of its own; what an id cannot hold becomes a hyphen.",
            )
        seen.add(task_id)
        yield entry


def _line(record: Record) -> bytes:
    line = {
        "task_id": record.task_id,
        "inputs": record.inputs.model_dump(mode="json", exclude_defaults=True),
        "gold": record.gold,
        "metadata": record.metadata,
    }
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def _place_sources(folder: Path, entry: Entry) -> None:
    """Copy the entry's files; a file that is there already must be the same."""
    for name, source in entry.sources.items():
        path = folder / name
        if PurePosixPath(name).is_absolute() or not path.resolve().is_relative_to(folder.resolve()):
            raise BadInputError(
                f"Task {entry.record.task_id}: the file {name!r} lies outside the family.", next="Keep it inside."
            )
        data = source if isinstance(source, bytes) else source.read_bytes()
        if path.exists():
            if path.read_bytes() != data:
                raise BadInputError(
                    f"Task {entry.record.task_id}: another file is called {name!r} already.", next="Rename one."
                )
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
