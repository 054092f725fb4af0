"""Europe PMC's Articles RESTful API over invented works: fields, phrases, AND/OR/NOT, dates, sorting, cursor marks,
lists of citations and references, errors with status 200.
"""

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from invented import Invented

from source_server import Asked, Given

_TOKEN = re.compile(
    r"\s*(?:(?P<paren>[()])|(?P<op>AND|OR|NOT)\b|"
    r'(?:(?P<field>[A-Z_]+):)?(?:"(?P<phrase>[^"]*)"|\[(?P<first>[\d-]+) TO (?P<last>[\d-]+)\]|(?P<word>[^\s()"]+)))'
)
_LINKS = re.compile(r"/(?P<source>[A-Z]{3})/(?P<id>[\w-]+)/(?P<kind>citations|references)")
_MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

Fits = Callable[[Invented], bool]


def make_europe_pmc(works: Sequence[Invented]) -> Callable[[Asked], Given]:
    """Answers ``/search`` and ``/SRC/ID/citations|references`` over the works with a PMID, a PMCID or a PPR id."""
    kept = [work for work in works if work.pmid or work.pmcid or work.ppr]

    def answer(asked: Asked) -> Given:
        if asked.path == "/search":
            return _search(kept, asked.params)
        if match := _LINKS.fullmatch(asked.path):
            return _listed(kept, match, asked.params)
        return Given("<html><title>404</title></html>", status=404)

    return answer


def refused(code: int, words: str, status: int = 200) -> Given:
    """An error: the API sends its own code in the body, with status 200."""
    return Given({"version": "6.9", "errCode": code, "errMsg": words}, status=status)


def record(work: Invented) -> dict[str, Any]:
    """The record of a work as resultType=core gives it; ``raw`` holds fields to change, or None to drop."""
    source, own = named(work)
    year, month, day = (*work.published.split("-"), "01", "01")[:3]
    printed = " ".join([year, _MONTHS[int(month)], str(int(day))][: len(work.published.split("-"))])
    fields: dict[str, Any] = {
        "id": own,
        "source": source,
        "pmid": work.pmid or None,
        "pmcid": work.pmcid or None,
        "doi": work.doi or None,
        "title": f"{work.title}.",
        "authorString": ", ".join(f"{family} {_initials(given)}" for family, given in work.authors) + ".",
        "authorList": {
            "author": [
                {
                    "fullName": f"{family} {_initials(given)}",
                    "firstName": given,
                    "lastName": family,
                    "initials": _initials(given),
                    "authorAffiliationDetailsList": {"authorAffiliation": [{"affiliation": "Institute of Invention."}]},
                }
                for family, given in work.authors
            ]
        },
        "journalInfo": {
            "issue": work.issue,
            "volume": work.volume,
            "journalIssueId": 1,
            "dateOfPublication": printed,
            "monthOfPublication": int(month) if len(work.published) > 4 else 0,
            "yearOfPublication": int(year),
            "printPublicationDate": f"{year}-{month}-{day}",
            "journal": {
                "title": work.journal,
                "medlineAbbreviation": "J Inv Res",
                "issn": "1234-5678",
                "essn": "8765-4321",
            },
        }
        if not work.ppr
        else None,
        "pubYear": year,
        "pageInfo": work.pages,
        "abstractText": work.abstract,
        "language": "eng",
        "pubModel": "Print",
        "pubTypeList": {"pubType": ["Preprint"] if work.ppr else ["research-article", "Journal Article"]},
        "meshHeadingList": {
            "meshHeading": [{"majorTopic_YN": "N", "descriptorName": subject} for subject in work.subjects]
        }
        if work.subjects
        else None,
        "bookOrReportDetails": {"publisher": "bioRxiv", "yearOfPublication": int(year)} if work.ppr else None,
        "fullTextUrlList": {"fullTextUrl": _addresses(work)},
        "commentCorrectionList": {
            "commentCorrection": [{"id": "1", "source": "MED", "type": "Retraction in", "note": "", "orderIn": 0}]
        }
        if work.retracted
        else None,
        "isOpenAccess": "Y" if work.open_access else "N",
        "inEPMC": "Y" if work.open_access else "N",
        "inPMC": "Y" if work.pmcid else "N",
        "hasPDF": "Y" if work.open_access else "N",
        "hasBook": "N",
        "citedByCount": 0,
        "hasReferences": "Y" if work.cites else "N",
        "license": "cc by" if work.open_access else None,
        "dateOfCreation": f"{year}-{month}-{day}",
        "firstIndexDate": f"{year}-{month}-{day}",
        "firstPublicationDate": f"{year}-{month}-{day}",
    }
    return {key: value for key, value in (fields | dict(work.raw)).items() if value is not None}


def named(work: Invented) -> tuple[str, str]:
    """Source and id of a work."""
    if work.pmid:
        return "MED", work.pmid
    return ("PPR", work.ppr) if work.ppr else ("PMC", work.pmcid)


def _addresses(work: Invented) -> list[dict[str, str]]:
    shut = {
        "availability": "Subscription required",
        "availabilityCode": "S",
        "documentStyle": "doi",
        "site": "DOI",
        "url": f"https://doi.org/{work.doi}",
    }
    free = {"availability": "Open access", "availabilityCode": "OA", "site": "Europe_PMC"}
    if not work.open_access:
        return [shut]
    page = f"https://europepmc.org/articles/{work.pmcid}"
    return [
        shut,
        {**free, "documentStyle": "html", "url": page},
        {**free, "documentStyle": "pdf", "url": f"{page}?pdf=render"},
    ]


def _initials(given: str) -> str:
    return "".join(part[0] for part in given.split())


def _search(works: Sequence[Invented], params: dict[str, str]) -> Given:
    query, mark = params.get("query", ""), params.get("cursorMark", "*")
    if not query:
        return refused(404, "No query parameter found.")
    size = int(params.get("pageSize", "25"))
    if not 1 <= size <= 1000:
        return refused(404, "The pageSize parameter must be between 1 and 1000.")
    try:
        start = 0 if mark == "*" else int(base64.b64decode(mark, validate=True))
    except ValueError:
        return refused(404, "The cursorMark parameter is not valid.")
    try:
        fits = _Reader(query).read()
    except ValueError:
        fits = _nothing
    found = [work for work in works if fits(work)]
    field, _, order = params.get("sort", "").partition(" ")
    if field == "FIRST_PDATE_D":
        found.sort(key=lambda work: work.published, reverse=order == "desc")
    elif field == "CITED":
        found.sort(key=lambda work: int(work.raw.get("citedByCount", 0)), reverse=order == "desc")
    shown = found[start : start + size]
    after = base64.b64encode(str(start + len(shown)).encode()).decode() if shown else mark
    return Given(
        {
            "version": "6.9",
            "hitCount": len(found),
            "nextCursorMark": after,
            "nextPageUrl": "https://www.ebi.ac.uk/europepmc/webservices/rest/search?cursorMark=" + after,
            "request": {
                "queryString": query,
                "resultType": params.get("resultType", "lite"),
                "cursorMark": mark,
                "pageSize": size,
                "sort": params.get("sort", ""),
                "synonym": False,
            },
            "resultList": {"result": [record(work) for work in shown]},
        }
    )


def _listed(works: Sequence[Invented], asked: re.Match[str], params: dict[str, str]) -> Given:
    by_pmid = {work.pmid: work for work in works if work.pmid}
    work = next((one for one in works if named(one) == (asked["source"], asked["id"])), None)
    one = asked["kind"][:-1]
    rows: list[dict[str, Any]] = []
    if work is not None and one == "citation":
        rows = [_short(other) for other in works if work.pmid and work.pmid in other.cites]
    elif work is not None:
        rows = [
            (
                _short(by_pmid[pmid])
                if pmid in by_pmid
                else {"title": f"Cited work {pmid}", "match": "N", "pubYear": 1990}
            )
            | {"citedOrder": place}
            for place, pmid in enumerate(work.cites, 1)
        ]
    page, size = int(params.get("page", "1")), int(params.get("pageSize", "25"))
    return Given(
        {
            "version": "6.9",
            "hitCount": len(rows),
            "request": {"id": asked["id"], "source": asked["source"], "offSet": (page - 1) * size, "pageSize": size},
            f"{one}List": {one: rows[(page - 1) * size : page * size]},
        }
    )


def _short(work: Invented) -> dict[str, Any]:
    """A row of a list of citations or references."""
    source, own = named(work)
    return {
        "id": own,
        "source": source,
        "citationType": "journal article; research-article",
        "title": f"{work.title}.",
        "authorString": ", ".join(f"{family} {_initials(given)}" for family, given in work.authors) + ".",
        "journalAbbreviation": "J Inv Res",
        "pubYear": int(work.published[:4]),
        "volume": work.volume,
        "issue": work.issue,
        "pageInfo": work.pages,
        "citedByCount": 0,
        "match": "Y",
    }


def _unmatched(pmid: str) -> dict[str, Any]:
    """A row of a cited work that Europe PMC does not hold."""
    return {"title": f"Cited work {pmid}", "authorString": "Nobody N", "match": "N", "pubYear": 1990}


def _nothing(work: Invented) -> bool:
    return False


class _Reader:
    """A query; ``read`` gives the test of a work, ValueError when it is none (the API then finds nothing)."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0

    def read(self) -> Fits:
        fits = self._any()
        if self._at < len(self._tokens):
            raise ValueError("the query cannot be parsed")
        return fits

    def _any(self) -> Fits:
        fits = self._one()
        while self._at < len(self._tokens) and self._tokens[self._at]["paren"] != ")":
            operator = self._tokens[self._at]["op"]
            self._at += 1 if operator else 0
            if operator == "AND" and self._at < len(self._tokens) and self._tokens[self._at]["op"] == "NOT":
                operator, self._at = "NOT", self._at + 1
            fits = _joined(operator or "AND", fits, self._one())
        return fits

    def _one(self) -> Fits:
        if self._at >= len(self._tokens):
            raise ValueError("the query ends early")
        token = self._tokens[self._at]
        self._at += 1
        if token["paren"] == "(":
            fits = self._any()
            if self._at >= len(self._tokens):
                raise ValueError("a parenthesis is not closed")
            self._at += 1
            return fits
        if token["paren"] or token["op"]:
            raise ValueError("an operator stands alone")
        if token["first"]:
            return lambda work: token["first"] <= _day(work) <= token["last"]
        field, words = token["field"], (token["phrase"] or token["word"] or "").lower()
        return lambda work: _holds(work, field, words)


def _joined(operator: str, left: Fits, right: Fits) -> Fits:
    if operator == "AND":
        return lambda work: left(work) and right(work)
    if operator == "OR":
        return lambda work: left(work) or right(work)
    return lambda work: left(work) and not right(work)


def _tokens(text: str) -> Iterator[dict[str, Any]]:
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError("the query cannot be parsed")
        at = match.end()
        yield match.groupdict()


def _day(work: Invented) -> str:
    return "-".join((*work.published.split("-"), "01", "01")[:3])


def _holds(work: Invented, field: str | None, words: str) -> bool:
    source, own = named(work)
    exact = {
        "EXT_ID": own,
        "SRC": source,
        "PMCID": work.pmcid,
        "DOI": work.doi,
        "OPEN_ACCESS": "y" if work.open_access else "n",
    }
    if field in exact:
        return exact[field].lower() == words
    names = " ".join(f"{family} {_initials(given)}" for family, given in work.authors)
    inside = {"AUTH": names, "JOURNAL": work.journal, "TITLE": work.title, "ABSTRACT": work.abstract, None: work.words}
    split = re.compile(r"[\w.]+")
    have, wanted = split.findall(inside.get(field, "").lower()), split.findall(words)
    return any(have[at : at + len(wanted)] == wanted for at in range(len(have)))
