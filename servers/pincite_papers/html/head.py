"""Head of a page: what its meta tags and linked data say of the article."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from pincite_core.json_fields import one_or_more
from pincite_papers.html.tree import Page, writable
from pincite_papers.markup import PaperBuilder
from pincite_papers.references import find_doi

_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_TITLES = ("citation_title", "dc.title", "dcterms.title", "eprints.title", "prism.title", "og:title", "twitter:title")
_AUTHORS = (
    "citation_author",
    "citation_authors",
    "dc.creator",
    "dcterms.creator",
    "eprints.creators_name",
    "author",
    "dc.contributor",
)
_JOURNALS = ("citation_journal_title", "prism.publicationname", "citation_conference_title", "dc.source")
_DATES = (
    "citation_publication_date", "citation_cover_date", "citation_date", "citation_year", "prism.publicationdate",
    "citation_online_date", "dc.date", "dcterms.issued", "dc.date.issued", "dcterms.date", "article:published_time",
)  # fmt: skip
_DOIS = (
    "citation_doi",
    "prism.doi",
    "dc.identifier",
    "dcterms.identifier",
    "doi",
    "publication_doi",
    "bepress_citation_doi",
)
_KEYWORDS = ("citation_keywords", "citation_keyword", "dc.subject", "keywords", "prism.keyword", "article:tag")
_ARTICLES = ("Article", "ScholarlyArticle", "MedicalScholarlyArticle", "Report", "Thesis", "TechArticle", "NewsArticle")
_MARKUP = re.compile(r"</?(?:i|b|em|strong|italic|bold|su[bp]|span|scp?|tt|u)(?:\s[^<>]*)?/?>", re.IGNORECASE)
"""Markup that publishers leave in the titles of their meta tags."""
_MOST_JSON = 1_000_000
"""Characters of linked data that are read. Set by judgement."""
_MOST_AUTHORS = 5000
"""Authors that are read: collaborations have some thousands."""


@dataclass(slots=True)
class Head:
    """What a page says of its article; what it does not say is empty."""

    title: str = ""
    authors: tuple[str, ...] = ()
    journal: str = ""
    year: int | None = None
    doi: str | None = None
    keywords: tuple[str, ...] = ()
    abstract: str = ""
    pdf: str = ""
    fields: dict[str, str] = field(default_factory=dict[str, str])


def read_head(page: Page) -> Head:
    """The head of a page."""
    meta: dict[str, list[str]] = {}
    for name, content in page.meta:
        meta.setdefault(name, []).append(content)
    nothing: dict[str, Any] = {}
    linked = next(_articles(page.linked_data), nothing)
    head = Head()
    title = _first(meta, _TITLES) or _text(linked.get("headline")) or _text(linked.get("name"))
    head.title = _MARKUP.sub("", title)
    head.authors = tuple(dict.fromkeys(_authors(meta) or _linked_authors(linked)))
    head.journal = _first(meta, _JOURNALS) or _journal(linked)
    dates = [*(one for name in _DATES for one in meta.get(name, ())), _text(linked.get("datePublished"))]
    head.year = next((int(match.group()) for date in dates if (match := _YEAR.search(date))), None)
    dois = [one for name in _DOIS for one in meta.get(name, ())]
    dois += [_text(linked.get(name)) for name in ("doi", "sameAs", "@id", "url", "identifier")]
    head.doi = next((doi for one in dois if (doi := find_doi([one])) is not None), None)
    head.keywords = tuple(dict.fromkeys(_keywords(meta, linked)))
    head.abstract = _first(meta, ("citation_abstract", "dc.description", "dcterms.abstract")) or ""
    head.pdf = _first(meta, ("citation_pdf_url", "bepress_citation_pdf_url", "wkhealth_pdf_url"))
    head.fields = {
        "publisher": _first(meta, ("citation_publisher", "dc.publisher", "dcterms.publisher")),
        "volume": _first(meta, ("citation_volume", "prism.volume")),
        "issue": _first(meta, ("citation_issue", "prism.number")),
        "pages": "–".join(one for one in (_first(meta, ("citation_firstpage", "prism.startingpage")),
                                          _first(meta, ("citation_lastpage", "prism.endingpage"))) if one),
        "arxiv": _first(meta, ("citation_arxiv_id",)),
        "pmid": _first(meta, ("citation_pmid",)),
        "pdf": head.pdf,
        "published": next((date for date in dates if date), ""),
        "language": page.language[:20],
        "encoding": page.encoding,
    }  # fmt: skip
    return head


def apply_head(head: Head, builder: PaperBuilder) -> None:
    """Set the builder's front matter."""
    builder.title = builder.title or head.title
    builder.authors = builder.authors or head.authors
    builder.keywords = builder.keywords or head.keywords
    builder.journal, builder.year, builder.doi = head.journal or None, head.year, builder.doi or head.doi
    builder.metadata |= {name: value[:2000] for name, value in head.fields.items()}


def _first(meta: dict[str, list[str]], names: tuple[str, ...]) -> str:
    return next((value for name in names for value in meta.get(name, ()) if value), "")


def _authors(meta: dict[str, list[str]]) -> list[str]:
    for name in _AUTHORS:
        found = meta.get(name, [])
        if name == "citation_authors":
            found = [one for value in found for one in value.split(";")]
        spelled = [shown for one in found[:_MOST_AUTHORS] if (shown := _spelled(one))]
        if spelled:
            return spelled
    return []


def _spelled(name: str) -> str:
    """A name with the given names first."""
    family, comma, given = (part.strip() for part in name.partition(","))
    if comma and given and "," not in given and len(family) < 60:
        return f"{given} {family}"
    return name.strip(" ,;")


def _keywords(meta: dict[str, list[str]], linked: dict[str, Any]) -> Iterator[str]:
    for name in _KEYWORDS:
        values = meta.get(name, [])
        if not values:
            continue
        for value in values:
            mark = ";" if ";" in value else "," if len(values) == 1 or name != "citation_keyword" else "\0"
            yield from (part.strip() for part in value.split(mark) if part.strip())
        return
    given: Any = linked.get("keywords")
    for one in one_or_more(given):
        yield from (part.strip() for part in re.split(r"[;,]", _text(one)) if part.strip())


def _articles(texts: list[str]) -> Iterator[dict[str, Any]]:
    """The articles that JSON-LD texts describe; what is not JSON is passed over."""
    for text in texts:
        if len(text) > _MOST_JSON:
            continue
        try:
            waiting: list[Any] = [json.loads(writable(text))]
        except (ValueError, RecursionError):
            continue
        seen = 0
        while waiting and seen < 1000:
            seen += 1
            one = waiting.pop(0)
            if isinstance(one, list):
                waiting += cast("list[Any]", one)
            elif isinstance(one, dict):
                item = cast("dict[str, Any]", one)
                kinds: Any = item.get("@type")
                if any(kind in _ARTICLES for kind in one_or_more(kinds)):
                    yield item
                waiting += [item[name] for name in ("@graph", "mainEntity", "mainEntityOfPage") if name in item]


def _text(value: Any) -> str:
    """A value of JSON-LD as text: of a list the first, of an item its value or name."""
    for _ in range(3):
        if isinstance(value, list):
            value = cast("list[Any]", value)[0] if value else ""
        elif isinstance(value, dict):
            item = cast("dict[str, Any]", value)
            value = item.get("value") or item.get("name") or item.get("@id") or ""
    return " ".join(str(value).split()) if isinstance(value, str | int) else ""


def _linked_authors(linked: dict[str, Any]) -> list[str]:
    given: Any = linked.get("author") or linked.get("creator")
    people = one_or_more(given)
    return [name for one in people[:_MOST_AUTHORS] if (name := _spelled(_text(one)))]


def _journal(linked: dict[str, Any]) -> str:
    part: Any = linked.get("isPartOf")
    for _ in range(4):
        if isinstance(part, list):
            part = cast("list[Any]", part)[0] if part else None
        if not isinstance(part, dict):
            return ""
        item = cast("dict[str, Any]", part)
        if item.get("isPartOf") and item.get("@type") not in ("Periodical", ["Periodical"]):
            part = item["isPartOf"]
            continue
        return _text(item.get("name"))
    return ""
