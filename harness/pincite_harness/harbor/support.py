"""What of Harbor's tasks is run here: everything else is refused before anything runs, with all reasons at once."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from pincite_core.errors import BadInputError, PinciteError
from pincite_doors.web.allowed import AllowedHosts
from pincite_harness.agents.agent import Agent
from pincite_harness.harbor.config import MAIN, Environment, McpServer, Phase
from pincite_harness.harbor.task import HarborTask
from pincite_harness.harbor.templates import fill

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_SERVER_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_SHOWN, _NAMED = 12, 3
"""Reasons, and tasks of one reason, that an error names."""
PublicNetwork = list[str] | None
"""What a task with a public network may reach here: hosts (none of them: no network), or None: it is refused."""


@dataclass(frozen=True, slots=True)
class Network:
    """The hosts that each phase may reach through the web door; empty: no network."""

    agent: tuple[str, ...]
    verifier: tuple[str, ...]


def check_tasks(tasks: Sequence[HarborTask], agent: Agent, public: PublicNetwork) -> None:
    """BadInputError with every reason why a task cannot be run as it is meant, each told once."""
    found: dict[str, list[str]] = {}
    for task in tasks:
        for reason in _reasons(task, agent, public):
            found.setdefault(reason, []).append(task.task_id)
    if found:
        reasons = [f"{', '.join(_first(names, _NAMED))}: {reason}" for reason, names in found.items()]
        raise BadInputError(
            "Harbor tasks that cannot be run here.",
            seen="; ".join(_first(reasons, _SHOWN)),
            next="Leave them out (--task names those to run), or run them with Harbor itself.",
        )


def _first(words: Sequence[str], most: int) -> list[str]:
    return [*words[:most], *([f"and {len(words) - most} more"] if len(words) > most else [])]


def network_of(task: HarborTask, public: PublicNetwork) -> Network:
    """The network of each phase; BadInputError for a public one that nothing was said about, or for an entry of a list
    that is not a host."""
    config = task.config
    own = config.verifier.environment
    verifying = own if config.verifier.separate and own is not None else config.environment
    return Network(
        _hosts(config.agent, config.environment, "agent", public),
        _hosts(config.verifier, verifying, "verifier", public),
    )


def _hosts(
    phase: Phase, environment: Environment, role: Literal["agent", "verifier"], public: PublicNetwork
) -> tuple[str, ...]:
    effective = phase if phase.network_mode is not None else environment
    if effective.network_mode == "allowlist":
        hosts = effective.allowed_hosts or []
    elif effective.network_mode == "no-network":
        hosts = []
    elif public is None:
        raise BadInputError(
            f"its {role} has a public network (--harbor-network none runs it sealed, --harbor-network HOST,… opens "
            "these hosts through the web door)"
        )
    else:
        hosts = public
    AllowedHosts(hosts)
    return tuple(hosts)


def _reasons(task: HarborTask, agent: Agent, public: PublicNetwork) -> Iterator[str]:
    config = task.config
    if config.steps:
        yield "it has several steps"
        return
    for name, environment in (
        ("environment", config.environment),
        ("verifier.environment", config.verifier.environment),
    ):
        if environment is not None:
            yield from (f"{name}: {reason}" for reason in _of_environment(environment))
    yield from _of_folder(task, agent)
    named = [artifact.service for artifact in config.artifacts] + [hook.service for hook in config.verifier.collect]
    if others := sorted({name for name in named if name not in (None, MAIN)}):
        yield f"it collects from other services ({', '.join(others)})"
    for server in config.environment.mcp_servers:
        yield from _of_server(server)
    try:
        network_of(task, public)
        fill(config.environment.env, "the environment")
        fill(config.solution.env if agent.needs_gold else {}, "the solution")
        fill(config.verifier.env, "the verifier")
    except PinciteError as error:
        yield error.short()


def _of_environment(environment: Environment) -> Iterator[str]:
    if environment.os == "windows":
        yield "it is for Windows"
    if environment.gpus:
        yield "it needs a GPU"
    if environment.tpu is not None:
        yield "it needs a TPU"


def _of_folder(task: HarborTask, agent: Agent) -> Iterator[str]:
    for folder in (task.environment, task.tests):
        if (folder / "docker-compose.yaml").is_file():
            yield f"{folder.name}/docker-compose.yaml (services beside the main one are not run)"
    if task.config.environment.docker_image is None and not (task.environment / "Dockerfile").is_file():
        yield "environment/ has no Dockerfile, and environment.docker_image names no image"
    if (task.folder / "trajectory.json").is_file():
        yield "trajectory.json (agents begin without a session here)"
    if (task.folder / ".harborignore").is_file():
        yield ".harborignore (all files are copied here)"
    if agent.needs_gold and not (task.solution / "solve.sh").is_file():
        yield f"there is no solution/solve.sh for {agent.name}"


def _of_server(server: McpServer) -> Iterator[str]:
    if _SERVER_NAME.match(server.name) is None:
        yield f"the server {server.name!r} has a name that is not part of an address"
    if server.transport == "sse":
        yield f"the server {server.name} speaks SSE (stdio and streamable-http are spoken here)"
    elif server.transport != "stdio" and (urlsplit(server.url or "").hostname or "") not in _LOOPBACK:
        yield f"the server {server.name} is at {server.url}, outside of the container"
    if server.headers:
        yield f"the server {server.name} wants headers ({', '.join(server.headers)}), which are not passed on here"
