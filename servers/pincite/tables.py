"""Table: a table of a paper as rows, markdown, CSV or a pandas data frame."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite_core.errors import BadInputError, MissingExtraError
from pincite_core.locator import Locator
from pincite_documents.tables import reasons_to_doubt, show_cell
from pincite_papers import doubts
from pincite_papers.labels import table_name
from pincite_papers.model import Paper as ParsedPaper
from pincite_papers.table_text import csv_line, markdown_line, markdown_rule, rows_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: row and column from 0, spans from 1, its text as printed, and where it stands.

    ``marked`` is the text with ⁅⁆ around unreliable characters, ``unreliable`` says which, "" where none is.
    """

    row: int
    column: int
    row_span: int
    column_span: int
    text: str
    header: bool
    locator: Locator
    marked: str
    unreliable: str


class Table:
    """A table: ``label`` as printed ("Table 2", "" if it has none), ``caption``, the ``page`` on which it begins.

    ``name`` is what ``Paper.table`` takes ("#3" without a label of its own). ``doubts`` are reasons to look at the page
    before quoting it, none where the reading is sure; ``unreliable`` says which characters in it are.
    """

    def __init__(self, paper: ParsedPaper, index: int) -> None:
        table = paper.tables[index]
        self._paper, self._table = paper, table
        self.name, self.label = table_name(paper, index), table.label
        self.page = table.page
        self.caption = paper.text[table.caption.start : table.caption.end] if table.caption else ""
        self.marked_caption = doubts.show(paper, table.caption.start, table.caption.end) if table.caption else ""
        self.doubts = reasons_to_doubt(paper, table)
        self.unreliable = doubts.note(paper, table.start, table.end)

    def __repr__(self) -> str:
        return f"<Table {self.label!r}, {self._table.rows} x {self._table.columns}>"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, those of the head included."""
        return self._table.rows, self._table.columns

    @property
    def locator(self) -> Locator:
        """Where the table stands; of one that goes on over pages, its first part."""
        return self._paper.locator(self._table.start, self._table.end)

    @property
    def cells(self) -> list[Cell]:
        """The cells in row order, each with its locator."""
        return [
            Cell(
                cell.row,
                cell.column,
                cell.row_span,
                cell.column_span,
                cell.text,
                cell.header,
                self._paper.locator(cell.start, cell.end),
                show_cell(self._paper, cell),
                doubts.note(self._paper, cell.start, cell.end),
            )
            for cell in self._table.cells
        ]

    @property
    def rows(self) -> list[list[str]]:
        """The texts by row and column; a cell that spans several is in the first of them, the others are empty."""
        return rows_of(self._table)

    @property
    def marked_rows(self) -> list[list[str]]:
        """``rows`` with ⁅⁆ around unreliable characters."""
        return rows_of(self._table, lambda cell: show_cell(self._paper, cell))

    @property
    def header_rows(self) -> int:
        """How many rows make up the head."""
        heads = {cell.row for cell in self._table.cells if cell.header}
        count = 0
        while count in heads:
            count += 1
        return count

    def cell(self, row: int, column: int) -> Cell:
        """The cell at a row and column from 0, also one that spans them; BadInputError where there is none."""
        for cell in self.cells:
            if cell.row <= row < cell.row + cell.row_span and cell.column <= column < cell.column + cell.column_span:
                return cell
        raise BadInputError(
            f"There is no cell in row {row}, column {column} of {self.label or 'the table'}.",
            seen=f"it has {self._table.rows} rows and {self._table.columns} columns, counted from 0",
            next="Give a row and column inside it; empty places of a table have no cell.",
        )

    def to_markdown(self) -> str:
        """A table of GitHub's markdown, its first row as the head; ⁅⁆ stand around unreliable characters."""
        lines = [markdown_line(row) for row in self.marked_rows]
        lines.insert(1, markdown_rule(self._table.columns))
        return "\n".join(lines)

    def to_csv(self) -> str:
        """Comma-separated values, lines ended by a line feed; ⁅⁆ stand around unreliable characters."""
        return "".join(csv_line(row) + "\n" for row in self.marked_rows)

    def to_pandas(self) -> "pd.DataFrame":
        """A data frame of texts as printed; its columns are named by the rows of the head, joined where there are
        several. MissingExtraError where pandas is missing.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError.of("scoring", needed_for="Table.to_pandas (pandas)") from error
        rows, heads = self._filled(), self.header_rows
        names = [" ".join(dict.fromkeys(row[k] for row in rows[:heads] if row[k])) for k in range(self._table.columns)]
        frame: Any = pd.DataFrame(self.rows[heads:], columns=names if heads else None)
        return frame

    def _filled(self) -> list[list[str]]:
        """The rows, with the text of a cell in every place that it spans."""
        grid = self.rows
        for cell in self._table.cells:
            for row in range(cell.row, min(cell.row + cell.row_span, len(grid))):
                for column in range(cell.column, min(cell.column + cell.column_span, self._table.columns)):
                    grid[row][column] = cell.text
        return grid
