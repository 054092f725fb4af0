"""OpenAlex: works of everywhere, who cites whom, open copies (API of api.openalex.org, as documented in 2026).

A free key buys a day's allowance ten times that of callers without one, who may not page by cursor: pages are numbered
here, which reaches the first 10,000 works of a list. A work by its id costs nothing, a list a tenth of a search.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from urllib.parse import quote

from pincite_core.errors import BadInputError, NotFoundError, SourceError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.identifiers import doi_of_arxiv
from pincite_literature.model import CitationLink, Identifiers, Work
from pincite_literature.sources.native import advise_key, parameters, refusal, refuse_counts
from pincite_literature.sources.offset import offset_of
from pincite_literature.sources.openalex_works import NAME, SELECT, work_ids, work_of
from pincite_literature.sources.query_words import INITIALS, checked_query, parted_name, terms_of, words_of
from pincite_literature.sources.record import Record
from pincite_literature.sources.source import LinkPage, Page, Query, Sort
from pincite_literature.sources.window import Window

POLICY = SourcePolicy(NAME, "OpenAlex", "https://api.openalex.org", Rate(10, 1.0, at_once=4))

_REACH = 10_000
"""Works that pages reach at OpenAlex (10,000 by its documentation)."""
_MOST_NAMES = 3
"""Identifiers of a work that are tried, since not all of them may be known."""
_SORTS: Mapping[Sort, str] = {
    "newest": "publication_date:desc",
    "oldest": "publication_date",
    "cited": "cited_by_count:desc",
}
_SYNTAX = re.compile(r"[\"*?~()\[\]{}|!\\:,&<>=^]+")
"""What means something in a search or parts a filter."""
_OPERATORS = frozenset({"AND", "OR", "NOT"})
_VENUE = re.compile(r"\bS\d{1,15}$")
_MOST_VENUES = 10
"""Venues of a name whose works are searched. Set by judgement."""

_SEARCHES = ("search", "search.exact", "search.semantic")
_ALLOWED = frozenset({*_SEARCHES, "filter", "sort"})
_EXAMPLE = 'search="spin glass" AND (cuprate OR nickelate)&filter=type:article,is_oa:true&sort=cited_by_count:desc'
_COUNTS = ("cited_by_count", "counts_by_year", "fwci", "_percentile")
"""In names of fields that change with later works."""

_KEY_HINT = "it is free at openalex.org, and callers without one get little"


class OpenAlex:
    """Works that have all the words in title, abstract or full text, by relevance and citations."""

    policy = POLICY
    most = 100

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._before = settings.before
        key = settings.openalex_api_key
        self._keyed = key is not None
        self._access = Access(
            params={
                **({"api_key": key.get_secret_value()} if key else {}),
                **({"mailto": settings.contact} if settings.contact else {}),
            }
        )

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> Page:
        """Works with all the words, phrases in double quotes; the author's name is matched as printed, with the given
        name or its initial, middle names apart; the venue is one of the ten that its words fit best, by name,
        abbreviation or other titles.
        """
        words = _search_words(query.text) if query.text.strip() else ""
        author, venue = _byline(query.author), " ".join(words_of(_SYNTAX.sub(" ", query.venue)))
        if not words and not author and not venue:
            raise BadInputError("The search has no words.", next="Give words of the title or abstract, or an author.")
        unkept = (*(("author",) if author else ()), *(("venue",) if venue else ()))
        window = Window.of(query)
        venues = await self._venues(venue) if venue and not window.empty else None
        if window.empty or venues == []:
            return Page((), total=0, unkept=unkept)
        filters = [
            *_between(window),
            *([f"primary_location.source.id:{'|'.join(venues)}"] if venues else []),
            *([f"raw_author_name.search:{author}"] if author else []),
            *([f"is_oa:{str(query.open_access).lower()}"] if query.open_access is not None else []),
        ]
        order = _SORTS.get(query.sort)
        asked = {**({"search": words} if words else {}), **({"sort": order} if order else {})}
        return await self._list(asked, filters, limit, cursor, unkept)

    async def query(self, text: str, *, limit: int, cursor: str | None = None, before: date | None = None) -> Page:
        """Works by parameters of ``/works``, joined by ``&``: one of ``search`` (AND, OR, NOT, "phrase", parentheses),
        ``search.exact`` (unstemmed, with wildcards), ``search.semantic``; ``filter`` (comma-separated ``name:value``,
        ``|`` is or, ``!`` not, ``>`` and ``<``: publication_year, from_publication_date, type, cites,
        authorships.author.id, primary_location.source.id, topics.id, is_oa, …); ``sort`` (``cited_by_count:desc``, …).
        Words alone are ``search``.
        """
        asked = parameters(text, allowed=_ALLOWED, words_as="search", example=_EXAMPLE)
        refuse_counts(asked, _COUNTS, before)
        for value in asked.values():
            checked_query(value, source=self.policy.title)
        own = asked.pop("filter", "")
        filters = [*_between(Window().before(before)), *([own.strip(" ,")] if own.strip(" ,") else [])]
        return await self._list(asked, filters, limit, cursor, ())

    async def work(self, ids: Identifiers) -> Work | None:
        """The work with one of these identifiers; one of arXiv is found by its DOI there, else by its page there,
        since a work that appeared elsewhere too has only that other DOI.
        """
        record = await self._one(ids, SELECT)
        return work_of(record) if record else None

    async def citations(self, ids: Identifiers, *, limit: int, cursor: str | None = None) -> LinkPage | None:
        """Works that cite this one, newest first; before PINCITE_BEFORE, if set."""
        number = await self._number(ids)
        if number is None:
            return None
        filters = [f"cites:{number}", *_between(Window().before(self._before))]
        page = await self._list({"sort": _SORTS["newest"]}, filters, limit, cursor, ())
        return LinkPage(tuple(CitationLink(work) for work in page.works), total=page.total, cursor=page.cursor)

    async def references(self, ids: Identifiers, *, limit: int, cursor: str | None = None) -> LinkPage | None:
        """Works that this one cites, as far as OpenAlex has them as works; None when it has none of them."""
        record = await self._one(ids, "id,referenced_works")
        cited = work_ids(record, "referenced_works") if record else []
        if not cited:
            return None
        start = offset_of(cursor, self.policy.title)
        end = start + min(limit, self.most)
        works = await self._batch(cited[start:end])
        following = str(end) if end < len(cited) else None
        return LinkPage(tuple(CitationLink(work) for work in works), total=len(cited), cursor=following)

    async def similar(self, ids: Identifiers, *, limit: int) -> tuple[Work, ...] | None:
        """Recent works that share most topics with this one, by OpenAlex's own count."""
        record = await self._one(ids, "")
        if record is None or "related_works" not in record:
            return None
        return await self._batch(work_ids(record, "related_works")[: min(limit, self.most)])

    async def _venues(self, words: str) -> list[str]:
        """The ids of journals, conferences and repositories that fit these words."""
        response = await self._get("sources", {"search": words, "per_page": str(_MOST_VENUES), "select": "id"})
        found = (_VENUE.search(record.text("id")) for record in Record.frame(response).rows(response, "results"))
        return [one[0] for one in found if one]

    async def _one(self, ids: Identifiers, select: str) -> Record | None:
        """The record of the first of the identifiers that it knows, cut to ``select`` unless that is empty."""
        selected = {"select": select} if select else {}
        for named in _paths(ids):
            try:
                return Record.frame(await self._get(f"works/{named}", selected))
            except NotFoundError:
                continue
        if ids.arxiv is None:
            return None
        places = "|".join(f"{scheme}://arxiv.org/abs/{ids.arxiv}" for scheme in ("http", "https"))
        asked = {"filter": f"locations.landing_page_url:{places}", "per_page": "1", **selected}
        response = await self._get("works", asked)
        return next(iter(Record.frame(response).rows(response, "results")), None)

    async def _number(self, ids: Identifiers) -> str | None:
        """The id that the work has now: deleted and merged ones find no citing works."""
        record = await self._one(ids, "id")
        work = work_of(record) if record else None
        return work.ids.openalex if work else None

    async def _batch(self, numbers: Sequence[str]) -> tuple[Work, ...]:
        """The works of these ids in their order; those that OpenAlex has no more are left out."""
        if not numbers:
            return ()
        page = await self._list({}, [f"ids.openalex:{'|'.join(numbers)}"], len(numbers), None, ())
        found = {work.ids.openalex: work for work in page.works}
        return tuple(found[number] for number in numbers if number in found)

    async def _list(
        self, asked: Mapping[str, str], filters: Sequence[str], limit: int, cursor: str | None, unkept: tuple[str, ...]
    ) -> Page:
        """One page; its cursor is the number of the next one and how many works a page has, which may not change."""
        number, _, size = (cursor or "1:").partition(":")
        page = offset_of(number, self.policy.title)
        rows = offset_of(size, self.policy.title) if size else min(limit, self.most)
        if page < 1 or not 1 <= rows <= self.most or page * rows > _REACH:
            return Page((), unkept=unkept)
        filtering = {"filter": ",".join(filters)} if filters else {}
        paging = {"per_page": str(rows), "page": str(page), "select": SELECT}
        response = await self._get("works", {**asked, **filtering, **paging})
        frame = Record.frame(response)
        records = frame.rows(response, "results")
        total = frame.record("meta").number("count")
        works = tuple(work for record in records if (work := work_of(record)) is not None)
        given = page * rows
        ended = frame.count("results") < rows or (total is not None and given >= total) or (page + 1) * rows > _REACH
        return Page(works, total=total, cursor=None if ended else f"{page + 1}:{rows}", unkept=unkept)

    async def _get(self, path: str, asked: Mapping[str, str]) -> Response:
        try:
            response = await self._web.get(self.policy, path, asked, access=self._access, expect=(400, 414))
        except SourceError as error:
            advise_key(error, "PINCITE_OPENALEX_API_KEY", _KEY_HINT, keyed=self._keyed)
            raise
        if response.status != 200:
            raise refusal(response)
        return response


def _paths(ids: Identifiers) -> list[str]:
    named = (
        ids.openalex,
        f"doi:{ids.doi}" if ids.doi else None,
        f"pmid:{ids.pmid}" if ids.pmid else None,
        f"pmcid:{ids.pmcid}" if ids.pmcid else None,
        f"doi:{doi_of_arxiv(ids.arxiv)}" if ids.arxiv else None,
    )
    return [quote(name, safe="/:") for name in dict.fromkeys(named) if name][:_MOST_NAMES]


def _search_words(text: str) -> str:
    parts = [(" ".join(map(_word, _SYNTAX.sub(" ", term.text).split())), term.phrase) for term in terms_of(text)]
    return " ".join(f'"{words}"' if phrase else words for words, phrase in parts if words)


def _word(word: str) -> str:
    """A word of a search; an operator's name in capitals would be one."""
    return word.lower() if word in _OPERATORS else word


def _byline(name: str) -> str:
    """A filter value for bylines: the given name or its initial near the family name ("Ada M. Lovelace", "Lovelace,
    Ada"); the family name alone where only initials are given ("Lovelace AM"), which bylines may spell out.
    """
    family, given = ([word for part in parts for word in _SYNTAX.sub(" ", part).split()] for parts in parted_name(name))
    last = " ".join(family)
    if not given or not last or INITIALS.fullmatch(given[0]):
        return f'"{last}"' if last else ""
    return f'"{given[0]} {last}"~2 OR "{given[0][0]} {last}"~2'


def _between(window: Window) -> list[str]:
    return [
        *([f"from_publication_date:{window.first}"] if window.first else []),
        *([f"to_publication_date:{window.last}"] if window.last else []),
    ]
