"""task.toml: what a Harbor task says of itself, by its schema 1.4. Unknown keys are ignored, as Harbor does."""

import re
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

NetworkMode = Literal["public", "no-network", "allowlist"]
ARTIFACTS = "/logs/artifacts"
"""The folder that is always collected."""
MAIN = "main"
"""The service that the agent runs in; a Dockerfile alone makes only this one."""
EXPORTER = "pincite"
"""What the tasks that pincite exported name as their source."""
_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*/[a-zA-Z0-9][a-zA-Z0-9._-]*\Z")
_SIZES = {"G": 1024.0, "M": 1.0, "K": 1 / 1024}


class _Table(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class Phase(_Table):
    """The network of one phase; None: that of the environment."""

    network_mode: NetworkMode | None = None
    allowed_hosts: list[str] | None = None

    @model_validator(mode="after")
    def _hosts_only_in_a_list(self) -> Self:
        if self.allowed_hosts and self.network_mode != "allowlist":
            raise ValueError('allowed_hosts needs network_mode = "allowlist"')
        return self


class AgentTable(Phase):
    """[agent]"""

    timeout_sec: float | None = Field(default=None, gt=0)
    user: str | int | None = None


class Healthcheck(_Table):
    """[environment.healthcheck]: a command that ends with 0 once the environment is ready."""

    command: str
    interval_sec: float = Field(default=5.0, ge=0)
    timeout_sec: float = Field(default=30.0, gt=0)
    start_period_sec: float = Field(default=0.0, ge=0)
    start_interval_sec: float = Field(default=5.0, ge=0)
    retries: int = Field(default=3, ge=1)


class McpServer(_Table):
    """[[environment.mcp_servers]]"""

    name: str = Field(min_length=1)
    transport: Annotated[
        Literal["stdio", "sse", "streamable-http"],
        BeforeValidator(lambda value: "streamable-http" if value == "http" else value),
    ] = "sse"
    url: str | None = None
    command: str | None = None
    args: list[str] = Field(default_factory=list)
    headers: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.transport == "stdio" and not self.command:
            raise ValueError("a stdio server needs a command")
        if self.transport != "stdio" and not self.url:
            raise ValueError(f"a server over {self.transport} needs a url")
        return self


class Environment(Phase):
    """[environment], and [verifier.environment]."""

    network_mode: NetworkMode | None = "public"
    build_timeout_sec: float = Field(default=600.0, gt=0)
    docker_image: str | None = None
    os: Annotated[Literal["linux", "windows"], BeforeValidator(lambda value: str(value).lower())] = "linux"
    cpus: float | None = Field(default=None, gt=0)
    memory_mb: int | None = Field(default=None, gt=0)
    storage_mb: int | None = Field(default=None, gt=0)
    gpus: int | None = None
    gpu_types: list[str] | None = None
    tpu: dict[str, Any] | None = None
    mcp_servers: list[McpServer] = Field(default_factory=list[McpServer])
    env: dict[str, str] = Field(default_factory=dict)
    skills_dir: str | None = None
    healthcheck: Healthcheck | None = None
    workdir: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _older_keys(cls, data: Any) -> Any:
        """``memory = "2G"``, ``storage`` and ``allow_internet`` are of older schemas."""
        if not isinstance(data, dict):
            return data
        table: dict[str, Any] = dict(data)  # pyright: ignore[reportUnknownArgumentType]
        for name in ("memory", "storage"):
            size = table.pop(name, None)
            if isinstance(size, str):
                table.setdefault(f"{name}_mb", _mebibytes(size))
        internet = table.pop("allow_internet", None)
        if internet is not None and "network_mode" not in table and table.get("allowed_hosts") is None:
            table["network_mode"] = "public" if internet else "no-network"
        return table


def _mebibytes(size: str) -> int:
    number, unit = size.strip()[:-1], size.strip()[-1:].upper()
    if unit not in _SIZES:
        raise ValueError(f"{size!r} is not a size such as 2G or 512M")
    return int(float(number) * _SIZES[unit])


def _inside(path: str) -> str:
    if ".." in PurePosixPath(path).parts:
        raise ValueError(f"{path!r} leads out of its folder")
    return path


class Artifact(_Table):
    """What is collected from the environment after the agent; ``destination`` is relative to the trial's folder of
    artifacts, where the source's own path is used without one."""

    source: Annotated[str, AfterValidator(_inside)]
    destination: Annotated[str | None, AfterValidator(lambda path: _inside(path) if path else None)] = None
    exclude: list[str] = Field(default_factory=list)
    service: str | None = None

    @field_validator("destination")
    @classmethod
    def _is_relative(cls, path: str | None) -> str | None:
        if path and (PurePosixPath(path).is_absolute() or "\\" in path or path.rstrip("/") == "manifest.json"):
            raise ValueError(f"{path!r} is not a relative path of its own")
        return path

    @property
    def place(self) -> PurePosixPath:
        """Where it lies below the folder of artifacts."""
        return PurePosixPath(*[part for part in PurePosixPath(self.destination or self.source).parts if part != "/"])


class Collect(_Table):
    """[[verifier.collect]]: a command that is run after the agent, before artifacts are collected."""

    command: str
    service: str = MAIN
    timeout_sec: float = Field(default=60.0, gt=0)
    user: str | int | None = None


class VerifierTable(Phase):
    """[verifier]"""

    timeout_sec: float = Field(default=600.0, gt=0)
    env: dict[str, str] = Field(default_factory=dict)
    user: str | int | None = None
    environment_mode: Literal["shared", "separate"] | None = None
    environment: Environment | None = None
    collect: list[Collect] = Field(default_factory=list[Collect])

    @model_validator(mode="after")
    def _shared_has_no_environment(self) -> Self:
        if self.environment_mode == "shared" and self.environment is not None:
            raise ValueError("a shared verifier has no environment of its own")
        return self

    @property
    def separate(self) -> bool:
        """Whether it runs in a container of its own."""
        return self.environment_mode == "separate" or (self.environment_mode is None and self.environment is not None)


class Package(_Table):
    """[task]"""

    name: str
    version: str | None = None
    description: str = ""

    @field_validator("name")
    @classmethod
    def _is_a_name(cls, name: str) -> str:
        if _NAME.match(name) is None or ".." in name:
            raise ValueError(f"{name!r} is not org/name")
        return name


class Solution(_Table):
    """[solution]"""

    env: dict[str, str] = Field(default_factory=dict)


class TaskConfig(_Table):
    """task.toml."""

    schema_version: str = "1.4"
    source: str | None = None
    task: Package | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    agent: AgentTable = Field(default_factory=AgentTable)
    verifier: VerifierTable = Field(default_factory=VerifierTable)
    solution: Solution = Field(default_factory=Solution)
    environment: Environment = Field(default_factory=Environment)
    artifacts: list[Artifact] = Field(default_factory=list[Artifact])
    steps: list[dict[str, Any]] | None = None

    @model_validator(mode="before")
    @classmethod
    def _older_keys(cls, data: Any) -> Any:
        """``version`` is the older name of ``schema_version``; an artifact may be given as its source alone."""
        if not isinstance(data, dict):
            return data
        table: dict[str, Any] = dict(data)  # pyright: ignore[reportUnknownArgumentType]
        if "version" in table:
            table.setdefault("schema_version", table.pop("version"))
        listed: list[Any] = table.get("artifacts") or []
        table["artifacts"] = [{"source": each} if isinstance(each, str) else each for each in listed]
        return table

    @property
    def collected(self) -> list[Artifact]:
        """What is collected: the folder of artifacts first, unless an entry names it itself."""
        own = [each.source.rstrip("/") == ARTIFACTS and each.service in (None, MAIN) for each in self.artifacts]
        return list(self.artifacts) if any(own) else [Artifact(source=ARTIFACTS), *self.artifacts]
