"""A paper, or parts of it, as a dict for JSON and as a page of HTML: the same blocks, each with its locator."""

from html import escape
from itertools import product
from typing import Any

from pincite.blocks import Block, blocks_of, spans_of
from pincite_documents.tables import CellEntry, TableContent, read_table, show_cell
from pincite_figures.naming import figure_locator, figure_name
from pincite_papers import doubts
from pincite_papers.model import Cell, Reference, Section, Table
from pincite_papers.model import Paper as ParsedPaper
from pincite_papers.passages import locate

_ALL_CHARS = 1 << 40
"""Characters: more than any table has."""
_DEEPEST = 6
"""HTML's levels of headings."""
_TAGS = {"equation": "pre", "code": "pre", "figure": "pre", "abstract": "p", "footnote": "p", "reference": "p"}
"""Elements of blocks that are not plain paragraphs; their lines are kept where it is ``pre``."""


def as_dict(paper: ParsedPaper, pages: str, section: str) -> dict[str, Any]:
    """What is known of the paper, and the blocks, tables, figures and references of pages or of a section."""
    spans = spans_of(paper, pages, section)
    return {
        "id": paper.paper_id,
        "title": paper.title,
        "authors": list(paper.authors),
        "doi": paper.doi,
        "journal": paper.journal,
        "year": paper.year,
        "keywords": list(paper.keywords),
        "format": paper.format.value,
        "pages": len(paper.pages),
        "warnings": list(paper.warnings),
        "blocks": [_block(block) for block in blocks_of(paper, pages, section)],
        "tables": [_table(paper, k) for k, table in enumerate(paper.tables) if _within(table.start, spans)],
        "figures": _figures(paper, spans),
        "references": [_reference(paper, one) for one in paper.references if _within(one.start, spans)],
    }


def _within(start: int, spans: list[tuple[int, int]]) -> bool:
    return any(low <= start < high for low, high in spans)


def _block(block: Block) -> dict[str, Any]:
    made: dict[str, Any] = {
        "kind": block.kind,
        "locator": block.name,
        "page": block.page,
        "section": block.section,
        "text": block.marked,
    }
    if block.unreliable:
        made["unreliable"] = block.unreliable
    if block.ocr is not None:
        made["ocr"] = block.ocr
    return made


def _reference(paper: ParsedPaper, one: Reference) -> dict[str, Any]:
    place = locate(paper, one.start, one.end)
    return {"key": one.key, "doi": one.doi, "arxiv": one.arxiv, "pmid": one.pmid, "locator": place}


def _table(paper: ParsedPaper, index: int) -> TableContent:
    """What read_table gives of all cells of a table."""
    cells: list[CellEntry] = []
    cursor = ""
    while True:
        content = read_table(paper, f"#{index + 1}", "cells", cursor=cursor, max_chars=_ALL_CHARS)
        cells += content.get("cells", [])
        cursor = content["next_cursor"] or ""
        if not cursor:
            content["cells"] = cells
            content["shown"] = f"all {len(cells)} cells"
            return content


def _figures(paper: ParsedPaper, spans: list[tuple[int, int]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for index, figure in enumerate(paper.figures):
        place = figure.caption or figure.text
        if place is not None and not _within(place.start, spans):
            continue
        box, caption = figure.bbox, figure.caption
        found.append({
            "figure": figure_name(paper, index),
            "page": figure.page,
            "points": [round(edge, 1) for edge in (box.x0, box.y0, box.x1, box.y1)] if box is not None else None,
            "panels": [panel.label for panel in figure.panels],
            "caption": doubts.show(paper, caption.start, caption.end) if caption is not None else "",
            "locator": figure_locator(paper, figure),
        })  # fmt: skip
    return found


def as_html(paper: ParsedPaper, pages: str, section: str) -> str:
    """A page of HTML without scripts, styles or pictures; each element's ``id`` is the locator of its text."""
    levels = {one.start: one for one in paper.sections}
    parts: list[str] = []
    shown: set[int] = set()
    for block in blocks_of(paper, pages, section):
        index = _table_at(paper, block) if block.kind == "table" else None
        if index is None:
            parts.append(_element(block, levels.get(block.start)))
        elif index not in shown:
            shown.add(index)
            parts.append(_html_table(paper, paper.tables[index], block.name))
    head = f'<meta charset="utf-8">\n<title>{escape(paper.title)}</title>'
    body = "\n".join(parts)
    begun = f'<!DOCTYPE html>\n<html>\n<head>\n{head}\n</head>\n<body data-paper="{paper.paper_id}">'
    return f"{begun}\n{body}\n</body>\n</html>\n"


def _element(block: Block, heading: Section | None) -> str:
    tag = _TAGS.get(block.kind, "p")
    if block.kind == "title":
        tag = "h1"
    elif heading is not None:
        tag = f"h{min(heading.level + 1, _DEEPEST)}"
    kind = "" if block.kind == "paragraph" else f' class="{block.kind}"'
    return f'<{tag} id="{block.name}"{kind}>{escape(block.marked)}</{tag}>'


def _table_at(paper: ParsedPaper, block: Block) -> int | None:
    """The table that a block is, or goes on with; None for one that was not taken apart into cells."""
    for index, table in enumerate(paper.tables):
        if table.start <= block.start < table.end or any(cell.start == block.start for cell in table.cells):
            return index
    return None


def _html_table(paper: ParsedPaper, table: Table, name: str) -> str:
    rows: list[list[str]] = [[] for _ in range(table.rows)]
    taken: set[tuple[int, int]] = set()
    starts = {(cell.row, cell.column): cell for cell in table.cells}
    for row in range(table.rows):
        for column in range(table.columns):
            cell = starts.get((row, column))
            if cell is not None:
                rows[row].append(_html_cell(paper, cell))
                taken.update(product(range(row, row + cell.row_span), range(column, column + cell.column_span)))
            elif (row, column) not in taken:
                rows[row].append("<td></td>")
    lines = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return f'<table id="{name}">\n{lines}\n</table>'


def _html_cell(paper: ParsedPaper, cell: Cell) -> str:
    tag = "th" if cell.header else "td"
    spans = f' rowspan="{cell.row_span}"' if cell.row_span > 1 else ""
    spans += f' colspan="{cell.column_span}"' if cell.column_span > 1 else ""
    return f'<{tag} id="{locate(paper, cell.start, cell.end)}"{spans}>{escape(show_cell(paper, cell))}</{tag}>'
