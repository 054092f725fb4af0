"""Errand: tries the routes to one work's full text until one gives it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import anyio

from pincite_core.errors import (
    DamagedError,
    ForbiddenError,
    HostileError,
    LimitReachedError,
    NotFoundError,
    PinciteError,
    SourceError,
    UnreadableError,
)
from pincite_core.http.exchange import Response
from pincite_literature.catalog import ARCHIVES
from pincite_literature.fulltext.dating import Dating
from pincite_literature.fulltext.offers import Offers, arxiv_number
from pincite_literature.fulltext.route import Attempt, Route, policy_of_host
from pincite_literature.fulltext.webpage import REFUSALS, SOLD, linked_pdf, page_title, wall
from pincite_literature.model import FulltextKind, Work
from pincite_literature.state import LiteratureState

if TYPE_CHECKING:
    from pincite_papers.model import Paper

MOST_DOWNLOADS_LONG = 3
"""How many times PINCITE_HTTP_TOTAL_SECONDS one call may take before it tries no further route."""
LEAST_CHARS = 1000
"""Characters of text below which a file is taken for no full text."""
LEAST_BODY = 3000
"""Characters of paragraphs below which a web page is taken for a landing page."""
LEAST_BEHIND_WALL = 8000
"""The same where the page speaks of buying, as previews of articles do."""

_NAMES: dict[FulltextKind, str] = {"latex": "LaTeX source", "jats": "JATS XML", "html": "web page", "pdf": "PDF"}
_ACCEPT: dict[FulltextKind, str] = {
    "latex": "*/*",
    "jats": "application/xml, text/xml;q=0.9, */*;q=0.5",
    "html": "text/html, application/xhtml+xml;q=0.9, */*;q=0.5",
    "pdf": "application/pdf, text/html;q=0.5, */*;q=0.3",
}
_BODY = re.compile(rb"<(?:[\w.-]{1,40}:)?(?:body|bdy)[\s>]")
_LICENCE = re.compile(
    rb"<(?:[\w.-]{1,40}:)?license\b[^<>]{0,2000}?xlink:href\s*=\s*[\"']([^\"'<>]{1,300})[\"']"
    rb"|<ali:license_ref[^<>]{0,300}>\s*(https?://[^<>\s]{1,300})"
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A full text that is the paper; ``doubts`` say what could not be made sure."""

    route: Route
    response: Response
    paper: "Paper"
    doubts: tuple[str, ...] = ()


class RouteFailedError(Exception):
    """A route gave no full text: ``outcome`` says why, ``certain`` whether there surely is none."""

    def __init__(self, outcome: str, *, certain: bool) -> None:
        super().__init__(outcome)
        self.outcome = outcome
        self.certain = certain


@dataclass(slots=True)
class Errand:
    """One search for the full text of ``work``; ``say`` is told what is being done."""

    state: LiteratureState
    work: Work
    dating: Dating
    offers: Offers
    say: Callable[[str], None]
    attempts: list[Attempt] = field(default_factory=list[Attempt])

    async def run(self, kinds: tuple[FulltextKind, ...]) -> Fetched | None:
        """The text of the first route that gives it, kind by kind; what the others came to is in ``attempts``."""
        tried: set[str] = set()
        end = anyio.current_time() + MOST_DOWNLOADS_LONG * self.state.settings.http_total_seconds
        for kind in kinds:
            self.say(f"looking for a {_NAMES[kind]}")
            for route in await self.offers.of(kind):
                if route.address in tried:
                    continue
                tried.add(route.address)
                if anyio.current_time() > end:
                    self._note(route, "not tried: the time for one call is up", certain=False, asked=False)
                    continue
                try:
                    return await self._try(route)
                except RouteFailedError as failure:
                    self._note(route, failure.outcome, certain=failure.certain)
        return None

    def _note(self, route: Route, outcome: str, *, certain: bool, asked: bool = True) -> None:
        self.attempts.append(Attempt(route.source, route.kind, route.address, outcome, certain, asked))

    async def _try(self, route: Route) -> Fetched:
        refusal = self.dating.refusal(route)
        if refusal:
            raise RouteFailedError(refusal, certain=True)
        self.say(f"fetching the {_NAMES[route.kind]} from {route.policy.title}")
        response = await self._get(route)
        if route.kind == "pdf" and format_of(response) == "html":
            response = await self._follow(route, response)
        found = format_of(response)
        if found != route.kind:
            raise _other_format(route, response, found)
        paper = await self._parse(route, response)
        self._check_content(route, response, paper)
        doubts = self._check_identity(route, paper)
        self._check_date(paper)
        return Fetched(_completed(route, response, paper), response, paper, doubts)

    async def _get(self, route: Route) -> Response:
        settings = self.state.settings
        try:
            return await self.state.web.get(
                route.policy,
                route.url,
                route.params,
                headers={"Accept": _ACCEPT[route.kind]},
                access=route.access,
                most_bytes=settings.max_source_bytes,
                seconds=settings.http_total_seconds,
            )
        except NotFoundError as error:
            raise RouteFailedError(f"{route.policy.title} has none there", certain=True) from error
        except SourceError as error:
            certain = error.cause == "refused" and not route.said_open
            raise RouteFailedError(error.what, certain=certain) from error
        except (ForbiddenError, LimitReachedError) as error:
            raise RouteFailedError(error.short(), certain=False) from error
        except PinciteError as error:
            raise RouteFailedError(error.what, certain=False) from error

    async def _follow(self, route: Route, page: Response) -> Response:
        """What the landing page names as its PDF, once."""
        url = linked_pdf(page.content, page.url)
        if url is None:
            return page
        self.say(f"following the landing page to {url}")
        return await self._get(replace(route, url=url, params=(), policy=policy_of_host(url)))

    async def _parse(self, route: Route, response: Response) -> "Paper":
        self.say(f"reading the {_NAMES[route.kind]}")
        try:
            return await self.state.library.examine(response.content)
        except (DamagedError, HostileError) as error:
            what = f"{route.policy.title} sent an answer that cannot be read: {error.what}"
            raise RouteFailedError(what, certain=False) from error
        except UnreadableError as error:
            raise RouteFailedError(f"what it gives cannot be read: {error.what}", certain=True) from error
        except PinciteError as error:
            raise RouteFailedError(f"what it gives could not be opened: {error.what}", certain=False) from error

    def _check_content(self, route: Route, response: Response, paper: "Paper") -> None:
        """That there is an article in the file, not its landing page, its front matter or a note."""
        if route.kind == "jats" and not _BODY.search(response.content):
            raise RouteFailedError("it gives the front matter alone, without the text", certain=True)
        if route.kind == "html":
            self._check_page(route, response, paper)
        elif len(paper.text) < LEAST_CHARS:
            raise RouteFailedError(f"its {len(paper.text)} characters are too few for a paper", certain=True)

    def _check_page(self, route: Route, response: Response, paper: "Paper") -> None:
        body, behind = body_chars(paper), wall(response.content)
        if body >= (LEAST_BEHIND_WALL if behind == SOLD else LEAST_BODY):
            return
        pdf = linked_pdf(response.content, response.url)
        if pdf is not None:
            self.offers.add_pdf(pdf, route)
        what = behind or "a landing page"
        shown = page_title(response.content)
        raise RouteFailedError(
            f"it is {what}, not the article ({body} characters of text{f', titled {shown!r}' if shown else ''})",
            certain=behind not in REFUSALS,
        )

    def _check_identity(self, route: Route, paper: "Paper") -> tuple[str, ...]:
        from pincite_literature.fulltext.identity import compare

        verdict = compare(paper, self.work, archived=route.source in ARCHIVES)
        if verdict.other:
            raise RouteFailedError(verdict.other, certain=True)
        return (verdict.doubt,) if verdict.doubt else ()

    def _check_date(self, paper: "Paper") -> None:
        before = self.state.cutoff.before
        if before is not None and paper.year is not None and paper.year > before.year:
            raise RouteFailedError(
                f"withheld: the text says that it is of {paper.year}, and the cutoff is {before}", certain=True
            )


def format_of(response: Response) -> FulltextKind | None:
    """What the bytes of an answer are; None for nothing that can be read."""
    from pincite_papers.opening.detect import detect_format

    try:
        kind: Any = detect_format(response.content).value
    except UnreadableError:
        return None
    return kind


def body_chars(paper: "Paper") -> int:
    """Characters of the paragraphs and lists of a paper, its abstract and references left out."""
    from pincite_papers.model import BlockKind

    own = (BlockKind.PARAGRAPH, BlockKind.LIST)
    return sum(block.end - block.start for block in paper.blocks if block.kind in own)


def _other_format(route: Route, response: Response, found: FulltextKind | None) -> RouteFailedError:
    """The failure of a route at whose end stands another format than it should have, or none."""
    if not response.content.strip():
        return RouteFailedError(f"{route.policy.title} sent nothing", certain=False)
    if found == "html":
        what = wall(response.content)
        shown = page_title(response.content)
        named = f", titled {shown!r}" if shown else ""
        return RouteFailedError(
            f"it is {what or 'a web page'}, not a {_NAMES[route.kind]}{named}", certain=what not in REFUSALS
        )
    if found is not None:
        return RouteFailedError(f"it is a {_NAMES[found]}, not a {_NAMES[route.kind]}", certain=True)
    return RouteFailedError(response.malformed("no format of papers").what, certain=False)


def _completed(route: Route, response: Response, paper: "Paper") -> Route:
    """The route with what its answer adds: the licence that JATS states, the version that arXiv gave."""
    if route.kind == "jats" and not route.licence:
        found = _LICENCE.search(response.content[: 1 << 20])
        if found:
            route = replace(route, licence=(found[1] or found[2]).decode(errors="replace"))
    if route.source == "arXiv" and route.number is None:
        from pincite_literature.fulltext.identity import arxiv_version

        disposition = response.headers.get("content-disposition", "").rstrip('"; ')
        number = arxiv_number(disposition) or arxiv_number(response.url) or arxiv_version(paper)
        route = replace(route, number=number)
    return route
