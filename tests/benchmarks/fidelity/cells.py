"""(d) Table cells: exact text in the exact place, and adjacency F1."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from captions import likeness
from normalise import normalise
from truth import Truth, TruthTable

from pincite_papers.model import Paper, Table

Grid = dict[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class CellScore:
    """Of the non-empty ``cells`` of the XML, ``exact`` stand in the right row and column; relations for the F1."""

    exact: int
    cells: int
    relations_found: int
    relations_expected: int
    relations_reported: int
    misses: tuple[str, ...]

    @property
    def adjacency_f1(self) -> float | None:
        """F1 of (cell, neighbour, direction) triples as in the ICDAR 2013 table competition; None without tables."""
        total = self.relations_expected + self.relations_reported
        return 2 * self.relations_found / total if total else None


def score_cells(truth: Truth, paper: Paper) -> CellScore:
    """Match each table of the XML to the printed table (over several pages: tables) that shares most, and compare."""
    exact = cells = found = expected_relations = reported_relations = 0
    misses: list[str] = []
    groups = _groups(paper)
    for table in truth.tables:
        printed = {row: place for place, row in enumerate(sorted(_filled_rows(table)))}
        expected = {
            (printed[cell.row], cell.column): normalise(cell.text) for cell in table.cells if normalise(cell.text)
        }
        grid = max((_grid(group) for group in groups), key=lambda grid: _shared(expected, grid), default={})
        name = table.label or table.caption[:30] or "table without caption"
        if not _shared(expected, grid):
            caption = max((likeness(table.label, table.caption, _caption(paper, group)) for group in groups), default=0)
            misses.append(f"{name}: no table matches (best caption {caption:.2f})")
            grid = {}
        right = {place for place, text in expected.items() if grid.get(place) == text}
        misses += [
            f"{name} ({row},{column}): xml {text!r} paper {grid.get((row, column))!r}"
            for (row, column), text in expected.items()
            if (row, column) not in right
        ]
        wanted, seen = relations(truth_grid(table)), relations(grid)
        exact, cells = exact + len(right), cells + len(expected)
        found += (wanted & seen).total()
        expected_relations, reported_relations = expected_relations + wanted.total(), reported_relations + seen.total()
    return CellScore(exact, cells, found, expected_relations, reported_relations, tuple(misses))


def _filled_rows(table: TruthTable) -> set[int]:
    """The rows that print something; a row whose cells are all empty leaves no trace but room."""
    return {cell.row + down for cell in table.cells if normalise(cell.text) for down in range(cell.row_span)}


def _groups(paper: Paper) -> list[list[Table]]:
    """Single tables, and each run of tables on following pages with the same number of columns."""
    groups = [[table] for table in paper.tables]
    for index, table in enumerate(paper.tables):
        group = [table]
        for later in paper.tables[index + 1 :]:
            if later.columns != table.columns or later.page - group[-1].page > 1 or later.page == group[-1].page:
                break
            group.append(later)
            groups.append(list(group))
    return groups


def _grid(group: list[Table]) -> Grid:
    """Normalised texts by place, a spanning cell in every place it covers; a repeated header is left out."""
    grid: Grid = {}
    offset = 0
    for index, table in enumerate(group):
        here = grid_of((cell.row, cell.column, cell.row_span, cell.column_span, cell.text) for cell in table.cells)
        repeated = _repeated_rows(grid, here, table.columns) if index else 0
        grid |= {(row - repeated + offset, column): text for (row, column), text in here.items() if row >= repeated}
        offset += table.rows - repeated
    return grid


def _repeated_rows(first: Grid, later: Grid, columns: int) -> int:
    rows = 0
    while any((rows, c) in later for c in range(columns)) and all(
        first.get((rows, c)) == later.get((rows, c)) for c in range(columns)
    ):
        rows += 1
    return rows


def grid_of(cells: Iterable[tuple[int, int, int, int, str]]) -> Grid:
    """Normalised texts by place from (row, column, row span, column span, text); empty cells are none."""
    grid: Grid = {}
    for row, column, row_span, column_span, text in cells:
        if normal := normalise(text):
            grid |= {(row + down, column + right): normal for down in range(row_span) for right in range(column_span)}
    return grid


def truth_grid(table: TruthTable) -> Grid:
    """The XML's cells by place, a spanning cell in every place it covers."""
    return grid_of((cell.row, cell.column, cell.row_span, cell.column_span, cell.text) for cell in table.cells)


def _shared(expected: Grid, grid: Grid) -> int:
    return (Counter(expected.values()) & Counter(grid.values())).total()


def _caption(paper: Paper, group: list[Table]) -> str:
    caption = group[0].caption
    return "" if caption is None else paper.text[caption.start : caption.end]


def relations(grid: Grid) -> Counter[tuple[str, str, str]]:
    """Each filled place with the next filled place to the right and below; a span is not its own neighbour."""
    found: Counter[tuple[str, str, str]] = Counter()
    rows = sorted({row for row, _ in grid})
    columns = sorted({column for _, column in grid})
    for direction, lines in (
        ("right", [[(row, column) for column in columns] for row in rows]),
        ("down", [[(row, column) for row in rows] for column in columns]),
    ):
        for line in lines:
            filled = [grid[place] for place in line if place in grid]
            neighbours = pairwise(filled)
            found.update((one, other, direction) for one, other in neighbours if one != other)
    return found
