"""Feed: an answer of the arXiv API (Atom with the OpenSearch and arXiv namespaces) as works.

Fields relied on: feed: opensearch:totalResults; entry: id, title, summary, published, updated, author/name,
category/@term, arxiv:comment, arxiv:journal_ref, arxiv:doi. (The package ``arxiv`` reads the same feeds for one
program's own use; it recovers what it can of a damaged feed, so that an outage would be an empty result.)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pincite_core.http.exchange import Answer
from pincite_core.http.xml import read_xml
from pincite_literature import identifiers
from pincite_literature.dates import PartialDate
from pincite_literature.model import Author, FulltextLink, Identifiers, Work
from pincite_literature.sources.plain import plain

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
_VERSION = re.compile(r"v(\d{1,3})$")
_LATELY = r"(?:(?:has|have|had|was|is|been|being|now|temporarily|permanently)\s){0,3}withdrawn\b"
_WITHDRAWN = re.compile(
    rf"^\W*withdrawn\b|\b(?:paper|article|manuscript|submission|preprint|work|note|thesis|report)\s{_LATELY}",
    re.IGNORECASE,
)
_WITHDRAWN_IN_COMMENT = re.compile(rf"{_WITHDRAWN.pattern}|\b(?:has|have|is|was|been)\s{_LATELY}", re.IGNORECASE)
_SAID_EARLY = 120
"""Characters of an abstract in which a withdrawal is announced."""


@dataclass(frozen=True, slots=True)
class Feed:
    """``entries`` counts what the feed lists, also what is no work; ``refused`` is the API's own word of error."""

    works: tuple[Work, ...]
    entries: int
    total: int
    refused: str = ""


def read_feed(answer: Answer) -> Feed:
    """The feed that a body is; SourceError ("malformed") when it is none."""
    root = read_xml(answer)
    if root.tag != f"{_ATOM}feed":
        raise answer.malformed("it is no Atom feed")
    total = _text(root, f"{_SEARCH}totalResults")
    entries: list[Any] = root.findall(f"{_ATOM}entry")
    for entry in entries:
        if "/api/errors" in _text(entry, f"{_ATOM}id"):
            return Feed((), 0, 0, refused=_text(entry, f"{_ATOM}summary") or "an error without words")
    if not (total.isascii() and total.isdigit() and len(total) < 12):
        raise answer.malformed("it does not say how many works it counts (opensearch:totalResults)")
    works = tuple(work for entry in entries if (work := _work(entry)) is not None)
    return Feed(works, len(entries), int(total))


def _work(entry: Any) -> Work | None:
    """The work of an entry; None without an id, a title or the day of its first version (entries of lost ids)."""
    named = _text(entry, f"{_ATOM}id")
    number = identifiers.arxiv(named)
    title = _text(entry, f"{_ATOM}title")
    published = PartialDate.parse(_text(entry, f"{_ATOM}published"))
    if number is None or not title or published is None:
        return None
    found = _VERSION.search(named)
    version = found[0] if found else ""
    abstract, comment = _text(entry, f"{_ATOM}summary"), _text(entry, f"{_ARXIV}comment")
    article = identifiers.doi(_text(entry, f"{_ARXIV}doi"))
    own = identifiers.doi_of_arxiv(number)
    return Work(
        title=title,
        ids=Identifiers(doi=own, arxiv=number),
        authors=tuple(_authors(entry)),
        published=published,
        dated_by="online",
        updated=PartialDate.parse(_text(entry, f"{_ATOM}updated")),
        kind="preprint",
        venue=_text(entry, f"{_ARXIV}journal_ref"),
        publisher="arXiv",
        abstract=abstract,
        subjects=tuple(_subjects(entry)),
        url=f"https://arxiv.org/abs/{number}{version}",
        links=_links(f"{number}{version}"),
        open_access=True,
        retracted=bool(_WITHDRAWN_IN_COMMENT.search(comment) or _WITHDRAWN.search(abstract[:_SAID_EARLY])),
        version_of=(article,) if article and article != own else (),
        sources=("arxiv",),
    )


def _authors(entry: Any) -> Iterator[Author]:
    for author in entry.iterfind(f"{_ATOM}author"):
        if name := _text(author, f"{_ATOM}name"):
            yield Author(name)


def _subjects(entry: Any) -> Iterator[str]:
    """Categories, the primary one first, each once."""
    primary = entry.find(f"{_ARXIV}primary_category")
    terms = [primary.get("term")] if primary is not None else []
    terms += [category.get("term") for category in entry.iterfind(f"{_ATOM}category")]
    yield from dict.fromkeys(shown for term in terms if (shown := plain(term)))


def _links(versioned: str) -> tuple[FulltextLink, ...]:
    """Source, HTML (which only newer works have) and PDF of this version; the feed does not say the licence."""
    return (
        FulltextLink("latex", f"https://arxiv.org/src/{versioned}", "arXiv", "submitted"),
        FulltextLink("html", f"https://arxiv.org/html/{versioned}", "arXiv", "submitted"),
        FulltextLink("pdf", f"https://arxiv.org/pdf/{versioned}", "arXiv", "submitted"),
    )


def _text(element: Any, tag: str) -> str:
    """The text of a child, its own markup included, on one line; "" when it is not there."""
    child = element.find(tag)
    return "" if child is None else plain("".join(child.itertext()))
