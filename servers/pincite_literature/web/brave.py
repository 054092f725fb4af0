"""Brave Search: Web Search API v1 (``/res/v1/web/search``).

Fields relied on: web.results[].{title, url, description, page_age}; of an error: error.{code, detail}. A key that is
not taken is answered with 422 (SUBSCRIPTION_TOKEN_INVALID). Queries have at most 400 characters and 50 words.
``freshness`` takes a range of days (2022-04-01to2022-07-30), ``search_lang`` a language.
"""

from datetime import date

from pincite_core.errors import BadInputError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.sources.plain import plain
from pincite_literature.sources.record import Record
from pincite_literature.web.engine import ANY, Hit, Hits, Window

POLICY = SourcePolicy("brave", "Brave Search", "https://api.search.brave.com", Rate(1, 1.0, at_once=1))
_MOST = 20
"""Results of one request (20 by its documentation)."""
_FIRST_DAY = date(1990, 1, 1)
"""Before the first page of the web: a range of dates needs both ends."""


class Brave:
    """The engine ``brave`` with PINCITE_BRAVE_API_KEY."""

    policy = POLICY
    filters = frozenset({"dates", "language"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        key = settings.brave_api_key
        self._access = Access(headers={"X-Subscription-Token": key.get_secret_value() if key else ""})

    async def search(self, query: str, *, limit: int, window: Window = ANY) -> Hits:
        """The first page of results."""
        asked = [("q", query), ("count", str(min(limit, _MOST))), ("text_decorations", "false")]
        if window.after is not None or window.before is not None:
            first, last = window.after or _FIRST_DAY, window.last or date.today()  # noqa: DTZ011 - a day, as Brave has it
            asked.append(("freshness", f"{first}to{last}"))
        if window.language:
            asked.append(("search_lang", window.language))
        answer = await self._web.get(
            POLICY,
            "res/v1/web/search",
            tuple(asked),
            headers={"Accept": "application/json"},
            access=self._access,
            expect=(400, 422),
        )
        frame = Record.frame(answer)
        if answer.status in (400, 422):
            error = frame.record("error")
            code, detail = error.text("code"), plain(error.text("detail"))[:200]
            if "TOKEN" in code:
                raise SourceError(
                    "Brave Search refused access.",
                    source="brave",
                    cause="refused",
                    seen=f"{code}: {detail}",
                    next="Let the user correct PINCITE_BRAVE_API_KEY.",
                )
            raise BadInputError("Brave Search rejected this query.", seen=f"{code}: {detail}")
        if "type" not in frame and "web" not in frame:
            raise answer.malformed("it has neither 'type' nor 'web'")
        pages = tuple(
            Hit(plain(row.text("title")), url, plain(row.text("description")), row.text("page_age")[:10])
            for row in frame.record("web").records("results")
            if (url := row.address("url"))
        )
        return Hits(pages[:limit])
