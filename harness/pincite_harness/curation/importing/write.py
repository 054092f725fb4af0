"""Write a task family: the prompt, schema and settings of a given one, with new tasks and their files."""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, cast

import orjson

from pincite_core.durable import sync_folder
from pincite_core.errors import BadInputError
from pincite_harness.curation.importing.dataset import BROKEN, Dataset, DatasetEntry, ImportOptions
from pincite_harness.labels.outcomes import Correction, apply_to
from pincite_tasks.family import Family, FamilySettings, load_family
from pincite_tasks.task import Record, Task
from pincite_tasks.toml_text import toml_table

Check = Callable[[Task], None]
"""Raises BadInputError when the gold of a task is wrong."""

_COPIED = ("prompt.md", "schema.json")


def import_dataset(
    like: Family, dataset: Dataset, source: Path, out: Path, check: Check, options: ImportOptions
) -> Family:
    """Write ``<out>/<family name>`` with the tasks of a data set; BadInputError where it gives none."""
    entries = islice(dataset.read(source, options), options.limit)
    return write_family(like, _some(entries, source, dataset, options), out, check, dataset.title, options)


def write_family(
    like: Family,
    entries: Iterable[DatasetEntry],
    out: Path,
    check: Check,
    description: str = "",
    options: ImportOptions | None = None,
) -> Family:
    """Write ``<out>/<family name>``: the settings of ``like``, and one task an entry, in their order.

    Entries are taken one by one; servers that they need are added to the family's. The folder appears whole or not at
    all: BadInputError when it is there already, when two files want one place, or when ``check`` does not hold the gold
    of a task for right. With ``options`` such a task is left out with a note, unless none would be left.
    """
    target = out / like.name
    if target.exists():
        raise BadInputError(f"{target} already exists.", next="Give another --out, or remove it.")
    made = [folder for folder in (out, *out.parents) if not folder.exists()]
    out.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=out, prefix=f".{like.name}."))
    try:
        for name in _COPIED:
            shutil.copyfile(like.folder / name, part / name)
        servers = dict.fromkeys(like.settings.servers)
        kept = _Kept(part, options)
        for entry in corrected(entries, options):
            if kept.add(entry):
                servers |= dict.fromkeys(entry.servers)
        kept.write()
        changes = {"servers": list(servers), "description": description or like.settings.description}
        settings = like.settings.model_copy(update=changes)
        (part / "family.toml").write_text(_settings_toml(settings), encoding="utf-8")
        for task in load_family(part).tasks:
            if task.gold is not None:
                kept.check(task, check)
        kept.write()
        part.chmod(0o755)
        part.rename(target)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        for folder in made:
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        raise
    sync_folder(out)
    return load_family(target)


def corrected(entries: Iterable[DatasetEntry], options: ImportOptions | None) -> Iterator[DatasetEntry]:
    """The entries with the gold that people's labels correct; notes say what was changed and what could not be."""
    if options is None or not options.corrections:
        yield from entries
        return
    wanted: dict[str, list[Correction]] = {}
    for each in options.corrections:
        wanted.setdefault(each.task, []).append(each)
    for entry in entries:
        own = wanted.pop(entry.record.task_id, [])
        gold, missed = apply_to(entry.record.gold, own)
        for note in missed:
            options.note(note)
        metadata = entry.record.metadata
        if done := len(own) - len(missed):
            metadata = {**metadata, "corrected": done}
        yield replace(entry, record=entry.record.model_copy(update={"gold": gold, "metadata": metadata}))
    for task, left in wanted.items():
        options.note(f"{left[0].place}: no task {task} is imported")


class _Kept:
    """The tasks of a new family, and the files that each of them has."""

    def __init__(self, part: Path, options: ImportOptions | None) -> None:
        self._part, self._options = part, options
        self._lines: dict[str, bytes] = {}
        self._files: dict[str, set[str]] = {}

    def add(self, entry: DatasetEntry) -> bool:
        """Keep a task and its files; whether it was kept."""
        task_id = entry.record.task_id
        try:
            if task_id in self._lines:
                raise BadInputError(
                    f"The task {task_id!r} appears twice.",
                    next="Give each an id of its own; what an id cannot hold becomes a hyphen.",
                )
            _place_sources(self._part, entry)
        except BROKEN as error:
            self._leave_out(task_id, error)
            return False
        self._lines[task_id] = _line(entry.record)
        self._files[task_id] = set(entry.sources)
        return True

    def check(self, task: Task, check: Check) -> None:
        """Leave the task out, with the files that are its alone, where its gold is wrong."""
        try:
            check(task)
        except BadInputError as error:
            self._leave_out(task.task_id, error)
            if len(self._lines) == 1:
                raise
            del self._lines[task.task_id]
            others = set[str]().union(*(files for name, files in self._files.items() if name in self._lines))
            for name in self._files.pop(task.task_id) - others:
                (self._part / name).unlink(missing_ok=True)

    def write(self) -> None:
        """Write records.jsonl."""
        (self._part / "records.jsonl").write_bytes(b"".join(self._lines.values()))

    def _leave_out(self, task_id: str, error: Exception) -> None:
        if self._options is None:
            raise error
        self._options.leave_out(f"task {task_id}", error)


def _settings_toml(settings: FamilySettings) -> str:
    """family.toml: what differs from the defaults, tables last."""
    values = settings.model_dump(mode="json", exclude_defaults=True)
    tables = {name: cast("dict[str, Any]", value) for name, value in values.items() if isinstance(value, dict)}
    plain = toml_table("", {name: value for name, value in values.items() if name not in tables})
    return "\n".join([plain, *(toml_table(f"[{name}]", value) for name, value in tables.items())])


def _some(
    entries: Iterator[DatasetEntry], source: Path, dataset: Dataset, options: ImportOptions
) -> Iterator[DatasetEntry]:
    """The entries; BadInputError without any, or what is wrong with the first that is broken."""
    empty = True
    for entry in entries:
        empty = False
        yield entry
    if empty and options.broken:
        raise options.broken[0]
    if empty:
        raise BadInputError(f"{source} has no task of {dataset.title}.", next=dataset.where or "Check --from.")


def _line(record: Record) -> bytes:
    line = {
        "task_id": record.task_id,
        "inputs": record.inputs.model_dump(mode="json", exclude_defaults=True),
        "gold": record.gold,
        "metadata": record.metadata,
    }
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def _place_sources(folder: Path, entry: DatasetEntry) -> None:
    """Copy the entry's files, all or none; a file that is there already must be the same."""
    new: dict[Path, bytes] = {}
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
        new[path] = data
    for path, data in new.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
