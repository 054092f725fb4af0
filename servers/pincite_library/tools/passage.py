"""Passages: chunks as the tools show them, each with its locator and what a reader must know before quoting it."""

from typing import NotRequired

from typing_extensions import TypedDict

from pincite_core.locator import digits_of, short_form
from pincite_library.marks import doubtful_in, ocr_in, unreliable_in
from pincite_library.marks import shown as with_doubts
from pincite_library.model import PaperEntry, StoredChunk
from pincite_library.standing import status_of

_SOURCES_SHOWN = 6
"""Places of a composed passage that are named; of the rest the number is said."""


class Passage(TypedDict):
    """A chunk: ``text`` may be quoted with ``locator``, unless it was ``composed`` or ``cut``."""

    locator: str
    paper: str
    year: NotRequired[int]
    status: NotRequired[str]
    section: str
    kind: str
    label: NotRequired[str]
    text: str
    cut: NotRequired[str]
    composed: NotRequired[str]
    unreliable: NotRequired[str]
    ocr: NotRequired[float]


def passage(stored: StoredChunk, entry: PaperEntry | None, most_chars: int) -> Passage:
    """A chunk as it is shown, its text in at most ``most_chars`` characters; ``entry`` is its paper's."""
    chunk = stored.chunk
    shown = Passage(
        locator=stored.locator,
        paper=entry.title if entry is not None else "",
        section=chunk.section,
        kind=chunk.kind.value,
        text=chunk.text[:most_chars],
    )
    if entry is not None and entry.year is not None:
        shown["year"] = entry.year
    if status := status_of(entry):
        shown["status"] = status
    if chunk.label:
        shown["label"] = chunk.label
    if len(chunk.text) > most_chars:
        shown["cut"] = f"{most_chars} of {len(chunk.text)} characters: read_chunk shows the whole"
    if not chunk.exact:
        shown["composed"] = "not verbatim: do not quote it"
    if entry is not None:
        _mark(shown, stored, entry)
    return shown


def source_spans(stored: StoredChunk) -> list[tuple[int, int]]:
    """The ranges of the canonical text that a chunk was made from, in order."""
    return stored.chunk.ranges()


def place(entry: PaperEntry, start: int, end: int) -> str:
    """The short locator of ``text[start:end]`` of a paper."""
    return short_form(digits_of(entry.paper_id), entry.marks.page_at(start), start, end)


def _mark(shown: Passage, stored: StoredChunk, entry: PaperEntry) -> None:
    spans = source_spans(stored)
    if not stored.chunk.exact:
        places = ", ".join(place(entry, *span) for span in spans[:_SOURCES_SHOWN])
        more = f" and {len(spans) - _SOURCES_SHOWN} more" if len(spans) > _SOURCES_SHOWN else ""
        shown["composed"] = f"not verbatim: quote its source, which read_chunk shows, instead ({places}{more})"
    if stored.chunk.exact:
        unreliable = unreliable_in(entry.marks, shown["text"], stored.chunk.start)
        shown["text"] = with_doubts(entry.marks, shown["text"], stored.chunk.start)
    else:
        doubtful = sum(high - low for span in spans for low, high in doubtful_in(entry.marks, *span))
        unreliable = f"{doubtful} of the characters: read_chunk marks them in its source" if doubtful else ""
    if unreliable:
        shown["unreliable"] = unreliable
    read = [sure for span in spans if (sure := ocr_in(entry.marks, *span)) is not None]
    if read:
        shown["ocr"] = min(read)
