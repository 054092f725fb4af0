"""Serper: Google's results (``POST https://google.serper.dev/search``).

Fields relied on: organic[].{title, link, snippet, date}; of an error: message. A key without credits is answered with
400 ("Not enough credits").
"""

import orjson

from pincite_core.errors import BadInputError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.sources.plain import plain
from pincite_literature.sources.record import Record
from pincite_literature.web.engine import Hit, Hits

POLICY = SourcePolicy("serper", "Serper", "https://google.serper.dev", Rate(5, 1.0, at_once=2))


class Serper:
    """The engine ``serper`` with PINCITE_SERPER_API_KEY."""

    policy = POLICY

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        key = settings.serper_api_key
        self._access = Access(headers={"X-API-KEY": key.get_secret_value() if key else ""})

    async def search(self, query: str, *, limit: int) -> Hits:
        """The first page of organic results."""
        answer = await self._web.post(
            POLICY,
            "search",
            orjson.dumps({"q": query, "num": limit}),
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
