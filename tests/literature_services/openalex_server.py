"""The API of OpenAlex over invented works, as documented in 2026: search, filters, select, numbered pages, merges."""

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from invented import Invented

from source_server import Asked, Given

_SELECTABLE = (
    "id,doi,title,display_name,publication_year,publication_date,ids,language,primary_location,type,indexed_in"
    ",open_access,authorships,cited_by_count,is_retracted,is_paratext,biblio,locations,best_oa_location,topics"
    ",primary_topic,keywords,concepts,referenced_works,referenced_works_count,related_works,abstract_inverted_index"
    ",updated_date,created_date"
)
_SELECTS = frozenset(_SELECTABLE.split(","))
_PARAMS = ("search", "search.exact", "search.semantic", "filter", "sort", "per_page", "page", "cursor", "select")
_SORTS = ("publication_date", "cited_by_count", "relevance_score")


def make_openalex(works: Sequence[Invented], *, merged: Mapping[str, str] | None = None) -> Callable[[Asked], Given]:
    """Answers ``GET /works`` and ``GET /works/{id}`` over the works that have an OpenAlex id; ids that are keys of
    ``merged`` redirect to their values.
    """
    kept = [work for work in works if work.openalex]

    def answer(asked: Asked) -> Given:
        known = (*_PARAMS, "api_key", "mailto")
        unknown = next((name for name in asked.params if name not in known), None)
        if unknown is not None:
            return refused(f"{unknown} is not a valid parameter. Valid parameters are: {', '.join(_PARAMS)}.")
        if asked.path == "/sources":
            return _sources(kept, asked.params)
        selected = [name for name in asked.params.get("select", "").split(",") if name]
        wrong = next((name for name in selected if name not in _SELECTS), None)
        if wrong is not None:
            return refused(f"{wrong} is not a valid select field.")
        if asked.path == "/works":
            return _list(kept, asked.params, selected)
        name = unquote(asked.path.removeprefix("/works/"))
        if merged and name in merged:
            query = f"?select={','.join(selected)}" if selected else ""
            return Given("", status=301, headers={"Location": f"/works/{merged[name]}{query}"})
        work = _named(kept, name)
        if work is None:
            return Given("<!doctype html><title>404 Not Found</title>", status=404)
        return Given(_cut(record(work, kept), selected))

    return answer


def record(work: Invented, works: Sequence[Invented] = ()) -> dict[str, Any]:
    """The work as the API gives it: unknown days and months are ones; ``raw`` adds fields and changes them."""
    year, *rest = work.published.split("-") if work.published else ("",)
    month, day = [*rest, "01", "01"][:2] if len(rest) == 1 else (rest or ["01", "01"])[:2]
    number = f"https://openalex.org/{work.openalex}"
    ids = {"openalex": number, "doi": f"https://doi.org/{work.doi}" if work.doi else None, "mag": 1}
    ids |= {"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{work.pmid}" if work.pmid else None}
    pmcid = work.pmcid.removeprefix("PMC")
    ids |= {"pmcid": f"https://www.ncbi.nlm.nih.gov/pmc/articles/{pmcid}" if pmcid else None}
    locations = _locations(work)
    best = next((place for place in locations if place["is_oa"]), None)
    index: dict[str, list[int]] = {}
    for at, word in enumerate(work.abstract.split()):
        index.setdefault(word, []).append(at)
    first, _, last = work.pages.partition("-")
    return {
        "id": number,
        "doi": ids["doi"],
        "title": work.title,
        "display_name": work.title,
        "publication_year": int(year) if year else None,
        "publication_date": f"{year}-{month}-{day}" if year else None,
        "ids": {name: value for name, value in ids.items() if value is not None},
        "language": "en",
        "type": "article",
        "primary_location": locations[0] if locations else None,
        "locations": locations,
        "best_oa_location": best,
        "open_access": {
            "is_oa": work.open_access,
            "oa_status": "gold" if work.open_access else "closed",
            "oa_url": None,
        },
        "authorships": [
            {
                "author_position": "middle",
                "author": {
                    "id": f"https://openalex.org/A{at}",
                    "display_name": f"{given} {family}".strip(),
                    "orcid": None,
                },
                "institutions": [],
                "raw_author_name": f"{family}, {given}",
            }
            for at, (family, given) in enumerate(work.authors)
        ],
        "biblio": {"volume": work.volume, "issue": work.issue, "first_page": first, "last_page": last or first},
        "cited_by_count": sum(bool(_names(work) & set(other.cites)) for other in works),
        "is_retracted": work.retracted,
        "is_paratext": False,
        "topics": [{"id": f"https://openalex.org/T{at}", "display_name": one} for at, one in enumerate(work.subjects)],
        "abstract_inverted_index": index or None,
        "referenced_works": [f"https://openalex.org/{one}" for one in _numbers(works, work.cites)],
        "related_works": [f"https://openalex.org/{one}" for one in _numbers(works, work.like)],
    } | dict(work.raw)


def refused(words: str, status: int = 400) -> Given:
    return Given({"error": "Invalid query parameters error.", "message": words}, status=status)


def _locations(work: Invented) -> list[dict[str, Any]]:
    places: list[dict[str, Any]] = []
    if work.doi:
        source = {
            "id": "https://openalex.org/S1",
            "display_name": work.journal,
            "issn_l": "1234-5679",
            "type": "journal",
        }
        places.append(
            {
                "is_oa": work.open_access,
                "landing_page_url": f"https://doi.org/{work.doi}",
                "pdf_url": work.pdf or None,
                "source": source | {"host_organization_name": "Invented Press"},
                "license": work.licence or None,
                "version": "publishedVersion",
            }
        )
    if work.arxiv:
        places.append(
            {
                "is_oa": True,
                "landing_page_url": f"http://arxiv.org/abs/{work.arxiv}",
                "pdf_url": f"https://arxiv.org/pdf/{work.arxiv}",
                "source": {
                    "id": "https://openalex.org/S4306400194",
                    "display_name": "arXiv (Cornell University)",
                    "issn_l": None,
                    "type": "repository",
                    "host_organization_name": "Cornell University",
                },
                "license": None,
                "version": "submittedVersion",
            }
        )
    return places


def _sources(works: Sequence[Invented], params: Mapping[str, str]) -> Given:
    wanted = params["search"].lower().replace(".", "").split()
    names = sorted({work.journal for work in works})
    found = [one for one in names if all(any(word.startswith(part) for word in one.lower().split()) for part in wanted)]
    results = [{"id": _source(name)} for name in found[: int(params["per_page"])]]
    return Given({"meta": {"count": len(found), "page": 1, "per_page": int(params["per_page"])}, "results": results})


def _source(name: str) -> str:
    return f"https://openalex.org/S{zlib.crc32(name.encode())}"


def _list(works: Sequence[Invented], params: Mapping[str, str], selected: Sequence[str]) -> Given:
    if "cursor" in params and "api_key" not in params:
        return Given({"error": "API key required", "message": "Cursor paging requires an API key."}, status=401)
    rows, page = int(params.get("per_page", "25")), int(params.get("page", "1"))
    if not 1 <= rows <= 100 or page < 1:
        return refused("per_page parameter must be between 1 and 100")
    if rows * page > 10_000:
        return refused("Maximum results size of 10,000 records is exceeded. Cursor pagination is required.")
    searched = [name for name in params if name.startswith("search")]
    if len(searched) > 1:
        return refused("Only one search parameter is allowed per request.")
    words = params[searched[0]] if searched else ""
    if searched == ["search"] and re.search(r"[*?]", words):
        return refused("Wildcards are not supported in stemmed search. Use search.exact.")
    try:
        tests = [_test(works, *part.partition(":")[::2]) for part in _parts(params.get("filter", ""))]
    except ValueError as error:
        return refused(str(error))
    found = [work for work in works if _holds(work, words) and all(test(work) for test in tests)]
    field, _, order = params.get("sort", "relevance_score:desc").partition(":")
    if field not in _SORTS:
        return refused(f"{field} is not a valid sort field.")
    if field == "publication_date":
        found.sort(key=lambda work: work.published, reverse=order == "desc")
    elif field == "cited_by_count":
        found.sort(key=lambda work: record(work, works)["cited_by_count"], reverse=order == "desc")
    shown = found[rows * (page - 1) : rows * page]
    meta = {"count": len(found), "db_response_time_ms": 7, "page": page, "per_page": rows, "groups_count": None}
    return Given({"meta": meta, "results": [_cut(record(work, works), selected) for work in shown], "group_by": []})


def _test(works: Sequence[Invented], name: str, value: str) -> Callable[[Invented], bool]:
    def values(text: str) -> list[str]:
        return text.lower().split("|")

    cited = [one for one in works if one.openalex.lower() in values(value)]
    tests: dict[str, Callable[[Invented], bool]] = {
        "from_publication_date": lambda work: record(work)["publication_date"] >= value,
        "to_publication_date": lambda work: record(work)["publication_date"] <= value,
        "publication_year": lambda work: work.published[:4] in values(value),
        "is_oa": lambda work: str(work.open_access).lower() == value,
        "type": lambda _: "article" in values(value),
        "primary_location.source.id": lambda work: _source(work.journal).rpartition("/")[2].lower() in values(value),
        "locations.landing_page_url": lambda work: any(
            place["landing_page_url"].lower() in values(value) for place in _locations(work)
        ),
        "ids.openalex": lambda work: work.openalex.lower() in values(value),
        "cited_by": lambda work: any(_names(work) & set(one.cites) for one in cited),
        "cites": lambda work: any(_names(one) & set(work.cites) for one in cited),
        "raw_author_name.search": lambda work: _by(work, value),
    }
    if name not in tests:
        raise ValueError(f"{name} is not a valid field. Valid fields are: {', '.join(tests)}.")
    if name.endswith("_date") and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        raise ValueError(f"Value for param {name} must be a date in format 2020-05-17.")
    return tests[name]


def _parts(filters: str) -> list[str]:
    return [part for part in re.findall(r'(?:"[^"]*"|[^,"])+', filters) if part.strip()]


def _by(work: Invented, value: str) -> bool:
    """Whether one byline has all the words of a phrase, in any order (as far apart as the slop says)."""
    names = [set(f"{given} {family}".lower().replace(".", "").split()) for family, given in work.authors]
    phrases = re.findall(r'"([^"]+)"(?:~\d)?', value) or [value]
    return any(set(phrase.lower().replace(".", "").split()) <= name for phrase in phrases for name in names)


def _holds(work: Invented, words: str) -> bool:
    text = " ".join(re.findall(r"[\w.-]+", f"{work.title} {work.abstract}".lower()))
    return any(
        all(one.strip('"').lower() in text for one in re.findall(r'"[^"]*"|[^\s()"]+', part) if one != "AND")
        for part in words.split(" OR ")
    )


def _cut(fields: dict[str, Any], selected: Sequence[str]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if not selected or name in selected}


def _named(works: Sequence[Invented], name: str) -> Invented | None:
    prefix, colon, rest = name.partition(":")
    attribute = prefix if colon and prefix in ("doi", "pmid", "pmcid") else "openalex"
    wanted = (rest if colon else name).lower()
    return next((work for work in works if getattr(work, attribute).lower() == wanted), None)


def _names(work: Invented) -> set[str]:
    return {name for name in (work.doi, work.pmid, work.arxiv, work.openalex) if name}


def _numbers(works: Sequence[Invented], names: Sequence[str]) -> list[str]:
    return [work.openalex for name in names for work in works if name in _names(work)]
