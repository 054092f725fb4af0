"""locate_text: the whole section, table, caption or paragraph in which a text stands."""

from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Literal

from pydantic import Field

from pincite_core.errors import BadInputError
from pincite_core.paging import DEFAULT_CHARS
from pincite_core.patterns import find_literal
from pincite_documents.prose import render_prose
from pincite_documents.search import folded
from pincite_documents.sections import front_matter
from pincite_papers import doubts
from pincite_papers.arguments import Cursor, MaxChars
from pincite_papers.model import Paper, Table
from pincite_papers.passages import short_id

Whole = Literal["element", "section"]
Range = tuple[int, int]
_MOST_HITS = 1_000
"""Hits that are looked at: more than a long paper has paragraphs, so that only single letters meet it."""


def locate_text(
    paper: Paper,
    text: Annotated[str, Field(description="Words, a label or a number as printed")],
    whole: Annotated[
        Whole, Field(description="element: table with caption, figure caption, paragraph; section: the section of each")
    ] = "element",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> str:
    """Read all of what a text stands in: each hit gives its whole table, caption or paragraph (a heading its section),
    once. For short hits use grep_paper.
    """
    wanted = doubts.bare(text).strip()
    if not wanted:
        raise BadInputError("There is no text to look for.", next="Give some words of the paper.")
    hits = list(islice(find_literal(folded.of(paper), wanted, case_sensitive=False, whole_word=False), _MOST_HITS))
    name = f"Paper {short_id(paper)}, {wanted[:80]!r}"
    if not hits:
        return f"{name}: it does not stand there. Try fewer words, or grep_paper with regex."
    elements = {tuple(enclosing(paper, start, whole)) for start, _ in hits}
    ranges = _merged(piece for element in elements for piece in element)
    heading = f"{name}: {len(hits)} hits in {len(elements)} places" if len(hits) > 1 else f"{name}: one hit"
    query = ("locate_text", wanted, whole)
    return render_prose(paper, ranges, heading=heading, query=query, cursor=cursor, max_chars=max_chars)


def enclosing(paper: Paper, at: int, whole: Whole = "element") -> list[Range]:
    """The ranges of what encloses an offset: of its table with the caption, of a caption, of its paragraph, or of its
    innermost section where ``whole`` asks for it or the offset is in a heading. Text outside of all sections has its
    paragraph."""
    sections = [section for section in (*front_matter(paper), *paper.sections) if section.start <= at < section.end]
    innermost = max(sections, key=lambda section: (section.start, section.level), default=None)
    if innermost is not None and (whole == "section" or at < innermost.heading_end):
        return [(innermost.start, innermost.end)]
    for table in paper.tables:
        ranges = _of_table(table)
        if any(start <= at < end for start, end in ranges):
            return ranges
    captions = [figure.caption for figure in paper.figures if figure.caption is not None]
    inside = next((caption for caption in captions if caption.start <= at < caption.end), None)
    if inside is not None:
        return [(inside.start, inside.end)]
    block = next((block for block in paper.blocks if block.start <= at < block.end), None)
    return [(block.start, block.end)] if block is not None else []


def _of_table(table: Table) -> list[Range]:
    """Where a table stands, over all its parts, and its caption."""
    ranges = [(table.start, table.end)]
    if table.caption is not None:
        ranges.append((table.caption.start, table.caption.end))
    outside = [cell for cell in table.cells if not table.start <= cell.start < table.end]
    if outside:
        ranges.append((min(cell.start for cell in outside), max(cell.end for cell in outside)))
    return sorted(ranges)


def _merged(ranges: Iterable[Range]) -> list[Range]:
    """The ranges in reading order, those that overlap or touch as one."""
    merged: list[Range] = []
    for start, end in sorted(set(ranges)):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
