"""Tables of harder styles: shaded rows, cells at half height, notes between rules; what a table says of its doubts."""

from collections.abc import Callable

from pincite_papers.pdf.parse import parse_pdf

PROSE = "The samples were annealed in flowing oxygen for two days before every measurement was taken at low field. " * 3
ROWS = "[A1], [92], [1.4], [B2], [38], [2.7], [C3], [61], [3.1], [D4], [77], [4.0],"
WORDS = "The first of two long remarks that run on over several lines of print"
LONG = f"[{WORDS}],"
STYLES = {
    "shaded rows under a caption as near as its own lines": (
        f"""#block[*Table 1.* Values of four samples.] #v(-8pt)
        #table(columns: 3, stroke: none, fill: (x, y) => if calc.even(y) {{ luma(220) }},
          [Name], [T (K)], [a], {ROWS})""",
        [["Name", "T (K)", "a"], ["A1", "92", "1.4"], ["D4", "77", "4.0"]],
    ),
    "a rule under the head alone, no rule at the end": (
        f"""#block[*Table 1.* Values of four samples.]
        #table(columns: (1fr, 1fr, 1fr), stroke: none, [Name], [T (K)], [a], table.hline(), {ROWS})""",
        [["Name", "T (K)", "a"], ["A1", "92", "1.4"], ["D4", "77", "4.0"]],
    ),
    "cells at half the height of their rows": (
        f"""#block[*Table 1.* Remarks.]
        #table(columns: (2cm, 4cm, 2cm), stroke: none, align: horizon, table.hline(), [Name], [Remark], [a],
          table.hline(), [A1], {LONG} [1.4], [B2], {LONG} [2.7], [C3], {LONG} [3.1], table.hline())""",
        [["Name", "Remark", "a"], ["A1", WORDS, "1.4"], ["C3", WORDS, "3.1"]],
    ),
    "notes between the last two rules": (
        f"""#block[*Table 1.* Values of four samples.]
        #table(columns: (3cm, 3cm, 3cm), stroke: none, table.hline(), [Name], [T (K)], [a], table.hline(), {ROWS}
          table.hline(), table.cell(colspan: 3)[Values are means of three runs in one field.], table.hline())""",
        [["Name", "T (K)", "a"], ["A1", "92", "1.4"], ["D4", "77", "4.0"]],
    ),
}


def rows_of(pdf: bytes) -> tuple[list[list[str]], tuple[str, ...]]:
    """The head, the first and the last row of the only table, with its doubts."""
    [table] = parse_pdf(pdf, max_pages=5).tables
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = cell.text.replace("\n", " ")
    return [rows[0], rows[1], rows[-1]], table.doubts


def test_tables_of_harder_styles_are_read(typeset: Callable[[str], bytes]) -> None:
    failed = {
        name: read
        for name, (source, expected) in STYLES.items()
        if (read := rows_of(typeset(f"{PROSE}\n\n{source}\n\n{PROSE}"))) != (expected, ())
    }
    assert not failed


def test_small_numbers_at_the_top_of_a_page_are_cells(typeset: Callable[[str], bytes]) -> None:
    source = f"""#table(columns: 4, stroke: none, table.hline(), [], [V], [B], [C], table.hline(), [Sample size],
      [6], [14], [10], [Cleft palate], [0], [0], [6], table.hline())\n{PROSE}"""
    read, _ = rows_of(typeset(f"#set page(margin: 20pt)\n#block[*Table 1.* Counts.]\n{source}"))
    assert read == [["", "V", "B", "C"], ["Sample size", "6", "14", "10"], ["Cleft palate", "0", "0", "6"]]


def test_a_table_says_what_is_not_certain(typeset: Callable[[str], bytes]) -> None:
    """A head over several columns without a rule under it, and rows of unequal length."""
    source = """#block[*Table 1.* Values.]
      #table(columns: (2cm, 2cm, 2cm, 2cm), align: center, stroke: none, table.hline(),
        [], table.cell(colspan: 3)[Concentration in all runs], [Name], [10], [20], [30], table.hline(),
        [A1], [9], [8], [7], [B2], [6], [], [5], [C3], [], [4], [3], table.hline())"""
    _, doubts = rows_of(typeset(f"{PROSE}\n\n{source}\n\n{PROSE}"))
    assert doubts == (
        "rows have unequal numbers of cells",
        "the levels of the head are read from positions alone",
    )
