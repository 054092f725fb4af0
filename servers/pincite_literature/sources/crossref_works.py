"""Crossref's records of works and of their references, as its REST API gives them (JSON, api.crossref.org, 2025-12)."""

import re
from collections.abc import Iterator
from datetime import date
from typing import cast

from pincite_literature import identifiers
from pincite_literature.appearance import Appearance, appearance
from pincite_literature.dates import PartialDate
from pincite_literature.model import (
    RETRACTING,
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
from pincite_literature.sources.plain import plain, plain_paragraphs
from pincite_literature.sources.record import Record
from pincite_literature.sources.route import host_of

NAME = "crossref"

SELECT = (
    "DOI,URL,type,title,subtitle,original-title,author,issued,published,published-online,published-print,posted"
    ",container-title,event,publisher,volume,issue,page,article-number,ISSN,ISBN,abstract,subject,license,link"
    ",is-referenced-by-count,relation,updated-by"
)
"""The fields that ``work_of`` reads and that lists can be cut to ("subtype", "institution", "language" they cannot)."""

_KINDS: dict[str, WorkKind] = {
    "journal-article": "article",
    "posted-content": "preprint",
    "proceedings-article": "conference",
    "book-chapter": "chapter",
    "book-section": "chapter",
    "book-part": "chapter",
    "book-track": "chapter",
    "reference-entry": "chapter",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "dissertation": "thesis",
    "report": "report",
    "report-component": "report",
    "dataset": "dataset",
}
_DATES = ("issued", "published", "published-online", "published-print", "posted")
_VERSIONS_OF = (
    "is-preprint-of",
    "has-preprint",
    "is-version-of",
    "has-version",
    "is-manuscript-of",
    "has-manuscript",
    "is-identical-to",
    "is-same-as",
)
_NOTICES: dict[str, NoticeKind] = {
    "retraction": "retraction",
    "partial_retraction": "partial_retraction",
    "withdrawal": "withdrawal",
    "removal": "removal",
    "expression_of_concern": "concern",
    "reinstatement": "reinstatement",
    **dict.fromkeys(("correction", "corrigendum", "erratum", "addendum", "clarification"), "correction"),
}
_SAID_BY = {"publisher": "publisher", "retraction-watch": "Retraction Watch"}
_RETRACTED_TITLE = re.compile(r"(?:RETRACTED|WITHDRAWN|REMOVED)(?:\s+(?:ARTICLE|CHAPTER|PAPER))?\s*:", re.IGNORECASE)
_OPEN_LICENCE = re.compile(r"https?://(?:www\.)?creativecommons\.org/(?:licen[sc]es|publicdomain)/", re.IGNORECASE)
_NEEDS_KEY = ("api.elsevier.com", "api.wiley.com")
_LABEL_CHARS = 100
"""Characters of a notice's label that are shown."""
_HEADED = re.compile(r"(?:abstract|summary)\s*[:.]\s*", re.IGNORECASE)
_ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
_VERSIONS: dict[str, Version] = {"vor": "published", "am": "accepted"}
_FORMATS: dict[str, FulltextKind] = {
    "application/pdf": "pdf",
    "text/html": "html",
    "application/xml": "jats",
    "text/xml": "jats",
}


def work_of(record: Record, *, day: date) -> Work | None:
    """The work that a record describes, None without a DOI; ``day`` is when Crossref said it (for embargoes)."""
    doi = identifiers.doi(record.text("DOI"))
    if doi is None:
        return None
    title = _title(record)
    notices = _notices(record, "updated-by")
    licence = _open_licence(record, day)
    return Work(
        title=title,
        ids=Identifiers(doi=doi, arxiv=identifiers.arxiv_of_doi(doi)),
        authors=tuple(_authors(record)),
        **dates_of(record),
        kind=_kind(record),
        venue=_venue(record),
        publisher=plain(record.text("publisher")),
        volume=plain(record.text("volume")),
        issue=plain(record.text("issue")),
        pages=plain(record.text("page") or record.text("article-number")),
        issn=_first(record.texts("ISSN")),
        isbn=_first(record.texts("ISBN")).rpartition("/")[2],
        language=record.text("language"),
        abstract=_abstract(record),
        subjects=tuple(plain(subject) for subject in record.texts("subject")),
        url=record.address("URL") or f"https://doi.org/{doi}",
        links=tuple(_links(record, licence)) if licence else (),
        open_access=True if licence else None,
        cited_by=record.number("is-referenced-by-count"),
        retracted=any(notice.kind in RETRACTING for notice in notices) or _RETRACTED_TITLE.match(title) is not None,
        notices=notices,
        notice_of=_notices(record, "update-to"),
        version_of=tuple(_versions(record, doi)),
        sources=(NAME,),
    )


def dates_of(record: Record) -> Appearance:
    """When it came out in print (an issue, a book), and when online.

    ``created`` and ``deposited`` are dates of the registration, not of the work.
    """
    dates = {key: _date(record.record(key)) for key in _DATES}
    said = bool(dates["published-online"] or dates["posted"])
    return appearance(dates.pop("published-print"), dates.values(), said=said)


def cited_of(reference: Record) -> Work | None:
    """The work that an entry of a reference list names, as far as it does; None when it says nothing."""
    doi = identifiers.doi(reference.text("DOI"))
    words = reference.text("article-title") or reference.text("volume-title") or reference.text("unstructured")
    title = plain(words)[:500]
    venue = plain(reference.text("journal-title") or reference.text("series-title"))
    author = plain(reference.text("author"))
    if not (doi or title or venue):
        return None
    return Work(
        title=title,
        ids=Identifiers(doi=doi, arxiv=identifiers.arxiv_of_doi(doi) if doi else None),
        authors=(Author(author),) if author else (),
        published=PartialDate.of(reference.text("year")[:4]),
        venue=venue,
        volume=plain(reference.text("volume")),
        issue=plain(reference.text("issue")),
        pages=plain(reference.text("first-page")),
        url=f"https://doi.org/{doi}" if doi else "",
        sources=(NAME,),
    )


def _title(record: Record) -> str:
    title = plain(_first(record.texts("title")) or _first(record.texts("original-title")))
    subtitle = plain(_first(record.texts("subtitle")))
    if not subtitle or subtitle.casefold() in title.casefold():
        return title
    return f"{title}{'' if title.endswith((':', '?', '!')) else ':'} {subtitle}" if title else subtitle


def _authors(record: Record) -> Iterator[Author]:
    for author in record.records("author"):
        given, family = plain(author.text("given")), plain(author.text("family"))
        suffix = plain(author.text("suffix"))
        name = " ".join(part for part in (given, family, suffix) if part) or plain(author.text("name"))
        if name:
            orcid = _ORCID.search(author.text("ORCID").upper())
            yield Author(name, family, given if family else "", orcid[0] if orcid else "")


def _date(record: Record) -> PartialDate | None:
    parts = record.fields.get("date-parts")
    first = cast("list[object]", parts)[0] if isinstance(parts, list) and parts else None
    return PartialDate.of(*cast("list[object]", first)[:3]) if isinstance(first, list) and first else None


def _abstract(record: Record) -> str:
    text = plain_paragraphs(record.text("abstract"))
    heading = _HEADED.match(text)
    return text[heading.end() :] if heading else text


def _kind(record: Record) -> WorkKind:
    named = record.text("type")
    if named == "posted-content" and record.text("subtype") not in ("", "preprint"):
        return "other"
    return _KINDS.get(named, "other") if named else ""


def _venue(record: Record) -> str:
    institution = record.records("institution") or (record.record("institution"),)
    named = _first(record.texts("container-title")) or record.record("event").text("name")
    return plain(named or institution[0].text("name"))


def _open_licence(record: Record, day: date) -> str:
    """The open licence that holds on that day, "" if none does."""
    for licence in record.records("license"):
        start = _date(licence.record("start"))
        if _OPEN_LICENCE.match(licence.text("URL")) and (start is None or start.earliest <= day):
            return licence.address("URL")
    return ""


def _links(record: Record, licence: str) -> Iterator[FulltextLink]:
    for link in record.records("link"):
        url = link.address("URL")
        if not url or link.text("intended-application") == "similarity-checking" or host_of(url) in _NEEDS_KEY:
            continue
        named = link.text("content-type").lower()
        kind = _FORMATS.get(named) or ("pdf" if url.lower().endswith(".pdf") else None)
        if kind is not None:
            yield FulltextLink(kind, url, "publisher", _VERSIONS.get(link.text("content-version"), ""), licence)


def _notices(record: Record, key: str) -> tuple[Notice, ...]:
    """What ``updated-by`` or ``update-to`` lists, by publishers and by Retraction Watch."""
    found: list[Notice] = []
    for update in record.records(key):
        kind = update.text("type").lower().replace("-", "_").replace(" ", "_")
        doi = identifiers.doi(update.text("DOI"))
        found.append(
            Notice(
                _NOTICES.get(kind, "other"),
                NAME,
                _SAID_BY.get(update.text("source").lower(), plain(update.text("source"))[:_LABEL_CHARS]),
                _date(update.record("updated")),
                f"doi:{doi}" if doi else "",
                plain(update.text("label") or update.text("type"))[:_LABEL_CHARS],
            )
        )
    return tuple(found)


def _versions(record: Record, own: str) -> Iterator[str]:
    relations = record.record("relation")
    seen = {own}
    for name in _VERSIONS_OF:
        for relation in relations.records(name):
            other = identifiers.doi(relation.text("id")) or identifiers.arxiv(relation.text("id"))
            if other is not None and other not in seen:
                seen.add(other)
                yield other


def _first(texts: tuple[str, ...]) -> str:
    return texts[0] if texts else ""
