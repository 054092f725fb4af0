"""PubMed: the literature of medicine and the life sciences, by NCBI's E-utilities, read by biopython.

After "Entrez Programming Utilities Help" and the PubMed User Guide (search field tags). The first 9,999 works of a
query can be paged through. Citations are those among articles of PMC (``pubmed_pubmed_citedin``), references those that
their publishers gave (``pubmed_pubmed_refs``), similar articles go by words and MeSH terms (``pubmed_pubmed``).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from anyio import to_thread

from pincite_core.errors import BadInputError, LimitReachedError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import SourcePolicy
from pincite_core.settings import Settings
from pincite_literature.model import CitationLink, Identifiers, Work
from pincite_literature.sources.eutils import DEEPEST, Eutils
from pincite_literature.sources.offset import offset_of
from pincite_literature.sources.pubmed_records import read_records
from pincite_literature.sources.pubmed_works import work_of
from pincite_literature.sources.query_words import checked_query, person_of, terms_of, words_of
from pincite_literature.sources.source import LinkPage, Page, Query
from pincite_literature.sources.window import Window

_SORTS = {"relevance": "relevance", "newest": "pub_date"}
_PLAIN = re.compile(r"[\w.'’+-]*\w[\w.'’+-]*")
_OPERATING = re.compile(r'["\[\](){}:/&|#*~\\,;=<>]+')
_LETTERS = re.compile(r"[^\w'’ -]+")
_MOST_ALIKE = 5
"""Hits of a citation's fields that are compared with it. Set by judgement."""


class PubMed:
    """The source ``pubmed``."""

    most = 200

    def __init__(self, web: Web, settings: Settings) -> None:
        self._eutils = Eutils(web, settings)

    @property
    def policy(self) -> SourcePolicy:
        """3 requests a second, 10 with a key."""
        return self._eutils.policy

    @policy.setter
    def policy(self, policy: SourcePolicy) -> None:
        self._eutils.policy = policy

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> Page:
        """PubMed's own mapping of words to MeSH terms and synonyms applies."""
        term, unkept = _written(query)
        window = Window.of(query)
        if window.empty:
            return Page((), total=0, unkept=unkept)
        sort = _SORTS.get(query.sort, "relevance")
        page, _ = await self._page(term, limit, cursor, {"sort": sort, **_dated(window)})
        return replace(page, unkept=(*unkept, *page.unkept))

    async def query(self, text: str, *, limit: int, cursor: str | None = None, before: date | None = None) -> Page:
        """A query of PubMed: tags such as [ti], [tiab], [au], [mh], [dp], [pt]; AND, OR, NOT."""
        term = checked_query(text, source=self.policy.title)
        page, unknown = await self._page(term, limit, cursor, {"sort": "relevance", **_dated(Window().before(before))})
        if unknown:
            raise BadInputError(
                "PubMed does not know a field of this query.",
                seen=", ".join(unknown)[:200],
                next="Use PubMed's search field tags, such as [ti], [tiab], [au], [ta], [mh], [dp], [pt].",
            )
        return page

    async def work(self, ids: Identifiers) -> Work | None:
        """The work by PMID, else by PMCID or DOI, which are looked up in PubMed and compared with what is found."""
        if ids.pmid:
            found = await self._works([ids.pmid], sure=False)
            if ids.pmid in found:
                return found[ids.pmid]
        for term, kind in _lookups(ids):
            hits = await self._eutils.search(term, most=_MOST_ALIKE)
            works = await self._works(hits.pmids, sure=False) if hits.pmids else {}
            for work in works.values():
                if getattr(work.ids, kind) == getattr(ids, kind):
                    return work
        return None

    async def citations(self, ids: Identifiers, *, limit: int, cursor: str | None = None) -> LinkPage | None:
        """Works in PubMed that cite this one, among those with full text in PMC."""
        page = await self._links(ids, "pubmed_pubmed_citedin", limit, cursor)
        if page is not None and not page.links and cursor is None and await self.work(ids) is None:
            return None
        return page

    async def references(self, ids: Identifiers, *, limit: int, cursor: str | None = None) -> LinkPage | None:
        """Works in PubMed that this one cites; None where PubMed knows none."""
        page = await self._links(ids, "pubmed_pubmed_refs", limit, cursor)
        return page if page is not None and page.total else None

    async def similar(self, ids: Identifiers, *, limit: int) -> tuple[Work, ...] | None:
        """PubMed's similar articles, best score first."""
        pmid = await self._pmid(ids)
        if pmid is None:
            return None
        linked = await self._eutils.link(pmid, "pubmed_pubmed", scores=True)
        ranked = sorted(linked.pmids, key=lambda pair: -pair[1])
        others = [one for one, _ in ranked if one != pmid][: max(0, min(limit, self.most))]
        if not others:
            return () if await self.work(Identifiers(pmid=pmid)) is not None else None
        works = await self._works(others)
        return tuple(works[one] for one in others if one in works)

    async def _page(
        self, term: str, limit: int, cursor: str | None, others: Mapping[str, str]
    ) -> tuple[Page, tuple[str, ...]]:
        """A page, and the fields of the query that PubMed does not know."""
        start = offset_of(cursor, self.policy.title)
        size = min(limit, self.most, DEEPEST - start)
        if size <= 0:
            raise LimitReachedError(
                f"PubMed shows only the first {DEEPEST:,} works of a query.",
                next="Narrow the query, by years for instance.",
            )
        hits = await self._eutils.search(term, start=start, most=size, **others)
        works = await self._works(hits.pmids) if hits.pmids else {}
        after = start + len(hits.pmids)
        more = bool(hits.pmids) and after < hits.total
        unkept = tuple(f"the words {words!r}" for words in hits.unknown) if hits.total else ()
        page = Page(
            tuple(works[pmid] for pmid in hits.pmids if pmid in works), hits.total, str(after) if more else None, unkept
        )
        return page, hits.unknown_fields

    async def _works(self, pmids: Sequence[str], *, sure: bool = True) -> dict[str, Work]:
        """The works of these PMIDs by PMID; SourceError when none of those that PubMed itself named is given."""
        response = await self._eutils.fetch(pmids)
        found = await to_thread.run_sync(_read, response)
        if sure and found.keys().isdisjoint(pmids):
            raise response.malformed(f"none of the {len(pmids)} works asked for is in it")
        return found

    async def _links(self, ids: Identifiers, name: str, limit: int, cursor: str | None) -> LinkPage | None:
        start = offset_of(cursor, self.policy.title)
        pmid = await self._pmid(ids)
        if pmid is None:
            return None
        linked = [one for one, _ in (await self._eutils.link(pmid, name)).pmids]
        shown = linked[start : start + max(1, min(limit, self.most))]
        works = await self._works(shown) if shown else {}
        after = start + len(shown)
        links = tuple(CitationLink(works[one]) for one in shown if one in works)
        return LinkPage(links, len(linked), str(after) if shown and after < len(linked) else None)

    async def _pmid(self, ids: Identifiers) -> str | None:
        if ids.pmid:
            return ids.pmid
        work = await self.work(ids)
        return work.ids.pmid if work is not None else None


def _read(response: Response) -> dict[str, Work]:
    """The works of EFetch's answer by PMID."""
    works = [work for record in read_records(response) if (work := work_of(record)) is not None]
    return {work.ids.pmid: work for work in works if work.ids.pmid is not None}


def _written(query: Query) -> tuple[str, tuple[str, ...]]:
    """The words of a query in PubMed's language, and what of it that language cannot keep."""
    parts = [" ".join(_quoted(term.text, term.phrase) for term in terms_of(query.text))]
    unkept = [] if query.sort in _SORTS else ["sort"]
    family, initials = (_LETTERS.sub("", part) for part in person_of(query.author))
    if family:
        parts.append(f"{family} {initials[:1]}".strip() + "[au]")
    if len(initials) > 1:
        unkept.append("author")
    if venue := " ".join(words_of(_OPERATING.sub(" ", query.venue.replace(".", " ")))):
        parts.append(f'"{venue}"[ta]')
    if len(parts) > 1 or query.open_access is not None:
        parts[0] = f"({parts[0]})"
    free = {None: "", True: " AND free full text[sb]", False: " NOT free full text[sb]"}[query.open_access]
    return " AND ".join(parts) + free, tuple(unkept)


def _quoted(text: str, phrase: bool) -> str:
    """A word as it is where PubMed reads nothing else into it, everything else between quotes without such signs."""
    if _PLAIN.fullmatch(text) and not phrase:
        return text
    return f'"{" ".join(_OPERATING.sub(" ", text).split())}"'


def _dated(window: Window) -> dict[str, str]:
    """As parameters of their own: no query can undo them."""
    if window.first is None and window.last is None:
        return {}
    first, last = window.first or date(1000, 1, 1), window.last or date(3000, 12, 31)
    return {"datetype": "pdat", "mindate": f"{first:%Y/%m/%d}", "maxdate": f"{last:%Y/%m/%d}"}


def _lookups(ids: Identifiers) -> list[tuple[str, str]]:
    """The questions for a work, with the kind of identifier that the record found must have."""
    asked: list[tuple[str, str]] = []
    if ids.pmcid:
        asked.append((f"{ids.pmcid} OR {ids.pmcid}[aid]", "pmcid"))
    if ids.doi:
        bare = ids.doi.replace('"', "")
        asked.append((f'"{bare}"[aid] OR "{bare}"[lid]', "doi"))
    return asked
