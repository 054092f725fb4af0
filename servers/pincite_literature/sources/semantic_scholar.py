"""Semantic Scholar: papers and who cites whom, and how (Academic Graph API v1 and Recommendations API v1).

Limits: one request a second with a key; without one all callers of the world share a pool that often answers 429.
Relevance search reaches the first 999 papers, lists of citations the first 9,999; bulk search all, 1,000 a request.
"""

import re
from collections.abc import Mapping
from datetime import date
from urllib.parse import quote

from pincite_core.errors import BadInputError, NotFoundError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import NO_ACCESS, Access, Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.identifiers import arxiv_of_doi
from pincite_literature.model import Identifiers, Work
from pincite_literature.sources.native import advise_key, refusal
from pincite_literature.sources.offset import offset_of
from pincite_literature.sources.query_words import checked_query, terms_of, words_of
from pincite_literature.sources.record import Record
from pincite_literature.sources.semantic_scholar_papers import FIELDS, LINK_FIELDS, NAME, link_of, work_of
from pincite_literature.sources.source import LinkPage, Page, Query, Sort
from pincite_literature.sources.window import Window
from pincite_papers.characters import clean

POLICY = SourcePolicy(NAME, "Semantic Scholar", "https://api.semanticscholar.org", Rate(1, 1.0, at_once=1))

_GRAPH = "graph/v1/paper"
_REACH = 999
"""Works that offsets reach in a search (1,000 by its documentation)."""
_LINKS_REACH = 9_999
"""Citations that offsets reach (10,000 by its documentation)."""
_MOST_NAMES = 3
"""Identifiers of a work that are tried: one of a preprint may be known where its article's is not."""
_POOLS = ("recent", "all-cs")
_SORTS: Mapping[Sort, str] = {
    "newest": "publicationDate:desc",
    "oldest": "publicationDate:asc",
    "cited": "citationCount:desc",
}
_SYNTAX = re.compile(r"[-‐‑–—+|*()~\"\\/:]+")
_KEY_HINT = (
    "Try again later, or set PINCITE_SEMANTIC_SCHOLAR_API_KEY (free on request): without a key it often refuses."
)


class SemanticScholar:
    """Papers by relevance, or in an order by bulk search; citations with the sentences that cite."""

    policy = POLICY
    most = 100

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._before = settings.before
        key = settings.semantic_scholar_api_key
        self._access = Access(headers={"x-api-key": key.get_secret_value()}) if key else NO_ACCESS

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> Page:
        """Papers by relevance to the words, the author's name among them; another order takes the papers that have all
        the words in title or abstract. Venues are matched by their whole name or ISO 4 abbreviation.
        """
        window = Window.of(query)
        ordered = _SORTS.get(query.sort)
        unkept = [
            *(["author"] if query.author else []),
            *(["venue"] if "," in query.venue else []),
            *(["open_access"] if query.open_access is False else []),
        ]
        words = _boolean(query.text) if ordered else _plain_words(query)
        if window.empty:
            return Page((), total=0, unkept=tuple(unkept))
        filters = {
            **_between(window),
            **({"venue": venue} if (venue := " ".join(clean(query.venue).split())) else {}),
            **({"openAccessPdf": ""} if query.open_access else {}),
        }
        if ordered:
            return await self._bulk(words, {**filters, "sort": ordered}, limit, cursor, tuple(unkept))
        start = offset_of(cursor, self.policy.title)
        rows = min(limit, self.most, _REACH - start)
        if rows < 1:
            return Page((), unkept=tuple(unkept))
        asked = {"query": words, **filters, "offset": str(start), "limit": str(rows), "fields": FIELDS}
        response = await self._get(f"{_GRAPH}/search", asked)
        frame = Record.frame(response)
        total = frame.number("total")
        papers = () if total == 0 and "data" not in frame else frame.rows(response, "data")
        works = tuple(work for paper in papers if (work := work_of(paper)) is not None)
        return Page(works, total=total, cursor=_following(frame, start, _REACH), unkept=tuple(unkept))

    async def query(self, text: str, *, limit: int, cursor: str | None = None, before: date | None = None) -> Page:
        """Papers by a boolean query of bulk search over title and abstract, newest first: all words are needed, ``|``
        is or, ``-`` not, ``"…"`` a phrase, ``*`` any ending, ``(…)`` a group, ``"…"~3`` words at most 3 apart,
        ``word~2`` a spelling at most 2 letters off.
        """
        asked = {**_between(Window().before(before)), "sort": _SORTS["newest"]}
        return await self._bulk(checked_query(text, source=self.policy.title), asked, limit, cursor, ())

    async def work(self, ids: Identifiers) -> Work | None:
        """The paper with one of these identifiers, OpenAlex's apart."""
        response = await self._of_paper(ids, _GRAPH, "", {"fields": FIELDS})
        return work_of(Record.frame(response)) if response else None

    async def citations(self, ids: Identifiers, *, limit: int, cursor: str | None = None) -> LinkPage | None:
        """Papers that cite this one, as it orders them (the newest first); before PINCITE_BEFORE, if set."""
        between = _between(Window().before(self._before))
        return await self._links(ids, "citations", "citingPaper", between, limit, cursor)

    async def references(self, ids: Identifiers, *, limit: int, cursor: str | None = None) -> LinkPage | None:
        """Papers that this one cites; None too when its publisher does not let Semantic Scholar show them."""
        return await self._links(ids, "references", "citedPaper", {}, limit, cursor)

    async def similar(self, ids: Identifiers, *, limit: int) -> tuple[Work, ...] | None:
        """Recommended papers: of the last months, else (and under a cutoff) of all of computer science, where it has
        no others.
        """
        works: tuple[Work, ...] = ()
        for pool in _POOLS if self._before is None else _POOLS[1:]:
            asked = {"from": pool, "limit": str(min(limit, self.most)), "fields": FIELDS}
            response = await self._of_paper(ids, "recommendations/v1/papers/forpaper", "", asked)
            if response is None:
                return None
            papers = Record.frame(response).rows(response, "recommendedPapers")
            works = tuple(work for paper in papers if (work := work_of(paper)) is not None)
            if works:
                break
        return works

    async def _bulk(
        self, words: str, asked: Mapping[str, str], limit: int, cursor: str | None, unkept: tuple[str, ...]
    ) -> Page:
        """A part of a request of 1,000 papers: a cursor says how many of them were given, and the token to ask with."""
        given, _, token = (cursor or "0:").partition(":")
        start = offset_of(given, self.policy.title)
        continued = {"token": token} if token else {}
        response = await self._get(f"{_GRAPH}/search/bulk", {"query": words, **asked, "fields": FIELDS, **continued})
        frame = Record.frame(response)
        total = frame.number("total")
        papers = () if total == 0 and "data" not in frame else frame.rows(response, "data")
        end = start + min(limit, self.most)
        works = tuple(work for paper in papers[start:end] if (work := work_of(paper)) is not None)
        further = frame.text("token")
        following = f"{end}:{token}" if end < len(papers) else f"0:{further}" if further and papers else None
        return Page(works, total=total, cursor=following, unkept=unkept)

    async def _links(
        self, ids: Identifiers, which: str, side: str, between: Mapping[str, str], limit: int, cursor: str | None
    ) -> LinkPage | None:
        start = offset_of(cursor, self.policy.title)
        rows = min(limit, self.most, _LINKS_REACH - start)
        if rows < 1:
            return LinkPage(())
        asked = {**between, "offset": str(start), "limit": str(rows), "fields": LINK_FIELDS}
        response = await self._of_paper(ids, _GRAPH, f"/{which}", asked)
        if response is None:
            return None
        frame = Record.frame(response)
        if "data" in frame.fields and "data" not in frame:
            return None
        links = tuple(link for row in frame.rows(response, "data") if (link := link_of(row, side)) is not None)
        return LinkPage(links, cursor=_following(frame, start, _LINKS_REACH))

    async def _of_paper(self, ids: Identifiers, path: str, part: str, asked: Mapping[str, str]) -> Response | None:
        """The answer for the first of the identifiers that it knows."""
        for named in _paper_ids(ids):
            try:
                return await self._get(f"{path}/{named}{part}", asked)
            except NotFoundError:
                continue
        return None

    async def _get(self, path: str, asked: Mapping[str, str]) -> Response:
        try:
            response = await self._web.get(self.policy, path, asked, access=self._access, expect=(400,))
        except SourceError as error:
            advise_key(error, "PINCITE_SEMANTIC_SCHOLAR_API_KEY", _KEY_HINT, keyed=bool(self._access.headers))
            raise
        if response.status == 400:
            raise refusal(response)
        return response


def _paper_ids(ids: Identifiers) -> list[str]:
    named = (
        ids.s2,
        f"DOI:{ids.doi}" if ids.doi and arxiv_of_doi(ids.doi) is None else None,
        f"ARXIV:{ids.arxiv}" if ids.arxiv else None,
        f"PMID:{ids.pmid}" if ids.pmid else None,
        f"PMCID:{ids.pmcid.removeprefix('PMC')}" if ids.pmcid else None,
        f"DOI:{ids.doi}" if ids.doi and arxiv_of_doi(ids.doi) is not None and not ids.arxiv else None,
    )
    return [quote(name, safe="/:") for name in named if name][:_MOST_NAMES]


def _plain_words(query: Query) -> str:
    """Words for relevance search, which has no syntax and finds nothing for words with hyphens."""
    terms = terms_of(query.text) if query.text.strip() else ()
    words = (*(term.text for term in terms), *words_of(query.author))
    plain = " ".join(_SYNTAX.sub(" ", " ".join(words)).split())
    if not plain:
        raise BadInputError("The search has no words.", next="Give words of the title or an author.")
    return plain


def _boolean(text: str) -> str:
    """The words as a query of bulk search that needs all of them; phrases stay phrases."""
    parts = [(" ".join(_SYNTAX.sub(" ", term.text).split()), term.phrase) for term in terms_of(text)]
    return " ".join(f'"{words}"' if phrase and " " in words else words for words, phrase in parts if words)


def _between(window: Window) -> dict[str, str]:
    if window.first is None and window.last is None:
        return {}
    return {"publicationDateOrYear": f"{window.first or ''}:{window.last or ''}"}


def _following(frame: Record, start: int, reach: int) -> str | None:
    following = frame.number("next")
    return str(following) if following is not None and start < following < reach else None
