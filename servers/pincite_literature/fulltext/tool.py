"""fetch_fulltext: the open full text of a work, kept where the documents server opens it."""

import re
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired
from weakref import WeakValueDictionary

import anyio
from mcp.server.mcpserver import Context
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import PinciteError, UnavailableError
from pincite_literature.dates import PartialDate
from pincite_literature.desk import Desk
from pincite_literature.entries import shorten
from pincite_literature.fulltext.dating import Dating
from pincite_literature.fulltext.fetching import Errand, Fetched
from pincite_literature.fulltext.offers import Offers, arxiv_number
from pincite_literature.fulltext.route import Attempt
from pincite_literature.fulltext.shelf import Kept, Shelf
from pincite_literature.identifiers import identify
from pincite_literature.lookup import Looked, look_up
from pincite_literature.model import FulltextKind, Identifiers, Work
from pincite_literature.papers import WorkName

if TYPE_CHECKING:
    from pincite_papers.model import Paper

Prefer = Annotated[
    list[FulltextKind],
    Field(
        min_length=1,
        max_length=4,
        description="Formats in the order to try them; those left out are not taken. latex keeps formulas best",
    ),
]

_ABSTRACT_CHARS = 3000
_TITLE_CHARS = 300
_OUTCOME_CHARS = 300
_SAID_SECONDS = 1.0
_STEM_WORDS = re.compile(r"\W+")
_going: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()


class Tried(TypedDict):
    """A route to a full text that was tried in vain, or not tried, and why."""

    route: str
    kind: NotRequired[str]
    url: NotRequired[str]
    outcome: str


class Fulltext(TypedDict):
    """A full text: give ``path`` or ``id`` to open_paper. ``state`` "abstract_only": no route has one. "unsure": some
    could not be asked, so there may be one. ``date`` is that of this very version, ``route`` who gave it."""

    state: Literal["full_text", "abstract_only", "unsure"]
    says: str
    title: str
    published: NotRequired[str]
    doi: NotRequired[str]
    arxiv: NotRequired[str]
    pmid: NotRequired[str]
    pmcid: NotRequired[str]
    path: NotRequired[str]
    id: NotRequired[str]
    format: NotRequired[str]
    pages: NotRequired[int]
    characters: NotRequired[int]
    route: NotRequired[str]
    version: NotRequired[str]
    date: NotRequired[str]
    licence: NotRequired[str]
    url: NotRequired[str]
    retrieved: NotRequired[str]
    warnings: NotRequired[list[str]]
    abstract: NotRequired[str]
    abstract_source: NotRequired[str]
    tried: list[Tried]
    next: str


async def fetch_fulltext(
    desk: Desk,
    id: WorkName,  # noqa: A002
    calling: Context[Any, Any],
    prefer: Prefer = ["latex", "jats", "html", "pdf"],  # noqa: B006
) -> Fulltext:
    """Get the full text of a work from open-access routes (arXiv, PMC, Europe PMC, Unpaywall, publishers), keep it and
    check that it is this work. Then read it: open_paper(path). Says when there is the abstract only.
    """
    async with _telling(calling) as say:
        try:
            outcome: Fulltext | PinciteError = await _fetch(
                desk, id.strip(), tuple(dict.fromkeys(prefer)), calling, say
            )
        except PinciteError as error:  # returned, since a task group would wrap what is raised
            outcome = error
    if isinstance(outcome, PinciteError):
        raise outcome
    return outcome


async def _fetch(
    desk: Desk, asked: str, kinds: tuple[FulltextKind, ...], calling: Context[Any, Any], say: Callable[[str], None]
) -> Fulltext:
    ids = identify(asked)
    version = arxiv_number(asked) if ids is not None and ids.arxiv is not None else None
    shelf = shelf_of(desk.settings.papers_dir)
    wanted = _Wanted(desk, shelf, kinds, version)
    if ids is not None and (found := await wanted.on_shelf(ids, calling)):
        return _kept_result(*found)
    say("looking the work up")
    looked = await _looked_up(desk, asked, ids)
    lock = _going.setdefault(f"{shelf.folder}\0{_stem(looked.work, version)}", anyio.Lock())
    async with lock:
        if found := await wanted.on_shelf(looked.work.ids, calling):
            return _kept_result(*found)
        dating = Dating(looked.records, desk.gate.before)
        offers = Offers(desk, looked.work, dating, version)
        errand = Errand(desk, looked.work, dating, offers, say)
        fetched = await errand.run(kinds)
        attempts = [*offers.failures, *errand.attempts]
        if fetched is None:
            return _nothing(looked, attempts, kinds)
        kept = await anyio.to_thread.run_sync(_keep, desk, shelf, looked.work, dating, fetched, attempts, kinds)
        paper = await desk.library.open(str(shelf.path(kept)), calling)
        result = _result(kept, shelf.path(kept), paper, looked.work)
        result["tried"] = [_tried(attempt) for attempt in attempts]
        return result


async def _looked_up(desk: Desk, asked: str, ids: Identifiers | None) -> Looked:
    """The record of the work; without one, since no source answered, what its identifier alone says."""
    try:
        return await look_up(desk, asked)
    except UnavailableError:
        if ids is None or desk.gate.before is not None or (ids.arxiv is None and ids.pmcid is None):
            raise
        work = desk.gate.clear_one(Work(title="", ids=ids))
        if work is None:
            raise
        return Looked(work, {}, ())


class _Wanted:
    """What is wanted of the shelf: one of these kinds, as the cutoff allows, of this version where one was named."""

    def __init__(self, desk: Desk, shelf: Shelf, kinds: Sequence[FulltextKind], version: int | None) -> None:
        self._desk = desk
        self._shelf = shelf
        self._kinds = kinds
        self._version = version

    async def on_shelf(self, ids: Identifiers, calling: Context[Any, Any]) -> "tuple[Kept, Path, Paper] | None":
        """A text that was fetched before and is still as it was; None when the web is to be asked."""
        for kept in self._fitting(await anyio.to_thread.run_sync(self._shelf.find, ids)):
            path = self._shelf.path(kept)
            try:
                paper = await self._desk.library.open(str(path), calling)
            except PinciteError:
                continue
            if paper.paper_id == f"sha256:{kept.sha256}":
                return kept, path, paper
        return None

    def _fitting(self, found: Sequence[Kept]) -> list[Kept]:
        """Those that may be given, the most preferred first; none less preferred than what was never looked for."""
        allowed = [kept for kept in found if self._allows(kept)]
        fitting: list[Kept] = []
        for place, kind in enumerate(self._kinds):
            better = self._kinds[:place]
            fitting += [kept for kept in allowed if kept.kind == kind and set(better) <= set(kept.without)]
        return fitting

    def _allows(self, kept: Kept) -> bool:
        if self._version is not None:
            numbered = kept.route == "arXiv" and kept.version == f"v{self._version}"
            return numbered and (self._desk.gate.before is None or self._is_before(kept))
        if self._desk.gate.before is None:
            return not kept.sure_before
        return self._is_before(kept)

    def _is_before(self, kept: Kept) -> bool:
        """Whether the text is surely from before the cutoff: by its date, or since it passed an earlier one."""
        before = self._desk.gate.before
        day = PartialDate.parse(kept.date)
        passed = PartialDate.parse(kept.sure_before)
        if before is None or (day is not None and day.surely_before(before)):
            return True
        return passed is not None and passed.day is not None and passed.earliest <= before


@lru_cache(maxsize=8)
def shelf_of(folder: Path) -> Shelf:
    """The shelf of a folder."""
    return Shelf(folder)


def _keep(
    desk: Desk,
    shelf: Shelf,
    work: Work,
    dating: Dating,
    fetched: Fetched,
    attempts: Sequence[Attempt],
    kinds: Sequence[FulltextKind],
) -> Kept:
    route, answer = fetched.route, fetched.answer
    when = dating.of(route)
    ids = work.ids.known()
    return shelf.put(
        _stem(work, route.number if route.source == "arXiv" else None, arxiv=route.source == "arXiv"),
        answer.content,
        Kept(
            name="",
            sha256="",
            kind=route.kind,
            url=answer.url,
            route=route.source,
            retrieved=answer.retrieved.strftime("%Y-%m-%dT%H:%M:%SZ"),
            version=f"v{route.number}" if route.source == "arXiv" and route.number else route.version,
            licence=shorten(route.licence, 300),
            date=str(when) if when is not None else "",
            sure_before=str(desk.gate.before or ""),
            title=shorten(work.title or fetched.paper.title, _TITLE_CHARS),
            ids=ids,
            without=_without(kinds, route.kind, attempts),
            doubt=" ".join(fetched.doubts),
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


def _kept_result(kept: Kept, path: Path, paper: "Paper") -> Fulltext:
    made = _result(kept, path, paper, None)
    made["says"] = f"Fetched before, on {kept.retrieved[:10]}: {made['says']}"
    return made


def _result(kept: Kept, path: Path, paper: "Paper", work: Work | None) -> Fulltext:
    made = Fulltext(
        state="full_text",
        says=f"The full text, from {kept.route} ({kept.version or 'version not stated'}).",
        title=kept.title or paper.title,
        path=str(path),
        id=paper.paper_id,
        format=paper.format.value,
        characters=len(paper.text),
        route=kept.route,
        licence=kept.licence or "not stated",
        url=kept.url,
        retrieved=kept.retrieved,
        warnings=[*([kept.doubt] if kept.doubt else []), *paper.warnings],
        tried=[],
        next="Read it: open_paper with this path.",
    )
    if kept.version:
        made["version"] = kept.version
    if kept.date:
        made["date"] = kept.date
    if paper.pages:
        made["pages"] = len(paper.pages)
    if work is not None and work.published is not None:
        made["published"] = str(work.published)
    _add_ids(made, kept.ids)
    return made


def _nothing(looked: Looked, attempts: Sequence[Attempt], kinds: Sequence[str]) -> Fulltext:
    """What is said when no route gave the full text."""
    failed = [entry for entry in looked.entries if entry["state"] == "failed"]
    sure = bool(looked.records) and not failed and all(attempt.certain for attempt in attempts)
    work = looked.work
    source = next((name for name, record in looked.records.items() if record.abstract == work.abstract), "")
    told = "Here is the abstract." if work.abstract else "There is no abstract either."
    formats = f" as {', '.join(kinds)}" if len(kinds) < 4 else ""
    routes = sum(attempt.asked for attempt in attempts)
    made = Fulltext(
        state="abstract_only" if sure else "unsure",
        says=f"No open full text{formats} was found; {routes} routes were tried. {told}"
        if sure
        else f"No full text{formats} was reached, but some of what could tell of one could not be asked. {told}",
        title=shorten(work.title, _TITLE_CHARS),
        tried=[_tried(attempt) for attempt in attempts]
        + [Tried(route=entry["source"], outcome=f"no record: {entry.get('reason', '')}") for entry in failed],
        next="Cite it by its abstract only. If the user can get the file (library, authors), open it by its path."
        if sure
        else "Try again later; do not conclude that there is no full text. The user may have the file.",
    )
    if work.published is not None:
        made["published"] = str(work.published)
    if work.abstract:
        made["abstract"] = shorten(work.abstract, _ABSTRACT_CHARS)
        made["abstract_source"] = source or ", ".join(work.sources)
    _add_ids(made, work.ids.known())
    return made


def _add_ids(made: Fulltext, ids: dict[str, str]) -> None:
    for kind in ("doi", "arxiv", "pmid", "pmcid"):
        if kind in ids:
            made[kind] = ids[kind]


def _tried(attempt: Attempt) -> Tried:
    made = Tried(route=attempt.source, outcome=shorten(attempt.outcome, _OUTCOME_CHARS))
    if attempt.kind is not None:
        made["kind"] = attempt.kind
    if attempt.url:
        made["url"] = shorten(attempt.url, _OUTCOME_CHARS)
    return made


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
