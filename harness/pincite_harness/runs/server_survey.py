"""Survey: starts the third-party servers of a run once before its first trial, and notes what they offer."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

import mcp_types as types
from pydantic import BaseModel, ConfigDict

from pincite_core.errors import PinciteError, UnavailableError
from pincite_doors.redactor import Redactor
from pincite_doors.upstream import Upstream
from pincite_harness.trial.plan import TrialPlan
from pincite_harness.trial.servers import launch_third_party
from pincite_tasks.family import Family, ToolFilter
from pincite_tasks.files import digest_json
from pincite_tasks.server_definition import ServerDefinition


class ServerNote(BaseModel):
    """What a third-party server was when the run began: part of run.json, without a secret."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    place: str
    """Its command or its address, with variables by name."""
    version: str
    """As it says itself; empty where it does not."""
    tools: list[str]
    """The tools that agents are shown."""
    digest: str
    """Of its version and of the definitions of these tools as it listed them."""


def survey_servers(plans: Sequence[TrialPlan]) -> dict[str, ServerNote]:
    """Each third-party server by ``<family>/<name>``; UnavailableError, with the end of its standard error, where one
    does not start or lacks a tool that is allowed or denied."""
    families = {plan.family.name: plan.family for plan in plans}
    wanted = [(family, server) for family in families.values() for server in family.settings.third_party]
    return asyncio.run(_survey(wanted)) if wanted else {}


async def _survey(wanted: Sequence[tuple[Family, ServerDefinition]]) -> dict[str, ServerNote]:
    notes: dict[str, ServerNote] = {}
    with tempfile.TemporaryDirectory(prefix="pincite-survey-") as folder:
        for number, (family, server) in enumerate(wanted):
            place = Path(folder, str(number))
            (place / "papers").mkdir(parents=True)
            chosen = family.settings.tools.get(server.name, ToolFilter())
            notes[f"{family.name}/{server.name}"] = await _note(server, chosen, place)
    return notes


async def _note(server: ServerDefinition, chosen: ToolFilter, folder: Path) -> ServerNote:
    launch = launch_third_party(server, folder / "papers", folder / "scratch")
    upstream = Upstream(launch, folder / f"{server.name}.stderr.log")
    redactor = Redactor((), launch.secrets)
    try:
        await upstream.start(server.start_timeout)
        version, listed = upstream.version, upstream.tools
    except PinciteError as error:
        seen = redactor.clean(error.seen.encode()).decode()
        raise UnavailableError(
            f"The server {server.name} did not start.",
            seen=seen,
            next=f"Try its command by hand: {server.place}" if server.command else "Check its address and its headers.",
        ) from error
    finally:
        await upstream.stop()
    if missing := sorted({*(chosen.allow or ()), *chosen.deny} - set(listed)):
        raise UnavailableError(
            f"The server {server.name} has no tool {', '.join(missing)}, which is allowed or denied.",
            seen=", ".join(listed) or "no tools",
            next="Name its own tools.",
        )
    shown = {name: tool for name, tool in sorted(listed.items()) if chosen.offers(name)}
    return ServerNote(
        place=server.place, version=version, tools=list(shown), digest=_digest(version, [*shown.values()])
    )


def _digest(version: str, tools: Sequence[types.Tool]) -> str:
    definitions = [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in tools]
    return digest_json([version, definitions])
