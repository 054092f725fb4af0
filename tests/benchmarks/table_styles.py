"""Print the share of table cells read exactly, by style, on tables typeset at random.

    python tests/benchmarks/table_styles.py [--count N] [--first SEED] [--show]

Each table has 2 to 7 columns of words, numbers or long text and 2 to 10 rows, in one of two fonts, in one column of one
or two, with the caption over or under it. The floor is PDFium's plain text, each line a row, parted at single spaces.
"""

import argparse
import random
from collections import Counter
from dataclasses import dataclass

import pypdfium2
import typst

from pincite_papers.pdf.parse import parse_pdf

STYLES = ("grid", "three rules", "rule a row", "header rule", "no rules")
PROSE = "The samples were annealed in flowing oxygen for two days before every measurement was taken at low field. "
WORDS = (
    *("Sample", "Phase", "Oxygen", "Annealed", "Grown", "Single", "Crystal", "Onset", "Midpoint", "Zero", "Field"),
    *("Density", "Pressure", "Ordered", "Flux", "Zone", "Lattice", "Method", "Heat", "Neutron", "Powder", "Film"),
    *("Bulk", "Doped", "Undoped", "Series", "Run", "Value"),
)

Grid = dict[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class Case:
    """A typeset table: its style, its source and its texts by (row, column), empty ones left out."""

    style: str
    source: str
    cells: Grid


def make_case(seed: int) -> Case:
    """The table of a seed."""
    dice = random.Random(seed)
    style = STYLES[seed % len(STYLES)]
    two_columns = dice.random() < 0.3
    columns = dice.randint(2, 3 if two_columns else 6)
    long_column = not two_columns and dice.random() < 0.4
    kinds = ["words", *(dice.choice(("number", "number", "words")) for _ in range(columns - 1))]
    header = [_words(dice, 1, 1 if two_columns else 2) for _ in range(columns)]
    rows = [[_entry(dice, kind) for kind in kinds] for _ in range(dice.randint(2, 10))]
    if long_column:
        header.append("Remark")
        for row in rows:
            row.append(_words(dice, 3, 12))
    align = ["left" if kind == "words" else dice.choice(("right", "center")) for kind in kinds] + ["left"] * long_column
    table = _table(dice, style, [header, *rows], align, long_column=long_column)
    caption = f"figure.caption(position: {dice.choice(('top', 'bottom'))})[{_words(dice, 4, 16)}.]"
    source = "\n".join(
        (
            f'#set text(font: "{dice.choice(("New Computer Modern", "Libertinus Serif"))}", size: 10pt)',
            f"#set page(columns: {2 if two_columns else 1})",
            "#set par(justify: true)",
            f"#show figure.where(kind: table): set text(size: {dice.choice((8, 9, 10))}pt)",
            "#show table: set par(justify: false)",
            PROSE * dice.randint(3, 9),
            f"#figure({table}, caption: {caption})",
            PROSE * dice.randint(3, 12),
        )
    )
    cells = {(i, j): text for i, row in enumerate([header, *rows]) for j, text in enumerate(row) if text}
    return Case(style, source, cells)


def _table(dice: random.Random, style: str, rows: list[list[str]], align: list[str], *, long_column: bool) -> str:
    widths = ["auto"] * len(align)
    if long_column:
        widths[-1] = "130pt"
    head, *body = [", ".join(f"[{text}]" for text in row) for row in rows]
    parts = {
        "grid": [head, *body],
        "three rules": ["table.hline()", head, "table.hline(stroke: 0.5pt)", *body, "table.hline()"],
        "rule a row": [
            "table.hline()",
            *[part for row in (head, *body) for part in (row, "table.hline(stroke: 0.5pt)")],
        ],
        "header rule": [head, "table.hline(stroke: 0.5pt)", *body],
        "no rules": [head, *body],
    }[style]
    stroke = "" if style == "grid" else "stroke: none, "
    inset = f"inset: (x: {dice.randint(4, 7)}pt, y: {dice.choice((2, 3, 4))}pt), "
    return f"table(columns: ({', '.join(widths)}), align: ({', '.join(align)}), {stroke}{inset}{', '.join(parts)})"


def _words(dice: random.Random, least: int, most: int) -> str:
    first, *rest = (dice.choice(WORDS) for _ in range(dice.randint(least, most)))
    return " ".join((first, *(word.lower() for word in rest)))


def _entry(dice: random.Random, kind: str) -> str:
    if kind == "words":
        return _words(dice, 1, 2)
    value = dice.uniform(0, 999)
    forms = (
        f"{value:.1f}",
        f"{value:.3f}",
        f"−{value:.2f}",
        f"{value:.1f} ± {value / 10:.1f}",
        f"{value:.2f}({dice.randint(1, 9)})",
        "–",
        "",
    )
    return dice.choices(forms, weights=(4, 3, 2, 3, 3, 1, 1))[0]


def read_cells(data: bytes) -> Grid:
    """The cells of the one table that the parser finds; nothing where it finds none or more."""
    tables = parse_pdf(data, max_pages=10).tables
    return {(cell.row, cell.column): cell.text for cell in tables[0].cells} if len(tables) == 1 else {}


def floor_cells(data: bytes, cells: Grid) -> int:
    """How many cells a plain reading gets right: rows are the lines from the header on, parted at single spaces."""
    with pypdfium2.PdfDocument(data) as document:
        lines = [line for page in document for line in page.get_textpage().get_text_range().splitlines()]
    first = cells[0, 0]
    start = next((number for number, line in enumerate(lines) if line.startswith(first)), 0)
    found = {(i, j): part for i, line in enumerate(lines[start:]) for j, part in enumerate(line.split())}
    return sum(found.get(place) == text for place, text in cells.items())


def main() -> None:
    """Typeset, parse and compare the tables asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print every table that is not exact")
    arguments = parser.parse_args()
    exact: Counter[str] = Counter()
    total: Counter[str] = Counter()
    floor = 0
    for seed in range(arguments.first, arguments.first + arguments.count):
        case = make_case(seed)
        data = typst.compile(case.source.encode())
        seen = read_cells(data)
        right = sum(seen.get(place) == text for place, text in case.cells.items())
        exact[case.style] += right
        total[case.style] += len(case.cells)
        floor += floor_cells(data, case.cells)
        if arguments.show and right < len(case.cells):
            print(f"seed {seed} ({case.style}): {right} of {len(case.cells)}")
            for place, text in case.cells.items():
                if seen.get(place) != text:
                    print(f"    {place}: {text!r} read as {seen.get(place)!r}")
    for style in STYLES:
        print(f"{style:12} {exact[style]:5} of {total[style]:5}  {exact[style] / max(total[style], 1):.4f}")
    share, base = exact.total() / max(total.total(), 1), floor / max(total.total(), 1)
    print(f"{'all':12} {exact.total():5} of {total.total():5}  {share:.4f}  (plain text: {base:.4f})")


if __name__ == "__main__":
    main()
