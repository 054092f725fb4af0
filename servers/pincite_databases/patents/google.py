"""One patent's page of Google Patents: bibliography, abstract, claims and description, by its microdata.

Google promises neither the layout nor the access; texts in other languages come as machine translations.
"""

from typing import TYPE_CHECKING

from pincite_core.errors import NotFoundError
from pincite_core.http.client import Web
from pincite_core.http.exchange import Response
from pincite_core.http.policy import DAY, Rate, SourcePolicy
from pincite_databases.patents.numbers import PatentNumber
from pincite_databases.patents.record import Patent, PatentText

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

POLICY = SourcePolicy(
    "google_patents", "Google Patents", "https://patents.google.com", Rate(1, 2.0, at_once=1), fresh_seconds=7 * DAY
)

_KINDS = {"US": ("B2", "B1", "A1", "A"), "EP": ("B1", "A1", "A2"), "WO": ("A1", "A2")}


class GooglePatents:
    """Reads the pages of patents by their numbers."""

    policy = POLICY

    def __init__(self, web: Web) -> None:
        self._web = web

    async def patent(self, number: PatentNumber) -> tuple[Patent, PatentText, Response] | None:
        """What the page says; None when there is none (for a number without kind: of none of the usual kinds)."""
        kinds = (number.kind,) if number.kind else _KINDS.get(number.country, ("A", "A1", "B1", "B2"))
        for kind in kinds:
            try:
                response = await self._web.get(POLICY, f"patent/{number.country}{number.digits}{kind}/en")
            except NotFoundError:
                continue
            return _read(response, f"{number.country}{number.digits}{kind}")
        return None


def _read(response: Response, number: str) -> tuple[Patent, PatentText, Response]:
    from selectolax.lexbor import LexborHTMLParser

    page = LexborHTMLParser(response.content.decode("utf-8", "replace"))
    shown = _first(page, 'dd[itemprop="publicationNumber"]') or _meta(page, "citation_patent_publication_number")
    title = _meta(page, "DC.title") or _first(page, '[itemprop="title"]')
    if not title or (shown and _letters(shown) != number):
        raise response.malformed(f"the page of {number} does not read as one of Google Patents")
    description = page.css_first('section[itemprop="description"]')
    originals = page.css(".google-src-text")
    for original in originals:
        original.decompose()
    claims = tuple(text for node in page.css('section[itemprop="claims"] div.claim[num]') if (text := _text(node)))
    note = "machine translation by Google" if originals else ""
    patent = Patent(
        number=number,
        title=" ".join(title.split()),
        applicants=_each(page, 'dd[itemprop="assigneeOriginal"]') or _each(page, 'dd[itemprop="assigneeCurrent"]'),
        inventors=_each(page, 'dd[itemprop="inventor"]'),
        published=_time(page, "publicationDate"),
        filed=_time(page, "filingDate"),
        priority=_time(page, "priorityDate"),
        abstract=_first(page, 'section[itemprop="abstract"] .abstract')
        or _first(page, 'section[itemprop="abstract"] abstract'),
        classes=_each(page, 'li[itemprop="classifications"] span[itemprop="Code"]'),
        url=f"https://patents.google.com/patent/{number}/en",
    )
    return patent, PatentText(claims, _paragraphs(description) if description else "", note), response


def _paragraphs(description: "LexborNode") -> str:
    """The description's headings and paragraphs, each on a line of its own; all of it in one where it has none."""
    parts = description.css("heading, .description-paragraph, .description-line, p")
    return "\n".join(filter(None, map(_text, parts))) or _text(description)


def _letters(text: str) -> str:
    return "".join(character for character in text.upper() if character.isalnum())


def _text(node: "LexborNode") -> str:
    return " ".join(node.text(separator=" ").split())


def _first(page: "LexborHTMLParser", selector: str) -> str:
    node = page.css_first(selector)
    return _text(node) if node else ""


def _each(page: "LexborHTMLParser", selector: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for node in page.css(selector) if (text := _text(node))))


def _meta(page: "LexborHTMLParser", name: str) -> str:
    node = page.css_first(f'meta[name="{name}"]')
    return (node.attributes.get("content") or "") if node else ""


def _time(page: "LexborHTMLParser", name: str) -> str:
    node = page.css_first(f'time[itemprop="{name}"]')
    return ((node.attributes.get("datetime") or _text(node)) if node else "")[:10]
