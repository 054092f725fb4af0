"""Placing: where exported files go, and how they are written there."""

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from pincite_core.errors import BadInputError
from pincite_tasks.family import Family
from pincite_tasks.files import write_atomic
from pincite_tasks.task import Task

_DOTS = re.compile(r"\.{2,}")


def new_folder(path: Path) -> Path:
    """``path``, which must not hold anything yet; BadInputError where it does."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise BadInputError(f"{path} is not empty.", next="Export into a new folder, or remove what is there.")
    path.mkdir(parents=True, exist_ok=True)
    return path


def folder_names(tasks: Iterable[tuple[Family, Task]]) -> list[str]:
    """A name for each task that is a folder's and a package's: ``<family>.<task>``, never with two dots in a row.

    BadInputError where two tasks would have the same.
    """
    names = [_DOTS.sub(".", f"{family.name}.{task.task_id}") for family, task in tasks]
    doubled = sorted({name for name in names if [each.lower() for each in names].count(name.lower()) > 1})
    if doubled:
        raise BadInputError("Two tasks would have one folder.", seen=", ".join(doubled), next="Export them apart.")
    return names


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8, as a whole."""
    write_atomic(path, text.encode())


def place(source: Path, target: Path) -> None:
    """A copy of a file at another place."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def place_folder(source: Path, target: Path) -> None:
    """Copies of all files of a folder at another place."""
    for path in sorted(each for each in source.rglob("*") if each.is_file()):
        place(path, target / path.relative_to(source))


def share(source: Path, target: Path) -> None:
    """An exported file at one more place: another name of the same bytes where the disk allows, else a copy."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
