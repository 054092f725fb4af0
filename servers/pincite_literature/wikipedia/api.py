"""The MediaWiki action API of a Wikipedia (1.4x, ``formatversion=2``), with TextExtracts.

Fields relied on: query.pages[].{pageid, title, index, extract, revisions[].{revid, timestamp},
pageprops.disambiguation}; parse.{text, properties}; and what a body with status 200 says beside them: error.{code,
info}, warnings.<module>.warnings.
Asked as API:Etiquette wants it: few requests at once, a contact in the User-Agent.
"""

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pincite_core.errors import BadInputError, SourceCause, SourceError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_literature.sources.plain import plain_paragraphs
from pincite_literature.sources.record import Record

_MOST_BYTES = 8 << 20
"""Bytes of an answer that is read; a longer one is an error. Set by judgement."""
_BUSY: dict[str, SourceCause] = {"ratelimited": "rate_limited"}
_REFUSING = re.compile(
    r"^(?:bad|invalid|missing|nosuch|permissiondenied|toolong|unknown|cirrussearch-(?:regex|offset|query-too))"
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}T")


@dataclass(frozen=True, slots=True)
class Revision:
    """A page as it was at ``timestamp`` (ISO 8601, UTC); ``text`` is its introduction."""

    page: int
    title: str
    revision: int
    timestamp: str
    text: str = ""
    disambiguation: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """Pages in the order of the search, what the API warns of, and when it said so."""

    pages: tuple[Revision, ...]
    warnings: tuple[str, ...]
    retrieved: str


class Wikipedia:
    """The Wikipedia in one language."""

    def __init__(self, web: Web, language: str) -> None:
        self._web = web
        name = "wikipedia" if language == "en" else f"wikipedia-{language}"
        self.policy = SourcePolicy(
            name, "Wikipedia", f"https://{language}.wikipedia.org", Rate(5, 1.0, at_once=2), group="wikipedia"
        )
        self.address = f"https://{language}.wikipedia.org/w/index.php"

    async def search(self, words: str, *, limit: int) -> Found:
        """Pages of the newest revision, introductions included."""
        frame, response = await self._ask(
            (
                ("action", "query"),
                ("generator", "search"),
                ("gsrsearch", words),
                ("gsrlimit", str(limit)),
                ("gsrnamespace", "0"),
                ("prop", "extracts|revisions|pageprops"),
                ("exintro", "1"),
                ("explaintext", "1"),
                ("exlimit", "max"),
                ("rvprop", "ids|timestamp"),
                ("ppprop", "disambiguation"),
            )
        )
        if not any(name in frame for name in ("query", "batchcomplete", "continue")):
            raise response.malformed("it has no 'query'")
        rows = sorted(frame.record("query").records("pages"), key=lambda row: row.number("index") or 0)
        pages = tuple(page for row in rows if (page := _page(row)) is not None)
        return Found(pages[:limit], _warnings(frame), response.retrieved.strftime("%Y-%m-%dT%H:%M:%SZ"))

    async def as_of(self, page: Revision, before: date) -> Revision | None:
        """The page as its last revision before a day left it; None when there was none, or it is hidden."""
        last = f"{before - timedelta(days=1)}T23:59:59Z"
        frame, response = await self._ask(
            (
                ("action", "query"),
                ("prop", "revisions"),
                ("pageids", str(page.page)),
                ("rvprop", "ids|timestamp"),
                ("rvlimit", "1"),
                ("rvdir", "older"),
                ("rvstart", last),
            )
        )
        rows = frame.record("query").rows(response, "pages")
        revisions = rows[0].records("revisions") if rows else ()
        number = revisions[0].number("revid") if revisions else None
        timestamp = revisions[0].text("timestamp") if revisions else ""
        if number is None or not _DAY.match(timestamp) or timestamp[:10] >= str(before):
            return None
        return await self._rendered(replace(page, revision=number, timestamp=timestamp))

    async def _rendered(self, page: Revision) -> Revision | None:
        """The page with the introduction of its revision; templates in it are those of today."""
        asked = (
            ("action", "parse"),
            ("oldid", str(page.revision)),
            ("prop", "text|properties"),
            ("section", "0"),
            ("disableeditsection", "1"),
            ("disablelimitreport", "1"),
            ("disabletoc", "1"),
        )
        try:
            frame, response = await self._ask(asked)
        except BadInputError:  # the revision was deleted or hidden
            return None
        parse = frame.record("parse")
        text = parse.fields.get("text")
        if not isinstance(text, str):
            raise response.malformed("it has no 'parse.text'")
        disambiguation = "disambiguation" in parse.record("properties").fields
        return replace(page, text=introduction(text), disambiguation=disambiguation)

    async def _ask(self, params: tuple[tuple[str, str], ...]) -> tuple[Record, Response]:
        form = (("format", "json"), ("formatversion", "2"))
        response = await self._web.get(self.policy, "w/api.php", (*params, *form), most_bytes=_MOST_BYTES)
        frame = Record.frame(response)
        if "error" in frame:
            error = frame.record("error")
            raise _refusal(error.text("code"), error.text("info")[:300])
        return frame, response


def introduction(page: str) -> str:
    """The paragraphs of rendered HTML, without tables, notes, references and formulas' sources."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(page)
    unwanted = "table, style, script, sup.reference, .mw-editsection, .noprint, .hatnote, .shortdescription, .navbox"
    for node in tree.css(unwanted):
        node.decompose()
    paragraphs = (plain_paragraphs(node.html or "") for node in tree.css("p"))
    return "\n".join(text for text in paragraphs if text)


def _page(row: Record) -> Revision | None:
    revisions = row.records("revisions")
    number, revision = row.number("pageid"), revisions[0].number("revid") if revisions else None
    title = row.text("title")
    if number is None or revision is None or not title:
        return None
    return Revision(
        page=number,
        title=title,
        revision=revision,
        timestamp=revisions[0].text("timestamp"),
        text=row.text("extract"),
        disambiguation="disambiguation" in row.record("pageprops").fields,
    )


def _warnings(frame: Record) -> tuple[str, ...]:
    said = (frame.record("warnings").record(name).text("warnings") for name in frame.record("warnings").fields)
    return tuple(text[:200] for text in said if text)[:5]


def _refusal(code: str, said: str) -> BadInputError | SourceError:
    """The error that a body with status 200 speaks of."""
    if _REFUSING.match(code):
        return BadInputError("Wikipedia rejected this query.", seen=f"{code}: {said}", next="Use plain words.")
    return SourceError(
        "Wikipedia answered with an error.",
        source="wikipedia",
        cause=_BUSY.get(code, "server_error"),
        seen=f"{code}: {said}",
        next="Try again later.",
    )
