"""fetch_fulltext: the open full text of a work, kept where the documents server opens it."""

import re
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any
from weakref import WeakValueDictionary

import anyio
from mcp.server.mcpserver import Context
from pydantic import Field

from pincite_core.errors import PinciteError, UnavailableError
from pincite_literature.entries import shorten
from pincite_literature.fulltext.dating import Dating
from pincite_literature.fulltext.fetching import Errand, Fetched
from pincite_literature.fulltext.offers import Offers, arxiv_number
from pincite_literature.fulltext.result import (
    TITLE_CHARS,
    Fulltext,
    full_result,
    kept_result,
    nothing_result,
    tried_entry,
)
from pincite_literature.fulltext.reuse import Wanted, shelf_of
from pincite_literature.fulltext.route import Attempt
from pincite_literature.fulltext.shelf import Kept, Shelf
from pincite_literature.identifiers import identify
from pincite_literature.lookup import Looked, look_up, withheld_error
from pincite_literature.model import FulltextKind, Identifiers, Work
from pincite_literature.papers import WorkName
from pincite_literature.standing import status_of
from pincite_literature.state import LiteratureState

Prefer = Annotated[
    list[FulltextKind],
    Field(
        min_length=1,
        max_length=4,
        description="In the order to try; latex keeps formulas best",
    ),
]

_SAID_SECONDS = 1.0
"""Seconds between reports of progress."""
RETRACTED = "A source says that this work is retracted or withdrawn."
_STEM_WORDS = re.compile(r"\W+")
_going: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()


async def fetch_fulltext(
    state: LiteratureState,
    id: WorkName,  # noqa: A002
    calling: Context[Any, Any],
    prefer: Prefer = ["latex", "jats", "html", "pdf"],  # noqa: B006
) -> Fulltext:
    """Get the full text of a work by open-access routes (arXiv, PMC, Europe PMC, Unpaywall, publishers), checked to
    be this work; then open_paper(path). Says when there is the abstract only.
    """
    async with _telling(calling) as say:
        try:
            outcome: Fulltext | PinciteError = await get_fulltext(state, id, prefer, say, calling)
        except PinciteError as error:  # returned, since a task group would wrap what is raised
            outcome = error
    if isinstance(outcome, PinciteError):
        raise outcome
    return outcome


async def get_fulltext(
    state: LiteratureState,
    name: str,
    prefer: Sequence[FulltextKind],
    say: Callable[[str], None],
    calling: Context[Any, Any] | None = None,
) -> Fulltext:
    """The result of ``fetch_fulltext`` for whoever is not a client: ``say`` is told what is being done."""
    asked, kinds = name.strip(), tuple(dict.fromkeys(prefer))
    ids = identify(asked)
    version = arxiv_number(asked) if ids is not None and ids.arxiv is not None else None
    shelf = shelf_of(state.settings.papers_dir)
    wanted = Wanted(state, shelf, kinds, version)
    if ids is not None and state.cutoff.withheld.hides_any([Work(title="", ids=ids)]):
        raise withheld_error(asked)
    if ids is not None and (found := await wanted.on_shelf(ids, calling, cleared=False)):
        return _as_of(state, kept_result(*found, None))
    say("looking the work up")
    looked = await _looked_up(state, asked, ids)
    lock = _going.setdefault(f"{shelf.folder}\0{_stem(looked.work, version)}", anyio.Lock())
    async with lock:
        if found := await wanted.on_shelf(looked.work.ids, calling, cleared=True):
            return _as_of(state, kept_result(*found, looked.work))
        dating = Dating(looked.records, state.cutoff.before)
        offers = Offers(state, looked.work, dating, version)
        errand = Errand(state, looked.work, dating, offers, say)
        fetched = await errand.run(kinds)
        attempts = [*offers.failures, *errand.attempts]
        if fetched is None:
            return nothing_result(looked, attempts, kinds)
        _check_allowed(state, asked, fetched)
        kept = await anyio.to_thread.run_sync(_keep, state, shelf, looked.work, dating, fetched, attempts, kinds)
        paper = await state.opener.open(str(shelf.path(kept)), calling)
        result = full_result(kept, shelf.path(kept), paper, looked.work)
        if looked.work.retracted and state.cutoff.before is None:
            result["warnings"] = [RETRACTED, *result.get("warnings", ())]
        result["tried"] = [tried_entry(attempt) for attempt in attempts]
        return result


def _as_of(state: LiteratureState, result: Fulltext) -> Fulltext:
    """The result of a text that was kept: under a cutoff without what was learned of the work later."""
    if state.cutoff.before is not None:
        result.pop("status", None)
    elif result.get("status", "").startswith(("retracted", "withdrawn", "removed")):
        result["warnings"] = [RETRACTED, *result.get("warnings", ())]
    return result


async def _looked_up(state: LiteratureState, asked: str, ids: Identifiers | None) -> Looked:
    """The record of the work; without one, since no source answered, what its identifier alone says."""
    try:
        return await look_up(state, asked)
    except UnavailableError:
        if ids is None or state.cutoff.before is not None or (ids.arxiv is None and ids.pmcid is None):
            raise
        work = state.cutoff.clear_one(Work(title="", ids=ids))
        if work is None:
            raise
        return Looked(work, {}, ())


def _check_allowed(state: LiteratureState, asked: str, fetched: Fetched) -> None:
    """NotFoundError where the text that came is one of a withheld work, whatever it was asked for by."""
    paper = fetched.paper
    if state.cutoff.withheld.hides_paper(paper.paper_id, paper.title, paper.doi or ""):
        raise withheld_error(asked)


def _keep(
    state: LiteratureState,
    shelf: Shelf,
    work: Work,
    dating: Dating,
    fetched: Fetched,
    attempts: Sequence[Attempt],
    kinds: Sequence[FulltextKind],
) -> Kept:
    route, response = fetched.route, fetched.response
    when = dating.of(route)
    return shelf.put(
        _stem(work, route.number if route.source == "arXiv" else None, arxiv=route.source == "arXiv"),
        response.content,
        Kept(
            name="",
            sha256="",
            kind=route.kind,
            url=response.url,
            route=route.source,
            retrieved=response.retrieved.strftime("%Y-%m-%dT%H:%M:%SZ"),
            version=f"v{route.number}" if route.source == "arXiv" and route.number else route.version,
            licence=shorten(route.licence, 300),
            date=str(when) if when is not None else "",
            sure_before=str(state.cutoff.before or ""),
            title=shorten(work.title or fetched.paper.title, TITLE_CHARS),
            ids=work.ids.known(),
            without=_without(kinds, route.kind, attempts),
            doubt=" ".join(fetched.doubts),
            status=status_of(work) if state.cutoff.before is None else "",
        ),
    )


def _without(kinds: Sequence[FulltextKind], found: FulltextKind, attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """The kinds tried before ``found`` that surely no route has."""
    unsure = {attempt.kind for attempt in attempts if not attempt.certain}
    tried = kinds[: kinds.index(found)]
    return tuple(kind for kind in tried if kind not in unsure and (kind == "latex" or None not in unsure))


def _stem(work: Work, version: int | None, *, arxiv: bool | None = None) -> str:
    """What a file of this work is named after: its arXiv id for a text from there, else the identifier most known."""
    ids = work.ids
    if ids.arxiv is not None and (arxiv or (arxiv is None and (version is not None or ids.doi is None))):
        return f"{ids.arxiv}{f'v{version}' if version else ''}"
    named = ids.doi or ids.pmcid or (f"PMID{ids.pmid}" if ids.pmid else None) or ids.arxiv or ids.openalex or ids.s2
    return named or _STEM_WORDS.sub("_", work.title)[:80]


@asynccontextmanager
async def _telling(calling: Context[Any, Any]) -> AsyncGenerator[Callable[[str], None]]:
    """A function that is told what is being done; the caller hears the last of it each second."""
    doing = ["starting"]

    async def tell() -> None:
        started = time.monotonic()
        while True:
            await anyio.sleep(_SAID_SECONDS)
            await calling.report_progress(round(time.monotonic() - started, 1), None, doing[0])

    def say(what: str) -> None:
        doing[0] = what

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(tell)
        yield say
        tasks.cancel_scope.cancel()
