"""Servers: how the MCP servers of a task are started on the host's side of the tool door."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pincite_core.errors import BadInputError
from pincite_core.servers import SERVERS as ENTRIES
from pincite_doors.template import ServerTemplate, can_fork
from pincite_doors.upstream import ServerLaunch
from pincite_harness.trial.server_models import ServerModels
from pincite_harness.trial.shared_library import SharedLibrary
from pincite_harness.trial.workspace import Workspace
from pincite_models.choice import KEY_VARIABLE
from pincite_sandbox.choose import SandboxKind
from pincite_sandbox.owner import owner_label
from pincite_sandbox.process import OWNER_VARIABLE
from pincite_tasks.family import Family, FamilySettings, ToolFilter
from pincite_tasks.server_definition import ServerDefinition
from pincite_tasks.task import Task
from pincite_tasks.web import WebChoice

Commands = Mapping[str, Sequence[str]]

_NOT_THEIRS = (KEY_VARIABLE, "PINCITE_TOOLS")
"""What settings begin with that are not for the servers of a trial: keys of the agent's models, and the tools, which
the family says."""

SERVERS: Commands = {name: (sys.executable, "-P", "-m", "pincite_harness", "serve", name) for name in ENTRIES}
"""Command of each server by name."""
_TEMPLATE = (sys.executable, "-P", "-m", "pincite_harness.cli.serve_template")
"""Command of the process that has imported them and forks each."""


def check_servers(family: Family, commands: Commands) -> None:
    """BadInputError when a family names a server that is not there, or calls one of its own by the name of ours."""
    unknown = sorted(set(family.settings.own_servers) - set(commands))
    if unknown:
        raise BadInputError(
            f"The family {family.name} names a server that does not exist: {', '.join(unknown)}.",
            seen=", ".join(sorted(commands)),
            next="Correct servers in its family.toml; a server of your own is a [[servers]] table with command or url.",
        )
    for server in family.settings.third_party:
        if server.name in commands:
            raise BadInputError(
                f"The family {family.name} defines a server {server.name}, which is the name of one of pincite's.",
                next="Give it another name, or leave out its command or url to take pincite's.",
            )


def change_servers(families: Sequence[Family], more: Sequence[str | ServerDefinition], less: Sequence[str]) -> list[
    FamilySettings
]:  # fmt: skip
    """The families' settings with the servers ``more`` (``--with``) and without the servers and tools ``less``
    (``--without S`` or ``S.TOOL``). BadInputError where a server is there already, or is in no family."""
    there = {name for family in families for name in family.settings.servers}
    there |= {each if isinstance(each, str) else each.name for each in more}
    for each in less:
        name = each.partition(".")[0]
        if name not in there:
            raise BadInputError(
                f"--without {each}: no task has the server {name}.",
                seen=", ".join(sorted(there)) or "no server at all",
                next="Name one of these, or SERVER.TOOL.",
            )
    return [_changed(family, more, less) for family in families]


def _changed(family: Family, more: Sequence[str | ServerDefinition], less: Sequence[str]) -> FamilySettings:
    settings = family.settings
    names, tools, third_party = list(settings.servers), dict(settings.tools), list(settings.third_party)
    for each in more:
        name = each if isinstance(each, str) else each.name
        if isinstance(each, ServerDefinition):
            if name in names:
                raise BadInputError(f"The family {family.name} has a server {name}.", next="Give --with another name.")
            third_party.append(each)
        if name not in names:
            names.append(name)
    for each in less:
        name, _, tool = each.partition(".")
        if tool and name in names:
            known = tools.get(name, ToolFilter())
            tools[name] = known.model_copy(update={"deny": [*known.deny, tool]})
        elif not tool:
            names = [other for other in names if other != name]
            tools.pop(name, None)
    third_party = [server for server in third_party if server.name in names]
    return settings.model_copy(update={"servers": names, "tools": tools, "third_party": third_party})


def check_live_servers(family: Family, task: Task, web: WebChoice) -> None:
    """BadInputError where a third-party server could look past the web that a task is promised: a recorded one, or a
    made-up literature."""
    live = [server.name for server in family.settings.third_party if not server.offline]
    if not live:
        return
    if task.corpus is not None and web.corpora:
        promise = f"task {task.task_id} sees a made-up literature alone"
    elif web.mode in ("record", "replay"):
        promise = f"--web {web.mode} promises that the same web is seen again"
    else:
        return
    raise BadInputError(
        f"The server {', '.join(live)} may reach the live web, and {promise}.",
        seen="what a third-party server fetches passes neither recording, replay nor cutoff",
        next=f"--without {live[0]}, or --web live. If it reaches no web: offline = true in its [[servers]] table, or "
        f"--offline {live[0]} beside --with.",
    )


def live_notices(families: Sequence[Family], web: WebChoice) -> list[str]:
    """What a run should say of third-party servers that may reach the live web, one line each."""
    notices: list[str] = []
    for family in families:
        days = {str(day) for task in family.tasks if (day := web.cutoff(task.before, None)) is not None}
        for server in family.settings.third_party:
            if not server.offline:
                cutoff = f"; the cutoff {min(days)} does not hold for it" if days else ""
                notices.append(f"{family.name}: the server {server.name} may reach the live web{cutoff}")
    return notices


def launch_server(
    name: str,
    workspace: Workspace,
    commands: Commands,
    web: Mapping[str, str],
    cache: Path,
    models: ServerModels,
    reached: Mapping[str, str],
    library: SharedLibrary | None = None,
    template: ServerTemplate | None = None,
) -> ServerLaunch:
    """A server that reads only the trial's papers and files and what it fetches for this trial, from the web that the
    variables ``web`` describe. It has a library of its own, or reads the run's shared ``library``; its claims stay in
    the trial's folder, and parsed papers are cached in the folder ``cache`` with those of all other trials. The user's
    own ``PINCITE_*`` variables reach it, sources' keys too (it runs on the host) but no model's, and the owner's label
    by which the reaper finds it. Models are those of the run: ``reached`` has the variables by which it asks them at
    the model door.
    """
    passing = [key for key in os.environ if key.startswith("PINCITE_") and not key.startswith(_NOT_THEIRS)]
    own = {key: os.environ[key] for key in passing if models.keeps(key)}
    env = own | {
        **models.settings_of(name),
        **reached,
        **web,
        OWNER_VARIABLE: owner_label(),
        "PINCITE_ROOTS": os.pathsep.join((str(workspace.papers), str(workspace.files))),
        "PINCITE_PAPERS_DIR": str(workspace.fetched),
        "PINCITE_LIBRARY_DIR": str(workspace.library),
        "PINCITE_LIBRARY_URI": "",
        "PINCITE_LEDGER": str(workspace.ledger),
        "PINCITE_ALLOW_URLS": "false",
        "PINCITE_CACHE_DIR": str(cache.resolve()),
        "PINCITE_LIBRARY_READ_ONLY": "false",
    }
    if library is not None:
        env |= library.variables()
    own_command = commands[name] == SERVERS.get(name)
    return ServerLaunch(
        name,
        commands[name],
        env,
        labelled=True,
        template=template if own_command else None,
        forked=("serve", name),
    )


def template_of(families: Iterable[Family]) -> ServerTemplate | None:
    """What forks the servers of these families; None where none can be forked, or they have none of pincite's."""
    names = {name for family in families for name in family.settings.own_servers}
    if not names or not can_fork():
        return None
    return ServerTemplate(_TEMPLATE, sorted(names), {OWNER_VARIABLE: owner_label()})


def workbench_variables(sandbox: SandboxKind, runtime: str) -> dict[str, str]:
    """The variables by which the workbench runs code in the trial's own kind of sandbox. A plain process is none for
    code: it then takes the best that is there, or refuses."""
    kinds: dict[SandboxKind, str] = {"docker": "docker", "local": "bubblewrap", "bubblewrap": "bubblewrap"}
    return {"PINCITE_WORKBENCH_SANDBOX": kinds.get(sandbox, "auto"), "PINCITE_WORKBENCH_RUNTIME": runtime}


def launch_third_party(server: ServerDefinition, papers: Path, scratch: Path) -> ServerLaunch:
    """A server that somebody else brings: it gets its own variables and few of the host's, and runs in its own folder
    or in a fresh one below ``scratch``. BadInputError where a variable is not set or its command is not there."""
    server.check_program()
    filled = server.filled(papers)
    if server.url:
        return ServerLaunch(
            server.name,
            (),
            url=filled.url,
            headers=filled.headers,
            start_seconds=server.start_timeout,
            call_seconds=server.timeout,
            secrets=tuple(server.secrets()),
        )
    folder = filled.cwd
    if not folder:
        fresh = scratch / server.name
        fresh.mkdir(parents=True, exist_ok=True)
        folder = str(fresh)
    return ServerLaunch(
        server.name,
        filled.words,
        {**filled.env, OWNER_VARIABLE: owner_label()},
        cwd=folder,
        start_seconds=server.start_timeout,
        call_seconds=server.timeout,
        secrets=tuple(server.secrets()),
    )


def secrets_of(servers: Sequence[ServerDefinition]) -> list[str]:
    """The values of their variables that no file may hold; those of a server whose variables are not set are told when
    it is launched."""
    found: list[str] = []
    for server in servers:
        with suppress(BadInputError):
            found += server.secrets()
    return found
