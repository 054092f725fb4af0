"""search: passages of the library and works of the literature, as ids, titles and addresses."""

from collections.abc import Awaitable, Callable
from typing import Annotated, NotRequired

import anyio
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, NotFoundError, PinciteError, UnavailableError
from pincite_core.locator import parse_locator
from pincite_library.model import PaperEntry
from pincite_library.tools.searching import MOST_QUERY_CHARS, search_passages
from pincite_literature.entries import WorkEntry
from pincite_literature.searching import search_papers
from pincite_search.state import SearchState

_PASSAGES = 5
"""Passages of the library in one answer. Set by judgement."""
_WORKS = 10
"""Works of the literature in one answer; the sources' own pages have as many."""
_IDS = ("doi", "arxiv", "pmid", "pmcid", "s2", "openalex")
"""Identifiers of a work, the one that names it best first."""


class Result(TypedDict):
    """What ``fetch`` takes as ``id``; ``url`` is for citing."""

    id: str
    title: str
    url: str


class Results(TypedDict):
    """Passages of the library first, then works; ``note`` says what could not be asked."""

    results: list[Result]
    note: NotRequired[str]


async def search(
    state: SearchState, query: Annotated[str, Field(max_length=MOST_QUERY_CHARS, description="A question or keywords")]
) -> Results:
    """Search the local library and the literature at once. Read a result with fetch."""
    query = query.strip()
    if not query:
        raise BadInputError("The query is empty.", next="Ask a question or give some keywords.")
    found: dict[str, list[Result]] = {}
    failures: dict[str, PinciteError] = {}
    notes: list[str] = []

    async def ask(name: str, question: Callable[[], Awaitable[list[Result]]]) -> None:
        try:
            found[name] = await question()
        except PinciteError as error:
            failures[name] = error

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, "the library", lambda: _passages(state, query))
        tasks.start_soon(ask, "the literature", lambda: _works(state, query, notes))
    results = [*found.get("the library", ()), *found.get("the literature", ())]
    if len(failures) == 2 or (failures and not results):
        raise _nothing_known(failures)
    made = Results(results=results)
    notes += [f"{name[0].upper()}{name[1:]} could not be asked: {error.what}" for name, error in failures.items()]
    if notes:
        made["note"] = " ".join(notes)
    return made


def _nothing_known(failures: dict[str, PinciteError]) -> PinciteError:
    return UnavailableError(
        "The search could not be made: nothing is known of what there is.",
        seen="; ".join(f"{name}: {error.what}" for name, error in failures.items()),
        next="Try again later.",
    )


async def _passages(state: SearchState, query: str) -> list[Result]:
    """Passages of the library; none where it holds no paper."""
    try:
        shown = await search_passages(state.library, query, k=_PASSAGES)
    except NotFoundError:
        return []
    made: list[Result] = []
    for passage in shown["passages"]:
        entry = await entry_of(state, passage["locator"])
        title = " - ".join(filter(None, (passage["paper"], passage["section"])))
        made.append(Result(id=passage["locator"], title=title, url=address_of(entry, passage["locator"])))
    return made


async def entry_of(state: SearchState, locator: str) -> PaperEntry | None:
    """The library's entry of the paper that a locator names, None where it has no such paper."""
    prefix = parse_locator(locator).paper_prefix
    return await state.library.work(lambda store: store.paper(f"sha256:{prefix}"))


def address_of(entry: PaperEntry | None, otherwise: str) -> str:
    """The address to cite a paper of the library by: its DOI, where it was read from, else its locator."""
    if entry is None:
        return otherwise
    if entry.doi:
        return f"https://doi.org/{entry.doi}"
    return entry.source if entry.source.startswith(("https://", "http://")) else otherwise


async def _works(state: SearchState, query: str, notes: list[str]) -> list[Result]:
    """Works of the literature; sources that could not be asked are added to ``notes``."""
    answer = await search_papers(state.literature, query, limit=_WORKS)
    silent = [entry["source"] for entry in answer["sources"] if entry["state"] == "failed"]
    if silent:
        notes.append(f"Sources that could not be asked: {', '.join(silent)}.")
    return [made for work in answer["works"] if (made := _work(work)) is not None]


def _work(work: WorkEntry) -> Result | None:
    """A work as a result, None for one without any identifier: nothing could fetch it."""
    known = {kind: str(value) for kind in _IDS if (value := work.get(kind))}
    if not known:
        return None
    kind, number = next(iter(known.items()))
    name = number if kind in ("pmcid", "openalex") else f"{kind}:{number}"
    doi = work.get("doi")
    return Result(id=name, title=work["title"], url=f"https://doi.org/{doi}" if doi else work.get("url", name))
