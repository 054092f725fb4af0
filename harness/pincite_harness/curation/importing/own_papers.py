"""A user's own papers and gold become a task family like a given one."""

import copy
import glob
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import NotFoundError
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_harness.curation.importing.gold_file import Gold
from pincite_harness.curation.importing.write import Check, write_family
from pincite_tasks.family import Family
from pincite_tasks.task import Inputs, Record

_UNPLACED = "schemas/without_places.json"


@dataclass(frozen=True, slots=True)
class Imported:
    """The new family, and the PDFs of the papers' folder that the gold file does not name."""

    family: Family
    left_out: tuple[str, ...]


def import_family(
    like: Family, papers: Path, gold: Gold, out: Path, check: Check, options: ImportOptions | None = None
) -> Imported:
    """Write ``<out>/<family name>``: the settings of ``like``, the papers that ``gold`` names, one task a paper.

    With ``options`` a paper that is missing or whose gold is wrong is left out with a note. NotFoundError when none is
    there (without ``options``: when one is missing), BadInputError when no gold is right or the folder is there.
    """
    gold = {_file_of(papers, name): records for name, records in gold.items()}
    missing = sorted(name for name in gold if not (papers / name).is_file())
    if missing and (options is None or len(missing) == len(gold)):
        raise NotFoundError(f"The gold names papers that are not in {papers}: {', '.join(missing)}.", next="Add them.")
    for name in missing:
        (options or ImportOptions()).note(f"{name}: there is no such paper in {papers}")
    there = sorted(name for name in gold if name not in missing)
    entries = (_entry(like, task_id, papers / name, gold[name]) for task_id, name in _task_ids(there))
    family = write_family(like, entries, out, check, options=options)
    left_out = sorted(path.name for path in papers.iterdir() if path.suffix.lower() == ".pdf" and path.name not in gold)
    return Imported(family, tuple(left_out))


def _file_of(papers: Path, name: str) -> str:
    """The paper's file: the name, or the one file of that name with an ending."""
    if (papers / name).is_file():
        return name
    found = [path.name for path in sorted(papers.glob(f"{glob.escape(name)}.*")) if path.is_file()]
    return found[0] if len(found) == 1 else name


def _entry(like: Family, task_id: str, paper: Path, records: list[dict[str, Any]]) -> DatasetEntry:
    """One task; where the gold says no place, its answers need none either."""
    place = f"papers/{paper.name}"
    sources: dict[str, Path | bytes] = {place: paper}
    placed = all(has_place(record) for record in records)
    if not placed:
        sources[_UNPLACED] = orjson.dumps(_without_places(like.schema), option=orjson.OPT_INDENT_2)
    inputs = Inputs(papers=[place], answer_schema=None if placed else _UNPLACED)
    metadata: dict[str, Any] = {"title": paper.stem}
    if not placed:
        metadata["evidence"] = "not known"
    return DatasetEntry(
        Record(task_id=task_id, inputs=inputs, gold={"properties": records}, metadata=metadata), sources
    )


def has_place(record: Mapping[str, Any]) -> bool:
    """Whether a gold record says on which page its value stands."""
    located = record.get("location")
    return isinstance(located, dict) and bool(cast("dict[str, Any]", located).get("page"))


def _without_places(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The family's schema with records that need no location."""
    changed = copy.deepcopy(dict(schema))
    item = changed.get("properties", {}).get("properties", {}).get("items", {})
    if "required" in item:
        item["required"] = [name for name in item["required"] if name != "location"]
    return changed


def _task_ids(names: Iterable[str]) -> list[tuple[str, str]]:
    """A task id for each paper: its name without what a folder's name cannot hold, numbered where two meet."""
    taken: dict[str, str] = {}
    for name in names:
        base = to_task_id(Path(name).stem) or "paper"
        task_id, number = base, 1
        while task_id in taken:
            number += 1
            task_id = f"{base}-{number}"
        taken[task_id] = name
    return list(taken.items())


def to_task_id(text: str) -> str:
    """``text`` without what a task id cannot hold, at most 70 characters; empty where nothing is left."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._")[:70]
