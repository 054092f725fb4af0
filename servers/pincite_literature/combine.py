"""One work from the records of several sources: which source's word counts for which field."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pincite_literature.appearance import Appearance
from pincite_literature.catalog import FIELDS_FIRST, TITLES_FIRST
from pincite_literature.dates import PartialDate, earliest, refined
from pincite_literature.identifiers import arxiv_of_doi, identify
from pincite_literature.model import Author, Dated, FulltextLink, Identifiers, Work, WorkKind
from pincite_literature.records import Record
from pincite_literature.titles import read_title
from pincite_literature.venues import is_repository
from pincite_literature.versions import is_copy_doi, stem

_DATED: tuple[Dated, ...] = ("issue", "online", "")
"""Whose date counts first: indexes that gather versions do not say whose date theirs is."""

SUBJECTS = 20
"""Most subjects of a work."""

_NO_ABSTRACT = frozenset({"", "noabstract", "noabstractavailable", "abstractnotavailable", "abstract", "notavailable"})


def combine(records: Sequence[Record], wrong: Sequence[set[str]]) -> Work:
    """One work of all records, in ``read_records``' order; ``wrong`` are the identifiers of each that do not count.

    Beyond the ranks of the catalog: the fullest list of authors, the longest abstract not cut off, the most
    citations, all links; retracted if one says so. Volume, pages, date, … are those of one version: the one whose DOI
    it bears.
    """
    if len(records) == 1:
        return _alone(records[0], wrong[0])
    pairs = sorted(zip(records, wrong, strict=True), key=lambda pair: _order(pair[0], FIELDS_FIRST))
    ordered = [record.work for record, _ in pairs]
    ids, others = _identifiers(pairs)
    published = _of_the_version_cited(pairs, ids.doi)
    titled = [record.work for record in sorted(records, key=lambda record: _order(record, TITLES_FIRST))]
    when = _dates(published, ordered)
    return Work(
        title=_title(titled),
        ids=ids,
        authors=_authors(ordered),
        **when,
        updated=max((work.updated for work in ordered if work.updated), key=_last, default=None),
        kind=_kind([*published, *ordered]),
        venue=_venue(published, ordered),
        publisher=_first(published, lambda work: work.publisher),
        volume=_first(published, lambda work: work.volume),
        issue=_first(published, lambda work: work.issue),
        pages=_first(published, lambda work: work.pages),
        issn=_first(published, lambda work: work.issn),
        isbn=_first(published, lambda work: work.isbn),
        language=_first(ordered, lambda work: work.language),
        abstract=_abstract(ordered),
        subjects=tuple(dict.fromkeys(subject for work in ordered for subject in work.subjects))[:SUBJECTS],
        url=_first(published, lambda work: work.url) or _first(ordered, lambda work: work.url),
        links=_links(link for work in ordered for link in work.links),
        open_access=_any(work.open_access for work in ordered),
        cited_by=max((work.cited_by for work in ordered if work.cited_by is not None), default=None),
        retracted=any(work.retracted for work in ordered),
        notices=tuple(dict.fromkeys(notice for work in ordered for notice in work.notices)),
        notice_of=tuple(dict.fromkeys(notice for work in ordered for notice in work.notice_of)),
        version_of=others,
        sources=tuple(sorted({source for record in records for source in (record.source, *record.work.sources)})),
    )


def _alone(record: Record, wrong: set[str]) -> Work:
    """The work of a single record, its identifiers, sources and links as a merged one's."""
    work = record.work
    ids, others = _identifiers([(record, wrong)])
    return replace(
        work,
        ids=ids,
        abstract=_abstract([work]),
        subjects=work.subjects[:SUBJECTS],
        links=_links(work.links),
        version_of=others,
        sources=tuple(sorted({record.source, *work.sources})),
    )


def _of_the_version_cited(pairs: Sequence[tuple[Record, set[str]]], doi: str | None) -> list[Work]:
    """The records that describe the version whose DOI the work bears: publications before preprints."""
    publications = [record.work for record, _ in pairs if not record.preprint]
    works = publications or [record.work for record, _ in pairs]
    own = stem(doi) if doi else ""
    fitting = [work for work in works if not work.ids.doi or is_copy_doi(work.ids.doi) or stem(work.ids.doi) == own]
    return fitting or works


def _dates(cited: Sequence[Work], everything: Sequence[Work]) -> Appearance:
    """The date of the version cited, by the records that know its issue first, then those that know when it was online;
    and the earliest date of all."""
    public = earliest(date for work in everything if (date := work.public))
    known = [work for work in cited if work.published is not None]
    best = min(known, key=lambda work: _DATED.index(work.dated_by), default=None)
    if best is None or best.published is None:
        return Appearance(published=None, dated_by="", first_public=public)
    published = refined(best.published, (date for work in cited for date in (work.published, work.first_public)))
    return Appearance(published=published, dated_by=best.dated_by, first_public=public if public != published else None)


def _order(record: Record, precedence: Sequence[str]) -> tuple[object, ...]:
    """Records of one source stay as ``read_records`` orders them."""
    place = precedence.index(record.source) if record.source in precedence else len(precedence)
    return record.preprint, place, record.source


def _last(date: PartialDate) -> tuple[object, object]:
    return date.latest, date.earliest


def _first(works: Sequence[Work], field: Callable[[Work], str]) -> str:
    return next((value for work in works if (value := field(work))), "")


def _kind(works: Sequence[Work]) -> WorkKind:
    for work in works:
        if work.kind:
            return work.kind
    return ""


def _title(works: Sequence[Work]) -> str:
    """The first title that is not all capitals, without a subtitle's loss: the longer of two where one extends it."""
    spelled = [work.title for work in works if work.title and not work.title.isupper()]
    titles = spelled or [work.title for work in works if work.title]
    if not titles:
        return ""
    best = titles[0]
    for title in titles[1:]:
        if read_title(title).main == read_title(best).compact:
            best = title
    return best


def _authors(works: Sequence[Work]) -> tuple[Author, ...]:
    """The first list that is about as long as the longest, ORCIDs filled in from lists of the same length."""
    most = max((len(work.authors) for work in works), default=0)
    full = [work.authors for work in works if work.authors and len(work.authors) >= 0.9 * most]
    if not full:
        return ()
    parted = [authors for authors in full if all(author.family for author in authors)]
    chosen = (parted or full)[0]
    orcids = {
        (place, author.family or author.name): author.orcid
        for authors in reversed(full)
        if len(authors) == len(chosen)
        for place, author in enumerate(authors)
        if author.orcid
    }
    return tuple(
        author
        if author.orcid
        else Author(author.name, author.family, author.given, orcids.get((place, author.family or author.name), ""))
        for place, author in enumerate(chosen)
    )


def _venue(published: Sequence[Work], ordered: Sequence[Work]) -> str:
    places = [work for work in published if not is_repository(work.venue)]
    return _first(places, lambda work: work.venue) or _first(ordered, lambda work: work.venue)


def _abstract(works: Sequence[Work]) -> str:
    real = [
        work.abstract
        for work in works
        if _letters(work.abstract) not in _NO_ABSTRACT and work.abstract.strip() != work.title.strip()
    ]
    whole = [text for text in real if not text.rstrip().endswith(("…", "..."))]
    return max(whole or real, key=len, default="")


def _letters(abstract: str) -> str:
    """The letters of an abstract's beginning."""
    return "".join(filter(str.isalpha, abstract[:60])).lower()


def _links(links: Iterable[FulltextLink]) -> tuple[FulltextLink, ...]:
    """Every address once; of two that differ in scheme, www or a closing stroke only, the first."""
    kept: dict[str, FulltextLink] = {}
    for link in links:
        address = link.url.partition("://")[2].removeprefix("www.").rstrip("/")
        kept.setdefault(address or link.url, link)
    return tuple(kept.values())


def _any(said: Iterable[bool | None]) -> bool | None:
    known = [word for word in said if word is not None]
    return any(known) if known else None


def _identifiers(pairs: Sequence[tuple[Record, set[str]]]) -> tuple[Identifiers, tuple[str, ...]]:
    """The identifiers that count, the published DOI before a preprint's, and all further DOIs and arXiv ids."""
    found: dict[str, dict[str, None]] = {}
    others: dict[str, None] = {}
    for record, wrong in pairs:
        for kind, value in record.work.ids.known().items():
            implied = arxiv_of_doi(value) if kind == "doi" else None
            if not any(f"{k}:{v}" in wrong for k, v in ((kind, value), ("arxiv", implied))):
                found.setdefault(kind, {})[value] = None
                if implied:
                    found.setdefault("arxiv", {})[implied] = None
        named = (identify(other) for other in record.work.version_of)
        others.update(dict.fromkeys(ids.arxiv or ids.doi or "" for ids in named if ids and (ids.arxiv or ids.doi)))
    best = {kind: next(iter(values)) for kind, values in found.items()}
    dois = sorted(found.get("doi", ()), key=lambda doi: (arxiv_of_doi(doi) is not None, is_copy_doi(doi)))
    if dois:
        best["doi"] = dois[0]
    others.update(dict.fromkeys([*dois, *found.get("arxiv", ())]))
    further = {other for other in others if other not in best.values() and arxiv_of_doi(other) != best.get("arxiv", "")}
    return Identifiers(**best), tuple(sorted(further))
