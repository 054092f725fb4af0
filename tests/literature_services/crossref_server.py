"""The REST API of Crossref over invented works, as documented in December 2025: queries by any of their words, filters,
select, offsets, validation failures, pools with their limits.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from invented import Invented

from source_server import Asked, Given

_SELECTABLE = (
    "abstract,URL,resource,member,posted,score,created,degree,update-policy,short-title,license,ISSN,container-title"
    ",issued,update-to,issue,prefix,approved,indexed,article-number,clinical-trial-number,accepted,author,group-title"
    ",DOI,is-referenced-by-count,updated-by,event,chair,standards-body,original-title,funder,translator,published"
    ",archive,published-print,alternative-id,subject,subtitle,published-online,publisher-location,content-domain"
    ",reference,title,link,type,publisher,volume,references-count,ISBN,issn-type,assertion,deposited,page"
    ",content-created,short-container-title,relation,editor"
)
_SELECTS = frozenset(_SELECTABLE.split(","))
_FILTERS = ("from-pub-date", "until-pub-date", "type", "has-abstract", "issn", "doi")
_PARAMS = ("filter", "select", "rows", "offset", "cursor", "sort", "order", "facet", "sample", "mailto")
_SORTS = ("relevance", "score", "published", "issued", "is-referenced-by-count")


def make_crossref(works: Sequence[Invented]) -> Callable[[Asked], Given]:
    """Answers ``GET /works`` and ``GET /works/{doi}`` over the works that have a DOI."""
    kept = [work for work in works if work.doi]

    def answer(asked: Asked) -> Given:
        polite = "mailto" in asked.params
        if asked.path == "/works":
            given = _list(kept, asked.params)
            limit = "3" if polite else "1"
        else:
            doi = unquote(asked.path.removeprefix("/works/")).lower()
            found = next((work for work in kept if work.doi.lower() == doi), None)
            given = _enveloped("work", record(found, kept)) if found else Given("Resource not found.", status=404)
            limit = "10" if polite else "5"
        pool = ("polite" if polite else "public") + ("-array" if asked.path == "/works" else "-single")
        headers = {"x-api-pool": pool, "x-rate-limit-limit": limit, "x-rate-limit-interval": "1s"}
        return Given(given.body, given.status, {**headers, "x-concurrency-limit": "3" if polite else "1"})

    return answer


def record(work: Invented, works: Sequence[Invented] = ()) -> dict[str, Any]:
    """The record of a work as the API gives it; ``raw`` adds fields and changes them."""
    date = {"date-parts": [[int(part) for part in work.published.split("-")]]} if work.published else None
    references = [_reference(cited, works) for cited in work.cites]
    fields: dict[str, Any] = {
        "DOI": work.doi,
        "URL": f"https://doi.org/{work.doi}",
        "type": "journal-article",
        "subtype": None,
        "title": [work.title],
        "subtitle": [],
        "short-title": [],
        "author": [
            {"given": given, "family": family, "sequence": "additional" if at else "first", "affiliation": []}
            for at, (family, given) in enumerate(work.authors)
        ],
        "issued": date or {"date-parts": [[None]]},
        "published": date,
        "published-print": date,
        "created": {
            "date-parts": [[2030, 1, 1]],
            "date-time": "2030-01-01T00:00:00Z",
            "timestamp": 1893456000000,
        },
        "container-title": [work.journal],
        "publisher": "Invented Press",
        "volume": work.volume,
        "issue": work.issue,
        "page": work.pages,
        "ISSN": ["1234-5679", "8765-4321"],
        "abstract": f"<jats:title>Abstract</jats:title><jats:p>{work.abstract}</jats:p>" if work.abstract else None,
        "license": [
            {
                "start": {"date-parts": [[2015, 1, 1]]},
                "content-version": "vor",
                "delay-in-days": 0,
                "URL": f"https://creativecommons.org/licenses/{work.licence.removeprefix('cc-')}/4.0/",
            }
        ]
        if work.licence
        else [],
        "link": [
            {
                "URL": work.pdf,
                "content-type": "application/pdf",
                "content-version": "vor",
                "intended-application": "text-mining",
            }
        ]
        if work.pdf
        else [],
        "is-referenced-by-count": sum(work.doi in other.cites for other in works),
        "references-count": len(references),
        "reference": references,
        "relation": {},
        "updated-by": [{"DOI": f"{work.doi}.r", "type": "retraction", "label": "Retraction"}] if work.retracted else [],
        "language": "en",
        "member": "9999",
        "prefix": work.doi.partition("/")[0],
        "score": 1.0,
    } | work.raw
    return {name: value for name, value in fields.items() if value not in (None, [])}


def refused(kind: str, value: str, message: str) -> Given:
    body = [{"type": kind, "value": value, "message": message}]
    return Given({"status": "failed", "message-type": "validation-failure", "message": body}, status=400)


def _list(works: Sequence[Invented], params: Mapping[str, str]) -> Given:
    queries = {name: text for name, text in params.items() if name == "query" or name.startswith("query.")}
    unknown = next((name for name in params if name not in queries and name not in _PARAMS), None)
    if unknown is not None:
        return refused(
            "parameter-not-allowed", unknown, f"Parameter {unknown} specified but there is no such parameter."
        )
    filters = [part.partition(":")[::2] for part in params.get("filter", "").split(",") if part]
    for name, _ in filters:
        if name not in _FILTERS:
            return refused("filter-not-available", name, f"Filter '{name}' specified but there is no such filter.")
    selected = [name for name in params.get("select", "").split(",") if name]
    for name in selected:
        if name not in _SELECTS:
            return refused("select-not-available", name, f"Select '{name}' specified but there is no such select.")
    if params.get("sort", "relevance") not in _SORTS:
        return refused("sort-not-available", params["sort"], f"Sort '{params['sort']}' is not available.")
    rows, offset = int(params.get("rows", "20")), int(params.get("offset", "0"))
    if rows > 1000 or offset + rows > 10_000:
        return refused("integer-not-valid", str(offset), "Integer specified as offset but must be at most 10000.")
    found = [work for work in works if _passes(work, filters)]
    for name, text in queries.items():
        found = [work for work in found if _score(work, name, text)]
    found.sort(key=lambda work: -sum(_score(work, name, text) for name, text in queries.items()))
    if params.get("sort") in ("published", "issued"):
        found.sort(key=lambda work: work.published, reverse=params.get("order", "desc") == "desc")
    items = [record(work, works) for work in found[offset : offset + rows]]
    message = {
        "facets": {},
        "total-results": len(found),
        "items": [{name: item[name] for name in item if not selected or name in selected} for item in items],
        "items-per-page": rows,
        "query": {"start-index": offset, "search-terms": params.get("query")},
    }
    return _enveloped("work-list", message)


def _enveloped(kind: str, message: dict[str, Any]) -> Given:
    return Given({"status": "ok", "message-type": kind, "message-version": "1.0.0", "message": message})


def _reference(cited: str, works: Sequence[Invented]) -> dict[str, Any]:
    known = next((work for work in works if work.doi == cited), None)
    if known is None:
        return {"key": f"ref-{len(cited)}", "unstructured": f"A. Nonymous, {cited} (1999)."}
    return {
        "key": "ref",
        "doi-asserted-by": "crossref",
        "DOI": known.doi.upper(),
        "author": known.authors[0][0],
        "year": known.published[:4] + "a",
        "journal-title": known.journal,
        "article-title": known.title,
        "volume": known.volume,
        "first-page": known.pages.partition("-")[0],
    }


def _passes(work: Invented, filters: Sequence[tuple[str, str]]) -> bool:
    """Different filters are all needed, of one filter's values any."""
    return all(
        any(_fits(work, name, value) for other, value in filters if other == name) for name in {f[0] for f in filters}
    )


def _fits(work: Invented, name: str, value: str) -> bool:
    if name == "from-pub-date":
        return bool(work.published) and work.published >= value[: len(work.published)]
    if name == "until-pub-date":
        return bool(work.published) and work.published <= value[: len(work.published)]
    if name == "doi":
        return work.doi.lower() == value.lower()
    if name == "has-abstract":
        return bool(work.abstract)
    return value == (work.raw.get("type", "journal-article") if name == "type" else "1234-5679")


def _score(work: Invented, name: str, text: str) -> int:
    names = " ".join(f"{given} {family}" for family, given in work.authors).lower()
    inside = {"query.author": names, "query.container-title": work.journal.lower(), "query.title": work.title.lower()}
    words = set(re.findall(r"\w+", inside.get(name, f"{work.title} {names} {work.journal} {work.published}".lower())))
    return len(words & set(re.findall(r"\w+", text.lower())))
