"""Feed: an answer of the arXiv API (Atom with the OpenSearch and arXiv namespaces) as works.

Entries are read by the package ``arxiv``. It recovers what it can of a damaged feed and fills up what is missing, so
that an outage would be an empty result: the feed is read strictly first, and the package gets what was read, written
again.
Fields relied on: feed: opensearch:totalResults; entry: id, title, summary, published, updated, author/name,
category/@term, arxiv:comment, arxiv:journal_ref, arxiv:doi.
"""

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pincite_core.http.exchange import Response
from pincite_core.http.xml import read_xml
from pincite_literature import identifiers
from pincite_literature.dates import PartialDate
from pincite_literature.model import Author, FulltextLink, Identifiers, Work
from pincite_literature.sources.plain import plain

_ATOM = "{http://www.w3.org/2005/Atom}"
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
    """``entries`` counts what the feed lists, also what is not a work; ``refused`` is the API's own word of error."""

    works: tuple[Work, ...]
    entries: int
    total: int
    refused: str = ""


def read_feed(response: Response) -> Feed:
    """The feed that a body is; SourceError ("malformed") when it is none."""
    root = read_xml(response)
    if root.tag != f"{_ATOM}feed":
        raise response.malformed("it is not an Atom feed")
    total = _text(root, f"{_SEARCH}totalResults")
    entries: list[Any] = root.findall(f"{_ATOM}entry")
    for entry in entries:
        if "/api/errors" in _text(entry, f"{_ATOM}id"):
            return Feed((), 0, 0, refused=_text(entry, f"{_ATOM}summary") or "an error without words")
    if not (total.isascii() and total.isdigit() and len(total) < 12):
        raise response.malformed("it does not say how many works it counts (opensearch:totalResults)")
    works = (_work(result, dated) for result, dated in _results(root, entries))
    return Feed(tuple(work for work in works if work is not None), len(entries), int(total))


def _results(root: Any, entries: list[Any]) -> list[tuple[Any, bool]]:
    """The entries as the package reads them (``arxiv.Result``), and whether the day of the newest version is known;
    entries without the day of the first version, which are those of lost ids, are left out."""
    etree = importlib.import_module("lxml.etree")
    dated: list[bool] = []
    for entry in entries:
        for child in list(entry):
            if len(child) and child.tag != f"{_ATOM}author":
                words = "".join(child.itertext())
                del child[:]
                child.text = words
        first, newest = (PartialDate.parse(_text(entry, f"{_ATOM}{name}")) for name in ("published", "updated"))
        if first is None or first.day is None or not _text(entry, f"{_ATOM}id"):
            root.remove(entry)
            continue
        known = newest is not None and newest.day is not None
        _put(entry, "published", str(first))
        _put(entry, "updated", str(newest if known else first))
        dated.append(known)
    parsed: Any = importlib.import_module("arxiv._feed").parse(etree.tostring(root))
    return list(zip(parsed.results, dated, strict=True))


def _put(entry: Any, name: str, text: str) -> None:
    """Give the entry one child of that name with that text."""
    for child in entry.findall(f"{_ATOM}{name}"):
        entry.remove(child)
    child = entry.makeelement(f"{_ATOM}{name}")
    child.text = text
    entry.append(child)


def _work(result: Any, dated: bool) -> Work | None:
    """The work of an entry; None without an arXiv id or a title."""
    named = plain(result.entry_id)
    number = identifiers.arxiv(named)
    title = plain(result.title)
    if number is None or not title:
        return None
    found = _VERSION.search(named)
    version = found[0] if found else ""
    abstract, comment = plain(result.summary), plain(result.comment)
    article = identifiers.doi(plain(result.doi))
    own = identifiers.doi_of_arxiv(number)
    return Work(
        title=title,
        ids=Identifiers(doi=own, arxiv=number),
        authors=tuple(Author(name) for author in result.authors if (name := plain(author.name))),
        published=_day(result.published),
        dated_by="online",
        updated=_day(result.updated) if dated else None,
        kind="preprint",
        venue=plain(result.journal_ref),
        publisher="arXiv",
        abstract=abstract,
        subjects=tuple(_subjects(result)),
        url=f"https://arxiv.org/abs/{number}{version}",
        links=_links(f"{number}{version}"),
        open_access=True,
        retracted=bool(_WITHDRAWN_IN_COMMENT.search(comment) or _WITHDRAWN.search(abstract[:_SAID_EARLY])),
        version_of=(article,) if article and article != own else (),
        sources=("arxiv",),
    )


def _day(moment: datetime) -> PartialDate:
    """The day, UTC as arXiv counts."""
    return PartialDate(moment.year, moment.month, moment.day)


def _subjects(result: Any) -> Iterator[str]:
    """Categories, the primary one first, each once."""
    terms = [result.primary_category, *result.categories]
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
