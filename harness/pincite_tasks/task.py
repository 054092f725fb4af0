"""Task: one record of a family, with the papers, files and parameters it is about."""

from codecs import BOM_UTF8
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any, cast

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite_core.errors import BadInputError, NotFoundError
from pincite_tasks.files import digest_file, digest_json

TASK_ID_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"
BRIEF_FILES = ("task.json", "prompt.md", "schema.json", "mcp.json", "gold.json")
"""What the harness writes into an agent's working folder itself."""

Parameters = dict[str, str | int | float | bool | list[str]]
"""What fills a prompt's placeholders, by name."""


class Inputs(BaseModel):
    """What a task is about; paths are relative to the family's folder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    papers: list[str] = Field(default_factory=list)
    """Papers that the servers can open."""
    files: list[str] = Field(default_factory=list)
    """Files that the agent finds in its working folder, such as a picture."""
    parameters: Parameters = Field(default_factory=dict)
    """Values of the prompt's placeholders beside the family's own: a question, a material."""
    corpus: str | None = None
    """Folder of a made-up literature that the task's servers see instead of the real one."""
    before: date | None = None
    """The day from which works do not exist for the task."""
    answer_schema: str | None = None
    """JSON Schema of this task's answer, in place of the family's schema.json."""


class Record(BaseModel):
    """One line of records.jsonl; ``gold`` None means that answers cannot be scored."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    task_id: str = Field(pattern=TASK_ID_PATTERN)
    inputs: Inputs
    gold: Any = None
    metadata: dict[str, Any] = Field(default_factory=dict)


STANDARD = "standard"
"""The set of the tasks in records.jsonl; those of records-NAME.jsonl are the set NAME."""
SHARED = "shared"
"""A folder beside the family's, for papers that several families ask about."""


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
    files: tuple[Path, ...] = ()
    """Files for the working folder, each under a name of its own."""
    parameters: Parameters = field(default_factory=dict[str, Any])
    """Values of the prompt's placeholders, the family's own among them."""
    corpus: Path | None = None
    """Folder of a made-up literature, which the servers see instead of the real one."""
    answer_schema: dict[str, Any] | None = None
    """JSON Schema of this task's answer; None: the family's."""
    set_name: str = STANDARD
    """Which of the family's sets of tasks it belongs to."""

    @property
    def paper_names(self) -> tuple[str, ...]:
        """The papers' names as the agent addresses them: the base names, which are unique in a task."""
        return tuple(path.name for path in self.papers)

    @property
    def withheld(self) -> tuple[str, ...]:
        """Works that do not exist for the task, since its gold stands in them: ``metadata["withheld"]``, a list of
        DOIs, arXiv ids, titles and paper ids. BadInputError where it is none."""
        named = self.metadata.get("withheld", [])
        if not isinstance(named, list) or not all(isinstance(name, str) for name in cast("list[object]", named)):
            raise BadInputError(
                f"Task {self.task_id}: metadata.withheld is not a list of texts.",
                next='Give ["10.1234/abc", "2301.00001", "A title"].',
            )
        return tuple(cast("list[str]", named))

    def digest(self) -> str:
        """Digest of id, paper names, gold, metadata, parameters, cutoff and an answer schema of its own; files have
        digests of their own."""
        cutoff = [self.before.isoformat()] if self.before is not None else []
        parameters = [self.parameters] if self.parameters else []
        schema = [self.answer_schema] if self.answer_schema is not None else []
        stated = [self.task_id, list(self.paper_names), self.gold, self.metadata, *parameters, *cutoff, *schema]
        return digest_json(stated)

    def file_digests(self) -> dict[str, str]:
        """Digest of the bytes of every paper (``paper/NAME``), file (``file/NAME``) and file of the corpus
        (``corpus/PATH``); NotFoundError when a file is gone."""
        named = {f"paper/{path.name}": path for path in self.papers}
        named |= {f"file/{path.name}": path for path in self.files}
        if self.corpus is not None:
            inside = sorted(path for path in self.corpus.rglob("*") if path.is_file())
            named |= {f"corpus/{path.relative_to(self.corpus).as_posix()}": path for path in inside}
        return {name: digest_file(path) for name, path in named.items()}


def read_records(path: Path) -> list[Record]:
    """Read records.jsonl; every fault is a BadInputError that names the line."""
    try:
        lines = path.read_bytes().removeprefix(BOM_UTF8).splitlines()
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
                f"{path}:{number}: the task {record.task_id!r} appears twice.",
                seen=f"first on line {seen[record.task_id]}",
                next="Give every task an id of its own.",
            )
        seen[record.task_id] = number
        records.append(record)
    if not records:
        raise BadInputError(f"{path} does not contain a task.", next="Write one task a line.")
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
            next='Give {"task_id", "inputs": {"papers"?, "files"?, "parameters"?, "corpus"?, "before"?, '
            '"answer_schema"?}, "gold", "metadata"} and nothing else.',
        ) from error


def resolve_files(folder: Path, record: Record, kind: str, names: Iterable[str]) -> tuple[Path, ...]:
    """The record's papers or files (``kind`` says which) inside ``folder``; a path that leaves it, a missing file or
    two files of one name are errors."""
    found: dict[str, Path] = {}
    for name in names:
        path = _inside(folder, record, kind, name)
        if not path.is_file():
            raise NotFoundError(f"Task {record.task_id}: there is no {kind} {path}.", next="Add the file.")
        if path.name in found:
            raise BadInputError(f"Task {record.task_id}: two {kind}s are called {path.name!r}.", next="Rename one.")
        found[path.name] = path
    return tuple(found.values())


def check_file_names(record: Record, files: Iterable[Path], answer: str) -> None:
    """BadInputError for a file that the brief, the answer or an agent's own files (``.agent``) would replace."""
    for path in files:
        if path.name in (*BRIEF_FILES, answer) or path.name.startswith("."):
            raise BadInputError(
                f"Task {record.task_id}: no file may be called {path.name!r} in the agent's working folder.",
                seen=f"taken: {', '.join((*BRIEF_FILES, answer))} and names that begin with a dot",
                next="Rename it.",
            )


def resolve_corpus(folder: Path, record: Record) -> Path | None:
    """The record's corpus inside ``folder``, where it has one; NotFoundError where it is not there."""
    if record.inputs.corpus is None:
        return None
    path = _inside(folder, record, "corpus", record.inputs.corpus)
    if not path.is_dir():
        raise NotFoundError(f"Task {record.task_id}: there is no corpus {path}.", next="Add the folder.")
    if not (path / "works.jsonl").is_file():
        raise NotFoundError(
            f"Task {record.task_id}: the corpus {path} has no works.jsonl.", next=f"pincite tasks corpus {path}"
        )
    return path


def resolve_schema(folder: Path, record: Record) -> Path | None:
    """The record's own answer schema inside ``folder``, where it has one; NotFoundError where it is not there."""
    if record.inputs.answer_schema is None:
        return None
    path = _inside(folder, record, "answer schema", record.inputs.answer_schema)
    if not path.is_file():
        raise NotFoundError(f"Task {record.task_id}: there is no answer schema {path}.", next="Add the file.")
    return path


def _inside(folder: Path, record: Record, kind: str, name: str) -> Path:
    path = folder / name
    homes = (folder.resolve(), folder.resolve().parent / SHARED)
    if PurePosixPath(name).is_absolute() or not any(path.resolve().is_relative_to(home) for home in homes):
        raise BadInputError(
            f"Task {record.task_id}: the {kind} {name!r} lies outside {folder}.",
            next=f"Keep it in the folder, or in ../{SHARED}.",
        )
    return path


def describe_validation(error: ValidationError) -> str:
    """One line for each fault: where it is and what is wrong."""
    return "; ".join(_describe(details["loc"], details["type"], details["msg"]) for details in error.errors())


def _describe(where: Iterable[int | str], kind: str, message: str) -> str:
    place = ".".join(str(part) for part in where)
    said = "there is no such key" if kind == "extra_forbidden" else message.removeprefix("Value error, ")
    return f"{place}: {said}" if place else said
