"""open_paper: a paper's identity, outline and warnings."""

from collections import Counter
from typing import NotRequired

import orjson
from typing_extensions import TypedDict

from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_documents.sections import front_matter
from pincite_papers import doubts
from pincite_papers.arguments import Cursor, MaxChars
from pincite_papers.labels import table_name
from pincite_papers.model import BlockKind, Paper
from pincite_papers.passages import locate, section_name

_MOST_AUTHORS = 10
"""Authors that are shown; of the rest the number is said."""
_MOST_KEYWORDS = 20
"""Keywords that are shown."""
_MOST_ENTRIES = 500
"""Headings of one page of the outline, whatever ``max_chars`` allows. Set by judgement."""
_CURSOR_CHARS = 20
"""Characters of a cursor, an upper estimate; they count against ``max_chars``."""


class Counts(TypedDict):
    """Counts of a paper's parts; ``unreliable`` counts characters that the source maps unreliably."""

    characters: int
    sections: int
    paragraphs: int
    figures: int
    tables: int
    equations: int
    references: int
    unreliable: int


class Overview(TypedDict):
    """A paper. ``outline`` lists sections (# by level), figures and tables with the locator of heading or caption.

    ``pages`` is how many there are, counted from 1, None in a source without pages; ``printed_pages`` is given where
    the printed numbers differ.
    """

    id: str
    warnings: list[str]
    format: str
    title: str
    authors: list[str]
    journal: str | None
    year: int | None
    keywords: list[str]
    doi: str | None
    pages: int | None
    printed_pages: NotRequired[str]
    counts: Counts
    outline: list[str]
    next_cursor: str | None


def open_paper(paper: Paper, cursor: Cursor = "", max_chars: MaxChars = DEFAULT_CHARS) -> Overview:
    """Start here: parse a paper (PDF, JATS XML, LaTeX as .tex or .tar.gz, HTML) and get its id, title, authors, DOI,
    outline and warnings.
    """
    query = ("open_paper", paper.paper_id, paper.parser)
    overview = _without_outline(paper)
    entries = _entries(paper)
    used = len(orjson.dumps(overview).decode()) + _CURSOR_CHARS
    overview["outline"], after = fill_page(
        entries,
        decode_cursor(cursor, *query),
        lambda entry: _outline_entry(paper, entry),
        max_chars=max_chars - used,
        max_items=_MOST_ENTRIES,
    )
    if after < len(entries):
        overview["next_cursor"] = encode_cursor(after, *query)
    return overview


def _without_outline(paper: Paper) -> Overview:
    authors = list(paper.authors[:_MOST_AUTHORS])
    if len(paper.authors) > _MOST_AUTHORS:
        authors.append(f"and {len(paper.authors) - _MOST_AUTHORS} more")
    overview = Overview(
        id=paper.paper_id,
        warnings=list(paper.warnings),
        format=paper.format.value,
        title=doubts.show_name(paper, paper.title, 0, len(paper.text)),
        authors=authors,
        journal=paper.journal,
        year=paper.year,
        keywords=list(paper.keywords[:_MOST_KEYWORDS]),
        doi=paper.doi,
        pages=len(paper.pages) or None,
        counts=_counts(paper),
        outline=[],
        next_cursor=None,
    )
    labels = [page.label for page in paper.pages]
    if any(label and label != str(number) for number, label in enumerate(labels, 1)):
        overview["printed_pages"] = f"{labels[0]} to {labels[-1]}"
    return overview


_Entry = tuple[int, str, int, int]


def _entries(paper: Paper) -> list[_Entry]:
    """(start, label, end, level) of sections and, at level 0, of figures and tables, in reading order."""
    entries: list[_Entry] = []
    for section in (*front_matter(paper), *paper.sections):
        name = doubts.show_name(paper, section_name(section), section.start, section.end)
        end = section.heading_end if section.heading_end > section.start else section.end
        entries.append((section.start, name, end, section.level))
    for figure in paper.figures:
        span = figure.caption or figure.text
        if span is not None:
            entries.append((span.start, figure.label or "unlabelled figure", span.end, 0))
    for index, table in enumerate(paper.tables):
        entries.append((table.start, table_name(paper, index), table.end, 0))
    return sorted(entries)


def _outline_entry(paper: Paper, entry: _Entry) -> str:
    start, label, end, level = entry
    return f"{'#' * level}{' ' if level else ''}{label} [{locate(paper, start, end)}]"


def _counts(paper: Paper) -> Counts:
    kinds = Counter(block.kind for block in paper.blocks)
    return Counts(
        characters=len(paper.text),
        sections=len(paper.sections),
        paragraphs=kinds[BlockKind.PARAGRAPH] + kinds[BlockKind.ABSTRACT] + kinds[BlockKind.LIST],
        figures=len(paper.figures),
        tables=len(paper.tables),
        equations=kinds[BlockKind.EQUATION],
        references=len(paper.references),
        unreliable=doubts.count(paper),
    )
