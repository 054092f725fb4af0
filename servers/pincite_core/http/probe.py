"""Probe: one request to a source, to see whether it works from this machine."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from pincite_core.errors import NotFoundError, PinciteError
from pincite_core.http.client import Web
from pincite_core.http.opening import open_web
from pincite_core.settings import Settings


@dataclass(frozen=True, slots=True)
class Probe:
    """How to ask one source: ``ask`` is true when it answers with what every copy of it knows, and raises an outage."""

    source: str
    title: str
    ask: Callable[[Web, Settings], Awaitable[object]]
    needs: str = ""
    """The settings field without which the source is not asked."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How it went: ``trouble`` is empty when the source works, ``missing`` names the variable that is not set."""

    probe: Probe
    seconds: float = 0.0
    trouble: str = ""
    remedy: str = ""
    missing: str = ""


async def run_probes(probes: Sequence[Probe], settings: Settings) -> AsyncGenerator[Verdict]:
    """Yields a verdict on each source as it arrives; all are asked at once, without cache or recording."""
    live = settings.model_copy(update={"cache_max_bytes": 0, "http_mode": "live", "http_store": None})
    web = open_web(live)
    async with web.lifespan():
        asking = [asyncio.create_task(_verdict(probe, web, live)) for probe in probes]
        try:
            for following in asyncio.as_completed(asking):
                yield await following
        finally:
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)


async def _verdict(probe: Probe, web: Web, settings: Settings) -> Verdict:
    if probe.needs and not getattr(settings, probe.needs):
        return Verdict(probe, missing=f"PINCITE_{probe.needs.upper()}")
    started = time.monotonic()
    trouble, remedy = "", ""
    try:
        if not await probe.ask(web, settings):
            trouble = f"{probe.title} answered, but not with what it was asked for."
    except NotFoundError:
        trouble = f"{probe.title} answered, but not with what it was asked for."
    except PinciteError as error:
        trouble, remedy = error.bracketed(), error.next
    return Verdict(probe, time.monotonic() - started, trouble, remedy)
