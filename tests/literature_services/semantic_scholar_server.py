"""The Academic Graph and Recommendations APIs of Semantic Scholar over invented works: relevance search without syntax,
bulk search by a boolean query with tokens, papers by their ids, citations with contexts.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from invented import Invented

from source_server import Asked, Given

_READABLE = (
    "paperId,corpusId,externalIds,url,title,abstract,venue,publicationVenue,year,referenceCount,citationCount"
    ",influentialCitationCount,isOpenAccess,openAccessPdf,fieldsOfStudy,s2FieldsOfStudy,publicationTypes"
    ",publicationDate,journal,citationStyles,authors"
)
_FIELDS = frozenset(_READABLE.split(","))
_LINK_FIELDS = _FIELDS | {"contexts", "intents", "isInfluential", "contextsWithIntent"}
_NAMES = {"DOI": "doi", "ARXIV": "arxiv", "PMID": "pmid", "PMCID": "pmcid"}


def make_semantic_scholar(
    works: Sequence[Invented], *, bulk_rows: int = 1000, elided: Sequence[str] = (), recent: str = ""
) -> Callable[[Asked], Given]:
    """Answers over the works that have a paperId; ``elided`` are those whose references the publisher withholds,
    ``recent`` is the first day of the pool of recent papers.
    """
    kept = [work for work in works if work.s2]

    def answer(asked: Asked) -> Given:
        path = unquote(asked.path)
        wrong = _unknown_fields(asked.params, _LINK_FIELDS if path.endswith(("citations", "references")) else _FIELDS)
        if wrong:
            return refused(f"Unrecognized or unsupported fields: [{', '.join(wrong)}]")
        if path == "/graph/v1/paper/search":
            return _relevant(kept, asked.params)
        if path == "/graph/v1/paper/search/bulk":
            return _bulk(kept, asked.params, bulk_rows)
        match = re.fullmatch(
            r"/(graph/v1/paper|recommendations/v1/papers/forpaper)/(.+?)(?:/(citations|references))?", path
        )
        work = _named(kept, match[2]) if match else None
        if match is None or work is None:
            return Given({"error": f"Paper with id {match[2] if match else path} not found"}, status=404)
        if match[1].startswith("recommendations"):
            pool = asked.params.get("from", "recent")
            if pool not in ("recent", "all-cs"):
                return refused(f"Unsupported pool: {pool}")
            first = recent if pool == "recent" else ""
            alike = [other for name in work.like if (other := _known(kept, name)) and other.published >= first]
            return Given({"recommendedPapers": [paper(one, kept) for one in alike[: int(asked.params["limit"])]]})
        if match[3]:
            if match[3] == "references" and work.s2 in elided:
                return Given({"data": None, "citedPaperInfo": {"paperId": work.s2, "openAccessPdf": {"url": ""}}})
            return _links(kept, work, match[3], asked.params)
        return Given(paper(work, kept))

    return answer


def paper(work: Invented, works: Sequence[Invented] = ()) -> dict[str, Any]:
    """The paper as the API gives it; ``raw`` adds fields and changes them."""
    ids: dict[str, Any] = {"DOI": work.doi, "ArXiv": work.arxiv, "PubMed": work.pmid}
    ids["PubMedCentral"] = work.pmcid.removeprefix("PMC")
    dated = len(work.published) == 10
    preprint = bool(work.arxiv) and not work.doi
    return {
        "paperId": work.s2,
        "externalIds": {name: value for name, value in ids.items() if value} | {"CorpusId": 1_000_000},
        "url": f"https://www.semanticscholar.org/paper/{work.s2}",
        "title": work.title,
        "abstract": work.abstract or None,
        "venue": "arXiv.org" if preprint else work.journal,
        "publicationVenue": None
        if preprint
        else {"id": "v", "name": work.journal, "type": "journal", "issn": "1234-5679"},
        "journal": {"name": "ArXiv", "volume": f"abs/{work.arxiv}"}
        if preprint
        else {"name": work.journal, "volume": work.volume, "pages": f"\n          {work.pages}\n        "},
        "year": int(work.published[:4]) if work.published else None,
        "publicationDate": work.published if dated else None,
        "publicationTypes": ["JournalArticle"],
        "citationCount": len(_citing(works, work)),
        "isOpenAccess": work.open_access,
        "openAccessPdf": {"url": work.pdf, "status": "GOLD", "license": work.licence.upper().replace("-", "") or None}
        if work.pdf
        else {"url": "", "status": None, "license": None, "disclaimer": "Notice: …"},
        "fieldsOfStudy": list(work.subjects) or None,
        "authors": [
            {"authorId": str(at), "name": f"{given} {family}".strip()}
            for at, (family, given) in enumerate(work.authors)
        ],
    } | dict(work.raw)


def refused(words: str) -> Given:
    return Given({"error": words}, status=400)


def _relevant(works: Sequence[Invented], params: Mapping[str, str]) -> Given:
    offset, limit = int(params.get("offset", "0")), int(params.get("limit", "10"))
    if not params.get("query", "").strip():
        return refused("Missing required parameters [query]")
    if limit > 100 or offset + limit >= 1000:
        return refused("Requested data for this limit and/or offset is not available")
    wanted = params["query"].lower().split()
    scored = [(sum(word in work.words for word in wanted if "-" not in word), work) for work in works]
    found = [work for score, work in sorted(scored, key=lambda one: -one[0]) if score and _passes(work, params)]
    if not found:
        return Given({"total": 0, "offset": 0})
    shown = [paper(work, works) for work in found[offset : offset + limit]]
    following = {"next": offset + limit} if offset + limit < len(found) else {}
    return Given({"total": len(found), "offset": offset, **following, "data": shown})


def _bulk(works: Sequence[Invented], params: Mapping[str, str], rows: int) -> Given:
    if not params.get("query", "").strip():
        return refused("Missing required parameters [query]")
    found = [work for work in works if _boolean(params["query"], work) and _passes(work, params)]
    field, _, order = params.get("sort", "paperId:asc").partition(":")
    keys: dict[str, Callable[[Invented], Any]] = {
        "paperId": lambda work: work.s2,
        "publicationDate": lambda work: work.published,
        "citationCount": lambda work: len(_citing(works, work)),
    }
    if field not in keys:
        return refused(f"Unsupported sort field: {field}")
    found.sort(key=keys[field], reverse=order == "desc")
    token = params.get("token", "")
    if token and not re.fullmatch(r"PCOA:\d+=", token):
        return refused("Invalid token")
    start = int(token[5:-1]) if token else 0
    further = f"PCOA:{start + rows}=" if start + rows < len(found) else None
    shown = [paper(work, works) for work in found[start : start + rows]]
    return Given({"total": len(found), "token": further, "data": shown})


def _links(works: Sequence[Invented], work: Invented, which: str, params: Mapping[str, str]) -> Given:
    offset, limit = int(params.get("offset", "0")), int(params.get("limit", "100"))
    if limit > 1000 or offset + limit >= 10_000:
        return refused("offset + limit must be < 10000")
    rows: list[dict[str, Any]] = []
    if which == "citations":
        citing = sorted(_citing(works, work), key=lambda one: one.published, reverse=True)
        rows = [_link("citingPaper", paper(one, works), one) for one in citing if _passes(one, params)]
    else:
        for name in work.cites:
            cited = _known(works, name)
            rows.append(_link("citedPaper", paper(cited, works) if cited else _unknown(name), work))
    following = {"next": offset + limit} if offset + limit < len(rows) else {}
    return Given({"offset": offset, **following, "data": rows[offset : offset + limit]})


def _link(side: str, cited: dict[str, Any], citing: Invented) -> dict[str, Any]:
    context = f"As was shown [1], {citing.title.lower()}."
    return {"contexts": [context, context], "intents": ["background"], "isInfluential": False, side: cited}


def _unknown(title: str) -> dict[str, Any]:
    empty: dict[str, Any] = dict.fromkeys(_FIELDS)
    return empty | {"title": title, "authors": []}


def _passes(work: Invented, params: Mapping[str, str]) -> bool:
    first, _, last = params.get("publicationDateOrYear", ":").partition(":")
    dated = work.published
    if (first and dated < first[: len(dated)]) or (last and dated > last[: len(dated)]) or (not dated and first + last):
        return False
    venues = [one.strip() for one in params.get("venue", "").split(",") if one.strip()]
    return (not venues or work.journal in venues) and ("openAccessPdf" not in params or bool(work.pdf))


def _boolean(query: str, work: Invented) -> bool:
    text = " ".join(re.findall(r"[\w.]+", f"{work.title} {work.abstract}".lower()))

    def holds(term: str) -> bool:
        words = " ".join(re.findall(r"[\w.]+", term.lower()))
        ending = "" if term.endswith("*") else r"\b"
        return re.search(rf"\b{re.escape(words)}{ending}", text) is not None

    terms = [re.findall(r'-?(?:"[^"]*"|[^\s()"]+)', part) for part in query.split("|")]
    return any(all(holds(one) != one.startswith("-") for one in part if one != "+") for part in terms)


def _unknown_fields(params: Mapping[str, str], known: frozenset[str]) -> list[str]:
    return [name for name in params.get("fields", "").split(",") if name and name not in known]


def _named(works: Sequence[Invented], name: str) -> Invented | None:
    prefix, colon, rest = name.partition(":")
    attribute = _NAMES.get(prefix.upper()) if colon else None
    if attribute is None:
        return next((work for work in works if work.s2 == name), None)
    wanted = f"PMC{rest}" if attribute == "pmcid" else rest
    return next((work for work in works if getattr(work, attribute).lower() == wanted.lower()), None)


def _known(works: Sequence[Invented], name: str) -> Invented | None:
    return next((work for work in works if name and name in (work.doi, work.pmid, work.arxiv, work.s2)), None)


def _citing(works: Sequence[Invented], work: Invented) -> list[Invented]:
    names = {name for name in (work.doi, work.pmid, work.arxiv, work.s2) if name}
    return [other for other in works if names & set(other.cites)]
