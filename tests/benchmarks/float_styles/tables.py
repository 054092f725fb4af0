"""Print, for hard tables typeset with known cells, the adjacency F1 and the share of exact cells by style.

python tests/benchmarks/float_styles/tables.py [--count N] [--style WORD] [--show] [--json FILE]
"""

import argparse
import json
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from table_pages import STYLES, Grid, make_tables, missing_part

from pincite_papers.model import Table
from pincite_papers.pdf.parse import parse_pdf


def cells_of(table: Table) -> Grid:
    """The texts of a table's cells, a spanning cell in every place that it covers."""
    return {
        (cell.row + down, cell.column + right): cell.text
        for cell in table.cells
        for down in range(cell.row_span)
        for right in range(cell.column_span)
    }


def relations(grid: Grid) -> Counter[tuple[str, str, str]]:
    """Each filled place with the next filled one to the right and below; a span is not its own neighbour."""
    found: Counter[tuple[str, str, str]] = Counter()
    for way, line_of in (("right", 0), ("down", 1)):
        lines: dict[int, list[tuple[int, str]]] = {}
        for place, text in grid.items():
            lines.setdefault(place[line_of], []).append((place[1 - line_of], text))
        for line in lines.values():
            texts = [text for _, text in sorted(line)]
            found.update((one, other, way) for one, other in pairwise(texts) if one != other)
    return found


def main() -> None:
    """Typeset, parse and compare the styles asked for."""
    arguments = _arguments()
    report: dict[str, dict[str, float | str]] = {}
    for style in STYLES:
        if arguments.style not in style:
            continue
        if missing := missing_part(style):
            print(f"{style:20} left out: {missing}")
            report[style] = {"missing": missing}
            continue
        right = exact = cells = found = wanted = seen = 0
        for seed in range(arguments.count):
            made = make_tables(style, seed)
            tables = [cells_of(table) for table in parse_pdf(made.data, max_pages=60).tables]
            right += len(tables) == len(made.grids)
            for number, grid in enumerate(made.grids):
                read = tables[number] if number < len(tables) else {}
                exact += sum(read.get(place) == text for place, text in grid.items())
                cells += len(grid)
                expected, reported = relations(grid), relations(read)
                found, wanted, seen = (
                    found + (expected & reported).total(),
                    wanted + expected.total(),
                    seen + reported.total(),
                )
                if arguments.show:
                    _show(style, seed, grid, read)
        f1 = 2 * found / (wanted + seen) if wanted + seen else 1.0
        share = exact / cells if cells else 1.0
        report[style] = {"documents": arguments.count, "right": right, "f1": f1, "exact": share}
        print(f"{style:20} all tables in {right}/{arguments.count} documents  F1 {f1:.4f}  exact {share:.4f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(report), encoding="utf-8")


def _show(style: str, seed: int, grid: Grid, read: Grid) -> None:
    for place in sorted(set(grid) | set(read)):
        if grid.get(place) != read.get(place):
            print(f"    {style} {seed} {place}: {grid.get(place)!r} read as {read.get(place)!r}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=6, help="documents of each style")
    parser.add_argument("--style", default="", help="only styles whose name holds this")
    parser.add_argument("--show", action="store_true", help="print every cell that differs")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
