"""Probes: what each source of the literature server is asked to see whether it works."""

from collections.abc import Awaitable, Callable
from typing import Any

from pincite_core.http.client import Web
from pincite_core.http.probe import Probe
from pincite_core.lazy import load
from pincite_core.settings import Settings
from pincite_literature.catalog import PLACES, ROWS
from pincite_literature.model import Identifiers


def _work(place: str, ids: Identifiers) -> Callable[[Web, Settings], Awaitable[object]]:
    """Asks a source for one work."""

    async def ask(web: Web, settings: Settings) -> object:
        return await load(place)(web, settings).work(ids)

    return ask


def _engine(module: str, made: str) -> Callable[[Web, Settings], Awaitable[object]]:
    """Asks a search engine for one page; one query of the user's quota."""

    async def ask(web: Web, settings: Settings) -> object:
        return (await _class(f"web.{module}", made)(web, settings).search("citation", limit=1)).pages

    return ask


async def _unpaywall(web: Web, settings: Settings) -> object:
    return await _class("sources.unpaywall", "Unpaywall")(web, settings).links("10.1038/nature12373") is not None


async def _pmc(web: Web, settings: Settings) -> object:
    del settings
    policy = _class("fulltext.pmc", "POLICY")
    listed = (("list-type", "2"), ("prefix", "PMC5334499."), ("delimiter", "/"))
    return b"PMC5334499." in (await web.get(policy, "", listed, most_bytes=1 << 20)).content


async def _wikipedia(web: Web, settings: Settings) -> object:
    del settings
    return (await _class("wikipedia.api", "Wikipedia")(web, "en").search("citation", limit=1)).pages


def _class(module: str, name: str) -> Any:
    return load(f"pincite_literature.{module}:{name}")


PROBES = (
    *(Probe(row.name, row.title, _work(PLACES[row.name], row.probe)) for row in ROWS),
    Probe("unpaywall", "Unpaywall", _unpaywall, needs="contact"),
    Probe("pmc_cloud", "PMC", _pmc),
    Probe("wikipedia", "Wikipedia", _wikipedia),
    Probe("searxng", "SearXNG", _engine("searxng", "Searxng"), needs="searxng_url"),
    Probe("brave", "Brave Search", _engine("brave", "Brave"), needs="brave_api_key"),
    Probe("serper", "Serper", _engine("serper", "Serper"), needs="serper_api_key"),
    Probe("tavily", "Tavily", _engine("tavily", "Tavily"), needs="tavily_api_key"),
)
"""One probe a source, named like its policy."""
