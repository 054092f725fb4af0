"""The arXiv API over invented works, as its User's Manual describes it: fields, AND/OR/ANDNOT, phrases, dates, paging,
id lists with versions, feeds of errors.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from invented import Invented

from source_server import Asked, Given

ATOM = {"Content-Type": "application/atom+xml; charset=utf-8"}
_TOKEN = re.compile(
    r"\s*(?:(?P<paren>[()])|(?P<op>AND|OR|ANDNOT)\b|"
    r'(?:(?P<field>\w+):)?(?:"(?P<phrase>[^"]*)"|\[(?P<first>\d{12}) TO (?P<last>\d{12})\]|(?P<word>[^\s()"]+)))'
)
_DEFAULTS = (("start", "0"), ("max_results", "10"))
_FIELDS = ("id", "updated", "published", "title", "summary", "comment", "journal_ref", "doi")
_PREFIX = {"comment": "arxiv:", "journal_ref": "arxiv:", "doi": "arxiv:"}
_ID = re.compile(r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v(\d+))?")


def make_arxiv(works: Sequence[Invented]) -> Callable[[Asked], Given]:
    """Answers ``GET /api/query`` over the works that have an arXiv id."""
    kept = [work for work in works if work.arxiv]

    def answer(asked: Asked) -> Given:
        if asked.path != "/api/query":
            return Given("<h1>404 Not Found</h1>", status=404)
        try:
            start, size = (
                int(asked.params.get(name, usual)) for name, usual in (("start", "0"), ("max_results", "10"))
            )
            if start < 0 or size < 0 or start + size > 30_000:
                raise ValueError("start and max_results must be non-negative, their sum at most 30000")
            found = _found(kept, asked.params)
        except ValueError as error:
            return refused(str(error))
        return Given(feed([entry(*one) for one in found[start : start + size]], len(found), start), headers=ATOM)

    return answer


def _found(works: Sequence[Invented], params: Mapping[str, str]) -> list[tuple[Invented, str]]:
    """The works with the version that is asked for, "" for the newest; ValueError for what the API does not take."""
    named = [one for one in params.get("id_list", "").split(",") if one]
    asked = params.get("search_query", "")
    found = [pair for one in named if (pair := _named(works, one))] if named else [(work, "") for work in works]
    if asked:
        fits = _Reader(asked).read()
        found = [(work, version) for work, version in found if fits(work)]
    elif not named:
        return []
    if params.get("sortBy") in ("submittedDate", "lastUpdatedDate"):
        found.sort(key=lambda one: one[0].published, reverse=params.get("sortOrder") != "ascending")
    return found


def refused(words: str, status: int = 400) -> Given:
    """The feed of an error: one entry titled "Error" (the API sends it with status 400, earlier with 200)."""
    place = "https://arxiv.org/api/errors#" + words.replace(" ", "_")
    body = (
        f"<entry><id>{escape(place)}</id><title>Error</title><summary>{escape(words)}</summary>"
        f"<updated>2026-01-01T00:00:00Z</updated><link href={quoteattr(place)} rel='alternate' type='text/html'/>"
        "<author><name>arXiv api core</name></author></entry>"
    )
    return Given(feed([body], 1, 0), status=status, headers=ATOM)


def feed(entries: Sequence[str], total: int, start: int = 0) -> str:
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom"'
        ' xmlns="http://www.w3.org/2005/Atom">'
        "<id>https://arxiv.org/api/cHxbiOdZaP56ODnBPIenZhzg5f8</id><title>arXiv Query</title>"
        f"<updated>{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}</updated>"
        '<link href="https://arxiv.org/api/query?" type="application/atom+xml"/>'
        f"<opensearch:itemsPerPage>{len(entries)}</opensearch:itemsPerPage>"
        f"<opensearch:totalResults>{total}</opensearch:totalResults>"
        f"<opensearch:startIndex>{start}</opensearch:startIndex>{''.join(entries)}</feed>"
    )


def entry(work: Invented, version: str = "") -> str:
    """The entry of a work as the API gives it; ``raw`` holds fields, without prefix, to change or drop."""
    number = version or ("v2" if work.updated else "v1")
    updated = work.published if version == "v1" or not work.updated else work.updated
    url = f"http://arxiv.org/abs/{work.arxiv}{number}"
    fields: dict[str, Any] = {
        "id": url,
        "updated": f"{updated}T17:59:46Z",
        "published": f"{work.published}T12:00:01Z",
        "title": work.title,
        "summary": f"  {work.abstract}\n",
        "comment": work.comment or None,
        "journal_ref": f"{work.journal} {work.volume}, {work.pages} ({work.published[:4]})" if work.doi else None,
        "doi": work.doi or None,
    } | work.raw
    categories = work.subjects or ("cond-mat.supr-con",)
    parts = [
        f"<{_PREFIX.get(name, '')}{name}>{escape(str(text))}</{_PREFIX.get(name, '')}{name}>"
        for name, text in fields.items()
        if text is not None and name in _FIELDS
    ]
    parts += [
        f"<author><name>{escape(f'{given} {family}'.strip())}</name>"
        "<arxiv:affiliation>Institute of Invention</arxiv:affiliation></author>"
        for family, given in work.authors
    ]
    parts += [
        f'<link href="{url}" rel="alternate" type="text/html"/>',
        f'<link href="{url.replace("/abs/", "/pdf/")}" rel="related" type="application/pdf" title="pdf"/>',
        f'<arxiv:primary_category term="{categories[0]}"/>',
        *(f'<category term="{one}" scheme="http://arxiv.org/schemas/atom"/>' for one in categories),
    ]
    return f"<entry>{''.join(parts)}</entry>"


def _named(works: Sequence[Invented], named: str) -> tuple[Invented, str] | None:
    match = _ID.fullmatch(named)
    if match is None:
        raise ValueError(f"incorrect id format for {named}")
    work = next((one for one in works if one.arxiv == match[1]), None)
    if work is None or (match[2] and int(match[2]) > (2 if work.updated else 1)):
        return None
    return work, f"v{match[2]}" if match[2] else ""


class _Reader:
    """A query of arXiv's language; ``read`` gives the test of a work, ValueError when it is none."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0

    def read(self) -> Callable[[Invented], bool]:
        fits = self._any()
        if self._at < len(self._tokens):
            raise ValueError("the query cannot be parsed")
        return fits

    def _peek(self, kind: str) -> str | None:
        token = self._tokens[self._at] if self._at < len(self._tokens) else None
        return token[kind] if token is not None else None

    def _any(self) -> Callable[[Invented], bool]:
        fits = self._one()
        while operator := self._peek("op"):
            self._at += 1
            fits = _joined(operator, fits, self._one())
        return fits

    def _one(self) -> Callable[[Invented], bool]:
        if self._at >= len(self._tokens):
            raise ValueError("the query ends early")
        token = self._tokens[self._at]
        self._at += 1
        if token["paren"] == "(":
            fits = self._any()
            if self._peek("paren") != ")":
                raise ValueError("a parenthesis is not closed")
            self._at += 1
            return fits
        if token["paren"] or token["op"]:
            raise ValueError(f"unexpected {token['paren'] or token['op']}")
        if token["first"]:
            return lambda work: token["first"] <= work.published.replace("-", "") + "1200" <= token["last"]
        field, words = token["field"] or "all", (token["phrase"] or token["word"] or "").lower()
        return lambda work: _holds(_field(work, field), words)


def _joined(
    operator: str, left: Callable[[Invented], bool], right: Callable[[Invented], bool]
) -> Callable[[Invented], bool]:
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


def _field(work: Invented, field: str) -> str:
    names = " ".join(f"{given} {family}" for family, given in work.authors)
    fields = {
        "ti": work.title,
        "au": names,
        "abs": work.abstract,
        "co": work.comment,
        "jr": work.journal if work.doi else "",
        "cat": " ".join(work.subjects or ("cond-mat.supr-con",)),
        "rn": "",
        "id": work.arxiv,
    }
    if field not in {*fields, "all"}:
        raise ValueError(f"unknown field {field}")
    return fields.get(field, " ".join(fields.values()))


def _holds(text: str, words: str) -> bool:
    """Whether the words follow each other in the text, by letters and digits alone."""
    split = re.compile(r"[\w.]+")
    inside, wanted = split.findall(text.lower()), split.findall(words)
    return any(inside[at : at + len(wanted)] == wanted for at in range(len(inside)))
