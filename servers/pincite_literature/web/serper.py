"""Serper: Google's results (``POST https://google.serper.dev/search``).

Fields relied on: organic[].{title, link, snippet, date}; of an error: message. A key without credits is answered with
400 ("Not enough credits").
``tbs`` is Google's range of dates (cdr:1,cd_min:4/1/2022,cd_max:7/30/2022), ``hl`` the language that it prefers.
"""

import orjson

from pincite_core.errors import BadInputError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.sources.plain import plain
from pincite_literature.sources.record import Record
from pincite_literature.web.engine import ANY, Hit, Hits, Window

POLICY = SourcePolicy("serper", "Serper", "https://google.serper.dev", Rate(5, 1.0, at_once=2))


class Serper:
    """The engine ``serper`` with PINCITE_SERPER_API_KEY."""

    policy = POLICY
    filters = frozenset({"dates"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        key = settings.serper_api_key
        self._access = Access(headers={"X-API-KEY": key.get_secret_value() if key else ""})

    async def search(self, query: str, *, limit: int, window: Window = ANY) -> Hits:
        """The first page of organic results."""
        answer = await self._web.post(
            POLICY,
            "search",
            orjson.dumps({"q": query, "num": limit, **_filters(window)}),
            headers={"Content-Type": "application/json"},
            access=self._access,
            expect=(400,),
        )
        frame = Record.frame(answer)
        if answer.status == 400:
            said = plain(frame.text("message"))[:200]
            if "credit" in said.lower():
                raise SourceError(
                    "Serper refused access.",
                    source="serper",
                    cause="refused",
                    seen=said,
                    next="Let the user buy credits or set another engine.",
                )
            raise BadInputError("Serper rejected this query.", seen=said)
        if "searchParameters" not in frame and "organic" not in frame:
            raise answer.malformed("it has neither 'searchParameters' nor 'organic'")
        pages = tuple(
            Hit(plain(row.text("title")), url, plain(row.text("snippet")), row.text("date")[:40])
            for row in frame.records("organic")
            if (url := row.address("link"))
        )
        return Hits(pages[:limit])


def _filters(window: Window) -> dict[str, str]:
    """The window in Google's words."""
    made: dict[str, str] = {}
    if window.after is not None or window.last is not None:
        parts = ["cdr:1"]
        for name, day in (("cd_min", window.after), ("cd_max", window.last)):
            if day is not None:
                parts.append(f"{name}:{day.month}/{day.day}/{day.year}")
        made["tbs"] = ",".join(parts)
    if window.language:
        made["hl"] = window.language
    return made
