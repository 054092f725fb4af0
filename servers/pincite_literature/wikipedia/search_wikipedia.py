"""search_wikipedia: introductions of pages, each pinned to a revision."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError
from pincite_literature.entries import shorten
from pincite_literature.state import LiteratureState

WikipediaQuery = Annotated[str, Field(description="Words, or the title of a page")]
WikipediaLimit = Annotated[int, Field(ge=1, le=10)]
Language = Annotated[
    str,
    Field(pattern=r"^[a-z]{2,3}(-[a-z]{2,10}){0,2}$|^simple$", description="Which Wikipedia, by its code: en, de, …"),
]

_TEXT_CHARS = 1500
"""Characters of an introduction that are shown."""
_MOST_QUERY = 300
"""Characters of a query; a longer one is refused. Set by judgement."""


class WikipediaPage(TypedDict):
    """A page: ``url`` always shows the revision that was read, ``timestamp`` is when that was saved, ``text`` its
    introduction. A disambiguation page lists other pages."""

    title: str
    url: str
    revision: int
    timestamp: str
    text: str
    disambiguation: NotRequired[bool]


class WikipediaPages(TypedDict):
    """Pages in the order of the search."""

    query: str
    language: str
    pages: list[WikipediaPage]
    retrieved: str
    says: NotRequired[str]
    warnings: NotRequired[list[str]]


async def search_wikipedia(
    state: LiteratureState, query: WikipediaQuery, limit: WikipediaLimit = 3, language: Language = "en"
) -> WikipediaPages:
    """Look up background: names, terms, common substances. Gives introductions with the revision. Not evidence for a
    value: cite papers for that.
    """
    from pincite_literature.wikipedia.api import Wikipedia

    words = " ".join(query.split())
    if not words or len(words) > _MOST_QUERY:
        raise BadInputError(
            "The query is empty." if not words else f"The query has more than {_MOST_QUERY} characters.",
            next="Give a few words to look for.",
        )
    wikipedia = Wikipedia(state.web, language)
    found = await wikipedia.search(words, limit=limit)
    before = state.cutoff.before
    pages = list(found.pages)
    if before is not None:
        then = [await wikipedia.as_of(page, before) for page in pages]
        pages = [page for page in then if page is not None]
    made = WikipediaPages(query=words, language=language, pages=[], retrieved=found.retrieved)
    for page in pages:
        entry = WikipediaPage(
            title=shorten(page.title, _MOST_QUERY),
            url=f"{wikipedia.address}?oldid={page.revision}",
            revision=page.revision,
            timestamp=page.timestamp,
            text=shorten(page.text, _TEXT_CHARS),
        )
        if page.disambiguation:
            entry["disambiguation"] = True
        made["pages"].append(entry)
    says = _says(len(pages), len(found.pages), before)
    if says:
        made["says"] = says
    if found.warnings:
        made["warnings"] = list(found.warnings)
    return made


def _says(shown: int, found: int, before: object) -> str:
    """What is said of pages that are not shown, "" where all are."""
    if not found:
        return "Wikipedia has no page for these words."
    if before is None:
        return ""
    pages, are = ("page", "is") if found - shown == 1 else ("pages", "are")
    withheld = f" {found - shown} {pages} without one {are} withheld." if found > shown else ""
    return f"Each page is as its last revision before {before} left it.{withheld}"
