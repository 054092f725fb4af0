"""Europe PMC's records (resultType=core, and those of its citation lists) as works.

Fields relied on: id, source, pmid, pmcid, doi, title, authorList.author[fullName, firstName, lastName, initials,
authorId, collectiveName], journalInfo[journal, volume, issue, dateOfPublication], pageInfo, abstractText, language,
pubTypeList.pubType, keywordList.keyword, meshHeadingList.meshHeading, fullTextUrlList.fullTextUrl,
commentCorrectionList.commentCorrection, versionList.version, bookOrReportDetails, isOpenAccess, inEPMC, license,
citedByCount, firstPublicationDate, electronicPublicationDate, pubModel, pubYear.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from pincite_literature import identifiers
from pincite_literature.appearance import Appearance, appearance
from pincite_literature.dates import PartialDate
from pincite_literature.model import (
    Author,
    FulltextKind,
    FulltextLink,
    Identifiers,
    Notice,
    NoticeKind,
    Version,
    Work,
    WorkKind,
)
from pincite_literature.sources.notes import notice_of
from pincite_literature.sources.plain import plain, plain_paragraphs
from pincite_literature.sources.pubmed_dates import ONLY_ONLINE, in_words
from pincite_literature.sources.record import Record
from pincite_papers.doi import dois_in

NAME = "europe_pmc"

_KINDS: tuple[tuple[str, WorkKind], ...] = (
    ("preprint", "preprint"),
    ("review", "review"),
    ("meta-analysis", "review"),
    ("book chapter", "chapter"),
    ("book", "book"),
    ("thesis", "thesis"),
    ("case report", "article"),
    ("case-report", "article"),
    ("report", "report"),
    ("dataset", "dataset"),
    ("conference", "conference"),
    ("congress", "conference"),
    ("article", "article"),
)
_SOURCE_KINDS: dict[str, WorkKind] = {"PPR": "preprint", "ETH": "thesis", "HIR": "report", "NBK": "book"}
_ROUTES = {"europe_pmc": "Europe PMC", "pubmedcentral": "PMC", "unpaywall": "Unpaywall"}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FREE = ("OA", "F")
_PREPRINTS = ("preprint of", "preprint in")
_UPDATES = ("update of", "update in")
_NOTICES: dict[str, NoticeKind] = {
    "retraction in": "retraction",
    "partial retraction in": "partial_retraction",
    "expression of concern in": "concern",
    "erratum in": "correction",
    "corrected and republished in": "correction",
}
_NOTICES_OF: dict[str, NoticeKind] = {
    "retraction of": "retraction",
    "partial retraction of": "partial_retraction",
    "expression of concern for": "concern",
    "erratum for": "correction",
    "corrected and republished from": "correction",
}
_INITIALS = re.compile(r"[^\W\d_]{1,4}")
_MOST_SUBJECTS = 200
"""Subjects of a work that are read or shown. Set by judgement."""


def work_of(record: Record, *, base_url: str = "") -> Work | None:
    """The work of a record, None when it has neither title nor identifier.

    ``base_url`` is where the full texts that Europe PMC holds are had as JATS, "" for nowhere.
    """
    ids = identifiers_of(record)
    title = _title(record)
    if not title and not ids.known():
        return None
    journal, details = record.record("journalInfo"), record.record("bookOrReportDetails")
    names = journal.record("journal")
    publisher = plain(details.text("publisher"))
    preprint = record.text("source") == "PPR"
    dates = _dates(record)
    notices = _notices(record, _NOTICES)
    shown = PartialDate.parse(record.text("firstPublicationDate"))
    return Work(
        title=title,
        ids=ids,
        authors=tuple(_authors(record)),
        **dates,
        updated=shown if preprint and shown is not None and shown != dates["published"] else None,
        kind=_kind(record),
        venue=plain(names.text("title") or record.text("journalAbbreviation")) or publisher,
        publisher=publisher,
        volume=plain(journal.text("volume") or record.text("volume") or record.text("journalVolume")),
        issue=plain(journal.text("issue") or record.text("issue")),
        pages=plain(record.text("pageInfo")),
        issn=names.text("issn") or names.text("essn") or record.text("issn"),
        isbn=details.text("isbn13") or details.text("isbn10"),
        language=record.text("language"),
        abstract=plain_paragraphs(record.text("abstractText")),
        subjects=tuple(dict.fromkeys(_subjects(record)))[:_MOST_SUBJECTS],
        url=_url(record),
        links=_links(record, ids, base_url),
        open_access=_flag(record, "isOpenAccess"),
        cited_by=record.number("citedByCount"),
        retracted=_retracted(record, notices),
        notices=notices,
        notice_of=_notices(record, _NOTICES_OF),
        version_of=tuple(dict.fromkeys(_other_versions(record))),
        sources=(NAME,),
    )


def identifiers_of(record: Record) -> Identifiers:
    """The identifiers of a record; its own id is one where its source is MED or PMC."""
    source, own = record.text("source"), record.text("id")
    pmid = identifiers.pmid(record.text("pmid") or (own if source == "MED" else ""))
    pmcid = record.text("pmcid") or (own if source == "PMC" else "")
    doi = identifiers.doi(record.text("doi"))
    return Identifiers(
        doi=doi,
        arxiv=identifiers.arxiv_of_doi(doi) if doi else None,
        pmid=pmid,
        pmcid=identifiers.pmcid(pmcid) if pmcid else None,
    )


def _title(record: Record) -> str:
    """The title without the full stop that Europe PMC ends it with; a cited work without one shows as it was cited."""
    title = plain(record.text("title"))
    if title.endswith(".") and not title.endswith(".."):
        title = title[:-1]
    if title.startswith("[") and title.endswith("]"):
        title = title[1:-1].rstrip(".")
    return title or plain(record.text("publicationTitle")) or plain(record.text("unstructuredInformation"))[:500]


def _authors(record: Record) -> Iterator[Author]:
    listed = record.record("authorList").records("author")
    for author in listed:
        family, given = plain(author.text("lastName")), plain(author.text("firstName") or author.text("initials"))
        name = f"{given} {family}".strip() if family else plain(author.text("fullName"))
        if name := name or plain(author.text("collectiveName")):
            yield Author(name, family, given if family else "", _orcid(author.record("authorId")))
    if listed:
        return
    for part in plain(record.text("authorString")).rstrip(".").split(", "):
        family, _, given = part.rpartition(" ")
        if family and given.isupper() and _INITIALS.fullmatch(given):
            yield Author(f"{given} {family}", family, given)
        elif part and part.lower() != "et al":
            yield Author(part)


def _orcid(named: Record) -> str:
    return named.text("value") if named.text("type") == "ORCID" else ""


def _dates(record: Record) -> Appearance:
    """When the article came out in its issue, and when it could first be read; see ``pubmed_dates`` for the models."""
    public = _public(record)
    journal = record.record("journalInfo")
    electronic = PartialDate.parse(record.text("electronicPublicationDate"))
    if record.text("source") == "PPR":
        return appearance(None, [public])
    if record.text("pubModel") in ONLY_ONLINE and electronic is not None:
        return Appearance(
            published=electronic, dated_by="online", first_public=public if public != electronic else None
        )
    in_issue = bool(journal.text("volume") or journal.text("issue"))
    issue = in_words(journal.text("dateOfPublication")) if in_issue else None
    return appearance(issue, [public], said=electronic is not None)


def _public(record: Record) -> PartialDate | None:
    """The earliest day that is certain.

    ``firstPublicationDate`` always has a day: where it is that of the printed issue it is as precise as the issue says
    ("2020 Mar"). Of a preprint it is this version's: the first version's stands in the list of versions.
    """
    versions = record.record("versionList").records("version") if record.text("source") == "PPR" else ()
    days = (record.text("firstPublicationDate"), *(version.text("firstPublishDate") for version in versions))
    known = [date for day in days if (date := PartialDate.parse(day)) is not None]
    if not known:
        journal, details = record.record("journalInfo"), record.record("bookOrReportDetails")
        years = (record.text("pubYear"), journal.text("yearOfPublication"), details.text("yearOfPublication"))
        return next((date for year in years if (date := PartialDate.of(year)) is not None), None)
    earliest = min(known, key=lambda date: date.latest)
    if record.text("source") == "PPR" or record.text("electronicPublicationDate") == str(earliest):
        return earliest
    return _as_printed(earliest, record.record("journalInfo").text("dateOfPublication"))


def _as_printed(day: PartialDate, printed: str) -> PartialDate:
    """``day`` as precise as the words of the issue: "2020 Mar 1", "2020 Mar", else ("2020 Jan-Feb") the year alone."""
    parts = printed.lower().split()
    if day.day != 1 or (len(parts) == 3 and parts[2] in ("1", "01")):
        return day
    named = _MONTHS.index(parts[1]) + 1 if len(parts) == 2 and parts[1] in _MONTHS else None
    if named == day.month or (not parts and day.month != 1):
        return PartialDate(day.year, day.month)
    return PartialDate(day.year)


def _kind(record: Record) -> WorkKind:
    types = record.record("pubTypeList").texts("pubType") or record.texts("pubType") or record.texts("citationType")
    said = " ; ".join(types).lower()
    if kind := _SOURCE_KINDS.get(record.text("source")):
        return kind
    fitting: list[WorkKind] = [kind for word, kind in _KINDS if word in said]
    if fitting:
        return fitting[0]
    return "other" if said else ""


def _subjects(record: Record) -> Iterator[str]:
    for heading in record.record("meshHeadingList").records("meshHeading"):
        yield from _said(heading.text("descriptorName"))
    for keyword in record.record("keywordList").texts("keyword"):
        yield from _said(keyword)


def _said(text: str) -> Iterable[str]:
    return (shown,) if (shown := plain(text)) else ()


def _url(record: Record) -> str:
    source, own = record.text("source"), record.text("id")
    if not (re.fullmatch(r"[A-Z]{3}", source) and re.fullmatch(r"[\w-]{1,40}", own)):
        return ""
    return f"https://europepmc.org/article/{source}/{own}"


def _links(record: Record, ids: Identifiers, base_url: str) -> tuple[FulltextLink, ...]:
    """Free full texts; the JATS of what Europe PMC holds itself comes first."""
    licence = plain(record.text("license"))
    version: Version = "submitted" if record.text("source") == "PPR" else ""
    found: dict[str, FulltextLink] = {}
    held = ids.pmcid or (record.text("id") if version == "submitted" else "")
    if base_url and held and _flag(record, "inEPMC") and _flag(record, "isOpenAccess"):
        url = f"{base_url.rstrip('/')}/{held}/fullTextXML"
        found[url] = FulltextLink("jats", url, "Europe PMC", version, licence)
    for one in record.record("fullTextUrlList").records("fullTextUrl"):
        url, style = one.address("url"), one.text("documentStyle")
        if url and style in ("pdf", "html") and one.text("availabilityCode") in _FREE:
            kind: FulltextKind = "pdf" if style == "pdf" else "html"
            route = _ROUTES.get(one.text("site").lower(), "publisher")
            found.setdefault(url, FulltextLink(kind, url, route, version, licence))
    return tuple(found.values())


def _flag(record: Record, key: str) -> bool | None:
    return {"Y": True, "N": False}.get(record.text(key))


def _retracted(record: Record, notices: tuple[Notice, ...]) -> bool:
    kinds = [kind.lower() for kind in record.record("pubTypeList").texts("pubType")]
    withdrawn = "preprint-withdrawal" in kinds or "preprint removal" in kinds
    return withdrawn or "retracted publication" in kinds or any(notice.kind == "retraction" for notice in notices)


def _notices(record: Record, kinds: Mapping[str, NoticeKind]) -> tuple[Notice, ...]:
    """The notes of these kinds."""
    found: list[Notice] = []
    for note in record.record("commentCorrectionList").records("commentCorrection"):
        label = note.text("type")
        kind = kinds.get(label.lower())
        if kind is None:
            continue
        pmid = identifiers.pmid(note.text("id")) if note.text("source") == "MED" else None
        found.append(notice_of(kind, NAME, label=plain(label)[:100], reference=note.text("reference"), pmid=pmid))
    return tuple(found)


def _other_versions(record: Record) -> Iterator[str]:
    """DOIs and PMIDs that links between a preprint, its versions and its article name.

    Reviews that are brought up to date are linked by the same words, but are works of their own.
    """
    preprint = record.text("source") == "PPR"
    for note in record.record("commentCorrectionList").records("commentCorrection"):
        kind, source = note.text("type").lower(), note.text("source")
        if kind not in _PREPRINTS and not (kind in _UPDATES and preprint and source == "PPR"):
            continue
        for named in dois_in(note.text("reference")):
            if (doi := identifiers.doi(named)) and doi != identifiers.doi(record.text("doi")):
                yield doi
        if source == "MED" and (pmid := identifiers.pmid(note.text("id"))):
            yield pmid
