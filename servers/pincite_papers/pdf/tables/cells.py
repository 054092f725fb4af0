"""Cells: from words and places to drafts."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pincite_papers.model import Rect
from pincite_papers.pdf.elements import Word
from pincite_papers.pdf.tables.draft import CellDraft

_NUMBER = re.compile(r"^[<>≤≥~≈±+\-−–(]?\s?\d[\d.,·×^{}()±+\-−–%/:]*[*†‡§a-z]{0,2}$|^[-–—−…]$|^n/?a$", re.IGNORECASE)

_LIST_MARK = re.compile(r"\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|[•●▪■◦○‣]")
"""What stands before an item of a list, and is not an entry of a table by itself."""


def make_cell(
    row: int, column: int, row_span: int, column_span: int, lines: Sequence[Sequence[Word]], *, header: bool
) -> CellDraft:
    """A cell with the box of its words."""
    words = [word for line in lines for word in line]
    box = Rect(min(w.x0 for w in words), min(w.y0 for w in words), max(w.x1 for w in words), max(w.y1 for w in words))
    return CellDraft(row, column, row_span, column_span, tuple(tuple(line) for line in lines), box, header)


def with_header(cells: list[CellDraft]) -> list[CellDraft]:
    """The first row marked as the header: where it alone is bold, or names what stands as numbers in the rows below."""
    first = [cell for cell in cells if cell.row == 0]
    below = [cell for cell in cells if cell.row > 0]
    bold = all(_bold(cell) for cell in first) and not all(_bold(cell) for cell in below)
    if not first or not below or not (bold or _names_numbers(first, below)):
        return cells
    depth = max(cell.row_span for cell in first)
    return [CellDraft(c.row, c.column, c.row_span, c.column_span, c.lines, c.bbox, c.row < depth) for c in cells]


def _names_numbers(first: Sequence[CellDraft], below: Sequence[CellDraft]) -> bool:
    if any(is_number(cell_text(cell.lines)) for cell in first):
        return False
    numeric = {cell.column for cell in below if is_number(cell_text(cell.lines))}
    other = {cell.column for cell in below if not is_number(cell_text(cell.lines))}
    return any(cell.column in numeric - other for cell in first)


def is_number(text: str) -> bool:
    """Whether a cell's text is a number, a range, a value with its error or a mark for none."""
    return bool(_NUMBER.match(text.replace(" ", "")))


def is_list_mark(text: str) -> bool:
    """Whether a text is the number, the letter or the bullet before an item of a list."""
    return bool(_LIST_MARK.fullmatch(text))


def stack_numbers(texts: Sequence[str]) -> bool:
    """Whether one whole number stands under another in the lines of a cell.

    Lists with commas, and brackets that open under a value or run on over a line, are one entry.
    """
    return any(is_number(a) and is_number(b) and not _is_one_entry(a, b) for a, b in pairwise(texts))


def _is_one_entry(upper: str, lower: str) -> bool:
    """Whether ``lower`` carries the entry ``upper`` on: its interval, or the rest of it."""
    if upper.endswith((",", ";")) or upper.count("(") + upper.count("[") > upper.count(")") + upper.count("]"):
        return True
    return lower.startswith(("(", "[")) and not upper.startswith(("(", "["))


def cell_text(lines: Sequence[Sequence[Word]]) -> str:
    """The words of a cell's print lines joined by single spaces."""
    return " ".join(word.text for line in lines for word in line)


def _bold(cell: CellDraft) -> bool:
    return all(word.style.bold for line in cell.lines for word in line)
