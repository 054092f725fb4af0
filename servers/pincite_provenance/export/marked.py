"""Marked: a paper's PDF with the quotes of claims highlighted, each with the claim and what the checks said."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pincite_papers.model import Paper
from pincite_provenance.export.marks import Mark
from pincite_provenance.export.pool import MarkingPool
from pincite_provenance.export.words import agent_words, claim_words, verdict_words
from pincite_provenance.ledger.entry import Entry

COLORS = {"holds": (0.74, 0.93, 0.71), "unsure": (1.0, 0.9, 0.55), "fails": (1.0, 0.74, 0.71)}
"""Green, yellow and red, light enough for print to be read under them."""

_MOST_TEXT = 4000


@dataclass(slots=True)
class Marked:
    """``data`` is the PDF; ``kept`` when it is the source with highlights appended, else it was written anew (without
    encryption). ``left_out`` says which claims have no highlight and why."""

    data: bytes
    kept: bool
    placed: int
    left_out: list[str] = field(default_factory=list[str])


def mark_up(paper: Paper, source: bytes, entries: Sequence[Entry], pool: MarkingPool) -> Marked:
    """The PDF ``source`` of the paper with the quotes of these claims of it; raises what the pool raises."""
    marks: list[Mark] = []
    left_out: list[str] = []
    placed = 0
    for entry in entries:
        made = _marks(paper, entry)
        if isinstance(made, str):
            left_out.append(f"{entry.id}: {made}")
        else:
            marks += made
            placed += 1
    if not marks:
        return Marked(source, True, 0, left_out)
    reply, data = pool.ask(lambda _: ({"marks": [mark.sent() for mark in marks]}, source))
    return Marked(data, bool(reply["kept"]), placed, left_out)


def _marks(paper: Paper, entry: Entry) -> list[Mark] | str:
    """One mark a page, or why there is none."""
    locator = entry.locator()
    if locator is None:
        return "its quote was not found in the paper"
    if paper.text[locator.start : locator.end] != locator.quote:
        return "this version of the parser reads the paper otherwise: its quote no longer stands at its locator"
    boxes = paper.boxes(locator.start, locator.end)
    pages = sorted({page for page, _ in boxes})
    if not pages:
        return "its quote has no place on a page"
    return [
        Mark(
            page=page,
            boxes=tuple((box.x0, box.y0, box.x1, box.y1) for number, box in boxes if number == page),
            color=COLORS[entry.verdict],
            name=entry.id if page == pages[0] else f"{entry.id}-{page}",
            author=agent_words(entry) or "pincite",
            text=_text(entry) if page == pages[0] else f"Goes on from page {pages[0]}: {claim_words(entry)}",
            date=_pdf_date(entry.content["time"]),
        )
        for page in pages
    ]


def _text(entry: Entry) -> str:
    lines: Iterable[str] = (claim_words(entry), *verdict_words(entry), f"{entry.id}, {entry.content['time']}")
    return "\n".join(lines)[:_MOST_TEXT]


def _pdf_date(time: str) -> str:
    return datetime.fromisoformat(time).strftime("D:%Y%m%d%H%M%SZ")
