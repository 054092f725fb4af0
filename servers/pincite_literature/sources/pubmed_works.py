"""PubMed's records as works.

Fields relied on: MedlineCitation: PMID, Article[Journal, ArticleTitle, VernacularTitle, Pagination, ELocationID,
Abstract, AuthorList, Language, PublicationTypeList, ArticleDate], MeshHeadingList, KeywordList,
CommentsCorrectionsList; PubmedData: ArticleIdList; BookDocument: PMID, ArticleIdList, Book, ArticleTitle, AuthorList,
Abstract, PublicationType, ContributionDate, DateRevised.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from pincite_core.json_fields import items
from pincite_literature import identifiers
from pincite_literature.model import Author, FulltextLink, Identifiers, Notice, NoticeKind, Work, WorkKind
from pincite_literature.sources.notes import notice_of
from pincite_literature.sources.plain import plain
from pincite_literature.sources.pubmed_dates import date_of, dates_of
from pincite_literature.sources.record import Record
from pincite_literature.versions import is_preprint_doi
from pincite_papers.doi import dois_in

NAME = "pubmed"

_KINDS: tuple[tuple[str, WorkKind], ...] = (
    ("preprint", "preprint"),
    ("review", "review"),
    ("systematic review", "review"),
    ("scoping review", "review"),
    ("meta-analysis", "review"),
    ("dataset", "dataset"),
    ("academic dissertation", "thesis"),
    ("technical report", "report"),
    ("congress", "conference"),
    ("journal article", "article"),
    ("letter", "article"),
    ("case reports", "article"),
)
_UNTITLED = ("", "[not available]", "[in process citation]", "not available")
_NOTICES: dict[str, NoticeKind] = {
    "RetractionIn": "retraction",
    "PartialRetractionIn": "partial_retraction",
    "ExpressionOfConcernIn": "concern",
    "ErratumIn": "correction",
    "CorrectedandRepublishedIn": "correction",
}
_NOTICES_OF: dict[str, NoticeKind] = {
    "RetractionOf": "retraction",
    "PartialRetractionOf": "partial_retraction",
    "ExpressionOfConcernFor": "concern",
    "ErratumFor": "correction",
    "CorrectedandRepublishedFrom": "correction",
}
_OTHER_VERSIONS = ("UpdateIn", "UpdateOf")
_ORCID = re.compile(r"(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])$")
_PAGES = re.compile(r"([A-Za-z]*)(\d+)-([A-Za-z]*)(\d+)")
_MOST_SUBJECTS = 200
"""Subjects of a work that are read or shown. Set by judgement."""


def work_of(record: Record) -> Work | None:
    """The work of a record, None when it has no PMID."""
    return _article_work(record) if "MedlineCitation" in record else _book_work(record.record("BookDocument"))


def _article_work(record: Record) -> Work | None:
    citation, data = record.record("MedlineCitation"), record.record("PubmedData")
    article = citation.record("Article")
    journal = article.record("Journal")
    issue = journal.record("JournalIssue")
    ids = _identifiers(citation.text("PMID"), [*_items(data, "ArticleIdList"), *_items(article, "ELocationID")])
    if ids.pmid is None:
        return None
    types = tuple(kind.lower() for kind in article.texts("PublicationTypeList"))
    notes = _items(citation, "CommentsCorrectionsList")
    notices = _notices(notes, _NOTICES)
    return Work(
        title=_title(article),
        ids=ids,
        authors=tuple(_authors(article.records("AuthorList"))),
        **dates_of(issue, article, _attribute(citation.fields.get("Article"), "PubModel")),
        kind=_kind(types),
        venue=plain(journal.text("Title")) or plain(journal.text("ISOAbbreviation")),
        volume=plain(issue.text("Volume")),
        issue=plain(issue.text("Issue")),
        pages=_pages(article),
        issn=journal.text("ISSN"),
        language=", ".join(article.texts("Language")),
        abstract=_abstract(article.record("Abstract")),
        subjects=tuple(dict.fromkeys(_subjects(citation)))[:_MOST_SUBJECTS],
        url=f"https://pubmed.ncbi.nlm.nih.gov/{ids.pmid}/",
        links=_links(ids),
        open_access=True if ids.pmcid else None,
        retracted="retracted publication" in types or any(notice.kind == "retraction" for notice in notices),
        notices=notices,
        notice_of=_notices(notes, _NOTICES_OF),
        version_of=tuple(dict.fromkeys(_other_versions(notes, ids, "preprint" in types))),
        sources=(NAME,),
    )


def _book_work(document: Record) -> Work | None:
    """The work of a chapter, or of a book as a whole (Bookshelf)."""
    book = document.record("Book")
    ids = _identifiers(document.text("PMID"), _items(document, "ArticleIdList"))
    if ids.pmid is None:
        return None
    chapter, whole = plain(document.text("ArticleTitle")), plain(book.text("BookTitle"))
    authors = [one for listed in _items(document, "AuthorList") for one in _records(listed)]
    editors = [one for listed in _items(book, "AuthorList") for one in _records(listed)]
    written = date_of(document.record("ContributionDate")) or date_of(book.record("PubDate"))
    revised = date_of(document.record("DateRevised"))
    return Work(
        title=(chapter or whole).removesuffix("."),
        ids=ids,
        authors=tuple(_authors(authors or editors)),
        published=written,
        updated=revised if revised != written else None,
        kind="chapter" if chapter else "book",
        venue=whole if chapter else "",
        publisher=plain(book.record("Publisher").text("PublisherName")),
        isbn=next(iter(book.texts("Isbn")), ""),
        language=", ".join(document.texts("Language")),
        abstract=_abstract(document.record("Abstract")),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{ids.pmid}/",
        links=_links(ids),
        open_access=True if ids.pmcid else None,
        sources=(NAME,),
    )


def _items(record: Record, key: str) -> list[Any]:
    """The elements of a list as biopython made them, with their attributes."""
    return list(items(record.fields.get(key)))


def _records(listed: object) -> tuple[Record, ...]:
    return Record({"": listed}).records("")


def _attribute(element: object, name: str) -> str:
    attributes = getattr(element, "attributes", None)
    value = cast("dict[str, object]", attributes).get(name) if isinstance(attributes, dict) else None
    return value if isinstance(value, str) else ""


def _identifiers(pmid: str, named: list[Any]) -> Identifiers:
    """Of ArticleId (IdType) and ELocationID (EIdType) elements; the first of a kind counts."""
    found: dict[str, str] = {}
    for element in named:
        kind = _attribute(element, "IdType") or _attribute(element, "EIdType")
        if isinstance(element, str) and kind and _attribute(element, "ValidYN") != "N":
            text = plain(element)
            found.setdefault("arxiv" if kind == "pii" and text.lower().startswith("arxiv:") else kind, text)
    return Identifiers(
        doi=identifiers.doi(found.get("doi", "")),
        arxiv=identifiers.arxiv(found.get("arxiv", "")),
        pmid=identifiers.pmid(pmid),
        pmcid=identifiers.pmcid(found["pmc"]) if "pmc" in found else None,
    )


def _title(article: Record) -> str:
    """The title without its full stop and without the brackets of a translation; the vernacular one where it is all."""
    title = plain(article.text("ArticleTitle"))
    if title.lower().rstrip(".") in _UNTITLED:
        title = plain(article.text("VernacularTitle"))
    title = title if title.endswith("..") else title.removesuffix(".")
    if title.startswith("[") and title.endswith("]"):
        title = title[1:-1].removesuffix(".")
    return title


def _authors(listed: list[Record] | tuple[Record, ...]) -> Iterator[Author]:
    for author in listed:
        family = plain(author.text("LastName"))
        given = plain(author.text("ForeName") or author.text("Initials"))
        suffix = plain(author.text("Suffix"))
        name = " ".join(part for part in (given, family, suffix) if part) if family else ""
        if name := name or plain(author.text("CollectiveName")):
            yield Author(name, family, given if family else "", _orcid(author))


def _orcid(author: Record) -> str:
    for named in _items(author, "Identifier"):
        match = _ORCID.search(str(named).strip()) if _attribute(named, "Source").upper() == "ORCID" else None
        if match:
            return "-".join(match.groups())
    return ""


def _abstract(abstract: Record) -> str:
    """A paragraph a part, behind the part's label."""
    paragraphs: list[str] = []
    for part in _items(abstract, "AbstractText"):
        text, label = plain(part), plain(_attribute(part, "Label"))
        if text:
            paragraphs.append(f"{label}: {text}" if label and label.upper() != "UNLABELLED" else text)
    return "\n".join(paragraphs)


def _pages(article: Record) -> str:
    """First and last page in full ("421-44" is 421-444), else the publisher's number of the article."""
    pagination = article.record("Pagination")
    first, last = pagination.text("StartPage"), pagination.text("EndPage")
    pages = plain(f"{first}-{last}" if first and last and first != last else first or pagination.text("MedlinePgn"))
    match = _PAGES.fullmatch(pages)
    if match and len(match[4]) < len(match[2]):
        return f"{match[1]}{match[2]}-{match[3]}{match[2][: len(match[2]) - len(match[4])]}{match[4]}"
    numbers = (one for one in _items(article, "ELocationID") if _attribute(one, "EIdType") == "pii")
    return pages or next((number for one in numbers if (number := plain(one))), "")


def _kind(types: tuple[str, ...]) -> WorkKind:
    fitting: list[WorkKind] = [kind for name, kind in _KINDS if name in types]
    if fitting:
        return fitting[0]
    return "other" if types else ""


def _subjects(citation: Record) -> Iterator[str]:
    """MeSH descriptors, then the authors' keywords."""
    for heading in citation.records("MeshHeadingList"):
        if name := plain(heading.text("DescriptorName")):
            yield name
    for keywords in _items(citation, "KeywordList"):
        for keyword in Record({"": keywords}).texts(""):
            if name := plain(keyword):
                yield name


def _links(ids: Identifiers) -> tuple[FulltextLink, ...]:
    if ids.pmcid is None:
        return ()
    return (FulltextLink("html", f"https://pmc.ncbi.nlm.nih.gov/articles/{ids.pmcid}/", "PMC"),)


def _notices(notes: list[Any], kinds: Mapping[str, NoticeKind]) -> tuple[Notice, ...]:
    """The notes of these kinds."""
    found: list[Notice] = []
    for note in notes:
        label = _attribute(note, "RefType")
        if label not in kinds:
            continue
        said = Record.of(note) or Record()
        pmid = identifiers.pmid(said.text("PMID"))
        found.append(notice_of(kinds[label], NAME, label=label, reference=said.text("RefSource"), pmid=pmid))
    return tuple(found)


def _other_versions(notes: list[Any], ids: Identifiers, preprint: bool) -> Iterator[str]:
    """DOIs and PMIDs of the article of a preprint, of the preprint of an article, as its note names them.

    Reviews that are brought up to date bear the same kind of note, but are works of their own.
    """
    for note in notes:
        if _attribute(note, "RefType") not in _OTHER_VERSIONS:
            continue
        said = Record.of(note) or Record()
        found = [identifiers.doi(named) for named in dois_in(said.text("RefSource"))]
        dois = [doi for doi in found if doi and doi != ids.doi]
        if not preprint and not any(is_preprint_doi(doi) for doi in dois):
            continue
        yield from dois
        if pmid := identifiers.pmid(said.text("PMID")):
            yield pmid
