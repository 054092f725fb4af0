"""Evidence: what stands around a quote in its paper: the sentence, the paragraph, headings, a table's cells."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite_papers.model import BlockKind, Cell, Paper, Span, Table
from pincite_papers.passages import section_name, sentence_bounds
from pincite_provenance.claims.reading import clean
from pincite_provenance.claims.tablecells import Place, place_of

_LONGEST_SENTENCE = 1500


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote in its surroundings, all in the spelling of ``reading.clean``; ``text[low:high]`` is the quote.

    ``places`` are the cells it touches, where it stands in a table; ``captions`` are the nearest first. Where the quote
    does not stand in the paper there is the quote alone.
    """

    text: str
    low: int
    high: int
    paragraph: str = ""
    earlier: str = ""
    """The paragraph before the quote's sentence, and the paragraph before that one."""
    headings: tuple[str, ...] = ()
    title: str = ""
    caption: str = ""
    places: tuple[Place, ...] = field(default_factory=tuple[Place, ...])

    @property
    def quote(self) -> str:
        return self.text[self.low : self.high]


def bare_evidence(quote: str) -> Evidence:
    """The evidence of a quote that stands nowhere: itself."""
    text = clean(quote)
    return Evidence(text, 0, len(text))


def gather(paper: Paper, spans: Sequence[Span]) -> Evidence:
    """The evidence of the quote that stands at ``spans``."""
    start, end = spans[0].start, spans[-1].end
    blocks = paper.blocks
    index = max(bisect_right(blocks, start, key=lambda block: block.start) - 1, 0)
    block = blocks[index] if blocks else None
    bounds = (min(block.start, start), max(block.end, end)) if block is not None else (start, end)
    title = clean(paper.title)
    headings = tuple(
        clean(section_name(section)) for section in reversed(paper.sections) if section.start <= start < section.end
    )
    table = _table_at(paper, start, end)
    if table is not None:
        quote = clean(" ".join(paper.text[span.start : span.end] for span in spans))
        caption = clean(paper.text[table.caption.start : table.caption.end]) if table.caption else ""
        places = tuple(place_of(paper, table, cell) for cell in _cells(table, spans))
        return Evidence(quote, 0, len(quote), "", "", headings, title, caption, places)
    low, high = sentence_bounds(paper.text, (start, end), bounds)
    low, high = max(min(low, start), start - _LONGEST_SENTENCE), min(max(high, end), end + _LONGEST_SENTENCE)
    before, quote, after = (clean(paper.text[a:b]) for a, b in ((low, start), (start, end), (end, high)))
    earlier = clean(paper.text[bounds[0] : low])
    previous = blocks[index - 1] if index else None
    if previous is not None and previous.kind in (BlockKind.PARAGRAPH, BlockKind.ABSTRACT, BlockKind.LIST):
        earlier = clean(paper.text[previous.start : previous.end]) + "\n" + earlier
    paragraph = clean(paper.text[bounds[0] : bounds[1]])
    caption = paragraph if block is not None and block.kind is BlockKind.CAPTION else ""
    return Evidence(
        before + quote + after, len(before), len(before) + len(quote), paragraph, earlier, headings, title, caption
    )


def _table_at(paper: Paper, start: int, end: int) -> Table | None:
    for table in paper.tables:
        if any(cell.start < end and start < cell.end for cell in table.cells):
            return table
    return None


def _cells(table: Table, spans: Sequence[Span]) -> list[Cell]:
    return [
        cell
        for cell in table.cells
        if cell.text.strip() and any(cell.start < span.end and span.start < cell.end for span in spans)
    ]
