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
    "names of groups beside their rows": (
        """#block[*Table 1.* Values of groups.]
        #table(columns: (3cm, 3cm, 2cm, 2cm), stroke: none, table.hline(), [Group], [Source], [n], [a], table.hline(),
          [Primary], [Among], [2], [1.4], [], [Within], [9], [2.7], [Nested], [Among], [4], [3.1],
          [], [Within], [8], [4.0], table.hline())""",
        [["Group", "Source", "n", "a"], ["Primary", "Among", "2", "1.4"], ["", "Within", "8", "4.0"]],
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


def spans_of(pdf: bytes) -> dict[str, tuple[int, int]]:
    """The cells of the only table that stand over several rows or columns."""
    [table] = parse_pdf(pdf, max_pages=5).tables
    return {c.text: (c.row_span, c.column_span) for c in table.cells if c.row_span > 1 or c.column_span > 1}


def test_heads_over_an_odd_number_of_columns_span_them(typeset: Callable[[str], bytes]) -> None:
    """A head centred over three columns stands right above the middle one; the heights of the others tell."""
    groups = ("CP", "VOO", "CP + VOO")
    inner = ", ".join("[Bands #linebreak() (n)], [Share #linebreak() (n)], [Form #linebreak() (%)]" for _ in groups)
    rows = ", ".join(f"[Run {k}], " + ", ".join(f"[{k * n + 11}]" for n in range(9)) for k in range(1, 5))
    tops = ", ".join(f"table.cell(colspan: 3)[{name}]" for name in groups)
    source = f"""#set page(width: 26cm)
      #block[*Table 1.* Values.]
      #table(columns: (2cm, ..(2.2cm,) * 9), align: center + bottom, stroke: none, inset: 2pt, table.hline(),
        table.cell(rowspan: 2, align: horizon)[Primer], {tops}, {inner}, table.hline(), {rows}, table.hline())"""
    assert spans_of(typeset(f"{PROSE}\n\n{source}\n\n{PROSE}")) == {"Primer": (2, 1)} | dict.fromkeys(groups, (1, 3))


def test_items_of_lists_stay_in_their_cells(typeset: Callable[[str], bytes]) -> None:
    source = """#block[*Table 1.* Outcomes of the study.]
      #table(columns: (5cm, 9cm), stroke: none, fill: (x, y) => if calc.odd(y) { luma(220) }, inset: 6pt,
        table.hline(), [Primary], [1. #h(6pt) Compliance #linebreak() 2. #h(6pt) Safety],
        [Secondary], [1. #h(6pt) Survival #linebreak() 2. #h(6pt) Quality of life],
        [Other], [1. #h(6pt) Costs of care #linebreak() 2. #h(6pt) Use of care], table.hline())"""
    read, doubts = rows_of(typeset(f"{PROSE}\n\n{source}\n\n{PROSE}"))
    assert read == [
        ["Primary", "1. Compliance 2. Safety"],
        ["Secondary", "1. Survival 2. Quality of life"],
        ["Other", "1. Costs of care 2. Use of care"],
    ]
    assert doubts == ("items of a list in a cell may be rows",)


def test_a_list_under_a_caption_is_a_table_of_one_column(typeset: Callable[[str], bytes]) -> None:
    items = [f"{k}) Patients with the condition number {k} who gave their written consent" for k in range(1, 7)]
    cells = ", ".join(f"[{item}]" for item in items)
    source = f"""#set text(size: 8pt)
      #set par(justify: false)
      #block[*Table 1.* Criteria.]
      #table(columns: (6cm,), stroke: none, inset: 5pt, table.hline(), [*Inclusion*], table.hline(), {cells},
        table.hline())"""
    [table] = parse_pdf(typeset(f"{PROSE}\n\n{source}"), max_pages=5).tables
    assert [cell.text.replace("\n", " ") for cell in table.cells] == ["Inclusion", *items]
    assert table.doubts == ("all its cells stand in one column",)


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
