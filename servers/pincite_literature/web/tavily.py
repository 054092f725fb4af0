"""Tavily: a search API for language models (``POST https://api.tavily.com/search``).

Fields relied on: results[].{title, url, content, published_date}; of an error: detail.error. 432 and 433 say that the
limit of the plan is reached.
"""

from typing import Any

import orjson

from pincite_core.errors import BadInputError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.sources.plain import plain
from pincite_literature.sources.record import Record
from pincite_literature.web.engine import ANY, Hit, Hits, Window

POLICY = SourcePolicy("tavily", "Tavily", "https://api.tavily.com", Rate(100, 60.0, at_once=2))
_MOST = 20
"""Results of one request (20 by its documentation)."""
_SPENT = (432, 433)
"""Statuses for a plan whose credits are used up, by its documentation."""


class Tavily:
    """The engine ``tavily`` with PINCITE_TAVILY_API_KEY."""

    policy = POLICY
    filters = frozenset({"dates"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        key = settings.tavily_api_key
        self._access = Access(headers={"Authorization": f"Bearer {key.get_secret_value() if key else ''}"})

    async def search(self, query: str, *, limit: int, window: Window = ANY) -> Hits:
        """The best results, without the answer that Tavily would write itself."""
        asked: dict[str, Any] = {"query": query, "max_results": min(limit, _MOST), "search_depth": "basic"}
        if window.after is not None:
            asked["start_date"] = window.after.isoformat()
        if window.last is not None:
            asked["end_date"] = window.last.isoformat()
        answer = await self._web.post(
            POLICY,
            "search",
            orjson.dumps(asked),
            headers={"Content-Type": "application/json"},
            access=self._access,
            expect=(400, *_SPENT),
        )
        frame = Record.frame(answer)
        if answer.status != 200:
            said = plain(frame.record("detail").text("error") or frame.text("detail"))[:200]
            if answer.status in _SPENT:
                raise SourceError(
                    "Tavily refused access.",
                    source="tavily",
                    cause="refused",
                    seen=said,
                    next="Let the user raise the limit of the plan or set another engine.",
                )
            raise BadInputError("Tavily rejected this query.", seen=said)
        pages = tuple(
            Hit(plain(row.text("title")), url, plain(row.text("content")), row.text("published_date")[:40])
            for row in frame.rows(answer, "results")
            if (url := row.address("url"))
        )
        return Hits(pages[:limit])
