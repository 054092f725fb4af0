"""search_web: pages of the web at large, by the engine that the user set up."""

import re
from datetime import date
from typing import Annotated, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, ForbiddenError, SourceError, UnavailableError
from pincite_core.lazy import load
from pincite_literature.entries import shorten
from pincite_literature.state import LiteratureState
from pincite_literature.web.engine import Engine, Window
from pincite_literature.web.offered import ENGINES, is_set

_TITLE_CHARS = 300
"""Characters of a title that are shown."""
_SNIPPET_CHARS = 600
"""Characters of a snippet that are shown."""
_MOST_QUERY = 400
"""Characters of a query; a longer one is refused. Set by judgement."""

WebQuery = str
WebLimit = Annotated[int, Field(ge=1, le=20)]


class WebPage(TypedDict):
    """A page that was found: its snippet is what the engine shows of it, unchecked."""

    title: str
    url: str
    snippet: str
    date: NotRequired[str]


class WebPages(TypedDict):
    """Pages in the engine's order, which engine that was, and what it could not ask itself."""

    query: str
    engine: str
    pages: list[WebPage]
    says: NotRequired[str]
    notes: NotRequired[list[str]]


async def search_web(
    state: LiteratureState,
    query: WebQuery,
    limit: WebLimit = 8,
    after: Annotated[str, Field(description="From this day on: YYYY-MM-DD")] = "",
    before: Annotated[str, Field(description="Before this day")] = "",
    language: Annotated[str, Field(description="Two letters: en")] = "",
) -> WebPages:
    """Search the web beyond the literature: data sheets, standards, laboratory pages. For papers use search_papers.
    Snippets are not evidence.
    """
    window = _window(after, before, language)
    if state.cutoff.before is not None:
        raise ForbiddenError(
            f"search_web is not available under the cutoff {state.cutoff.before}: pages of the web have no sure date.",
            next="Use search_papers or search_wikipedia, which keep the cutoff.",
        )
    words = " ".join(query.split())
    if not words or len(words) > _MOST_QUERY:
        raise BadInputError(
            "The query is empty." if not words else f"The query has more than {_MOST_QUERY} characters.",
            next="Give a few words to look for.",
        )
    name, engine = _engine(state)
    hits = await engine.search(words, limit=limit, window=window)
    if not hits.pages and hits.notes:
        raise SourceError(
            f"{engine.policy.title} found nothing, and some of the engines that it asks did not answer.",
            source=name,
            cause="server_error",
            seen=" ".join(hits.notes),
            next="Try again later, or with other words.",
        )
    inside = [hit for hit in hits.pages if window.holds(hit.date)]
    shown = [hit for hit in inside if not state.cutoff.withheld.hides_page(hit.url, hit.title)]
    made = WebPages(
        query=words,
        engine=engine.policy.title,
        pages=[_page(hit.title, hit.url, hit.snippet, hit.date) for hit in shown],
    )
    if not hits.pages:
        made["says"] = f"{engine.policy.title} has no page for these words."
    notes = [*hits.notes, *_not_filtered(engine, window, len(hits.pages) - len(inside))]
    if len(shown) < len(inside):
        notes.append(f"{len(inside) - len(shown)} of the engine's pages were left out: their works are withheld here.")
    if notes:
        made["notes"] = notes
    return made


def _window(after: str, before: str, language: str) -> Window:
    """The window of these words; BadInputError where one of them is none, or where it is empty."""
    first, end = _day("after", after), _day("before", before)
    if first is not None and end is not None and first >= end:
        raise BadInputError(f"No day is from {first} on and before {end}.", next="Let after be earlier than before.")
    named = language.strip().lower()
    if named and not re.fullmatch("[a-z]{2}", named):
        raise BadInputError(
            f"language={language[:40]!r} is not a code.", next="Give two letters (ISO 639-1), as in en."
        )
    return Window(first, end, named)


def _day(name: str, text: str) -> date | None:
    """The day of an argument, None for an empty one; BadInputError where it is none."""
    if not text.strip():
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise BadInputError(f"{name}={text[:40]!r} is not a day.", next="Give YYYY-MM-DD.") from None


def _not_filtered(engine: Engine, window: Window, outside: int) -> list[str]:
    """What is to be said of filters that the engine does not have."""
    notes: list[str] = []
    title = engine.policy.title
    dated = window.after is not None or window.before is not None
    if dated and "dates" not in engine.filters:
        notes.append(f"{title} does not filter by date: pages without a date may be of any time.")
    if outside:
        notes.append(f"{outside} pages with another date were left out.")
    if window.language and "language" not in engine.filters:
        notes.append(f"{title} does not filter by language: it may only prefer pages in it.")
    return notes


def _page(title: str, url: str, snippet: str, date: str) -> WebPage:
    made = WebPage(title=shorten(title or url, _TITLE_CHARS), url=url, snippet=shorten(snippet, _SNIPPET_CHARS))
    if date:
        made["date"] = date
    return made


def _engine(state: LiteratureState) -> tuple[str, Engine]:
    """The first engine whose setting is set; UnavailableError without one."""
    for name, (made, setting) in ENGINES.items():
        if is_set(state.settings, setting):
            engine = load(f"pincite_literature.web.{name}:{made}")
            return name, cast("Engine", engine(state.web, state.settings))
    names = ", ".join(f"PINCITE_{setting.upper()}" for _, setting in ENGINES.values())
    raise UnavailableError(
        "No search engine for the web is set up here.",
        seen=f"none of {names} is set",
        next="Use search_papers or search_wikipedia, or let the user set one of them.",
    )
