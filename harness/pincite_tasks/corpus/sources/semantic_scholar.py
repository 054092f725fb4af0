"""Semantic Scholar (api.semanticscholar.org): every work but notices, by titles and abstracts; and who cites whom.

Relevance search takes works with any of the words, bulk search a boolean query.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pincite_tasks.corpus.corpus import Corpus
from pincite_tasks.corpus.exchange import Asked, AskedWronglyError, CorpusReply, missing
from pincite_tasks.corpus.index import ABSTRACT, AUTHORS, TITLE
from pincite_tasks.corpus.query import QueryError, Syntax
from pincite_tasks.corpus.search_words import split
from pincite_tasks.corpus.work import CorpusWork

_SEARCHED = (TITLE, ABSTRACT)
_SYNTAX = Syntax(usual=_SEARCHED, any_of=("|",), none_of=("-",), all_of=("+",))
_PAPER = re.compile(
    r"/(?P<api>graph/v1/paper|recommendations/v1/papers/forpaper)/(?P<name>.+?)(?:/(?P<part>citations|references))?"
)
_ROWS = 1000
"""Works that offsets reach, as at Semantic Scholar."""
_READABLE = (
    "paperId,corpusId,externalIds,url,title,abstract,venue,publicationVenue,year,referenceCount,citationCount"
    ",influentialCitationCount,isOpenAccess,openAccessPdf,fieldsOfStudy,s2FieldsOfStudy,publicationTypes"
    ",publicationDate,journal,citationStyles,authors"
)
_FIELDS = frozenset(_READABLE.split(","))
_LINK_FIELDS = _FIELDS | {"contexts", "intents", "isInfluential", "contextsWithIntent"}
_POOLS = ("recent", "all-cs")
_MOST_RELEVANT, _MOST_LINKS = 999, 9_999
"""How deep a search by relevance and a list of links can be read: offset and limit together."""


def answer(corpus: Corpus, asked: Asked, *, rows: int = _ROWS) -> CorpusReply:
    """Search, bulk search (``rows`` a page), a paper, its citations and references, papers like it."""
    try:
        _check_fields(asked)
        if asked.path == "/graph/v1/paper/search":
            return _relevant(corpus, asked)
        if asked.path == "/graph/v1/paper/search/bulk":
            return _bulk(corpus, asked, rows)
        found = _PAPER.fullmatch(asked.path)
        work = _named(corpus, found["name"]) if found else None
        if found is None or work is None:
            return missing(f"Paper with id {found['name'] if found else asked.path} not found")
        if found["api"].startswith("recommendations"):
            if (pool := asked.text("from") or _POOLS[0]) not in _POOLS:
                raise AskedWronglyError(f"Unsupported pool: {pool}")
            alike = corpus.alike(work, _held(corpus))[: asked.number("limit", 100, least=1, most=500)]
            return CorpusReply.json({"recommendedPapers": [paper(corpus, one) for one in alike]})
        return _links(corpus, work, found["part"], asked) if found["part"] else CorpusReply.json(paper(corpus, work))
    except (AskedWronglyError, QueryError) as error:
        return CorpusReply.json({"error": str(error)}, 400)


def _check_fields(asked: Asked) -> None:
    known = _LINK_FIELDS if asked.path.endswith(("citations", "references")) else _FIELDS
    unknown = [name for name in asked.text("fields").split(",") if name and name not in known]
    if unknown:
        raise AskedWronglyError(f"Unrecognized or unsupported fields: [{', '.join(unknown)}]")


def paper(corpus: Corpus, work: CorpusWork) -> dict[str, Any]:
    """The paper as the API gives it."""
    ids = {
        "DOI": work.own_doi,
        "ArXiv": work.arxiv,
        "PubMed": work.pmid,
        "PubMedCentral": work.pmcid.removeprefix("PMC"),
    }
    preprint = bool(work.arxiv) and not work.doi
    venue = "arXiv.org" if preprint else work.venue
    journal = {"name": "ArXiv", "volume": f"abs/{work.arxiv}"} if preprint else _journal(work)
    types = {"review": ["Review"], "conference": ["Conference"], "book": ["Book"], "dataset": ["Dataset"]}
    return {
        "paperId": work.s2,
        "externalIds": {name: value for name, value in ids.items() if value},
        "url": f"https://www.semanticscholar.org/paper/{work.s2}",
        "title": work.title,
        "abstract": work.abstract or None,
        "venue": venue,
        "publicationVenue": None if preprint else {"name": work.venue, "issn": work.issn or None},
        "journal": journal,
        "year": work.year,
        "publicationDate": work.published if work.published and work.published == work.first_day else None,
        "publicationTypes": types.get(work.kind, ["JournalArticle"]),
        "citationCount": len(corpus.citing(work)),
        "referenceCount": len(work.references),
        "isOpenAccess": work.open or bool(work.arxiv),
        "openAccessPdf": {"url": "", "status": None, "license": None},
        "fieldsOfStudy": None,
        "authors": [{"authorId": None, "name": f"{given} {family}".strip()} for family, given in work.names],
    } | dict(work.raw)


def _journal(work: CorpusWork) -> dict[str, str]:
    return {"name": work.venue, "volume": work.volume, "pages": work.pages}


def _held(corpus: Corpus) -> list[CorpusWork]:
    return [work for work in corpus.works if work.kind != "notice"]


def _relevant(corpus: Corpus, asked: Asked) -> CorpusReply:
    limit = asked.number("limit", 10, least=1, most=100)
    offset = asked.number("offset", 0, most=_MOST_RELEVANT - limit)
    words = split(asked.text("query"))
    if not words:
        raise AskedWronglyError("Missing required parameters [query]")
    fields = (*_SEARCHED, AUTHORS)
    scores = corpus.index.scores(words, fields)
    numbers = [corpus.numbers[work.id] for work in _held(corpus) if _passes(work, asked.params)]
    found = corpus.index.rank([number for number in numbers if scores[number] > 0], words, fields)
    shown = [paper(corpus, corpus.works[number]) for number in found[offset : offset + limit]]
    if not found:
        return CorpusReply.json({"total": 0, "offset": 0})
    return CorpusReply.json({"total": len(found), "offset": offset, **_next(offset, limit, len(found)), "data": shown})


def _bulk(corpus: Corpus, asked: Asked, rows: int) -> CorpusReply:
    query = _SYNTAX.read(asked.text("query"))
    found = [
        work
        for work in _held(corpus)
        if query.fits(corpus.subject(corpus.numbers[work.id])) and _passes(work, asked.params)
    ]
    name, _, order = (asked.text("sort") or "paperId:asc").partition(":")
    keys: dict[str, Callable[[CorpusWork], Any]] = {
        "paperId": lambda work: work.s2,
        "publicationDate": lambda work: work.first_day,
        "citationCount": lambda work: len(corpus.citing(work)),
    }
    if name not in keys:
        raise AskedWronglyError(f"Unsupported sort field: {name}")
    found.sort(key=keys[name], reverse=order == "desc")
    token = asked.text("token")
    if token and not (token.isascii() and token.isdigit()):
        raise AskedWronglyError("Invalid token")
    start = int(token or 0)
    following = str(start + rows) if start + rows < len(found) else None
    shown = [paper(corpus, work) for work in found[start : start + rows]]
    return CorpusReply.json({"total": len(found), "token": following, "data": shown})


def _links(corpus: Corpus, work: CorpusWork, part: str, asked: Asked) -> CorpusReply:
    limit = asked.number("limit", 100, least=1, most=1000)
    offset = asked.number("offset", 0, most=_MOST_LINKS - limit)
    if part == "citations":
        citing = sorted(corpus.citing(work), key=lambda one: one.first_day, reverse=True)
        rows = [
            {**corpus.context(one), "citingPaper": paper(corpus, one)} for one in citing if _passes(one, asked.params)
        ]
    else:
        cited = [_unknown(one) if isinstance(one, str) else paper(corpus, one) for one in corpus.references(work)]
        rows = [{**corpus.context(work), "citedPaper": one} for one in cited]
    following = _next(offset, limit, len(rows))
    return CorpusReply.json({"offset": offset, **following, "data": rows[offset : offset + limit]})


def _unknown(title: str) -> dict[str, Any]:
    """A cited work that is not held: nothing of it is known but how it is called."""
    return {**dict.fromkeys(_FIELDS), "title": title, "authors": []}


def _next(offset: int, limit: int, total: int) -> dict[str, int]:
    return {"next": offset + limit} if offset + limit < total else {}


def _passes(work: CorpusWork, params: Mapping[str, str]) -> bool:
    first, _, last = params.get("publicationDateOrYear", "").partition(":")
    years = params.get("year", "")
    if years:
        first, dash, last = years.partition("-")
        last = last if dash else first
    if (first or last) and not work.first_day:
        return False
    if first and work.first_day[: len(first)] < first:
        return False
    if last and work.first_day[: len(last)] > last:
        return False
    venues = [venue.strip().lower() for venue in params.get("venue", "").split(",") if venue.strip()]
    shown = "arxiv.org" if work.arxiv and not work.doi else work.venue.lower()
    return (not venues or shown in venues) and ("openAccessPdf" not in params or work.has_pdf)


def _named(corpus: Corpus, name: str) -> CorpusWork | None:
    kind, colon, value = name.partition(":")
    wanted = value.lower()
    tests: dict[str, Callable[[CorpusWork], bool]] = {
        "DOI": lambda work: wanted in (work.doi.lower(), f"10.48550/arxiv.{work.arxiv}" if work.arxiv else ""),
        "ARXIV": lambda work: work.arxiv == wanted,
        "PMID": lambda work: work.pmid == wanted,
        "PMCID": lambda work: work.pmcid.removeprefix("PMC").lower() == wanted,
    }
    if not colon:
        return corpus.find(lambda work: work.s2 == name.lower())
    return corpus.find(tests[kind.upper()]) if kind.upper() in tests and wanted else None
