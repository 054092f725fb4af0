"""OpenAlex (api.openalex.org): every work; words are all wanted, in titles, abstracts and open full texts."""

import re
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from pincite_tasks.corpus.corpus import Corpus
from pincite_tasks.corpus.exchange import Asked, AskedWronglyError, CorpusReply, missing
from pincite_tasks.corpus.index import ABSTRACT, AUTHORS, TEXT, TITLE, VENUE
from pincite_tasks.corpus.query import Query, QueryError, Syntax
from pincite_tasks.corpus.search_words import split
from pincite_tasks.corpus.work import CorpusWork

_SEARCHED = (TITLE, ABSTRACT, TEXT)
_SYNTAX = Syntax(usual=_SEARCHED)
_TYPES = {"conference": "article", "chapter": "book-chapter", "thesis": "dissertation", "notice": "retraction"}
_SEARCHES = ("search", "search.exact", "search.semantic")
_PARAMETERS = (*_SEARCHES, "filter", "sort", "per_page", "page", "cursor", "select", "api_key", "mailto")
_SELECTABLE = (
    "id,doi,title,display_name,publication_year,publication_date,ids,language,primary_location,type,indexed_in"
    ",open_access,authorships,cited_by_count,is_retracted,is_paratext,biblio,locations,best_oa_location,topics"
    ",primary_topic,keywords,concepts,referenced_works,referenced_works_count,related_works,abstract_inverted_index"
    ",updated_date,created_date"
)
_SELECTS = frozenset(_SELECTABLE.split(","))
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_PART = re.compile(r'(?:"[^"]*"|[^,"])+')
_RANGE = re.compile(r"(?P<side>[<>])(?P<bound>\d{1,9})|(?P<first>\d{0,9})(?P<dash>-?)(?P<last>\d{0,9})")
_MOST = 10_000
"""Works that pages reach, as at OpenAlex."""

Test = Callable[[int], bool]


def answer(corpus: Corpus, asked: Asked) -> CorpusReply:
    """``GET /works``, ``/works/ID`` and ``/sources``."""
    try:
        _check_names(asked)
        if asked.path == "/sources":
            return _sources(corpus, asked)
        if asked.path == "/works":
            return _list(corpus, asked)
    except (AskedWronglyError, QueryError) as error:
        return CorpusReply.json({"error": "Invalid query parameters error.", "message": str(error)}, 400)
    work = _named(corpus, asked.path.removeprefix("/works/"))
    return missing() if work is None else CorpusReply.json(_selected(corpus, work, asked))


def _check_names(asked: Asked) -> None:
    for name in asked.params:
        if name not in _PARAMETERS:
            raise AskedWronglyError(f"{name} is not a valid parameter. Valid parameters are: {', '.join(_PARAMETERS)}.")
    for name in filter(None, asked.text("select").split(",")):
        if name not in _SELECTS:
            raise AskedWronglyError(f"{name} is not a valid select field.")


def record(corpus: Corpus, work: CorpusWork) -> dict[str, Any]:
    """The work as the API gives it, but for the works like it."""
    index: dict[str, list[int]] = {}
    for at, word in enumerate(work.abstract.split()):
        index.setdefault(word, []).append(at)
    ids = _ids(work)
    places = _places(work)
    return {
        "id": ids["openalex"],
        "doi": ids.get("doi"),
        "title": _title(work),
        "display_name": _title(work),
        "publication_year": work.year,
        "publication_date": work.first_day or None,
        "ids": ids,
        "language": "en",
        "type": _TYPES.get(work.kind, work.kind),
        "primary_location": places[0],
        "locations": places,
        "best_oa_location": next((place for place in places if place["is_oa"]), None),
        "open_access": {"is_oa": _is_open(work), "oa_status": "gold" if work.open else "closed", "oa_url": None},
        "authorships": [_authorship(f"{given} {family}".strip()) for family, given in work.names],
        "biblio": _biblio(work),
        "cited_by_count": len(corpus.citing(work)),
        "is_retracted": work.retracted is not None,
        "is_paratext": False,
        "topics": [{"display_name": subject} for subject in work.subjects],
        "abstract_inverted_index": index or None,
        "referenced_works": [_url(other) for other in corpus.cited(work)],
    } | dict(work.raw)


def _ids(work: CorpusWork) -> dict[str, str]:
    ids = {
        "openalex": _url(work),
        "doi": f"https://doi.org/{work.own_doi}" if work.own_doi else "",
        "pmid": f"https://pubmed.ncbi.nlm.nih.gov/{work.pmid}" if work.pmid else "",
        "pmcid": f"https://www.ncbi.nlm.nih.gov/pmc/articles/{work.pmcid[3:]}" if work.pmcid else "",
    }
    return {name: value for name, value in ids.items() if value}


def _authorship(name: str) -> dict[str, Any]:
    author = {"id": None, "display_name": name, "orcid": None}
    return {"author": author, "raw_author_name": name, "institutions": []}


def _biblio(work: CorpusWork) -> dict[str, str | None]:
    first, _, last = work.pages.partition("-")
    numbers = {"volume": work.volume, "issue": work.issue, "first_page": first, "last_page": last or first}
    return {name: value or None for name, value in numbers.items()}


def _url(work: CorpusWork) -> str:
    return f"https://openalex.org/{work.openalex}"


def _title(work: CorpusWork) -> str:
    return f"RETRACTED: {work.title}" if work.labelled else work.title


def _is_open(work: CorpusWork) -> bool:
    return work.open or bool(work.arxiv)


def _places(work: CorpusWork) -> list[dict[str, Any]]:
    places: list[dict[str, Any]] = []
    if work.doi or not work.arxiv:
        source = {
            "id": _source(work.venue),
            "display_name": work.venue or None,
            "issn_l": work.issn or None,
            "type": "conference" if work.kind == "conference" else "journal",
            "host_organization_name": work.publisher or None,
        }
        page = f"https://doi.org/{work.doi}" if work.doi else f"https://europepmc.org/articles/{work.pmcid}"
        places.append(_place(page, source, "publishedVersion", False))
    if work.pmcid and work.open:
        source = {"id": _source("PubMed Central"), "display_name": "PubMed Central", "type": "repository"}
        page = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{work.pmcid[3:]}"
        places.append(_place(page, source, "publishedVersion", True))
    if work.arxiv:
        source = {"id": _source("arXiv"), "display_name": "arXiv (Cornell University)", "type": "repository"}
        places.append(_place(f"http://arxiv.org/abs/{work.arxiv}", source, "submittedVersion", True))
    return places


def _place(page: str, source: dict[str, Any], version: str, is_oa: bool) -> dict[str, Any]:
    return {"is_oa": is_oa, "landing_page_url": page, "pdf_url": None, "source": source, "version": version}


def _source(name: str) -> str:
    return f"https://openalex.org/S{zlib.crc32(name.encode())}"


def _sources(corpus: Corpus, asked: Asked) -> CorpusReply:
    wanted = asked.text("search").lower().replace(".", "").split()
    names = list(dict.fromkeys(work.venue for work in corpus.works if work.venue))
    found = [name for name in names if all(any(w.startswith(part) for w in name.lower().split()) for part in wanted)]
    results = [{"id": _source(name), "display_name": name} for name in found]
    return CorpusReply.json({"meta": {"count": len(found), "page": 1, "per_page": 25}, "results": results})


def _list(corpus: Corpus, asked: Asked) -> CorpusReply:
    rows, page = asked.number("per_page", 25, least=1, most=200), asked.number("page", 1, least=1)
    if rows * page > _MOST:
        raise AskedWronglyError("Maximum results size of 10,000 records is exceeded. Cursor pagination is required.")
    searches = [name for name in _SEARCHES if name in asked.params]
    if len(searches) > 1:
        raise AskedWronglyError("Only one search parameter is allowed per request.")
    named = searches[0] if searches else ""
    search = asked.text(named) if named else ""
    query = _read(search, named) if search else None
    tests = [_condition(corpus, part) for part in _PART.findall(asked.text("filter")) if part.strip()]
    found = [
        number
        for number in range(len(corpus.works))
        if (query is None or query.fits(corpus.subject(number))) and all(test(number) for test in tests)
    ]
    found = _sorted(corpus, found, query, asked.text("sort"))
    shown = [corpus.works[number] for number in found[rows * (page - 1) : rows * page]]
    meta = {"count": len(found), "page": page, "per_page": rows}
    return CorpusReply.json(
        {"meta": meta, "results": [_selected(corpus, work, asked) for work in shown], "group_by": []}
    )


def _read(search: str, named: str) -> Query:
    if named != "search.semantic":
        return _SYNTAX.read(search)
    words = set(split(search))
    return Query(lambda subject: any(words & subject.words[name].places.keys() for name in _SEARCHED), tuple(words))


def _sorted(corpus: Corpus, found: list[int], query: Query | None, asked: str) -> list[int]:
    name, _, order = asked.partition(":")
    keys: dict[str, Callable[[int], Any]] = {
        "publication_date": lambda number: corpus.works[number].first_day,
        "publication_year": lambda number: corpus.works[number].first_day[:4],
        "cited_by_count": lambda number: len(corpus.citing(corpus.works[number])),
        "display_name": lambda number: corpus.works[number].title,
    }
    if name in keys:
        return sorted(found, key=keys[name], reverse=order == "desc")
    if name not in ("", "relevance_score"):
        raise AskedWronglyError(
            f"{name} is not a valid sort field. Valid fields are: relevance_score, {', '.join(keys)}."
        )
    return corpus.index.rank(found, query.words, _SEARCHED) if query else found


def _condition(corpus: Corpus, text: str) -> Test:
    name, colon, value = text.strip().partition(":")
    if not colon or not value:
        raise AskedWronglyError(f"{text} is not a filter: give name:value.")
    refused = value.startswith("!")
    test = _test(corpus, name, value.removeprefix("!"))
    return (lambda number: not test(number)) if refused else test


def _test(corpus: Corpus, name: str, value: str) -> Test:
    """One filter of /works; AskedWronglyError for one that is not served, with those that are."""
    searched = {
        "title.search": (TITLE,),
        "display_name.search": (TITLE,),
        "abstract.search": (ABSTRACT,),
        "title_and_abstract.search": (TITLE, ABSTRACT),
        "fulltext.search": (TEXT,),
        "default.search": _SEARCHED,
        "raw_author_name.search": (AUTHORS,),
        "authorships.author.display_name.search": (AUTHORS,),
        "primary_location.source.display_name.search": (VENUE,),
    }
    if name in searched:
        query = Syntax(usual=searched[name]).read(value)
        return lambda number: query.fits(corpus.subject(number))
    values = value.lower().split("|")
    facts = _facts(corpus, value, values)
    if name.endswith("_date") and not _DAY.fullmatch(value):
        raise AskedWronglyError(f"Value for param {name} must be a date in format 2020-05-17.")
    if name not in facts:
        raise AskedWronglyError(
            f"{name} is not a valid field. Valid fields are: {', '.join(sorted((*facts, *searched)))}."
        )
    fact = facts[name]
    return lambda number: fact(corpus.works[number])


def _facts(corpus: Corpus, value: str, values: Sequence[str]) -> dict[str, Callable[[CorpusWork], bool]]:
    def ids(work: CorpusWork) -> bool:
        return work.openalex.lower() in {each.rpartition("/")[2] for each in values}

    truth = value.lower() == "true"
    return {
        "from_publication_date": lambda work: work.first_day >= value,
        "to_publication_date": lambda work: work.first_day <= value,
        "publication_date": lambda work: work.first_day == value,
        "publication_year": lambda work: work.year is not None and any(_in_range(work.year, each) for each in values),
        "cited_by_count": lambda work: any(_in_range(len(corpus.citing(work)), each) for each in values),
        "is_oa": lambda work: _is_open(work) == truth,
        "open_access.is_oa": lambda work: _is_open(work) == truth,
        "is_retracted": lambda work: (work.retracted is not None) == truth,
        "has_abstract": lambda work: bool(work.abstract) == truth,
        "has_fulltext": lambda work: work.open == truth,
        "type": lambda work: _TYPES.get(work.kind, work.kind) in values,
        "language": lambda _: "en" in values,
        "doi": lambda work: work.own_doi.lower() in {each.removeprefix("https://doi.org/") for each in values},
        "openalex": ids,
        "openalex_id": ids,
        "ids.openalex": ids,
        "primary_location.source.id": lambda work: _place_id(_places(work)[0]) in values,
        "locations.source.id": lambda work: any(_place_id(place) in values for place in _places(work)),
        "locations.landing_page_url": lambda work: any(
            place["landing_page_url"].lower() in values for place in _places(work)
        ),
        "cites": lambda work: any(ids(other) for other in corpus.cited(work)),
        "cited_by": lambda work: any(ids(other) for other in corpus.citing(work)),
    }


def _place_id(place: dict[str, Any]) -> str:
    return place["source"]["id"].rpartition("/")[2].lower()


def _in_range(number: int, text: str) -> bool:
    """Whether a number is in "2015", "2015-2020", "2015-", ">2015" or "<2015"."""
    found = _RANGE.fullmatch(text)
    if found is None:
        raise AskedWronglyError(f"{text} is not a number or range.")
    if found["side"]:
        return number < int(found["bound"]) if found["side"] == "<" else number > int(found["bound"])
    first, last = found["first"], found["last"] if found["dash"] else found["first"]
    return (not first or number >= int(first)) and (not last or number <= int(last))


def _selected(corpus: Corpus, work: CorpusWork, asked: Asked) -> dict[str, Any]:
    """The fields of a work that are asked for, all by default; finding the works like it takes a search."""
    fields = record(corpus, work)
    selected = [name for name in asked.text("select").split(",") if name]
    if not selected or "related_works" in selected:
        others = [other for other in corpus.works if other.kind != "notice"]
        fields["related_works"] = [_url(other) for other in corpus.alike(work, others)[:10]]
    return {name: fields[name] for name in selected if name in fields} if selected else fields


def _named(corpus: Corpus, name: str) -> CorpusWork | None:
    kind, colon, value = name.removeprefix("https://openalex.org/").partition(":")
    wanted = (value if colon else kind).lower().removeprefix("//doi.org/").removeprefix("https://doi.org/")
    if colon and kind in ("pmid", "pmcid"):
        return corpus.find(lambda work: bool(wanted) and getattr(work, kind).lower() == wanted)
    if colon:
        return corpus.find(lambda work: bool(wanted) and work.own_doi.lower() == wanted)
    return corpus.find(lambda work: work.openalex.lower() == wanted)
