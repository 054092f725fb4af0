"""Floats: the labelled tables and figures of a paper as nodes of its graph, and a table as HTML."""

from dataclasses import dataclass
from html import escape
from typing import Literal

from pincite_papers.graph import Graph
from pincite_papers.labels import read_label
from pincite_papers.model import Cell, Paper, Span, Table

_LEAST_CELLS = 4
"""Cells with content from which a table says anything. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Float:
    """A table or a picture: its node, its place among ``Paper.tables`` or ``Paper.figures``, its label and caption."""

    node: int
    kind: Literal["table", "figure"]
    index: int
    label: str
    caption: Span

    @property
    def called(self) -> str:
        """``table`` or ``figure`` by its label: some tables are given as pictures."""
        label = read_label(self.label)
        return label.kind.value if label is not None else self.kind

    @property
    def slug(self) -> str:
        """As part of a file's name: ``table-2``."""
        label = read_label(self.label)
        return f"{self.called}-{label.number if label is not None else self.index + 1}"


def on_one_line(paper: Paper, span: Span) -> str:
    """The words of a span, however they are broken into lines."""
    return " ".join(paper.text[span.start : span.end].split())


def find_floats(paper: Paper, graph: Graph) -> dict[int, Float]:
    """The tables and figures with label and caption by their nodes; of two with one label the first."""
    found: dict[int, Float] = {}
    for kind, ones in (("table", paper.tables), ("figure", paper.figures)):
        for index, one in enumerate(ones):
            label = read_label(one.label)
            node = graph.labels.get(label) if label is not None else None
            if node is not None and one.caption is not None and node not in found:
                found[node] = Float(node, "table" if kind == "table" else "figure", index, one.label, one.caption)
    return found


def lacks_content(table: Table) -> bool:
    """Whether a table has too few filled cells to say anything about."""
    filled = sum(bool(cell.text.strip()) for cell in table.cells)
    return table.rows < 2 or table.columns < 2 or filled < _LEAST_CELLS


def table_html(table: Table, caption: str = "") -> str:
    """The table as an HTML table, with the caption if one is given; cells over several rows or columns span them."""
    rows: dict[int, list[Cell]] = {}
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        rows.setdefault(cell.row, []).append(cell)
    lines = [f"<tr>{''.join(map(_cell, cells))}</tr>" for cells in rows.values()]
    head = [f"<caption>{escape(caption)}</caption>"] if caption else []
    return "\n".join(["<table>", *head, *lines, "</table>"])


def _cell(cell: Cell) -> str:
    tag = "th" if cell.header else "td"
    spans = (("rowspan", cell.row_span), ("colspan", cell.column_span))
    given = "".join(f' {name}="{span}"' for name, span in spans if span > 1)
    return f"<{tag}{given}>{escape(cell.text.strip())}</{tag}>"
