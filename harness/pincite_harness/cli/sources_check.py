"""What ``pincite doctor --online`` says: whether each source on the web works from here."""

import asyncio
import importlib
from collections.abc import Sequence

import typer

from pincite_core.errors import BadInputError
from pincite_core.http.probe import Probe, Verdict, run_probes
from pincite_core.settings import load_settings

PROBES = ("pincite_literature.probes", "pincite_databases.probes", "pincite_provenance.probes")
"""Where servers say how their sources are asked, loaded by name like the servers themselves."""


def check_sources(names: Sequence[str]) -> None:
    """Ask these sources (all, without names) one question each and say how it went, as they answer."""
    probes = choose_probes(names)
    typer.echo("Asking each source one question …")
    working, asked = asyncio.run(_check(probes))
    typer.echo(f"{working} of {asked} sources work." if asked else "No source was asked.")


def choose_probes(names: Sequence[str]) -> list[Probe]:
    """The probes of the sources with these names, or all; BadInputError for a name that there is not."""
    known = {probe.source: probe for name in PROBES for probe in importlib.import_module(name).PROBES}
    if unknown := [name for name in names if name not in known]:
        raise BadInputError(
            f"There is no source {', '.join(unknown)}.", seen=", ".join(known), next="Give one of these to --source."
        )
    return [known[name] for name in dict.fromkeys(names)] or list(known.values())


async def _check(probes: Sequence[Probe]) -> tuple[int, int]:
    """How many of the sources that were asked work."""
    working = asked = 0
    async for verdict in run_probes(probes, load_settings()):
        _say(verdict)
        asked += not verdict.missing
        working += not verdict.missing and not verdict.trouble
    return working, asked


def _say(verdict: Verdict) -> None:
    probe = verdict.probe
    if verdict.missing:
        typer.echo(f"not set  {probe.source}: {probe.title} is asked only with {verdict.missing}")
        return
    mark = "failed " if verdict.trouble else "ok     "
    typer.echo(f"{mark}  {probe.source}: {verdict.trouble or f'{probe.title} answers'} [{verdict.seconds:.1f} s]")
    if verdict.remedy:
        typer.echo(f"         -> {verdict.remedy}")
