"""add_papers: brings files, folders and identifiers into the library."""

import time
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Annotated, Any, NotRequired

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.client_roots import folders_of
from pincite_core.errors import BadInputError, ForbiddenError, PinciteError
from pincite_core.locator import digits_of
from pincite_library.ingest.outcome import Options, Outcome, Report, State, Watcher
from pincite_library.state import LibraryState

MOST_SECONDS = 50.0
"""After this the call ends and says how to go on: several clients wait a minute for a tool."""

_QUIET_SECONDS = 1.0
"""Seconds between reports of progress."""
_MOST_SOURCES = 100
"""Sources of one call. Set by judgement."""
_SHOWN = 30
"""Outcomes that are shown; the others are counted."""
_WHY_CHARS = 300
"""Characters of a title or a reason."""


class AddedPaper(TypedDict):
    """What became of a source; ``paper`` is the id of the paper that it gave."""

    source: str
    state: str
    paper: NotRequired[str]
    title: NotRequired[str]
    status: NotRequired[str]
    pages: NotRequired[int]
    chunks: NotRequired[int]
    why: NotRequired[str]
    next: NotRequired[str]


class Additions(TypedDict):
    """What came of a call: how many sources of each state, and those that changed something or failed."""

    finished: bool
    counts: dict[str, int]
    sources: list[AddedPaper]
    embedded: NotRequired[int]
    note: NotRequired[str]


async def add_papers(
    state: LibraryState,
    sources: Annotated[
        list[str], Field(description="Files, folders (with all papers in them), DOIs, arXiv ids, PMIDs or PMCIDs")
    ],
    context: Context[Any, Any],
    retry: Annotated[bool, Field(description="Try again what failed before and is unchanged")] = False,
) -> Additions:
    """Add papers to the library, or update them: what is there already and unchanged costs nothing. Where "finished" is
    false, call again with the same arguments to go on.
    """
    if state.settings.library_read_only:
        raise ForbiddenError(
            "Nothing can be added to this library: it is only read here.",
            next="Search what it holds: search_passages, grep_chunks, list_papers.",
        )
    named = [source.strip() for source in sources if source.strip()]
    if not named or len(named) > _MOST_SOURCES:
        raise BadInputError(
            "No source is named." if not named else f"More than {_MOST_SOURCES} sources are named.",
            next="Name files, folders or identifiers; a folder stands for all papers in it.",
        )
    roots = await folders_of(state.settings, context)
    adding = await anyio.to_thread.run_sync(lambda: _Adding(state, named, retry, roots))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(adding.watch, context)
        try:
            await anyio.to_thread.run_sync(adding.run, abandon_on_cancel=True)
        finally:
            adding.ingest.stop()
            tasks.cancel_scope.cancel()
    return _result(adding.report())


class _Adding:
    """One call's ingest, in a thread, and what its client is told of it."""

    def __init__(self, state: LibraryState, sources: list[str], retry: bool, roots: Sequence[Path]) -> None:
        from pincite_library.ingest.pipeline import Ingest

        settings = state.settings
        self.ingest: Ingest = Ingest(settings, roots=(*roots, settings.papers_dir), store=state.store())
        self._sources, self._options = sources, Options(retry=retry)
        self._watcher = _Told()
        self._outcome: Report | PinciteError = Report(stopped=True)

    def run(self) -> None:
        """Add the sources; an error is kept, since a task group would wrap what is raised."""
        try:
            with self.ingest:
                self._outcome = self.ingest.add(self._sources, self._options, self._watcher)
        except PinciteError as error:
            self._outcome = error

    def report(self) -> Report:
        """What came of it."""
        if isinstance(self._outcome, PinciteError):
            raise self._outcome
        return self._outcome

    async def watch(self, context: Context[Any, Any]) -> None:
        """Tell the client each second how far it is, and end the call in time."""
        started = time.monotonic()
        while True:
            await anyio.sleep(_QUIET_SECONDS)
            await context.report_progress(self._watcher.done, self._watcher.total or None, self._watcher.doing)
            if time.monotonic() - started > MOST_SECONDS:
                self.ingest.stop()


class _Told(Watcher):
    """Remembers how far an ingest is; told from several threads."""

    def __init__(self) -> None:
        self.total = self.done = 0
        self.doing = "looking for papers"

    def waiting(self, holder: str) -> None:
        self.doing = f"waiting for {holder}"

    def found(self, total: int) -> None:
        self.total = total

    def started(self, name: str) -> None:
        self.doing = f"reading {PurePath(name).name}"

    def ended(self, outcome: Outcome) -> None:
        self.done = min(self.done + 1, self.total)

    def embedding(self, done: int, total: int) -> None:
        self.doing = f"embedding, {done} of {total} chunks"


def _result(report: Report) -> Additions:
    quiet = (State.UNCHANGED, State.GONE)
    outcomes = [outcome for outcome in report.outcomes if outcome.state not in quiet and not outcome.foreign]
    outcomes.sort(key=lambda outcome: outcome.state is not State.FAILED)
    result = Additions(
        finished=not report.stopped,
        counts={kind.value: count for kind, count in report.counts.items()},
        sources=[_shown(outcome) for outcome in outcomes[:_SHOWN]],
    )
    notes: list[str] = []
    if len(outcomes) > _SHOWN:
        notes.append(f"{len(outcomes) - _SHOWN} more sources changed: list_papers names all papers.")
    if report.stopped:
        notes.append("Not all was done in the time of one call: call again with the same arguments to go on.")
    if report.embedded:
        result["embedded"] = report.embedded
    if report.embedding_error is not None:
        notes.append(f"{report.unembedded} chunks have no vector: {report.embedding_error.what}")
    if notes:
        result["note"] = " ".join(notes)
    return result


def _shown(outcome: Outcome) -> AddedPaper:
    shown = AddedPaper(source=outcome.name, state=outcome.state.value)
    if outcome.paper_id:
        shown["paper"] = digits_of(outcome.paper_id)
    if outcome.title:
        shown["title"] = outcome.title[:_WHY_CHARS]
    if outcome.status:
        shown["status"] = outcome.status
    if outcome.pages:
        shown["pages"] = outcome.pages
    if outcome.chunks:
        shown["chunks"] = outcome.chunks
    if outcome.why:
        shown["why"] = outcome.why[:_WHY_CHARS]
    if outcome.next:
        shown["next"] = outcome.next[:_WHY_CHARS]
    return shown
