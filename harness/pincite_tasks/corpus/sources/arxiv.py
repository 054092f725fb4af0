"""arXiv (export.arxiv.org, arxiv.org): works with an arXiv number; all words are wanted, in their metadata."""

import re
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from pincite_tasks.corpus.corpus import Corpus
from pincite_tasks.corpus.exchange import Asked, AskedWronglyError, CorpusReply, missing
from pincite_tasks.corpus.fulltext import as_html, as_latex
from pincite_tasks.corpus.index import ABSTRACT, AUTHORS, SUBJECTS, TITLE, VENUE
from pincite_tasks.corpus.query import QueryError, Syntax
from pincite_tasks.corpus.work import CorpusWork

_ATOM = "application/atom+xml; charset=utf-8"
_ALL = (TITLE, ABSTRACT, AUTHORS, VENUE, SUBJECTS)
_FILE = re.compile(r"/(?P<kind>src|e-print|html|pdf|abs)/(?P<id>\d{4}\.\d{4,5})(?P<version>v\d+)?(?:\.pdf)?")
_NAMED = re.compile(r"(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v(?P<version>\d+))?")
_MOST = 30_000
"""Works that offsets reach, as at arXiv."""
_PREFIXED = ("comment", "journal_ref", "doi")
"""Fields of arXiv's own, beside those of Atom."""


def _category(work: CorpusWork, value: str, _: str) -> bool:
    whole = value.removesuffix("*")
    own = [category.lower() for category in work.categories]
    return any(one.startswith(whole.lower()) for one in own) if whole != value else whole.lower() in own


def _submitted(work: CorpusWork, first: str, last: str) -> bool:
    day = work.day_posted.replace("-", "")
    return first[:8] <= day <= last[:8]


_SYNTAX = Syntax(
    usual=_ALL,
    fields={
        "ti": (TITLE,),
        "abs": (ABSTRACT,),
        "au": (AUTHORS,),
        "jr": (VENUE,),
        "co": (SUBJECTS,),
        "rn": (),
        "all": _ALL,
    },
    facts={
        "cat": _category,
        "submittedDate": _submitted,
        "lastUpdatedDate": _submitted,
        "id": lambda work, value, _: work.arxiv == value.partition("v")[0],
    },
    none_of=("ANDNOT", "NOT"),
)


def answer(corpus: Corpus, asked: Asked) -> CorpusReply:
    """``GET /api/query``: a feed in Atom; errors are a feed too."""
    if asked.path != "/api/query":
        return missing()
    try:
        start = asked.number("start", 0, most=_MOST)
        size = asked.number("max_results", 10, most=_MOST - start)
        found = _found(corpus, asked)
    except (AskedWronglyError, QueryError) as error:
        return refused(str(error))
    return feed([entry(*one) for one in found[start : start + size]], len(found), start)


def files(corpus: Corpus, asked: Asked) -> CorpusReply:
    """``/src``, ``/html`` and ``/abs`` of a number; there are no PDFs, and one version of each work."""
    found = _FILE.fullmatch(asked.path)
    work = corpus.find(lambda each: found is not None and each.arxiv == found["id"])
    if found is None or work is None or found["version"] not in (None, "v1"):
        return missing()
    if found["kind"] == "abs":
        return CorpusReply.of_text(f"<!DOCTYPE html><html><head><title>{escape(work.title)}</title></head></html>")
    text = corpus.text(work)
    if work.text.endswith(".txt") and found["kind"] in ("src", "e-print"):
        return CorpusReply.of_text(as_latex(work, text, corpus.cited(work)), "text/x-tex")
    if work.text.endswith((".txt", ".html")) and found["kind"] == "html":
        return CorpusReply.of_text(as_html(work, text, corpus.cited(work)) if work.text.endswith(".txt") else text)
    return missing()


def _found(corpus: Corpus, asked: Asked) -> list[tuple[CorpusWork, int]]:
    """The works with the version that is asked for, else the newest."""
    named = _named(corpus, asked.text("id_list"))
    if named is None and not asked.text("search_query"):
        return []
    versions = {at: _versions(work) for at, work in enumerate(corpus.works) if work.arxiv} if named is None else named
    numbers = list(versions)
    if search := asked.text("search_query"):
        query = _SYNTAX.read(search)
        fitting = [at for at in numbers if query.fits(corpus.subject(at))]
        numbers = corpus.index.rank(fitting, query.words, _ALL)
    found = [(corpus.works[at], versions[at]) for at in numbers]
    if asked.text("sortBy") in ("submittedDate", "lastUpdatedDate"):
        found.sort(key=lambda one: one[0].day_posted, reverse=asked.text("sortOrder") != "ascending")
    return found


def _named(corpus: Corpus, text: str) -> dict[int, int] | None:
    """The works of a list of numbers with the version that each names; None where there is no list."""
    found: dict[int, int] = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        name = _NAMED.fullmatch(part)
        if name is None:
            raise AskedWronglyError(f"incorrect id format for {part}")
        work = corpus.find(lambda each, wanted=name["id"]: each.arxiv == wanted)
        if work is not None and int(name["version"] or 1) <= _versions(work):
            found[corpus.numbers[work.id]] = int(name["version"] or _versions(work))
    return found if text else None


def _versions(work: CorpusWork) -> int:
    return 2 if work.updated else 1


def entry(work: CorpusWork, version: int = 1) -> str:
    """The entry of a work in a feed."""
    page = f"http://arxiv.org/abs/{work.arxiv}v{version}"
    venue = f"{work.venue} {work.volume}, {work.pages} ({work.published[:4]})" if work.doi and work.venue else ""
    fields: dict[str, Any] = {
        "id": page,
        "title": work.title,
        "summary": work.abstract,
        "published": f"{work.day_posted}T00:00:00Z",
        "updated": f"{work.updated if version > 1 else work.day_posted}T00:00:00Z",
        "comment": work.comment,
        "journal_ref": venue,
        "doi": work.doi,
    }
    for name, value in work.raw.items():
        fields[name] = value or ""
    elements = [
        f"<{tag}>{escape(text)}</{tag}>"
        for tag, text in ((f"arxiv:{name}" if name in _PREFIXED else name, text) for name, text in fields.items())
        if text
    ]
    names = [f"<author><name>{escape(f'{given} {family}'.strip())}</name></author>" for family, given in work.names]
    scheme = 'scheme="http://arxiv.org/schemas/atom"'
    primary = f'<arxiv:primary_category term="{escape(work.categories[0])}" {scheme}/>'
    categories = [f'<category term="{escape(category)}" {scheme}/>' for category in work.categories]
    link = f'<link href="{page}" rel="alternate" type="text/html"/>'
    return f"<entry>{''.join((*elements, *names, link, primary, *categories))}</entry>"


def refused(words: str, status: int = 400) -> CorpusReply:
    """The feed of an error, which has one entry."""
    body = (
        "<entry><id>http://arxiv.org/api/errors#query</id><title>Error</title>"
        f"<summary>{escape(words)}</summary><updated>2026-01-01T00:00:00Z</updated></entry>"
    )
    return feed([body], 1, 0, status)


def feed(entries: Sequence[str], total: int, start: int = 0, status: int = 200) -> CorpusReply:
    """A page of ``total`` entries from the one at ``start``."""
    text = (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom"'
        ' xmlns="http://www.w3.org/2005/Atom"><id>http://arxiv.org/api/query</id><title>arXiv Query</title>'
        f"<updated>2026-01-01T00:00:00Z</updated><opensearch:totalResults>{total}</opensearch:totalResults>"
        f"<opensearch:startIndex>{start}</opensearch:startIndex>"
        f"<opensearch:itemsPerPage>{len(entries)}</opensearch:itemsPerPage>{''.join(entries)}</feed>"
    )
    return CorpusReply.of_text(text, _ATOM, status)
