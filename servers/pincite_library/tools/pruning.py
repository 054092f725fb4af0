"""prune_chunks: of the passages gathered, those worth keeping."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, NotRequired

import anyio.to_thread
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_library.model import StoredChunk
from pincite_library.standing import status_of
from pincite_library.state import LibraryState, check_filled
from pincite_library.tools.passage import source_spans
from pincite_library.tools.reading import find_chunk

if TYPE_CHECKING:
    from pincite_library.ranking.ranked import Judgement
    from pincite_library.store.store import Store

MOST_CHUNKS = 100
"""Chunks of one call. Set by judgement."""
LEAST_WORTH = 3
"""Passages of which a model gives less, of 10, for answering and for looking at, are dropped."""

_SAME = 0.8
"""A chunk of which this part lies in another one of its paper is dropped."""

_START_CHARS = 120
"""Characters of the start of a passage by which it is named."""

ChunkNames = Annotated[list[str], Field(description="Locators of chunks")]


class KeptChunk(TypedDict):
    """A chunk to keep, with how it begins, so that it is known again; scores of a model, 0-10, where one judged."""

    locator: str
    paper: str
    status: NotRequired[str]
    begins: str
    answers: NotRequired[int]
    look_at_figure: NotRequired[int]


class DroppedChunk(TypedDict):
    """A chunk to forget, and why."""

    locator: str
    reason: str


class Pruned(TypedDict):
    """What to keep, best first where a model judged, else as given. Nothing is removed from the library."""

    kept: list[KeptChunk]
    dropped: list[DroppedChunk]
    judged_by: str
    note: NotRequired[str]


async def prune_chunks(
    state: LibraryState,
    chunks: ChunkNames,
    question: Annotated[str, Field(description="What they should answer")] = "",
    keep: Annotated[int, Field(ge=0, le=100, description="Most chunks to keep; 0 for all that help")] = 0,
) -> Pruned:
    """Cut down the passages you have gathered: drops duplicates and overlapping ones and, with a question and where a
    model is set, those that do not help. Pass "kept" on.
    """
    if not chunks or len(chunks) > MOST_CHUNKS:
        raise BadInputError(
            "No chunks are named." if not chunks else f"More than {MOST_CHUNKS} chunks are named.",
            seen=f"{len(chunks)} chunks",
            next="Give the locators of the passages that you have gathered, in parts if they are many.",
        )
    gathered = await state.work(lambda store: _gather(store, chunks))
    _drop_alike(gathered)
    judge = (await anyio.to_thread.run_sync(state.rankers)).judge if question.strip() else None
    judged: dict[str, Judgement] = {}
    note = ""
    if judge is not None and gathered.kept:
        try:
            found = await judge.judge(question.strip(), gathered.kept)
            judged = {one.locator: said for one, said in zip(gathered.kept, found, strict=True)}
        except PinciteError as error:
            note = f"The judge failed, so all that is not a duplicate is kept in the order given: {error.what}"
    elif question.strip():
        note = "No text model is set: duplicates were dropped, what does not help was not."
    _drop_worthless(gathered, judged)
    if keep:
        _drop_beyond(gathered, keep, judged)
    result = Pruned(
        kept=[_shown(one, gathered, judged.get(one.locator)) for one in gathered.kept],
        dropped=[DroppedChunk(locator=locator, reason=reason) for locator, reason in gathered.dropped.items()],
        judged_by=judge.name if judge is not None and judged else "",
    )
    if note:
        result["note"] = note
    return result


@dataclass(slots=True)
class _Gathered:
    """The chunks still kept, the reasons of those dropped by locator, and titles by paper id."""

    kept: list[StoredChunk] = field(default_factory=list[StoredChunk])
    dropped: dict[str, str] = field(default_factory=dict[str, str])
    titles: dict[str, str] = field(default_factory=dict[str, str])
    statuses: dict[str, str] = field(default_factory=dict[str, str])

    def drop(self, chunk: StoredChunk, reason: str) -> None:
        self.kept.remove(chunk)
        self.dropped[chunk.locator] = reason


def _gather(store: "Store", names: list[str]) -> _Gathered:
    check_filled(store)
    gathered = _Gathered()
    for name in dict.fromkeys(name.strip() for name in names):
        try:
            entry, chunks, at = find_chunk(store, name)
        except NotFoundError as error:
            gathered.dropped[name] = error.bracketed()
            continue
        gathered.kept.append(chunks[at])
        gathered.titles[entry.paper_id] = entry.title
        gathered.statuses[entry.paper_id] = status_of(entry)
    return gathered


def _drop_alike(gathered: _Gathered) -> None:
    """Drop what another chunk says too: the same words, or for the most part the same place."""
    words = {one.locator: " ".join(one.chunk.text.casefold().split()) for one in gathered.kept}
    for one in sorted(gathered.kept, key=lambda one: len(words[one.locator])):
        for other in gathered.kept:
            if other is one:
                continue
            mine, its = words[one.locator], words[other.locator]
            if mine == its and gathered.kept.index(other) > gathered.kept.index(one):
                continue
            if mine in its:
                same = "has the same text" if mine == its else "holds its text"
            elif one.paper_id == other.paper_id and _within(one, other) >= _SAME:
                same = f"covers {_within(one, other):.0%} of it"
            else:
                continue
            gathered.drop(one, f"{other.locator} {same}")
            break


def _within(one: StoredChunk, other: StoredChunk) -> float:
    """The part of a chunk's place that lies in another one's, 0 to 1."""
    length = sum(end - start for start, end in source_spans(one))
    shared = sum(
        max(min(end, high) - max(start, low), 0)
        for start, end in source_spans(one)
        for low, high in source_spans(other)
    )
    return min(shared / length, 1.0) if length else 0.0


def _drop_worthless(gathered: _Gathered, judged: "dict[str, Judgement]") -> None:
    """Drop what the judge gives too little, and order the rest by what it gives."""
    if judged:
        gathered.kept.sort(key=lambda one: -judged[one.locator].worth)
    for one in list(gathered.kept):
        said = judged.get(one.locator)
        if said is not None and said.worth < LEAST_WORTH:
            gathered.drop(one, f"does not help: answers {said.answers}, look_at_figure {said.figure} of 10")


def _drop_beyond(gathered: _Gathered, keep: int, judged: "dict[str, Judgement]") -> None:
    order = "judged less helpful than" if judged else "named after"
    for one in gathered.kept[keep:]:
        gathered.drop(one, f"{order} the {keep} that are kept")


def _shown(one: StoredChunk, gathered: _Gathered, said: "Judgement | None") -> KeptChunk:
    begins = " ".join(one.chunk.text[: 2 * _START_CHARS].split())[:_START_CHARS]
    shown = KeptChunk(locator=one.locator, paper=gathered.titles[one.paper_id], begins=begins)
    if status := gathered.statuses[one.paper_id]:
        shown["status"] = status
    if said is not None:
        shown["answers"], shown["look_at_figure"] = said.answers, said.figure
    return shown
