"""Gather: open full texts that a query finds, fetched by the literature server into the folder of papers."""

import importlib
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, cast

import orjson
from mcp import Client

from pincite_core.errors import BadInputError, PinciteError, UnavailableError
from pincite_core.servers import SERVERS
from pincite_core.settings import Settings

PREFER = ("latex", "pdf", "jats", "html")
"""Formats in the order that is tried: those with pictures first, without which figures make no task."""
_IDS = ("doi", "arxiv", "pmcid", "pmid", "openalex", "s2")
"""Names by which a found work is fetched, the first that it has."""
_PAGE = 50
"""Works of one call of search_papers, its most."""
_PATIENCE = 5
"""Works looked at for each paper that is wanted: a query of closed works ends (set by judgement)."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wish:
    """What is searched for: words, years as search_papers takes them ("2024-"), and how many papers are wanted."""

    query: str
    years: str = ""
    papers: int = 20


@dataclass(slots=True)
class Gathered:
    """The files of the papers (fetched now or before), and how many works had none, by what was said of them."""

    files: dict[str, str] = field(default_factory=dict[str, str])
    without: Counter[str] = field(default_factory=Counter[str])


async def gather(wish: Wish, settings: Settings, say: Say, gathered: Gathered) -> None:
    """Fetch up to ``wish.papers`` open full texts into ``settings.papers_dir`` and ``say`` a line for each; what is
    there is not fetched again.

    UnavailableError where the search itself fails; a work that cannot be fetched is counted with its reason, and those
    that are retracted are passed over. BadInputError where nothing is found.
    """
    module = importlib.import_module(SERVERS["literature"].module)
    failed: PinciteError | None = None
    seen = 0
    async with Client(module.create_server(settings)) as client:
        try:
            seen = await _take(client, wish, gathered, say)
        except PinciteError as error:  # raised below: the client's task group would wrap it
            failed = error
    if failed is not None:
        raise failed
    if not seen:
        raise BadInputError(f"Nothing was found for {wish.query!r}.", next="Try other words or years.")


async def _take(client: Client, wish: Wish, gathered: Gathered, say: Say) -> int:
    """Fetch one found work after another until there are enough; how many were looked at."""
    before, seen = len(gathered.files), 0
    async with aclosing(_found(client, wish)) as works:
        async for work in works:
            seen += 1
            if not work.get("retracted"):
                await _fetch(client, work, gathered, say)
            if len(gathered.files) - before >= wish.papers or seen >= wish.papers * _PATIENCE:
                break
    return seen


async def _fetch(client: Client, work: dict[str, Any], gathered: Gathered, say: Say) -> None:
    name = next((str(work[kind]) for kind in _IDS if work.get(kind)), "")
    title = str(work.get("title", name))
    if not name or title in gathered.files.values():
        return
    try:
        text = await _call(client, "fetch_fulltext", id=name, prefer=list(PREFER))
    except UnavailableError as error:
        gathered.without["could not be fetched"] += 1
        say(f"not fetched: {title}: {error.short()}")
        return
    if text.get("state") != "full_text":
        gathered.without["have no open full text" if text.get("state") == "abstract_only" else "are unsure"] += 1
        say(f"no open text: {title}")
        return
    gathered.files[str(text["path"])] = title
    say(f"fetched: {title} ({text.get('format')}, {text.get('licence')})")


async def _found(client: Client, wish: Wish) -> AsyncGenerator[dict[str, Any]]:
    """The works that search_papers finds, page after page, each once."""
    cursor: str | None = ""
    seen: set[str] = set()
    while cursor is not None:
        page = await _call(
            client, "search_papers", query=wish.query, year=wish.years, open_access=True, limit=_PAGE, cursor=cursor
        )
        for work in cast("list[dict[str, Any]]", page["works"]):
            key = str(work.get("doi") or work.get("title"))
            if key not in seen:
                seen.add(key)
                yield work
        cursor = page.get("next_cursor")


async def _call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer of a tool; UnavailableError with its words where it fails."""
    result = await client.call_tool(tool, arguments)
    text = "".join(getattr(block, "text", "") for block in result.content)
    if result.is_error:
        raise UnavailableError(f"{tool} failed.", seen=" ".join(text.split())[:300])
    return cast("dict[str, Any]", result.structured_content or orjson.loads(text))
