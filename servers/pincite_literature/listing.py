"""Pages of works: what the tools that list works have in common."""

from collections.abc import Sequence
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.paging import DEFAULT_CHARS, encode_cursor, fill_page
from pincite_literature.entries import (
    CitationEntry,
    SourceEntry,
    WorkEntry,
    not_asked,
    without_url,
    work_entry,
)
from pincite_literature.state import LiteratureState
from pincite_literature.walk import Place, Walk

Limit = Annotated[int, Field(ge=1, le=50)]

FRAME_CHARS = 1500
"""Characters of a result beside its works."""


class Works(TypedDict):
    """Works, best first; ``sources`` says who was asked and who failed. The list ends where next_cursor is null."""

    works: list[WorkEntry]
    next_cursor: str | None
    note: NotRequired[str]
    sources: list[SourceEntry]


class Citations(TypedDict):
    """Citing or cited works of ``of``. The list ends where next_cursor is null."""

    of: str
    of_status: NotRequired[str]
    works: list[CitationEntry]
    next_cursor: str | None
    note: NotRequired[str]
    sources: list[SourceEntry]


def works_page(
    state: LiteratureState,
    walk: Walk,
    call: tuple[object, ...],
    place: Place,
    limit: int,
    *,
    skipped: Sequence[str] = (),
    note: str = "",
) -> Works:
    """The works of a walk from ``place`` on, at most ``limit``, in a result of ordinary length."""
    shown, after = fill_page(
        walk.found,
        place.position,
        lambda found: work_entry(found.work),
        max_chars=DEFAULT_CHARS - FRAME_CHARS,
        max_items=limit,
    )
    made = Works(works=shown, next_cursor=next_cursor(walk, call, place, after), sources=listed(walk, skipped))
    add_note(made, [state.cutoff.note(walk.withheld), note], emptiness(made["sources"], made["next_cursor"]))
    return made


def next_cursor(walk: Walk, call: tuple[object, ...], place: Place, after: int) -> str | None:
    """The cursor of what stands behind ``after`` works of a walk, None at its end."""
    more = after < len(walk.found) or not walk.ended
    return encode_cursor(int(Place(after, place.mask)), *call) if more else None


def listed(walk: Walk, skipped: Sequence[str] = ()) -> list[SourceEntry]:
    """The sources of a walk as lists show them."""
    left_out = [not_asked(name, "it failed when this list began") for name in skipped if name not in walk.entries]
    return without_url([*walk.entries.values(), *left_out])


def add_note(made: Works | Citations, notes: Sequence[str], if_empty: str) -> None:
    """Add what is to be said of a page, if anything."""
    said = [part for part in (*notes, "" if made["works"] else if_empty) if part]
    if said:
        made["note"] = " ".join(said)


def emptiness(entries: Sequence[SourceEntry], cursor: str | None) -> str:
    """What an empty list means."""
    silent = [entry["source"] for entry in entries if entry["state"] != "answered"]
    if silent:
        return f"Nothing came, but that says little: {', '.join(silent)} could not be asked."
    return "Nothing fits so far: go on with next_cursor." if cursor else "Every source answered; none has such a work."


def skipped(names: Sequence[str], cursor: str, place: Place) -> list[str]:
    """The sources that a list which goes on leaves out, since they failed when it began."""
    return [name for bit, name in enumerate(names) if cursor and not place.mask >> bit & 1]
