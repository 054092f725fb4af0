"""Recorded answers of the sources, served again for the requests that pincite makes, and the readings beside them."""

import gzip
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from pincite_literature.model import Identifiers

FILE = next(
    (
        place
        for parent in Path(__file__).resolve().parents
        if (place := parent / "shared" / "data" / "api-bodies" / "recorded.jsonl.gz").is_file()
    ),
    None,
)
SOURCES = {
    "api.crossref.org": "crossref",
    "api.semanticscholar.org": "semantic_scholar",
    "api.openalex.org": "openalex",
    "export.arxiv.org": "arxiv",
    "eutils.ncbi.nlm.nih.gov": "pubmed",
    "www.ebi.ac.uk": "europe_pmc",
    "api.unpaywall.org": "unpaywall",
}


@dataclass(frozen=True)
class Recorded:
    """An answer as it was recorded; ``number`` names it."""

    number: int
    source: str
    url: str
    status: int
    body: str

    @property
    def path(self) -> str:
        return unquote(urlsplit(self.url).path)

    @property
    def held_out(self) -> bool:
        """Whether it is of the half that was put aside before the parsing was changed."""
        return hashlib.sha256(self.url.encode()).digest()[0] % 2 == 1


@dataclass(frozen=True)
class Question:
    """How a source of ours is asked so that it gets that answer, and whether the answer is of works."""

    recorded: Recorded
    asked: str
    ask: Callable[[Any], Awaitable[Any]]


def recordings() -> list[Recorded]:
    assert FILE is not None
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Recorded(number, SOURCES[urlsplit(row["url"]).netloc], row["url"], row["status"], row["body"] or "")
        for number, row in enumerate(rows)
    ]


def questions(rows: list[Recorded]) -> Iterator[Question]:
    """A question for every answer of works or of an error; what no request of ours can bring is left out."""
    for row in rows:
        question = _QUESTIONS[row.source](row)
        if question is not None:
            yield Question(row, *question)


Asking = tuple[str, Callable[[Any], Awaitable[Any]]]


def token(row: Recorded) -> str:
    """Words for a list that stand for the answer."""
    return f"recorded{row.number}"


def _listed(row: Recorded) -> Asking:
    async def whole_list(source: Any) -> Any:
        """Its works; the first two pages of them where ours are shorter than the source's."""
        page = await source.query(token(row), limit=200)
        works = list(page.works)
        if page.cursor is not None and re.match(r"[1-9]\d*:", page.cursor):
            page = await source.query(token(row), limit=200, cursor=page.cursor)
            works += page.works
        return works

    return token(row), whole_list


def _crossref(row: Recorded) -> Asking | None:
    own = re.fullmatch(r"/works/(10\..+)", row.path)
    if own and "/transform" not in row.path and not urlsplit(row.url).query:
        doi = own[1].lower()
        if doi.startswith("10.48550/"):
            return None
        return doi, lambda source: source.work(Identifiers(doi=doi))
    of_works = row.path.endswith("works") and "rows=0" not in row.url
    return _listed(row) if of_works or row.status != 200 else None


def _semantic_scholar(row: Recorded) -> Asking | None:
    named = re.fullmatch(r"/graph/v1/paper/(?:DOI:)?(10\..+?|CorpusID:\d+)(/citations|/references)?", row.path)
    start = parse_qs(urlsplit(row.url).query).get("offset", ["0"])[0]
    if named and named[2]:
        ids = Identifiers(s2=f"{row.number:040x}")
        which = named[2][1:]
        return f"{row.number:040x}", lambda source: getattr(source, which)(ids, limit=100, cursor=start)
    if "recommendations" in row.path and row.status == 200:
        ids = Identifiers(s2=f"{row.number:040x}")
        return f"{row.number:040x}", lambda source: source.similar(ids, limit=100)
    if row.status == 200 and named:
        doi = named[1].lower()
        return doi, lambda source: source.work(Identifiers(doi=doi))
    if row.status == 404 and "/paper/" in row.path and "search" not in row.path:
        return f"{row.number:040x}", lambda source: source.work(Identifiers(s2=f"{row.number:040x}"))
    if row.status != 200 or re.search(r"/paper/search(?:/bulk|/match)?$|/author/\d+/papers$", row.path):
        return _listed(row)
    return None


def _openalex(row: Recorded) -> Asking:
    own = re.search(r"/works/https://doi\.org/(10\..+)", row.path)
    if own:
        doi = own[1].lower()
        return doi, lambda source: source.work(Identifiers(doi=doi))
    return _listed(row)


def _arxiv(row: Recorded) -> Asking:
    number = parse_qs(urlsplit(row.url).query).get("id_list", [""])[0]
    if number:
        bare = re.sub(r"v\d+$", "", number)
        return bare, lambda source: source.work(Identifiers(arxiv=bare))
    start = parse_qs(urlsplit(row.url).query)["start"][0]
    return token(row), lambda source: source.query(token(row), limit=100, cursor=start)


def _pubmed(row: Recorded) -> Asking:
    pmid = row.url.rpartition("=")[2].removeprefix("pmid_")
    return pmid, lambda source: source.work(Identifiers(pmid=pmid))


def _unpaywall(row: Recorded) -> Asking | None:
    doi = row.path.removeprefix("/v2/").lower()
    return (doi, lambda source: source.links(doi)) if doi.startswith("10.") else None


_QUESTIONS: dict[str, Callable[[Recorded], Asking | None]] = {
    "crossref": _crossref,
    "semantic_scholar": _semantic_scholar,
    "openalex": _openalex,
    "arxiv": _arxiv,
    "pubmed": _pubmed,
    "europe_pmc": _listed,
    "unpaywall": _unpaywall,
}


def same_request(asked: Any, question: Question) -> bool:
    """Whether a request is the one that brings that answer: by its path, the words of a list, the ids."""
    path = unquote(asked.path).lower()
    words = unquote(" ".join(asked.params.values())).lower()
    return question.asked.lower() in path or question.asked.lower() in words
