"""Task: one record of a family, with the papers it is about."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.files import digest_file, digest_json

TASK_ID_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"


class Inputs(BaseModel):
    """What a task is about: paths of papers, relative to the family's folder, and the day from which works do not
    exist for it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    papers: list[str] = Field(min_length=1)
    before: date | None = None


class Record(BaseModel):
    """One line of records.jsonl; ``gold`` None means that answers cannot be scored."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    task_id: str = Field(pattern=TASK_ID_PATTERN)
    inputs: Inputs
    gold: Any = None
    metadata: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """One task: its papers as files on the host, each under a name of its own, and its gold answer or None."""

    family: str
    task_id: str
    papers: tuple[Path, ...]
    gold: Any = None
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    before: date | None = None
    """Works published on or after this day do not exist for the task."""

    @property
    def paper_names(self) -> tuple[str, ...]:
        """The papers' names as the agent addresses them: the base names, which are unique in a task."""
        return tuple(path.name for path in self.papers)

    def digest(self) -> str:
        """Digest of id, paper names, gold, metadata and cutoff; the papers' bytes have digests of their own."""
        cutoff = [self.before.isoformat()] if self.before is not None else []
        return digest_json([self.task_id, list(self.paper_names), self.gold, self.metadata, *cutoff])

    def paper_digests(self) -> dict[str, str]:
        """Digest of each paper's bytes by its name; NotFoundError when a file is gone."""
        return {path.name: digest_file(path) for path in self.papers}


def read_records(path: Path) -> list[Record]:
    """Read records.jsonl; every fault is a BadInputError that names the line."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        raise NotFoundError(f"There is no {path}.", next="A family needs records.jsonl, one task a line.") from None
    records: list[Record] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        record = _parse_record(path, number, line)
        if record.task_id in seen:
            raise BadInputError(
                f"{path}:{number}: the task {record.task_id!r} is there twice.",
                seen=f"first on line {seen[record.task_id]}",
                next="Give every task an id of its own.",
            )
        seen[record.task_id] = number
        records.append(record)
    if not records:
        raise BadInputError(f"{path} holds no task.", next="Write one task a line.")
    return records


def _parse_record(path: Path, number: int, line: bytes) -> Record:
    try:
        return Record.model_validate(orjson.loads(line))
    except orjson.JSONDecodeError as error:
        raise BadInputError(f"{path}:{number} is not JSON.", seen=str(error), next="One JSON object a line.") from error
    except ValidationError as error:
        raise BadInputError(
            f"{path}:{number} is not a task.",
            seen=describe_validation(error),
            next='Give {"task_id", "inputs": {"papers": […], "before"?}, "gold", "metadata"} and nothing else.',
        ) from error


def resolve_papers(folder: Path, record: Record) -> tuple[Path, ...]:
    """The record's papers as files inside ``folder``; a path that leaves it, a missing file or two papers of one
    name are errors."""
    papers: list[Path] = []
    names: set[str] = set()
    root = folder.resolve()
    for name in record.inputs.papers:
        path = folder / name
        if PurePosixPath(name).is_absolute() or not path.resolve().is_relative_to(root):
            raise BadInputError(
                f"Task {record.task_id}: the paper {name!r} lies outside {folder}.", next="Keep papers in the folder."
            )
        if not path.is_file():
            raise NotFoundError(f"Task {record.task_id}: there is no paper {path}.", next="Add the file.")
        if path.name in names:
            raise BadInputError(f"Task {record.task_id}: two papers are called {path.name!r}.", next="Rename one.")
        names.add(path.name)
        papers.append(path)
    return tuple(papers)


def describe_validation(error: ValidationError) -> str:
    """One line for each fault: where it is and what is wrong."""
    return "; ".join(_describe(details["loc"], details["msg"]) for details in error.errors())


def _describe(where: Iterable[int | str], message: str) -> str:
    place = ".".join(str(part) for part in where)
    return f"{place}: {message}" if place else message
