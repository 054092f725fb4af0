"""What fetch_fulltext says: a full text and where it is, or honestly that there is none or that this is not sure."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NotRequired

from typing_extensions import TypedDict

from pincite_literature.entries import shorten
from pincite_literature.fulltext.route import Attempt
from pincite_literature.fulltext.shelf import Kept
from pincite_literature.lookup import Looked
from pincite_literature.model import Work
from pincite_literature.standing import status_of

if TYPE_CHECKING:
    from pincite_papers.model import Paper

TITLE_CHARS = 300
"""Characters of a title that are shown."""
_ABSTRACT_CHARS = 3000
"""Characters of an abstract that are shown."""
_OUTCOME_CHARS = 300
"""Characters of what an attempt led to."""


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
    status: NotRequired[str]
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


def kept_result(kept: Kept, path: Path, paper: "Paper", work: Work | None) -> Fulltext:
    """What is said of a text that was fetched before."""
    made = full_result(kept, path, paper, work)
    made["says"] = f"Fetched before, on {kept.retrieved[:10]}: {made['says']}"
    return made


def full_result(kept: Kept, path: Path, paper: "Paper", work: Work | None) -> Fulltext:
    """What is said of a full text and of how it was got; the record is ``work``, else what was kept of it."""
    made = Fulltext(
        state="full_text",
        says=f"The full text, from {kept.route} ({kept.version or 'version not stated'}).",
        title=shorten((work.title if work is not None else kept.title) or paper.title, TITLE_CHARS),
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
    if status := (status_of(work) if work is not None else "") or kept.status:
        made["status"] = status
    if paper.pages:
        made["pages"] = len(paper.pages)
    if work is not None and work.published is not None:
        made["published"] = str(work.published)
    _add_ids(made, work.ids.known() if work is not None else kept.ids)
    return made


def nothing_result(looked: Looked, attempts: Sequence[Attempt], kinds: Sequence[str]) -> Fulltext:
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
        title=shorten(work.title, TITLE_CHARS),
        tried=[tried_entry(attempt) for attempt in attempts]
        + [Tried(route=entry["source"], outcome=f"no record: {entry.get('reason', '')}") for entry in failed],
        next="Cite it by its abstract only. If the user can get the file (library, authors), open it by its path."
        if sure
        else "Try again later; do not conclude that there is no full text. What refused access may open in the "
        "user's browser: open the file by its path then.",
    )
    if work.published is not None:
        made["published"] = str(work.published)
    if status := status_of(work):
        made["status"] = status
    if work.abstract:
        made["abstract"] = shorten(work.abstract, _ABSTRACT_CHARS)
        made["abstract_source"] = source or ", ".join(work.sources)
    _add_ids(made, work.ids.known())
    return made


def _add_ids(made: Fulltext, ids: dict[str, str]) -> None:
    for kind in ("doi", "arxiv", "pmid", "pmcid"):
        if kind in ids:
            made[kind] = ids[kind]


def tried_entry(attempt: Attempt) -> Tried:
    """The entry of a route that gave nothing."""
    made = Tried(route=attempt.source, outcome=shorten(attempt.outcome, _OUTCOME_CHARS))
    if attempt.kind is not None:
        made["kind"] = attempt.kind
    if attempt.url:
        made["url"] = shorten(attempt.url, _OUTCOME_CHARS)
    return made
