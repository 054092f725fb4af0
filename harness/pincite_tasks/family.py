"""Family: a folder of tasks with one prompt, one answer schema, servers, limits and a scorer."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import jsonschema
import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from pincite_core.errors import BadInputError, NotFoundError
from pincite_models.dialects.request_fields import closed_names, web_names
from pincite_tasks.files import digest_bytes
from pincite_tasks.server_definition import ServerDefinition, split_servers
from pincite_tasks.task import (
    STANDARD,
    Parameters,
    Record,
    Task,
    check_file_names,
    describe_validation,
    read_records,
    resolve_corpus,
    resolve_files,
    resolve_schema,
)

NAME_PATTERN = r"^[a-z][a-z0-9_]{0,63}$"
HOST_PATTERN = r"^(\*\.)?([a-zA-Z0-9-]+\.)+[a-zA-Z][a-zA-Z0-9-]*$"
ANSWER_PATTERN = r"^answer\.(json|csv|md|txt)$"
_PLACEHOLDER = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")
_ALMOST = re.compile(r"\{\{\s*[A-Za-z][A-Za-z0-9_-]*\s*\}\}")
"""What somebody may have meant for one."""
RECORD_FILE = re.compile(r"records(?:-(?P<set>[a-z][a-z0-9_]{0,31}))?\.jsonl")
"""The files of a family's tasks: records.jsonl and, for further sets, records-NAME.jsonl."""
ALL_SETS = "all"
RESERVED_SETS = (STANDARD, ALL_SETS)
LISTED = frozenset({"papers", "files"})
"""Placeholders for the names of a task's papers and files."""


class FamilyLimits(BaseModel):
    """What one trial may spend."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    wall_clock_seconds: float = Field(default=600, gt=0)
    """Seconds the agent may run."""
    tool_calls: int = Field(default=400, ge=0)
    """Calls of tools, all servers together."""
    model_calls: int = Field(default=200, ge=0)
    """Calls of the model that the model door lets through, retries included."""
    tokens: int | None = Field(default=None, ge=1)
    """Input and output tokens of all calls of the model together."""
    cost_usd: float | None = Field(default=None, gt=0)
    """What all calls of the model may cost; only for a model whose price is known."""
    answer_bytes: int = Field(default=4_000_000, ge=1)
    """Bytes of the answer's file."""
    answer_records: int = Field(default=5_000, ge=1)
    """Items of all lists of a JSON answer together, or lines of a text."""
    scoring_seconds: float = Field(default=60, gt=0)
    """Seconds in which the answer is checked, and again in which it is scored; waiting for a judge does not count."""
    scoring_memory_mb: int = Field(default=2_048, ge=256)
    """Address space in MiB of the process that does it."""

    def changed(self, values: Mapping[str, float]) -> "FamilyLimits":
        """These limits with some of them replaced; BadInputError for one that is none or out of range."""
        try:
            return FamilyLimits.model_validate({**self.model_dump(), **values})
        except ValidationError as error:
            known = ", ".join(FamilyLimits.model_fields)
            raise BadInputError(
                "These limits cannot be set.", seen=describe_validation(error), next=f"There are {known}."
            ) from error


class FamilyTraffic(BaseModel):
    """Limits of what passes the doors of one trial that a family sets otherwise than ``gateway.traffic``: its agents
    send more, or shall be stopped sooner. Connections are not among them: all trials at once share the descriptors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    requests: int | None = Field(default=None, ge=1)
    refused: int | None = Field(default=None, ge=1)
    recorded_bytes: int | None = Field(default=None, ge=1)
    media_files: int | None = Field(default=None, ge=0)
    held_bytes: int | None = Field(default=None, ge=1)
    model_body_bytes: int | None = Field(default=None, ge=1)
    tool_body_bytes: int | None = Field(default=None, ge=1)
    header_seconds: float | None = Field(default=None, gt=0)
    body_seconds: float | None = Field(default=None, gt=0)


class ToolFilter(BaseModel):
    """Which tools of one server the agent sees: those allowed (all, where None) that are not denied."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    allow: list[str] | None = None
    deny: list[str] = Field(default_factory=list)

    def offers(self, tool: str) -> bool:
        """Whether the agent may see and call ``tool``."""
        return tool not in self.deny and (self.allow is None or tool in self.allow)


class ModelPolicy(BaseModel):
    """What an agent may ask its model's provider for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hosted_tools: list[str] = Field(default_factory=list)
    """Provider-side tools that the task opens, by the API's type (``web_search_20250305``) or its beginning
    (``web_search``); none by default."""
    models: list[str] = Field(default_factory=list)
    """Models that may be called beside the one that was chosen."""
    open_fields: list[str] = Field(default_factory=list)
    """Closed fields of requests that the task opens, such as ``previous_response_id``; see ``closed_names``."""
    extra_fields: list[str] = Field(default_factory=list)
    """Fields and kinds of parts that pincite does not know and the task's model takes; they pass unchecked."""
    source_hosts: list[Annotated[str, Field(pattern=HOST_PATTERN)]] = Field(default_factory=list)
    """Host names and ``*.suffix`` from which the provider may fetch pictures and files."""

    @field_validator("open_fields")
    @classmethod
    def _are_closed(cls, names: list[str]) -> list[str]:
        if unknown := sorted(set(names) - closed_names()):
            raise ValueError(
                f"no model API has a closed field {', '.join(unknown)}; there are {', '.join(sorted(closed_names()))} "
                "(a field of your own server goes into extra_fields)"
            )
        return names

    @field_validator("extra_fields")
    @classmethod
    def _are_not_closed(cls, names: list[str]) -> list[str]:
        if closed := sorted(set(names) & closed_names()):
            raise ValueError(f"{', '.join(closed)} goes into open_fields")
        return names


class WebPolicy(BaseModel):
    """The open web, for tasks that need it: a recording forward proxy that lets these hosts through."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    allowed_hosts: list[str] = Field(default_factory=list)
    """Host names and ``*.suffix``; port 443, and 80 without TLS. None: there is no web."""


class OpenWebPolicy(BaseModel):
    """What a run with ``--open-web`` opens beside what is open."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    allowed_hosts: list[Annotated[str, Field(pattern=HOST_PATTERN)]] = Field(min_length=1)
    """Host names and ``*.suffix``, as in ``[web]``."""
    hosted_tools: list[str] = Field(default_factory=list)
    """The provider's tools, as in ``[model]``."""
    wall_clock_seconds: float = Field(default=600, gt=0)
    """Seconds that the agent has at least."""


class ReportPolicy(BaseModel):
    """What reports of a family's runs show."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    by: list[str] = Field(default_factory=list)
    """Keys of the tasks' metadata (``type``, ``dimensions.domain``) that means are broken down by."""


class FamilySettings(BaseModel):
    """family.toml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=NAME_PATTERN)
    title: str = Field(min_length=1)
    version: int = Field(default=1, ge=1)
    servers: list[str] = Field(default_factory=list)
    """Names of the servers; family.toml may have ``[[servers]]`` tables instead."""
    scorer: str = Field(min_length=1)
    description: str = ""
    answer: str = Field(default="answer.json", pattern=ANSWER_PATTERN)
    """The file that the agent leaves: JSON, or a text, which schema.json then describes as a string."""
    nothing: str | None = None
    """Content of an answer file that answers nothing; None where no answer at all is the way to say so."""
    licence: str = ""
    """Licence of prompts, gold and papers, by its SPDX name; a record's metadata may name another."""
    parameters: dict[str, str | int | float | bool | list[str]] = Field(default_factory=dict)
    """Values of the prompt's placeholders for every task that does not set its own."""
    before: date | None = None
    """Works published on or after this day do not exist for the tasks, unless a record sets its own."""
    limits: FamilyLimits = Field(default_factory=FamilyLimits)
    traffic: FamilyTraffic = Field(default_factory=FamilyTraffic)
    tools: dict[str, ToolFilter] = Field(default_factory=dict)
    """Tool filters by server name."""
    model: ModelPolicy = Field(default_factory=ModelPolicy)
    web: WebPolicy = Field(default_factory=WebPolicy)
    open_web: OpenWebPolicy | None = None
    report: ReportPolicy = Field(default_factory=ReportPolicy)
    third_party: list[ServerDefinition] = Field(default_factory=list[ServerDefinition])
    """The servers among ``servers`` that are not pincite's: the ``[[servers]]`` tables with a command or an address."""

    @field_validator("servers")
    @classmethod
    def _once(cls, names: list[str]) -> list[str]:
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"{', '.join(twice)} is named twice")
        return names

    @property
    def own_servers(self) -> list[str]:
        """The servers that pincite brings."""
        others = {server.name for server in self.third_party}
        return [name for name in self.servers if name not in others]


@dataclass(frozen=True, slots=True)
class Family:
    """A loaded task family; ``digests`` are those of its files by name."""

    folder: Path
    settings: FamilySettings
    prompt: str
    schema: dict[str, Any]
    tasks: tuple[Task, ...]
    digests: dict[str, str]

    @property
    def name(self) -> str:
        """The name of family.toml."""
        return self.settings.name

    @property
    def asked(self) -> frozenset[str]:
        """The placeholders of the prompt."""
        return frozenset(_PLACEHOLDER.findall(self.prompt))

    @property
    def sets(self) -> dict[str, tuple[Task, ...]]:
        """The tasks by set, the standard one first."""
        found: dict[str, list[Task]] = {}
        for task in self.tasks:
            found.setdefault(task.set_name, []).append(task)
        return {name: tuple(tasks) for name, tasks in found.items()}

    def task(self, task_id: str) -> Task:
        """One task by id; NotFoundError with the ids there are."""
        for task in self.tasks:
            if task.task_id == task_id:
                return task
        raise NotFoundError(
            f"{self.name} has no task {task_id!r}.",
            seen=", ".join(task.task_id for task in self.tasks),
            next="Name one of these.",
        )

    def answer_schema(self, task: Task) -> dict[str, Any]:
        """The JSON Schema of one task's answer: its own, else the family's."""
        return self.schema if task.answer_schema is None else task.answer_schema

    def fill_prompt(self, task: Task) -> str:
        """The instruction for one task: its papers, files and parameters in place of the placeholders, lists as
        bullet lists, an empty one as "(none)"."""
        values: dict[str, Any] = {
            **task.parameters,
            "papers": list(task.paper_names),
            "files": [path.name for path in task.files],
        }
        return _PLACEHOLDER.sub(lambda found: _shown(values[found[1]]), self.prompt)


def load_family(folder: Path) -> Family:
    """Load and check a family folder; every fault is an error that names the file."""
    settings = _read_settings(folder / "family.toml")
    prompt = _read_text(folder / "prompt.md")
    records = record_files(folder)
    tasks = tuple(
        _make_task(folder, settings, record, name) for name, path in records.items() for record in read_records(path)
    )
    _check_ids(folder, tasks)
    _check_prompt(folder / "prompt.md", prompt, tasks)
    _check_web(folder / "family.toml", settings, tasks)
    schema = _read_schema(folder / "schema.json")
    names = ("family.toml", "prompt.md", "schema.json", *(path.name for path in records.values()))
    return Family(folder, settings, prompt, schema, tasks, {n: digest_bytes((folder / n).read_bytes()) for n in names})


def record_files(folder: Path) -> dict[str, Path]:
    """The files of a family's tasks by set: records.jsonl, which there must be, then each records-NAME.jsonl."""
    found = {STANDARD: folder / "records.jsonl"}
    for path in sorted(folder.glob("records-*.jsonl")):
        named = RECORD_FILE.fullmatch(path.name)
        if named is None or named["set"] in RESERVED_SETS:
            raise BadInputError(
                f"{path} names no set of tasks.",
                next=f"Call it records-NAME.jsonl, NAME in lower case and not {' or '.join(RESERVED_SETS)}.",
            )
        found[named["set"]] = path
    return found


def _check_ids(folder: Path, tasks: tuple[Task, ...]) -> None:
    """BadInputError where two sets have tasks of one id."""
    sets: dict[str, str] = {}
    for task in tasks:
        if (other := sets.setdefault(task.task_id, task.set_name)) != task.set_name:
            raise BadInputError(
                f"{folder}: the task {task.task_id!r} is in two sets.",
                seen=f"{other}, {task.set_name}",
                next="Give every task an id of its own.",
            )


def _make_task(folder: Path, settings: FamilySettings, record: Record, set_name: str) -> Task:
    inputs = record.inputs
    parameters: Parameters = {**settings.parameters, **inputs.parameters}
    schema = resolve_schema(folder, record)
    files = resolve_files(folder, record, "file", inputs.files)
    check_file_names(record, files, settings.answer)
    return Task(
        settings.name,
        record.task_id,
        resolve_files(folder, record, "paper", inputs.papers),
        record.gold,
        record.metadata,
        inputs.before or settings.before,
        files,
        parameters,
        resolve_corpus(folder, record),
        _read_schema(schema) if schema is not None else None,
        set_name,
    )


def _check_web(path: Path, settings: FamilySettings, tasks: tuple[Task, ...]) -> None:
    """BadInputError where agents could look past a task's made-up literature."""
    made_up = [task.task_id for task in tasks if task.corpus is not None]
    hosted = [tool for tool in settings.model.hosted_tools if tool.startswith(("web_", "google", "url"))]
    fields = [name for name in settings.model.open_fields if name in web_names()]
    ways = [*settings.web.allowed_hosts, *settings.model.source_hosts, *hosted, *fields, *settings.model.extra_fields]
    if made_up and ways:
        raise BadInputError(
            f"{path} lets agents out to the real web, and task {made_up[0]} sees a made-up literature.",
            seen=", ".join(ways),
            next="Drop these, or put the tasks without a corpus into a family of their own.",
        )


def _check_prompt(path: Path, prompt: str, tasks: tuple[Task, ...]) -> None:
    """BadInputError where a placeholder would stay empty, or papers or files of a task would not be named."""
    names = set(_PLACEHOLDER.findall(prompt))
    if wrong := [each for each in _ALMOST.findall(prompt) if not _PLACEHOLDER.fullmatch(each)]:
        raise BadInputError(
            f"{path} contains invalid placeholders.",
            seen=", ".join(wrong),
            next="Write {{name}}: lower case and underscores, no blanks.",
        )
    for task in tasks:
        given = {"papers": task.papers, "files": task.files}
        if missing := sorted(names - LISTED - set(task.parameters)):
            raise BadInputError(
                f"{path} has placeholders that task {task.task_id} does not fill.",
                seen=", ".join(missing),
                next="Give them in the record's inputs.parameters, or in [parameters] of family.toml; {{papers}} and "
                "{{files}} are filled in by themselves.",
            )
        if listed := sorted(LISTED & set(task.parameters)):
            raise BadInputError(
                f"Task {task.task_id} has a parameter {listed[0]!r}, which is filled in by itself.", next="Rename it."
            )
        for kind in sorted(LISTED - names):
            if given[kind]:
                raise BadInputError(
                    f"{path} does not name the {kind} of task {task.task_id}.",
                    next=f"Write {{{{{kind}}}}} where they belong.",
                )


def _shown(value: str | float | list[str]) -> str:
    if isinstance(value, list):
        return "\n".join(f"- {each}" for each in value) or "(none)"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise NotFoundError(f"There is no {path}.", next="A family needs this file.") from None
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not UTF-8.", seen=str(error), next="Save it as UTF-8.") from error


def _read_settings(path: Path) -> FamilySettings:
    try:
        settings = FamilySettings.model_validate(split_servers(tomllib.loads(_read_text(path))))
        placed = [server.placed(path.parent) for server in settings.third_party]
        settings = settings.model_copy(update={"third_party": placed})
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"{path} is not TOML.", seen=str(error), next="Correct the file.") from error
    except ValidationError as error:
        raise BadInputError(
            f"{path} does not describe a family.",
            seen=describe_validation(error),
            next=f"The keys are {', '.join(name for name in FamilySettings.model_fields if name != 'third_party')}; "
            f"those of [limits] are {', '.join(FamilyLimits.model_fields)}; those of [[servers]] are "
            f"{', '.join(ServerDefinition.model_fields)}.",
        ) from error
    unknown = sorted(set(settings.tools) - set(settings.servers))
    if unknown:
        raise BadInputError(
            f"{path} filters tools of servers that it does not name.", seen=", ".join(unknown), next="Add the servers."
        )
    return settings


def _read_schema(path: Path) -> dict[str, Any]:
    try:
        schema = orjson.loads(_read_text(path))
        jsonschema.Draft202012Validator.check_schema(schema)
    except orjson.JSONDecodeError as error:
        raise BadInputError(f"{path} is not JSON.", seen=str(error), next="Correct the file.") from error
    except jsonschema.SchemaError as error:
        raise BadInputError(f"{path} is not a JSON Schema.", seen=error.message, next="Correct the schema.") from error
    return schema
