"""Crossref: what publishers register (REST API of api.crossref.org, as documented in December 2025).

Limits since then, as its answers' headers state them: lists 3 a second and 3 at once in the polite pool (with an e-mail
address), 1 and 1 in the public one; the first 10,000 works of a list by ``offset``.
"""

from datetime import date
from urllib.parse import quote

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import NO_ACCESS, Access, Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.dates import PartialDate
from pincite_literature.model import CitationLink, Identifiers, Work
from pincite_literature.sources.crossref_works import NAME, SELECT, cited_of, work_of
from pincite_literature.sources.native import parameters, refusal, refuse_counts
from pincite_literature.sources.offset import offset_of
from pincite_literature.sources.query_words import terms_of, words_of
from pincite_literature.sources.record import Record
from pincite_literature.sources.source import LinkPage, Page, Query
from pincite_literature.sources.window import Window
from pincite_papers.characters import clean

_URL = "https://api.crossref.org"
POLITE = SourcePolicy(NAME, "Crossref", _URL, Rate(3, 1.0, at_once=3))
PUBLIC = SourcePolicy(NAME, "Crossref", _URL, Rate(1, 1.0, at_once=1))

_REACH = 10_000
"""Works that offsets reach at Crossref (10,000 by its documentation)."""
_TYPES = (
    *("journal-article", "proceedings-article", "posted-content", "book-chapter", "book", "monograph", "edited-book"),
    *("reference-book", "reference-entry", "book-part", "book-section", "dissertation", "report", "dataset"),
)
"""What a search is about: not figures, peer reviews, grants and whole journals, which have DOIs too."""
_MOST_DOIS = 50
"""DOIs of one request, so that its address stays under 2,000 characters or so. Set by judgement."""
_LAST_DAY = "until-pub-date"
_OTHER_AGENCIES = ("10.48550/",)
"""Prefixes of DOIs of which Crossref is known to have none (arXiv's are DataCite's)."""

_FIELDS = (
    *("affiliation", "author", "bibliographic", "chair", "container-title", "contributor", "degree", "description"),
    *("editor", "event-acronym", "event-location", "event-name", "event-sponsor", "event-theme", "funder-name"),
    *("publisher-location", "publisher-name", "standards-body-acronym", "standards-body-name", "title", "translator"),
)
_ALLOWED = frozenset({"query", "filter", "sort", "order", *(f"query.{name}" for name in _FIELDS)})
_EXAMPLE = (
    "query.bibliographic=cuprate superconductivity&query.author=Tanaka"
    "&filter=type:journal-article,from-pub-date:2015,has-abstract:true&sort=is-referenced-by-count&order=desc"
)


class Crossref:
    """Works by their registered metadata; knows reference lists that publishers deposit, and no citing works."""

    most = 100

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._access = Access(params={"mailto": settings.contact}) if settings.contact else NO_ACCESS
        self.policy = POLITE if settings.contact else PUBLIC

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> Page:
        """Works that fit the words best. Any of the words may be missing in them, so that no list can be sorted
        otherwise than by relevance; author and venue are matched by their words.
        """
        asked = {
            "query.bibliographic": " ".join(clean(query.text).split()),
            "query.author": " ".join(words_of(query.author)),
            "query.container-title": " ".join(words_of(query.venue)),
        }
        asked = {name: words for name, words in asked.items() if words}
        if not asked:
            raise BadInputError("The search has no words.", next="Give words of the title, an author or a venue.")
        if query.text.strip():
            terms_of(query.text)
        unkept = [
            *(["sort"] if query.sort != "relevance" else []),
            *(["author"] if query.author else []),
            *(["venue"] if query.venue else []),
            *(["open_access"] if query.open_access is not None else []),
        ]
        window = Window.of(query)
        if window.empty:
            return Page((), total=0, unkept=tuple(unkept))
        filters = [
            *([f"from-pub-date:{window.first}"] if window.first else []),
            *([f"{_LAST_DAY}:{window.last}"] if window.last else []),
            *(f"type:{one}" for one in _TYPES),
        ]
        return await self._list(asked, filters, limit, cursor, tuple(unkept))

    async def query(self, text: str, *, limit: int, cursor: str | None = None, before: date | None = None) -> Page:
        """Works by parameters of ``/works``, joined by ``&``: ``query`` and ``query.…`` (bibliographic, author, title,
        container-title, affiliation, editor, funder-name, publisher-name, event-name, …), ``filter`` (comma-separated
        ``name:value``: from-pub-date, until-pub-date, type, issn, isbn, orcid, member, prefix, funder, license.url,
        has-abstract, has-full-text, relation.type, update-type, …), ``sort`` (relevance, published, issued,
        is-referenced-by-count, …) and ``order`` (asc, desc). Words alone are ``query``.
        """
        asked = parameters(text, allowed=_ALLOWED, words_as="query", example=_EXAMPLE)
        refuse_counts(asked, ("is-referenced-by-count",), before)
        filters = [part.strip() for part in asked.pop("filter", "").split(",") if part.strip()]
        return await self._list(asked, _bounded(filters, before), limit, cursor, ())

    async def work(self, ids: Identifiers) -> Work | None:
        """The work of that DOI; Crossref knows no other identifier."""
        found = await self._one(ids)
        return work_of(found[1], day=found[0].retrieved.date()) if found else None

    async def references(self, ids: Identifiers, *, limit: int, cursor: str | None = None) -> LinkPage | None:
        """The reference list as the publisher deposited it, often a line of text or a DOI alone: what has a DOI of
        Crossref is read from its own record. At most 50 a page. Crossref counts citing works, but does not name them.
        """
        found = await self._one(ids)
        listed = found[1].records("reference") if found else ()
        if not listed:
            return None
        start = offset_of(cursor, self.policy.title)
        end = start + min(limit, _MOST_DOIS)
        entries = [work for entry in listed[start:end] if (work := cited_of(entry)) is not None]
        known = await self._of_dois([entry.ids.doi for entry in entries if entry.ids.doi is not None])
        links = tuple(CitationLink(known.get(entry.ids.doi or "", entry)) for entry in entries)
        return LinkPage(links, total=len(listed), cursor=str(end) if end < len(listed) else None)

    async def _of_dois(self, dois: list[str]) -> dict[str, Work]:
        """The works with these DOIs, by DOI; one request. A comma in a DOI would part the filter."""
        asked = [f"doi:{doi}" for doi in dict.fromkeys(dois) if "," not in doi and not doi.startswith(_OTHER_AGENCIES)]
        page = await self._list({}, asked, len(asked), None, ()) if asked else Page(())
        return {work.ids.doi: work for work in page.works if work.ids.doi is not None}

    async def _one(self, ids: Identifiers) -> tuple[Response, Record] | None:
        if ids.doi is None or ids.doi.startswith(_OTHER_AGENCIES):
            return None
        try:
            response = await self._web.get(self.policy, f"works/{quote(ids.doi, safe='')}", access=self._access)
        except NotFoundError:
            return None
        return response, _message(response)

    async def _list(
        self, asked: dict[str, str], filters: list[str], limit: int, cursor: str | None, unkept: tuple[str, ...]
    ) -> Page:
        start = offset_of(cursor, self.policy.title)
        rows = min(limit, self.most, _REACH - start)
        if rows < 1:
            return Page((), unkept=unkept)
        filtering = {"filter": ",".join(filters)} if filters else {}
        paging = {"rows": str(rows), "offset": str(start), "select": SELECT}
        response = await self._web.get(
            self.policy, "works", {**asked, **filtering, **paging}, access=self._access, expect=(400, 414)
        )
        if response.status != 200:
            raise refusal(response)
        message = _message(response)
        items = message.rows(response, "items")
        works = [work for item in items if (work := work_of(item, day=response.retrieved.date())) is not None]
        total = message.number("total-results")
        following = start + message.count("items")
        ended = following == start or following >= min(_REACH, total if total is not None else _REACH)
        return Page(tuple(works), total=total, cursor=None if ended else str(following), unkept=unkept)


def _message(response: Response) -> Record:
    message = Record.of(Record.frame(response).fields.get("message"))
    if message is None:
        raise response.malformed("it has no object 'message'")
    return message


def _bounded(filters: list[str], before: date | None) -> list[str]:
    """The filters with one last day, before the cutoff: of several values of one filter Crossref takes any."""
    if before is None:
        return filters
    stated = [PartialDate.parse(value) for name, value in map(_parted, filters) if name == _LAST_DAY]
    last = min([found.latest for found in stated if found is not None], default=date.max)
    return [
        *(part for part in filters if _parted(part)[0] != _LAST_DAY),
        f"{_LAST_DAY}:{Window(None, last).before(before).last}",
    ]


def _parted(condition: str) -> tuple[str, str]:
    name, _, value = condition.partition(":")
    return name.strip().lower(), value
