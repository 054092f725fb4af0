"""SearXNG: a search engine that the user runs (search API of 2026: ``/search?format=json``).

Fields relied on: results[].{url, title, content, publishedDate}, unresponsive_engines[] (pairs of name and reason).
"""

from pincite_core.errors import SourceError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.sources.plain import plain
from pincite_literature.sources.record import Record
from pincite_literature.web.engine import ANY, Hit, Hits, Window

_MOST_NAMED = 10
"""Engines without an answer that are named."""


class Searxng:
    """The engine ``searxng`` at PINCITE_SEARXNG_URL. Its ranges of time end today: dates are none of them."""

    filters = frozenset({"language"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self.policy = SourcePolicy("searxng", "SearXNG", settings.searxng_url, Rate(5, 1.0, at_once=2), trusted=True)

    async def search(self, query: str, *, limit: int, window: Window = ANY) -> Hits:
        """The first page of results; SourceError ("refused") where JSON is switched off."""
        asked = [("q", query), ("format", "json")]
        if window.language:
            asked.append(("language", window.language))
        response = await self._web.get(self.policy, "search", tuple(asked), expect=(403,))
        if response.status == 403:
            raise SourceError(
                "SearXNG refused access.",
                source="searxng",
                cause="refused",
                seen="HTTP 403, as where the JSON format is switched off or its limiter takes us for a robot",
                next="Let the user add json to search.formats in its settings.yml (formats: [html, json]) "
                "or pass this machine in its limiter.",
            )
        frame = Record.frame(response)
        rows = frame.rows(response, "results")
        pages = tuple(
            Hit(plain(row.text("title")), url, plain(row.text("content")), row.text("publishedDate")[:10])
            for row in rows
            if (url := row.address("url"))
        )
        return Hits(pages[:limit], _unresponsive(response))


def _unresponsive(response: Response) -> tuple[str, ...]:
    """What SearXNG says of the engines that did not answer it."""
    pairs = response.json().get("unresponsive_engines")
    if not isinstance(pairs, list):
        return ()
    named: list[str] = []
    for pair in pairs[:_MOST_NAMED]:  # pyright: ignore[reportUnknownVariableType]
        parts = pair if isinstance(pair, list) else [pair]  # pyright: ignore[reportUnknownVariableType]
        named.append(": ".join(plain(part)[:100] for part in parts[:2] if isinstance(part, str)))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return tuple(f"SearXNG could not ask {name}." for name in named if name)
