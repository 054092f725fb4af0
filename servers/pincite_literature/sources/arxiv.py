"""arXiv: preprints, by the arXiv API (Atom feeds of export.arxiv.org/api/query).

After the arXiv API User's Manual (https://info.arxiv.org/help/api/user-manual.html) and the Terms of Use (one request
in three seconds over one connection). At most 2,000 works a call and 30,000 a query; deeper pages are refused. The
manual's dates are UTC days of submission (``submittedDate:[YYYYMMDDHHMM TO YYYYMMDDHHMM]``).
Sometimes the API answers with an empty page although it counts works: it is asked once more, then that is an error.
"""

import re
from collections.abc import Sequence
from datetime import date

from anyio import to_thread

from pincite_core.errors import BadInputError, LimitReachedError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import DAY, Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature import identifiers
from pincite_literature.model import Identifiers, Work
from pincite_literature.sources.arxiv_feed import Feed, read_feed
from pincite_literature.sources.offset import offset_of
from pincite_literature.sources.query_words import checked_query, terms_of, words_of
from pincite_literature.sources.source import Page, Query
from pincite_literature.sources.window import Window

POLICY = SourcePolicy(
    name="arxiv",
    title="arXiv",
    base_url="https://export.arxiv.org",
    rate=Rate(requests=1, seconds=3.0, at_once=1),
    fresh_seconds=DAY,
    group="arxiv",
)
DEEPEST = 30_000
"""Most works that can be paged through for one query."""

_SORTS = {
    "relevance": ("relevance", "descending"),
    "newest": ("submittedDate", "descending"),
    "oldest": ("submittedDate", "ascending"),
}
_INITIALS = re.compile(r"[A-Z]{1,3}|(?:[A-Z]\.?-?){1,4}")
_MOST_BYTES = 16 << 20
"""Bytes of an answer that is read; a longer one is an error. Set by judgement."""


class Arxiv:
    """The source ``arxiv``."""

    most = 200

    def __init__(self, web: Web, settings: Settings) -> None:
        self.policy: SourcePolicy = POLICY
        self._web = web

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> Page:
        """Every word must occur in a work's metadata; ``venue`` is looked for in its journal reference."""
        asked = _written(query)
        window = Window.of(query)
        if query.open_access is False or window.empty:
            return Page((), total=0)
        unkept = [] if query.sort in _SORTS else ["sort"]
        if len(words_of(query.author)) > len(_names(query.author)):
            unkept.append("author")
        return await self._page(
            _dated(asked, window), limit, cursor, _SORTS.get(query.sort, _SORTS["relevance"]), unkept
        )

    async def query(self, text: str, *, limit: int, cursor: str | None = None, before: date | None = None) -> Page:
        """A query of arXiv: fields ti, au, abs, co, jr, cat, rn, all and submittedDate; AND, OR, ANDNOT."""
        asked = checked_query(text, source=POLICY.title)
        return await self._page(_dated(asked, Window().before(before)), limit, cursor, _SORTS["relevance"], ())

    async def work(self, ids: Identifiers) -> Work | None:
        """The newest version of a work, by arXiv id or arXiv's own DOI."""
        number = ids.arxiv or (identifiers.arxiv_of_doi(ids.doi) if ids.doi else None)
        return await self._one(number, number) if number else None

    async def version(self, arxiv_id: str, number: int) -> Work | None:
        """Version ``number`` (from 1) of a work, ``updated`` its day; None when there is none."""
        return await self._one(arxiv_id, f"{arxiv_id}v{number}")

    async def _one(self, number: str, named: str) -> Work | None:
        feed, _ = await self._ask((("id_list", named), ("max_results", "1")))
        if feed.refused:
            return None
        return next((work for work in feed.works if work.ids.arxiv == number), None)

    async def _page(
        self, asked: str, limit: int, cursor: str | None, sort: tuple[str, str], unkept: Sequence[str]
    ) -> Page:
        start = offset_of(cursor, POLICY.title)
        size = min(limit, self.most, DEEPEST - start)
        if size <= 0:
            raise LimitReachedError(
                f"arXiv shows only the first {DEEPEST:,} works of a query.",
                next="Narrow the query, by years for instance.",
            )
        params = (
            ("search_query", asked),
            ("start", str(start)),
            ("max_results", str(size)),
            ("sortBy", sort[0]),
            ("sortOrder", sort[1]),
        )
        feed, response = await self._ask(params)
        if feed.refused:
            raise BadInputError("arXiv rejected this query.", seen=feed.refused, next="Correct the query.")
        if not _stands(feed, start):
            raise response.malformed(f"it counts {feed.total} works and gives none of them")
        after = start + max(feed.entries, 1)
        more = feed.entries > 0 and after < feed.total
        return Page(feed.works, feed.total, str(after) if more else None, tuple(unkept))

    async def _ask(self, params: Sequence[tuple[str, str]]) -> tuple[Feed, Response]:
        """The feed that answers; a page that is empty although there are works is asked for once more.

        For an id that was never given the API counts one work, and gives none however often it is asked.
        """
        start = int(dict(params).get("start", "0"))
        feed, response = await self._get(params)
        if not _stands(feed, start):
            response.forget()
            feed, response = await self._get(params)
        return feed, response

    async def _get(self, params: Sequence[tuple[str, str]]) -> tuple[Feed, Response]:
        """A feed and the answer it came in; status 400 is a refusal, whether or not it says so in a feed."""
        response = await self._web.get(self.policy, "api/query", tuple(params), expect=(400,), most_bytes=_MOST_BYTES)
        try:
            return await to_thread.run_sync(read_feed, response), response
        except SourceError:
            if response.status != 400:
                raise
            return Feed((), 0, 0, refused="HTTP 400"), response


def _stands(feed: Feed, start: int) -> bool:
    return bool(feed.refused or feed.entries or feed.total <= start)


def _written(query: Query) -> str:
    """The words of a query in arXiv's language: each one quoted where it is more than letters and digits."""
    parts = [f"all:{_quoted(term.text, term.phrase)}" for term in terms_of(query.text)]
    parts += [f"au:{_quoted(name)}" for name in _names(query.author)]
    venue = " ".join(words_of(query.venue))
    if venue and venue.lower() not in ("arxiv", "arxiv.org"):
        parts.append(f"jr:{_quoted(venue, phrase=True)}")
    return " AND ".join(parts)


def _names(author: str) -> list[str]:
    """The words of a name that are more than initials: arXiv has some names in full, others not."""
    words = words_of(author)
    return [word for word in words if not _INITIALS.fullmatch(word)] or list(words)


def _quoted(text: str, phrase: bool = False) -> str:
    bare = text.replace('"', " ").replace("\\", " ").strip()
    return bare if bare.isalnum() and not phrase and bare not in ("AND", "OR", "ANDNOT") else f'"{bare}"'


def _dated(asked: str, window: Window) -> str:
    if window.first is None and window.last is None:
        return asked
    first, last = window.first or date(1991, 1, 1), window.last or date(2099, 12, 31)
    return f"({asked}) AND submittedDate:[{first:%Y%m%d}0000 TO {last:%Y%m%d}2359]"
