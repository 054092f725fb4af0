"""read_webpage: the main text of one page of the web, with its headings."""

from datetime import UTC
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

from pydantic import Field

from pincite_core.errors import ForbiddenError, NotFoundError, UnknownFormatError
from pincite_core.http.exchange import Response
from pincite_core.http.urls import parse
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor
from pincite_literature.fulltext.route import policy_of_host
from pincite_literature.fulltext.webpage import REFUSALS, page_title, wall
from pincite_literature.state import LiteratureState

if TYPE_CHECKING:
    from pincite_papers.model import Paper

_AGENT = "pincite"
"""Our name in robots.txt."""
_MOST_ROBOTS = 512 << 10
"""Bytes of robots.txt that are read, as RFC 9309 asks at least."""
_REFUSED = range(400, 500)
"""Statuses by which a site says that it has no robots.txt (RFC 9309, 2.3.1.3): all may be read."""
_ACCEPT = "text/html, application/xhtml+xml, application/pdf;q=0.8, text/plain;q=0.7, */*;q=0.3"
_LEAST_CHARS = 200
"""Characters of text below which a page that asks who we are is taken for that question alone."""


async def read_webpage(
    state: LiteratureState,
    url: str,
    cursor: str = "",
    max_chars: Annotated[int, Field(ge=500, le=100_000)] = DEFAULT_CHARS,
) -> str:
    """Read the main text of a web page. For papers use fetch_fulltext."""
    if state.cutoff.before is not None:
        raise ForbiddenError(
            f"read_webpage is not available under the cutoff {state.cutoff.before}: web pages have no sure date.",
            next="Use fetch_fulltext or search_wikipedia, which keep the cutoff.",
        )
    address = str(parse(url.strip()))
    start = decode_cursor(cursor, address)
    if state.cutoff.withheld.hides_page(address):
        raise _withheld(address)
    await _check_robots(state, address)
    answer = await state.web.get(
        policy_of_host(address),
        address,
        headers={"Accept": _ACCEPT},
        most_bytes=state.settings.max_source_bytes,
        seconds=state.settings.http_total_seconds,
    )
    if answer.url != address:
        # A redirect leads to another page, which its own site may close to robots.
        await _check_robots(state, answer.url)
    title, text = await _text_of(state, answer)
    shown = text[start : start + max_chars]
    when = answer.retrieved.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    head = f"{title or 'Untitled page'}\n{answer.url}, retrieved {when}"
    rest = len(text) - start - len(shown)
    tail = f"\n\n[{rest:,} more characters: cursor={encode_cursor(start + len(shown), address)}]" if rest > 0 else ""
    return f"{head}\n\n{shown}{tail}"


async def _check_robots(state: LiteratureState, address: str) -> None:
    """ForbiddenError where the site's robots.txt closes the page; SourceError where it cannot be asked, for then
    everything is closed (RFC 9309, 2.3.1.4)."""
    from urllib.robotparser import RobotFileParser

    parts = urlsplit(address)
    place = f"{parts.scheme}://{parts.netloc}/robots.txt"
    try:
        answer = await state.web.get(
            policy_of_host(address),
            place,
            expect=_REFUSED,
            most_bytes=_MOST_ROBOTS,
            seconds=state.settings.source_seconds,
        )
    except NotFoundError:
        return
    if answer.status != 200:
        return
    rules = RobotFileParser()
    rules.parse(answer.content.decode("utf-8", "replace").splitlines())
    if not rules.can_fetch(_AGENT, address):
        raise ForbiddenError(
            f"{parts.hostname} does not let programs read this page.", seen=place, next="Look for it elsewhere."
        )


async def _text_of(state: LiteratureState, answer: Response) -> tuple[str, str]:
    """Title and main text; ForbiddenError for a withheld work, UnknownFormatError for what has no text."""
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    title = page_title(answer.content)
    if state.cutoff.withheld.hides_page(answer.url, title):
        raise _withheld(answer.url)
    if kind == "text/plain":
        return "", answer.content.decode("utf-8", "replace")
    if kind.startswith(("image/", "audio/", "video/")):
        raise UnknownFormatError(f"{answer.url} is not a page with text.", seen=f"content type {kind}")
    paper = await state.opener.examine(answer.content)
    if state.cutoff.withheld.hides_paper(paper.paper_id, paper.title, paper.doi or ""):
        raise _withheld(answer.url)
    text = _with_headings(paper)
    closed = wall(answer.content) if len(text) < _LEAST_CHARS else ""
    if closed in REFUSALS:
        raise ForbiddenError(f"{answer.url} shows {closed} instead of its text.", next="Look for it elsewhere.")
    return paper.title or title, text


def _with_headings(paper: "Paper") -> str:
    """The canonical text, each heading behind as many # as its level."""
    from pincite_papers import doubts

    parts: list[str] = []
    at = 0
    for section in sorted(paper.sections, key=lambda section: section.start):
        parts.append(doubts.show(paper, at, section.start))
        parts.append(f"{'#' * (section.level + 1)} ")
        at = section.start
    parts.append(doubts.show(paper, at, len(paper.text)))
    return "".join(parts).strip()


def _withheld(address: str) -> ForbiddenError:
    return ForbiddenError(f"{address} is of a work that is withheld here.", next="Use other sources.")
