"""read_paper: a report that is read as papers are (a Word document, a PDF) as a ReportText."""

from collections.abc import Iterable

from pincite_papers.model import Block, BlockKind, Paper, Table
from pincite_provenance.audit.markdown import LIST_HEADING
from pincite_provenance.audit.text import BlockKind as ReportBlockKind
from pincite_provenance.audit.text import ReportText, TextBlock

_KINDS: dict[BlockKind, ReportBlockKind] = {
    BlockKind.TITLE: "heading", BlockKind.HEADING: "heading", BlockKind.LIST: "item", BlockKind.REFERENCE: "item",
}  # fmt: skip
_LEFT_OUT = frozenset({BlockKind.AUTHORS, BlockKind.CODE, BlockKind.FIGURE, BlockKind.TABLE})
"""Blocks without a sentence; a table is read from its cells."""


def read_paper(paper: Paper) -> ReportText:
    """The report whose ``source`` and ``text`` are the paper's canonical text.

    Items of a list are numbered from 1, as their program prints them: a Word document does not hold the numbers.
    """
    text = paper.text
    blocks = [*_of_blocks(paper), *(_of_table(table) for table in paper.tables if table.cells)]
    blocks.sort(key=lambda block: block.start)
    lines = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]
    return ReportText(text, text, tuple(range(len(text))), tuple(blocks), tuple(lines))


def _of_blocks(paper: Paper) -> Iterable[TextBlock]:
    number = 0
    for block in paper.blocks:
        if block.kind in _LEFT_OUT or not paper.text[block.start : block.end].strip():
            continue
        kind = _kind_of(block, paper)
        number = number + 1 if kind == "item" else 0
        yield TextBlock(kind, block.start, block.end, marker=f"{number}." if kind == "item" else "")


def _kind_of(block: Block, paper: Paper) -> ReportBlockKind:
    """A paragraph that says no more than "References" heads the list, whatever its style is."""
    if LIST_HEADING.fullmatch(paper.text[block.start : block.end].strip()):
        return "heading"
    return _KINDS.get(block.kind, "paragraph")


def _of_table(table: Table) -> TextBlock:
    rows: dict[int, list[tuple[int, int]]] = {}
    for cell in sorted(table.cells, key=lambda each: (each.row, each.column)):
        rows.setdefault(cell.row, []).append((cell.start, cell.end))
    spans = [end for row in rows.values() for _, end in row]
    start = min(start for row in rows.values() for start, _ in row)
    return TextBlock("table", start, max(spans), tuple(tuple(row) for row in rows.values()))
