"""Europe PMC: PubMed, PMC, preprints and more of the life sciences, by the Articles RESTful API 6.9.

After https://europepmc.org/RestfulWebService and the search syntax reference (https://europepmc.org/searchsyntax).
Pages are followed by ``cursorMark``, without a stated depth; lists of citations and references by page numbers of up to
1,000. No rate is published for the API: at most 5 requests a second are sent.
"""

import re
from collections.abc import Sequence
from datetime import date

from pincite_core.errors import BadInputError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.outcomes import failure
from pincite_core.http.policy import DAY, Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.model import CitationLink, Identifiers, Work
from pincite_literature.sources.europe_pmc_works import identifiers_of, work_of
from pincite_literature.sources.offset import offset_of
from pincite_literature.sources.query_words import checked_query, person_of, terms_of, words_of
from pincite_literature.sources.record import Record
from pincite_literature.sources.source import LinkPage, Page, Query
from pincite_literature.sources.window import Window

POLICY = SourcePolicy(
    name="europe_pmc",
    title="Europe PMC",
    base_url="https://www.ebi.ac.uk/europepmc/webservices/rest",
    rate=Rate(requests=5, seconds=1.0, at_once=4),
    fresh_seconds=DAY,
    group="europe_pmc",
)
_SORTS = {"relevance": "", "newest": "FIRST_PDATE_D desc", "oldest": "FIRST_PDATE_D asc", "cited": "CITED desc"}
_FIRST = "*"
_RANKS = ("MED", "PMC", "PPR")
"""Which of several records with the asked-for identifier is the work's: PubMed's, PMC's, then a preprint's."""
_MOST_BYTES = 32 << 20
"""Bytes of an answer that is read; a longer one is an error. Set by judgement."""


class EuropePmc:
    """The source ``europe_pmc``."""

    most = 200

    def __init__(self, web: Web, settings: Settings) -> None:
        self.policy: SourcePolicy = POLICY
        self._web = web
        self._base_url = settings.source_urls.get(POLICY.name, POLICY.base_url)

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> Page:
        """Every word must occur in a work (its full text included where it is held); authors by their family name."""
        asked, unkept = _written(query)
        window = Window.of(query)
        if window.empty:
            return Page((), total=0, unkept=unkept)
        return await self._page(_dated(asked, window), limit, cursor, _SORTS[query.sort], unkept)

    async def query(self, text: str, *, limit: int, cursor: str | None = None, before: date | None = None) -> Page:
        """A query of Europe PMC: fields such as TITLE, AUTH, JOURNAL, SRC, EXT_ID, OPEN_ACCESS, FIRST_PDATE."""
        asked = checked_query(text, source=POLICY.title)
        return await self._page(_dated(asked, Window().before(before)), limit, cursor, "", ())

    async def work(self, ids: Identifiers) -> Work | None:
        """The work by PMID, PMCID or DOI; of several records PubMed's comes before PMC's and a preprint's."""
        record = await self._record(ids)
        return work_of(record, base_url=self._base_url) if record is not None else None

    async def citations(self, ids: Identifiers, *, limit: int, cursor: str | None = None) -> LinkPage | None:
        """Works that cite this one, as short records: a year, no abstract."""
        return await self._links(ids, "citations", limit, cursor)

    async def references(self, ids: Identifiers, *, limit: int, cursor: str | None = None) -> LinkPage | None:
        """Works that this one cites, as short records; None when its references are not known."""
        return await self._links(ids, "references", limit, cursor)

    async def _record(self, ids: Identifiers) -> Record | None:
        for question, kind in _lookups(ids):
            frame, response = await self._search((("query", question), ("pageSize", "25"), ("cursorMark", _FIRST)))
            wanted = getattr(ids, kind)
            found = [one for one in _results(frame, response) if getattr(identifiers_of(one), kind) == wanted]
            if found:
                return min(found, key=_rank)
        return None

    async def _page(self, asked: str, limit: int, cursor: str | None, sort: str, unkept: Sequence[str]) -> Page:
        size, mark = max(1, min(limit, self.most)), cursor or _FIRST
        params = [("query", asked), ("pageSize", str(size)), ("cursorMark", mark)]
        frame, response = await self._search((*params, ("sort", sort)) if sort else tuple(params))
        results, total = _results(frame, response), frame.number("hitCount")
        if total and not results and mark == _FIRST:
            raise response.malformed(f"it counts {total} works and gives none of them")
        works = (work_of(one, base_url=self._base_url) for one in results)
        following = frame.text("nextCursorMark")
        more = len(results) >= size and following not in ("", mark)
        return Page(
            tuple(work for work in works if work is not None), total, following if more else None, tuple(unkept)
        )

    async def _search(self, params: Sequence[tuple[str, str]]) -> tuple[Record, Response]:
        fixed = (("format", "json"), ("resultType", "core"))
        response = await self._web.get(self.policy, "search", (*params, *fixed), most_bytes=_MOST_BYTES)
        return self._frame(response), response

    def _frame(self, response: Response) -> Record:
        """The object that a body is; what it says of an error, which comes with status 200 too, is raised."""
        frame = Record.frame(response)
        if "errMsg" in frame or "errCode" in frame:
            code, words = frame.number("errCode") or 0, frame.text("errMsg")
            if 400 <= code < 500 and code != 429:
                raise BadInputError(f"{POLICY.title} rejected this query.", seen=words, next="Correct the query.")
            response.forget()
            seen = f"{code} {words}".strip()
            raise failure(response.request, "server_error", f"{POLICY.title} answered with an error.", seen)
        if frame.number("hitCount") is None:
            raise response.malformed("it does not say how many works it counts (hitCount)")
        return frame

    async def _links(self, ids: Identifiers, name: str, limit: int, cursor: str | None) -> LinkPage | None:
        offset = offset_of(cursor, POLICY.title)
        named = ("MED", ids.pmid) if ids.pmid else await self._named(ids)
        if named is None:
            return None
        size = _page_size(offset, max(1, min(limit, self.most)))
        params = (("page", str(offset // size + 1)), ("pageSize", str(size)), ("format", "json"))
        place = f"{named[0]}/{named[1]}/{name}"
        response = await self._web.get(self.policy, place, params, expect=(404,), most_bytes=_MOST_BYTES)
        if response.status == 404:
            return None
        frame = self._frame(response)
        total = frame.number("hitCount") or 0
        if not total:
            known = name == "citations" and await self._record(ids) is not None
            return LinkPage((), total=0) if known else None
        one = name[:-1]
        listed = frame.record(f"{one}List").rows(response, one)
        links = tuple(CitationLink(work) for record in listed if (work := work_of(record)) is not None)
        after = offset + size
        return LinkPage(links, total, str(after) if listed and after < total else None)

    async def _named(self, ids: Identifiers) -> tuple[str, str] | None:
        """Source and id by which Europe PMC itself names a work."""
        record = await self._record(ids)
        source, own = (record.text("source"), record.text("id")) if record is not None else ("", "")
        return (source, own) if re.fullmatch(r"[A-Z]{3}", source) and re.fullmatch(r"[\w-]{1,40}", own) else None


def _written(query: Query) -> tuple[str, tuple[str, ...]]:
    """The words of a query in Europe PMC's language, and what of it that language cannot keep."""
    parts = [_quoted(term.text, term.phrase) for term in terms_of(query.text)]
    unkept: list[str] = []
    family, initials = person_of(query.author)
    if family:
        parts.append(f"AUTH:{_quoted(family, phrase=True)}")
    if initials:
        unkept.append("author")
    if venue := " ".join(words_of(query.venue)):
        parts.append(f"JOURNAL:{_quoted(venue, phrase=True)}")
    if query.open_access is not None:
        parts.append(f"OPEN_ACCESS:{'y' if query.open_access else 'n'}")
    return " AND ".join(parts), tuple(unkept)


def _quoted(text: str, phrase: bool = False) -> str:
    bare = text.replace('"', " ").replace("\\", " ").strip()
    return bare if bare.isalnum() and not phrase else f'"{bare}"'


def _dated(asked: str, window: Window) -> str:
    if window.first is None and window.last is None:
        return asked
    first, last = window.first or date(1000, 1, 1), window.last or date(3000, 12, 31)
    return f"({asked}) AND (FIRST_PDATE:[{first.isoformat()} TO {last.isoformat()}])"


def _lookups(ids: Identifiers) -> list[tuple[str, str]]:
    """The questions for a work, with the kind of identifier that the record found must have."""
    asked: list[tuple[str, str]] = []
    if ids.pmid:
        asked.append((f"EXT_ID:{ids.pmid} AND SRC:MED", "pmid"))
    if ids.pmcid:
        asked.append((f"PMCID:{ids.pmcid}", "pmcid"))
    if ids.doi:
        asked.append((f"DOI:{_quoted(ids.doi, phrase=True)}", "doi"))
    return asked


def _results(frame: Record, response: Response) -> tuple[Record, ...]:
    listed = frame.record("resultList")
    return listed.rows(response, "result") if frame.number("hitCount") or "result" in listed else ()


def _rank(record: Record) -> int:
    source = record.text("source")
    return _RANKS.index(source) if source in _RANKS else len(_RANKS)


def _page_size(offset: int, most: int) -> int:
    """The largest size up to ``most`` of which ``offset`` is a whole number of pages."""
    return next(size for size in range(most, 0, -1) if offset % size == 0)
