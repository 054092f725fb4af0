"""Read a paper through the documents server: blocks of text with pages, and tables with the rows they stand in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

_MARK = re.compile(r"\[pc:[0-9a-f]{8}#p(?P<page>\d+):(?P<start>\d+)-(?P<end>\d+)(?P<rest>[^\]\n]*)\] ")
_LOCATOR = re.compile(r"pc:[0-9a-f]{8}#p(?P<page>\d+):(?P<start>\d+)-(?P<end>\d+)$")
_CURSOR = re.compile(r'cursor="([^"]+)"\.$')
_MAX_CHARS = 40_000
"""Characters of one call's result, the most that the server gives."""


class Tools(Protocol):
    """What reading needs of the door."""

    def text(self, tool: str, **arguments: Any) -> str:
        """The text of a prose tool's result."""
        ...

    def data(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a data tool's result."""
        ...


@dataclass(frozen=True)
class Block:
    """A block of the paper, or its part on one page: ``kind`` as the server names it, "" for a paragraph."""

    kind: str
    page: int
    start: int
    text: str
    section: str

    @property
    def end(self) -> int:
        """The offset behind the last character."""
        return self.start + len(self.text)


@dataclass(frozen=True)
class Cell:
    """A table cell with its place; ``row_span`` and ``column_span`` from 1."""

    row: int
    column: int
    text: str
    page: int
    start: int
    row_span: int
    column_span: int


@dataclass(frozen=True)
class Table:
    """A table: caption "" where there is none; ``lines`` maps a row to its text in the paper, tabs between cells."""

    name: str
    caption: str
    rows: int
    columns: int
    cells: list[Cell]
    lines: dict[int, str]
    section: str


@dataclass
class PaperText:
    """All that the baseline reads of one paper."""

    name: str
    title: str = ""
    blocks: list[Block] = field(default_factory=list[Block])
    tables: list[Table] = field(default_factory=list[Table])


def read_paper(tools: Tools, paper: PaperText) -> None:
    """Fill ``paper`` page by page, so that every block's page is certain and what was read stays when a tool fails."""
    name = paper.name
    overview = tools.data("open_paper", paper=name)
    paper.title = str(overview["title"])
    section = ""
    for page in range(1, int(overview["pages"]) + 1):
        for kind, number, start, text in _page_blocks(tools, name, page):
            if kind == "heading":
                section = text
            paper.blocks.append(Block(kind, number, start, text, section))
    for entry in _pages(tools, "list_tables", "tables", paper=name):
        paper.tables.append(_read_table(tools, paper, entry))


def _page_blocks(tools: Tools, name: str, page: int) -> Iterator[tuple[str, int, int, str]]:
    cursor = ""
    while True:
        text = tools.text("read_pages", paper=name, pages=str(page), cursor=cursor, max_chars=_MAX_CHARS)
        yield from parse_prose(text)
        more = _CURSOR.search(text)
        if more is None:
            return
        cursor = more[1]


def parse_prose(text: str) -> Iterator[tuple[str, int, int, str]]:
    """(kind, page, start, text) of each block of a prose tool's result; a locator says how long its text is."""
    position = text.find("<<<")
    while match := _MARK.search(text, position):
        start, end = int(match["start"]), int(match["end"])
        position = match.end() + end - start
        kind = match["rest"].partition(";")[0].strip()
        yield kind, int(match["page"]), start, text[match.end() : position]


def _pages(tools: Tools, tool: str, key: str, **arguments: Any) -> Iterator[dict[str, Any]]:
    """The entries under ``key`` over all pages of a data tool's result."""
    cursor = ""
    while True:
        result = tools.data(tool, cursor=cursor, max_chars=_MAX_CHARS, **arguments)
        yield from result[key]
        cursor = result.get("next_cursor") or ""
        if not cursor:
            return


def _read_table(tools: Tools, paper: PaperText, entry: dict[str, Any]) -> Table:
    name = str(entry["table"])
    cells = [_cell(cell) for cell in _pages(tools, "read_table", "cells", paper=paper.name, table=name, format="cells")]
    lines: dict[int, str] = {}
    section = ""
    for cell in cells:
        block = next((b for b in paper.blocks if b.start <= cell.start < b.end), None)
        if block is not None:
            section = block.section
            lines.setdefault(cell.row, _line_at(block, cell.start))
    return Table(name, str(entry["caption"]), int(entry["rows"]), int(entry["columns"]), cells, lines, section)


def _cell(entry: dict[str, Any]) -> Cell:
    match = _LOCATOR.match(str(entry["locator"]))
    if match is None:
        raise ValueError(f"read_table returned the unknown locator {entry['locator']!r}")
    return Cell(
        row=int(entry["row"]),
        column=int(entry["column"]),
        text=str(entry["text"]),
        page=int(match["page"]),
        start=int(match["start"]),
        row_span=int(entry.get("row_span", 1)),
        column_span=int(entry.get("column_span", 1)),
    )


def _line_at(block: Block, offset: int) -> str:
    at = offset - block.start
    first = block.text.rfind("\n", 0, at) + 1
    last = block.text.find("\n", at)
    return block.text[first : last if last >= 0 else len(block.text)]
