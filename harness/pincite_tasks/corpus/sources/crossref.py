"""Crossref (api.crossref.org): works with a DOI of a publisher; any of the words of a query may fit, the best first.

``query`` and ``query.bibliographic`` look at titles, bylines, venues and years, as Crossref's do: not at abstracts.
"""

from collections.abc import Callable
from typing import Any

from pincite_tasks.corpus.corpus import Corpus
from pincite_tasks.corpus.exchange import Asked, AskedWronglyError, CorpusReply
from pincite_tasks.corpus.fulltext import licence_url
from pincite_tasks.corpus.index import AUTHORS, TITLE, VENUE
from pincite_tasks.corpus.search_words import split
from pincite_tasks.corpus.work import CorpusWork

_QUERIES = {
    "query": (TITLE, AUTHORS, VENUE),
    "query.bibliographic": (TITLE, AUTHORS, VENUE),
    "query.title": (TITLE,),
    "query.author": (AUTHORS,),
    "query.container-title": (VENUE,),
}
_PARAMETERS = ("filter", "select", "rows", "offset", "cursor", "sort", "order", "facet", "sample", "mailto")
_SELECTABLE = (
    "abstract,URL,resource,member,posted,score,created,degree,update-policy,short-title,license,ISSN,container-title"
    ",issued,update-to,issue,prefix,approved,indexed,article-number,clinical-trial-number,accepted,author,group-title"
    ",DOI,is-referenced-by-count,updated-by,event,chair,standards-body,original-title,funder,translator,published"
    ",archive,published-print,alternative-id,subject,subtitle,published-online,publisher-location,content-domain"
    ",reference,title,link,type,publisher,volume,references-count,ISBN,issn-type,assertion,deposited,page"
    ",content-created,short-container-title,relation,editor"
)
_SELECTS = frozenset(_SELECTABLE.split(","))
_MOST, _DEEPEST = 1000, 10_000
"""Rows of a page, and of a list that is read page by page."""
_TYPES = {
    "preprint": "posted-content",
    "conference": "proceedings-article",
    "chapter": "book-chapter",
    "book": "book",
    "thesis": "dissertation",
    "report": "report",
    "dataset": "dataset",
}


def answer(corpus: Corpus, asked: Asked) -> CorpusReply:
    """``GET /works`` and ``/works/DOI``."""
    if asked.path == "/works":
        try:
            return _list(corpus, asked)
        except AskedWronglyError as error:
            failed = [{"type": "parameter-not-allowed", "message": str(error)}]
            frame = {"status": "failed", "message-type": "validation-failure", "message": failed}
            return CorpusReply.json(frame, 400)
    doi = asked.path.removeprefix("/works/").lower()
    work = corpus.find(lambda each: bool(each.doi) and each.doi.lower() == doi)
    if work is None:
        return CorpusReply.of_text("Resource not found.", "text/plain", 404)
    return CorpusReply.json({"status": "ok", "message-type": "work", "message": record(corpus, work)})


def record(corpus: Corpus, work: CorpusWork) -> dict[str, Any]:
    """The work as the API gives it."""
    day = _day(work.published)
    licence = licence_url(work.publisher_licence)
    fields: dict[str, Any] = {
        "DOI": work.doi,
        "URL": f"https://doi.org/{work.doi}",
        "type": _type(work),
        "title": [f"RETRACTED: {work.title}" if work.labelled else work.title],
        "author": [
            {"given": given, "family": family, "sequence": "additional" if at else "first", "affiliation": []}
            for at, (family, given) in enumerate(work.names)
        ],
        "issued": day or {"date-parts": [[None]]},
        "published": day,
        "posted" if work.kind == "preprint" else "published-online": day,
        "container-title": [work.venue] if work.venue else [],
        "publisher": work.publisher,
        "volume": work.volume,
        "issue": work.issue,
        "page": work.pages,
        "ISSN": [work.issn] if work.issn else [],
        "subject": work.subjects,
        "abstract": f"<jats:p>{_escaped(work.abstract)}</jats:p>" if work.abstract else "",
        "is-referenced-by-count": len(corpus.citing(work)),
        "reference": [_reference(at, other) for at, other in enumerate(corpus.references(work), start=1)],
        "license": [{"URL": licence, "start": day, "content-version": "vor"}] if licence else [],
        "relation": _relations(work),
        "updated-by": _notices(corpus, work),
        "update-to": _updating(corpus, work),
    }
    fields |= work.raw
    return {name: value for name, value in fields.items() if value not in ("", [], {}, None)}


def _day(text: str) -> dict[str, Any] | None:
    return {"date-parts": [[int(part) for part in text.split("-")]]} if text else None


def _type(work: CorpusWork) -> str:
    return str(work.raw.get("type") or _TYPES.get(work.kind, "journal-article"))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _reference(number: int, work: CorpusWork | str) -> dict[str, Any]:
    if isinstance(work, str):
        return {"key": f"ref{number}", "unstructured": f"A. Nonymous, {work} (1999)."}
    entry = {"key": f"ref{number}", "year": work.published[:4], "author": work.names[0][0], "journal-title": work.venue}
    entry |= {"article-title": work.title, "DOI": work.own_doi, "volume": work.volume}
    return {name: value for name, value in entry.items() if value}


def _relations(work: CorpusWork) -> dict[str, Any]:
    if not work.arxiv:
        return {}
    return {"has-preprint": [{"id-type": "arxiv", "id": work.arxiv, "asserted-by": "subject"}]}


def _notices(corpus: Corpus, work: CorpusWork) -> list[dict[str, Any]]:
    made = [_update(other, other.first_day, "correction") for other in corpus.correcting(work)]
    notice = corpus.notice(work)
    if notice is None or work.retracted is None:
        return made
    return [*made, _update(notice, work.retracted.on, "retraction")]


def _updating(corpus: Corpus, work: CorpusWork) -> list[dict[str, Any]]:
    made = [_update(other, work.first_day, "correction") for other in corpus.corrected(work)]
    noticed = [(other, other.retracted.on) for other in corpus.noticed(work) if other.retracted is not None]
    return [*made, *(_update(other, on, "retraction") for other, on in noticed)]


def _update(other: CorpusWork, on: str, kind: str) -> dict[str, Any]:
    return {
        "DOI": other.own_doi,
        "type": kind,
        "label": kind.capitalize(),
        "source": "publisher",
        "updated": _day(on),
    }


def _list(corpus: Corpus, asked: Asked) -> CorpusReply:
    rows = asked.number("rows", 20, most=_MOST)
    start = asked.number("offset", 0, most=_DEEPEST - rows)
    _check_names(asked)
    queries = {name: split(asked.text(name)) for name in _QUERIES if asked.text(name)}
    each = [corpus.index.scores(words, _QUERIES[name]) for name, words in queries.items()]
    scores = [sum(one[number] for one in each) for number in range(len(corpus.works))]
    passes = _filters(corpus, asked.text("filter"))
    found = [
        number
        for number, work in enumerate(corpus.works)
        if work.doi and passes(work) and all(one[number] > 0 for one in each)
    ]
    found.sort(key=lambda number: (-scores[number], number))
    found = _sorted(corpus, found, asked)
    items = [_cut(record(corpus, corpus.works[number]), asked) for number in found[start : start + rows]]
    message = {
        "total-results": len(found),
        "items-per-page": rows,
        "query": {"start-index": start, "search-terms": asked.text("query") or None},
        "items": items,
    }
    return CorpusReply.json(
        {"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message}
    )


def _check_names(asked: Asked) -> None:
    for name in asked.params:
        if name.startswith("query") and name not in _QUERIES:
            raise AskedWronglyError(f"{name} is not served here; fields are: {', '.join(_QUERIES)}")
        if not name.startswith("query") and name not in _PARAMETERS:
            raise AskedWronglyError(f"Parameter {name} specified but there is no such parameter.")
    for name in filter(None, asked.text("select").split(",")):
        if name not in _SELECTS:
            raise AskedWronglyError(f"Select '{name}' specified but there is no such select.")


def _sorted(corpus: Corpus, found: list[int], asked: Asked) -> list[int]:
    name = asked.text("sort")
    keys: dict[str, Callable[[int], Any]] = {
        "published": lambda number: corpus.works[number].first_day,
        "published-online": lambda number: corpus.works[number].first_day,
        "issued": lambda number: corpus.works[number].first_day,
        "is-referenced-by-count": lambda number: len(corpus.citing(corpus.works[number])),
    }
    if name in ("", "score", "relevance"):
        return found
    if name not in keys:
        raise AskedWronglyError(f"sort {name} is not served here; there are: relevance, {', '.join(keys)}")
    return sorted(found, key=keys[name], reverse=asked.text("order") != "asc")


def _filters(corpus: Corpus, text: str) -> Callable[[CorpusWork], bool]:
    """Filters of different names hold together, those of one name one or the other."""
    named: dict[str, list[Callable[[CorpusWork], bool]]] = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        name, _, value = part.partition(":")
        named.setdefault(name, []).append(_filter(corpus, name, value.lower()))
    return lambda work: all(any(test(work) for test in tests) for tests in named.values())


def _filter(corpus: Corpus, name: str, value: str) -> Callable[[CorpusWork], bool]:
    truth = value in ("true", "1", "t")
    until = ("until-pub-date", "until-online-pub-date", "until-issued-date", "until-posted-date")
    since = ("from-pub-date", "from-online-pub-date", "from-issued-date", "from-posted-date")
    tests: dict[str, Callable[[CorpusWork], bool]] = {
        **{each: lambda work: "" < work.first_day[: len(value)] <= value for each in until},
        **{each: lambda work: work.first_day[: len(value)] >= value for each in since},
        "type": lambda work: _type(work) == value,
        "doi": lambda work: work.doi.lower() == value.removeprefix("https://doi.org/"),
        "prefix": lambda work: work.doi.partition("/")[0] == value,
        "issn": lambda work: work.issn.lower() == value.rpartition("/")[2],
        "container-title": lambda work: work.venue.lower() == value,
        "has-abstract": lambda work: bool(work.abstract) == truth,
        "has-full-text": lambda work: work.open == truth,
        "has-license": lambda work: bool(licence_url(work.publisher_licence)) == truth,
        "has-references": lambda work: bool(work.references) == truth,
        "has-update": lambda work: bool(_notices(corpus, work)) == truth,
        "is-update": lambda work: bool(_updating(corpus, work)) == truth,
        "update-type": lambda work: any(update["type"] == value for update in _updating(corpus, work)),
        "updates": lambda work: any(update["DOI"] == value for update in _updating(corpus, work)),
    }
    if name not in tests:
        known = ", ".join(tests)
        raise AskedWronglyError(f"Filter '{name}' specified but there is no such filter. There are: {known}")
    return tests[name]


def _cut(fields: dict[str, Any], asked: Asked) -> dict[str, Any]:
    selected = asked.text("select").split(",")
    return {name: value for name, value in fields.items() if name in selected} if selected != [""] else fields
