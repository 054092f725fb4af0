"""Marked: a paper's PDF with the quotes of claims highlighted, each with the claim and what the checks said."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pincite_papers.model import Paper
from pincite_provenance.export.marks import Mark
from pincite_provenance.export.pool import MarkingPool
from pincite_provenance.ledger.entry import LedgerEntry
from pincite_provenance.ledger.wording import agent_words, claim_words, verdict_words

COLORS = {"holds": (0.72, 0.92, 0.69), "unsure": (1.0, 0.83, 0.42), "fails": (1.0, 0.70, 0.68)}
"""Green, amber and red of a claim, light enough for print to be read under them."""

LEGEND = (("claim holds", "holds"), ("claim unsure", "unsure"), ("claim fails", "fails"))
"""What the colours say; whether the quote and the value stand is said in each highlight's note."""

_WORST_FIRST = "fails", "unsure", "holds"
_MOST_TEXT = 8000


@dataclass(slots=True)
class Marked:
    """``data`` is the PDF; ``kept`` when it is the source with highlights appended, else it was rewritten (without
    encryption). ``left_out`` says which claims have no highlight and why."""

    data: bytes
    kept: bool
    placed: int
    left_out: list[str] = field(default_factory=list[str])


def mark_up(paper: Paper, source: bytes, entries: Sequence[LedgerEntry], pool: MarkingPool) -> Marked:
    """The PDF ``source`` of the paper with the quotes of these claims of it; raises what the pool raises.

    Claims with one quote share one highlight, in the colour of the worst verdict among those that stand.
    """
    places: dict[tuple[int, int], list[LedgerEntry]] = {}
    left_out: list[str] = []
    for entry in entries:
        place = _place(paper, entry)
        if isinstance(place, str):
            left_out.append(f"{entry.id}: {place}")
        else:
            places.setdefault(place, []).append(entry)
    marks = [mark for (start, end), here in places.items() for mark in _marks(paper, start, end, here)]
    placed = len(entries) - len(left_out)
    if not marks:
        return Marked(source, True, 0, left_out)
    legend = [(words, COLORS[verdict]) for words, verdict in LEGEND]
    reply, data = pool.ask(lambda _: ({"marks": [mark.sent() for mark in marks], "legend": legend}, source))
    return Marked(data, bool(reply["kept"]), placed, left_out)


def _place(paper: Paper, entry: LedgerEntry) -> tuple[int, int] | str:
    """The range of the paper's text that is marked for a claim, or why none is."""
    locator = entry.locator()
    if locator is None:
        return "its quote was not found in the paper"
    if paper.text[locator.start : locator.end] != locator.quote:
        return "this version of the parser reads the paper otherwise: its quote no longer stands at its locator"
    if not paper.boxes(locator.start, locator.end):
        return "its quote has no place on a page"
    return locator.start, locator.end


def _marks(paper: Paper, start: int, end: int, entries: Sequence[LedgerEntry]) -> list[Mark]:
    """One mark a page for the claims with this quote."""
    boxes = paper.boxes(start, end)
    pages = sorted({page for page, _ in boxes})
    name = "+".join(entry.id for entry in entries)
    verdicts = {entry.verdict for entry in entries if entry.stands} or {entry.verdict for entry in entries}
    text = "\n\n".join(_text(entry) for entry in entries)[:_MOST_TEXT]
    return [
        Mark(
            page=page,
            boxes=tuple((box.x0, box.y0, box.x1, box.y1) for number, box in boxes if number == page),
            color=COLORS[next(verdict for verdict in _WORST_FIRST if verdict in verdicts)],
            name=name if page == pages[0] else f"{name}-{page}",
            author="; ".join(dict.fromkeys(agent_words(entry) or "pincite" for entry in entries)),
            text=text if page == pages[0] else f"Goes on from page {pages[0]}.\n{text}"[:_MOST_TEXT],
            date=_pdf_date(max(entry.content["time"] for entry in entries)),
        )
        for page in pages
    ]


def _text(entry: LedgerEntry) -> str:
    return "\n".join((claim_words(entry), *verdict_words(entry), f"{entry.id}, {entry.content['time']}"))


def _pdf_date(time: str) -> str:
    return datetime.fromisoformat(time).strftime("D:%Y%m%d%H%M%SZ")
