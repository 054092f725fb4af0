"""list_citations, list_cited_works and find_similar: from one work to others."""

from collections.abc import Sequence
from typing import Literal, cast

from pincite_core.errors import NotFoundError, SourceError
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, fill_page
from pincite_literature.catalog import CITING, RECOMMENDING, REFERRING
from pincite_literature.entries import citation_entry, shorten
from pincite_literature.listing import (
    FRAME_CHARS,
    Citations,
    Limit,
    Works,
    add_note,
    emptiness,
    listed,
    next_cursor,
    skipped,
    works_page,
)
from pincite_literature.lookup import Looked, look_up
from pincite_literature.papers import WorkName
from pincite_literature.sources.source import Citing, LinkPage, Page, Recommending, Referring, Source
from pincite_literature.standing import status_of
from pincite_literature.state import LiteratureState
from pincite_literature.walk import Walk, walk_from
from pincite_papers.arguments import Cursor

_Direction = Literal["citations", "references"]


async def list_citations(state: LiteratureState, id: WorkName, limit: Limit = 10, cursor: Cursor = "") -> Citations:  # noqa: A002
    """List the works that cite a work, with the sentences that cite it and their intent where a source has them."""
    return await _linked(state, id, "citations", CITING, limit, cursor)


async def list_cited_works(state: LiteratureState, id: WorkName, limit: Limit = 10, cursor: Cursor = "") -> Citations:  # noqa: A002
    """List the works that a work cites, as sources know them; a paper's own list: list_references."""
    return await _linked(state, id, "references", REFERRING, limit, cursor)


async def find_similar(state: LiteratureState, id: WorkName, limit: Limit = 10, cursor: Cursor = "") -> Works:  # noqa: A002
    """Find works like one that you have, as PubMed, Semantic Scholar and OpenAlex recommend them."""
    looked = await look_up(state, id)

    async def ask(source: Source, size: int, after: str | None) -> Page | None:
        del after
        _must_answer(looked, source)
        works = await cast("Recommending", source).similar(looked.work.ids, limit=size)
        return None if works is None else Page(works)

    call = ("find_similar", looked.work.ids, limit)
    walk, place = await walk_from(
        state,
        call,
        RECOMMENDING,
        decode_cursor(cursor, *call),
        lambda kept: Walk(state, kept, ask, size=limit),
        limit,
    )
    if not walk.knowing:
        raise _unknown(looked, walk, "works like it")
    return works_page(state, walk, call, place, limit, skipped=skipped(RECOMMENDING, cursor, place))


async def _linked(
    state: LiteratureState,
    id: str,  # noqa: A002
    direction: _Direction,
    names: Sequence[str],
    limit: int,
    cursor: str,
) -> Citations:
    looked = await look_up(state, id)

    async def ask(source: Source, size: int, after: str | None) -> LinkPage | None:
        _must_answer(looked, source)
        follow = cast("Citing", source).citations if direction == "citations" else cast("Referring", source).references
        return await follow(looked.work.ids, limit=size, cursor=after)

    call = (direction, looked.work.ids, limit)
    walk, place = await walk_from(
        state, call, names, decode_cursor(cursor, *call), lambda kept: Walk(state, kept, ask, size=limit), limit
    )
    if not walk.knowing:
        raise _unknown(looked, walk, f"its {direction}")
    shown, after = fill_page(
        walk.found,
        place.position,
        lambda found: citation_entry(found.work, found.links),
        max_chars=DEFAULT_CHARS - FRAME_CHARS,
        max_items=limit,
    )
    made = Citations(
        of=shorten(looked.work.title, 300),
        works=shown,
        next_cursor=next_cursor(walk, call, place, after),
        sources=listed(walk, skipped(names, cursor, place)),
    )
    if state.cutoff.before is None and (status := status_of(looked.work)):
        made["of_status"] = status
    add_note(made, [state.cutoff.note(walk.withheld)], emptiness(made["sources"], made["next_cursor"]))
    return made


def _must_answer(looked: Looked, source: Source) -> None:
    """SourceError for a source that failed when the work was looked up: one that hangs costs a call its limit once."""
    for entry in looked.entries:
        if entry["source"] == source.policy.name and entry["state"] == "failed":
            raise SourceError(entry.get("reason", ""), source=source.policy.name)


def _unknown(looked: Looked, walk: Walk, what: str) -> NotFoundError:
    """The error where no source that answered knows the work at all."""
    missing = [entry for entry in walk.entries.values() if "found" not in entry]
    silent = [f"{entry['source']}: {entry.get('reason', '')}" for entry in missing]
    return NotFoundError(
        f"No source that answered knows {what}: {shorten(looked.work.title, 200)!r}.",
        seen=f"could not be asked: {'; '.join(silent)}" if silent else "",
        next="Try again later." if silent else "Open its full text for its own references.",
    )
