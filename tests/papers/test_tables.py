"""Tables: ruled, with a few rules, without any; spans, several lines in a cell, scripts; places on the page."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pincite_papers.pdf.captions import find_captions
from pincite_papers.pdf.elements import PageLayout
from pincite_papers.pdf.layout.measures import body_style
from pincite_papers.pdf.parse import parse_pdf
from pincite_papers.pdf.tables import CellDraft, TableDraft, find_tables

Layouts = Callable[[str], list[PageLayout]]

PROSE = "The samples were annealed in flowing oxygen for two days before every measurement was taken at low field. " * 4
BOOKTABS = "stroke: none, inset: 4pt, table.hline(), "


def tables_of(page: PageLayout) -> list[TableDraft]:
    return find_tables(page, find_captions(page, body_style([page])))


def text(cell: CellDraft) -> str:
    return " ".join(word.text for line in cell.lines for word in line)


def grid(table: TableDraft) -> list[list[str]]:
    """The texts by row and column, a spanning cell at its origin."""
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = text(cell)
    return rows


def spans(table: TableDraft) -> dict[str, tuple[int, int]]:
    return {text(c): (c.row_span, c.column_span) for c in table.cells if c.row_span > 1 or c.column_span > 1}


def only_table(layouts: Layouts, source: str) -> TableDraft:
    [table] = tables_of(layouts(source)[0])
    return table


def test_a_full_grid_gives_its_cells(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        {PROSE}
        #figure(table(columns: 3, [*Sample*], [*Tc (K)*], [*a (Å)*], [A1], [92.4], [3.82], [B2], [38.0], [3.78]),
          caption: [Critical temperatures.])
        {PROSE}
        """,
    )
    assert table.ruled
    assert table.caption == 0
    assert grid(table) == [["Sample", "Tc (K)", "a (Å)"], ["A1", "92.4", "3.82"], ["B2", "38.0", "3.78"]]
    assert [cell.header for cell in table.cells] == [True] * 3 + [False] * 6


def test_values_that_wrap_in_the_boxes_of_a_grid_stay_one_cell(layouts: Layouts) -> None:
    """Boxes with one line stand beside boxes with three; head and names stand over several columns and rows."""
    values = [["0.00", "0.17 (0.13–0.22)", "0.28 (0.25–0.31)"], ["0.12", "0.33 (0.24–0.41)", "0.52 (0.46–0.59)"]]
    studies = ["Duchemin et al.", "Hugo et al."]
    body = ""
    for study in studies:
        body += f"table.cell(rowspan: 2)[{study}], "
        for case, row in zip(("BC", "WC"), values, strict=True):
            body += f"[{case}], " + "".join(f"[{value}], " for value in row)
    table = only_table(
        layouts,
        f"""
        {PROSE}
        #figure(table(columns: (60pt, 40pt, 42pt, 36pt, 36pt), stroke: 0.4pt,
          [Study], [Case], [Hobart], [Perth], [Cairns], {body}), caption: [Reproduction numbers.])
        {PROSE}
        """,
    )
    expected = [["Study", "Case", "Hobart", "Perth", "Cairns"]]
    for study in studies:
        expected += [[study, "BC", *values[0]], ["", "WC", *values[1]]]
    assert [[cell.replace("– ", "–") for cell in row] for row in grid(table)] == expected
    assert not any("two rows" in doubt for doubt in table.doubts)


def test_rows_without_a_rule_between_them_are_parted_in_the_boxes_of_a_grid(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        {PROSE}
        #figure(table(columns: 3, stroke: 0.4pt, [Sample], [Tc (K)], [a (Å)],
          [A1 \\ A2 \\ A3], [92.4 \\ 91.0 \\ 88.7], [3.82 \\ 3.83 \\ 3.85],
          [B1 \\ B2 \\ B3], [38.0 \\ 37.1 \\ 35.2], [3.78 \\ 3.77 \\ 3.76],
          [C1 \\ C2 \\ C3], [12.0 \\ 11.1 \\ 10.2], [4.78 \\ 4.77 \\ 4.76]), caption: [Temperatures.])
        {PROSE}
        """,
    )
    assert grid(table)[1:4] == [["A1", "92.4", "3.82"], ["A2", "91.0", "3.83"], ["A3", "88.7", "3.85"]]
    assert table.rows == 10


def test_cells_of_a_grid_span_rows_and_columns(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        {PROSE}
        #figure(table(columns: 4,
          table.cell(rowspan: 2)[Material], table.cell(colspan: 2)[Lattice constants], table.cell(rowspan: 2)[Group],
          [a (Å)], [c (Å)],
          table.cell(rowspan: 2)[LSCO], [3.78], [13.2], [I4/mmm],
          [3.79], [13.1], [Bmab]), caption: [Structures.])
        {PROSE}
        """,
    )
    assert grid(table) == [
        ["Material", "Lattice constants", "", "Group"],
        ["", "a (Å)", "c (Å)", ""],
        ["LSCO", "3.78", "13.2", "I4/mmm"],
        ["", "3.79", "13.1", "Bmab"],
    ]
    assert spans(table) == {"Material": (2, 1), "Lattice constants": (1, 2), "Group": (2, 1), "LSCO": (2, 1)}


def test_three_rules_give_a_header_and_rows(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        {PROSE}
        #figure(table(columns: 3, {BOOKTABS} [Sample], [Tc (K)], [Method], table.hline(stroke: 0.5pt),
          [YBCO], [92.4 ± 0.3], [resistivity], [LSCO], [38.0 ± 0.5], [magnetization],
          [MgB#sub[2]], [39], [heat capacity], table.hline()), caption: [Critical temperatures.])
        {PROSE}
        """,
    )
    assert table.ruled
    assert grid(table) == [
        ["Sample", "Tc (K)", "Method"],
        ["YBCO", "92.4 ± 0.3", "resistivity"],
        ["LSCO", "38.0 ± 0.5", "magnetization"],
        ["MgB2", "39", "heat capacity"],
    ]
    assert [cell.header for cell in table.cells] == [True] * 3 + [False] * 9


def test_a_short_rule_spans_the_header_above_it(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        {PROSE}
        #figure(table(columns: 5, {BOOKTABS}
          [], table.cell(colspan: 2)[Onset], table.cell(colspan: 2)[Midpoint],
          table.hline(start: 1, end: 3, stroke: 0.4pt), table.hline(start: 3, end: 5, stroke: 0.4pt),
          [Sample], [0 T], [9 T], [0 T], [9 T], table.hline(stroke: 0.5pt),
          [YBCO], [93.1], [88.0], [92.0], [85.5], [LSCO], [39.2], [30.1], [38.0], [27.7], table.hline()),
          caption: [Critical temperatures in kelvin.])
        {PROSE}
        """,
    )
    assert grid(table) == [
        ["Sample", "Onset", "", "Midpoint", ""],
        ["", "0 T", "9 T", "0 T", "9 T"],
        ["YBCO", "93.1", "88.0", "92.0", "85.5"],
        ["LSCO", "39.2", "30.1", "38.0", "27.7"],
    ]
    assert spans(table) == {"Sample": (2, 1), "Onset": (1, 2), "Midpoint": (1, 2)}


def test_lines_of_one_cell_stay_together(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        {PROSE}
        #set par(justify: false)
        #figure(table(columns: (110pt, 60pt, 130pt), align: left, row-gutter: 0pt, {BOOKTABS}
          [Group the tutorial was delivered to], [Number], [How it was held], table.hline(stroke: 0.5pt),
          [Graduate class on environmental data science], [40], [In person],
          [Conference], [50], [Synchronous, on line, with recordings for those who came late],
          [Society of America], [15], [In person], table.hline()), caption: [Workshops.])
        {PROSE}
        """,
    )
    assert grid(table) == [
        ["Group the tutorial was delivered to", "Number", "How it was held"],
        ["Graduate class on environmental data science", "40", "In person"],
        ["Conference", "50", "Synchronous, on line, with recordings for those who came late"],
        ["Society of America", "15", "In person"],
    ]


def test_empty_cells_keep_their_place(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        {PROSE}
        #figure(table(columns: 4, align: left, {BOOKTABS} [Response], [Predictor], [Estimate], [p], table.hline(),
          [Checks], [Sex], [0.3], [0.2], [], [Time], [−0.04], [\\<0.001], [Approaches], [Sex], [], [0.9],
          [], [Time], [0.4], [], table.hline()), caption: [Models.])
        {PROSE}
        """,
    )
    assert grid(table) == [
        ["Response", "Predictor", "Estimate", "p"],
        ["Checks", "Sex", "0.3", "0.2"],
        ["", "Time", "−0.04", "<0.001"],
        ["Approaches", "Sex", "", "0.9"],
        ["", "Time", "0.4", ""],
    ]


def test_scripts_and_units_stand_as_printed(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        #set super(typographic: false)
        #set sub(typographic: false)
        {PROSE}
        #figure(table(columns: 2, {BOOKTABS} [Quantity], [Value], table.hline(),
          [#emph[J]#sub[c]], [(2.1 ± 0.1) × 10#super[6] A cm#super[−2]],
          [#emph[H]#sub[c2]], [55 T], [ρ#sub[n]], [12.5 µΩ cm], table.hline()), caption: [Fits.])
        {PROSE}
        """,
    )
    assert grid(table) == [
        ["Quantity", "Value"],
        ["J_c", "(2.1 ± 0.1) × 10^6 A cm^−2"],
        ["H_c2", "55 T"],
        ["ρ_n", "12.5 µΩ cm"],
    ]


def test_a_table_without_rules_is_read_by_its_columns(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        {PROSE}

        #figure(table(columns: 3, stroke: none, [Alloy], [Hardness (HV)], [Strain], [A], [210], [0.12],
          [B], [305], [0.08], [C], [288], [0.10]), kind: table,
          caption: figure.caption(position: top)[Hardness of three alloys.])

        {PROSE}
        """,
    )
    assert not table.ruled
    assert grid(table) == [
        ["Alloy", "Hardness (HV)", "Strain"],
        ["A", "210", "0.12"],
        ["B", "305", "0.08"],
        ["C", "288", "0.10"],
    ]


@pytest.mark.parametrize("position", ["top", "bottom"])
def test_a_caption_over_or_under_a_table_is_bound_to_it(layouts: Layouts, position: str) -> None:
    table = only_table(
        layouts,
        f"""
        {PROSE}
        #figure(table(columns: 2, {BOOKTABS} [x], [y], table.hline(), [1], [2], [3], [4], table.hline()),
          caption: figure.caption(position: {position})[Numbers.])
        {PROSE}
        """,
    )
    assert table.caption == 0
    assert grid(table) == [["x", "y"], ["1", "2"], ["3", "4"]]


def test_two_tables_on_a_page_keep_their_captions(layouts: Layouts) -> None:
    page = layouts(
        f"""
        #set figure.caption(position: top)
        #figure(table(columns: 2, {BOOKTABS} [Lecture], [Content], table.hline(), [01], [Introduction],
          [02], [Processes], table.hline()), caption: [Lectures.])
        #figure(table(columns: 2, {BOOKTABS} [Exercise], [Content], table.hline(), [01], [Basics],
          [02], [Problems], table.hline()), caption: [Exercises.])
        {PROSE}
        """
    )[0]
    first, second = tables_of(page)
    assert (first.caption, second.caption) == (0, 1)
    assert grid(first)[0] == ["Lecture", "Content"]
    assert grid(second) == [["Exercise", "Content"], ["01", "Basics"], ["02", "Problems"]]


def test_a_table_in_one_of_two_columns_takes_no_words_of_the_other(layouts: Layouts) -> None:
    page = layouts(
        f"""
        #set page(columns: 2)
        {PROSE} {PROSE}
        #figure(table(columns: 3, {BOOKTABS} [T (K)], [B (T)], [R (Ω)], table.hline(), [4.2], [0], [1.31],
          [4.2], [9], [1.55], table.hline()), caption: [Resistances.])
        {PROSE * 6}
        """
    )[0]
    [table] = tables_of(page)
    assert grid(table) == [["T (K)", "B (T)", "R (Ω)"], ["4.2", "0", "1.31"], ["4.2", "9", "1.55"]]


def test_a_table_across_two_columns_ends_where_the_text_begins(layouts: Layouts) -> None:
    page = layouts(
        f"""
        #set page(columns: 2)
        #place(top, scope: "parent", float: true)[#figure(table(columns: (1fr, 1fr, 1fr, 1fr), {BOOKTABS} [Sample],
          [Grown by], [Tc (K)], [Width (K)], table.hline(), [A], [flux], [92], [0.4], [B], [floating zone], [38], [1.2],
          table.hline()), caption: [Samples.])]
        {PROSE * 8}
        """
    )[0]
    [table] = tables_of(page)
    assert grid(table) == [
        ["Sample", "Grown by", "Tc (K)", "Width (K)"],
        ["A", "flux", "92", "0.4"],
        ["B", "floating zone", "38", "1.2"],
    ]


def test_a_ruled_table_needs_no_caption(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        {PROSE}
        #table(columns: 2, {BOOKTABS} [File], [Content], table.hline(), [a.csv], [raw data], [b.csv], [fits],
          table.hline())
        {PROSE}
        """,
    )
    assert table.caption is None
    assert grid(table) == [["File", "Content"], ["a.csv", "raw data"], ["b.csv", "fits"]]


def test_a_table_that_a_page_breaks_is_read_on_both_pages(layouts: Layouts) -> None:
    rows = ", ".join(f"[s{number}], [{number}.5]" for number in range(40))
    pages = layouts(
        f"""
        #set page(height: 500pt)
        {PROSE}
        #table(columns: 2, {BOOKTABS} table.header([Sample], [Tc (K)], table.hline()), {rows}, table.hline())
        {PROSE}
        """
    )
    found = [table for page in pages for table in tables_of(page)]
    assert len(found) == 2
    read = [row for table in found for row in grid(table) if row != ["Sample", "Tc (K)"]]
    assert read == [[f"s{number}", f"{number}.5"] for number in range(40)]


def test_a_column_with_a_head_and_no_entry_keeps_its_place(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        #table(columns: (3cm, 2cm, 2cm, 2cm), {BOOKTABS}
          table.header([Compound], [Rosa], [Salvia], [Thymus], table.hline()),
          [Linalool], [+], [], [+], [Camphene], [+], [], [+], [Myrcene], [], [], [+], [Thymol], [+], [], [],
          table.hline())
        """,
    )
    assert grid(table)[0] == ["Compound", "Rosa", "Salvia", "Thymus"]
    assert grid(table)[1] == ["Linalool", "+", "", "+"]


def test_a_head_centred_over_columns_without_a_rule_spans_them(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        Table 1. Weights of the organs.
        #table(columns: (3cm, 2cm, 2cm, 2cm), align: center, {BOOKTABS}
          table.header([], table.cell(colspan: 3)[Group], [], [Normal], [HC], [HC+OS], table.hline()),
          [Heart], [1.4], [1.6], [1.5], [Liver], [2.4], [2.6], [2.5], table.hline())
        """,
    )
    assert spans(table)["Group"] == (1, 3)
    assert grid(table)[1][1:] == ["Normal", "HC", "HC+OS"]


def test_a_broken_head_over_a_middle_column_spans_nothing(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        #table(columns: (2cm, 2cm, 2.4cm, 2cm), align: center + bottom, {BOOKTABS}
          table.header([Sample], [Phase], [Ordering temperature], [Field], table.hline()),
          [A], [cubic], [9.1], [0.5], [B], [cubic], [8.1], [0.4], table.hline())
        """,
    )
    assert grid(table)[0] == ["Sample", "Phase", "Ordering temperature", "Field"]


@pytest.mark.parametrize(
    "source",
    [
        f"#line(length: 100%) {PROSE} #line(length: 100%) {PROSE} #line(length: 100%)",
        f"#set page(columns: 2)\n{PROSE * 4} #line(length: 100%) {PROSE * 3} #line(length: 100%)",
        f"#rect(width: 100%)[{PROSE}] {PROSE}",
        f"{PROSE}\n\nTable 1 lists what was measured, and Table 2 what was not.\n\n{PROSE}",
    ],
)
def test_running_text_is_no_table(layouts: Layouts, source: str) -> None:
    assert tables_of(layouts(source)[0]) == []


def test_every_word_of_a_table_stands_in_one_cell(layouts: Layouts) -> None:
    page = layouts(
        f"""
        {PROSE}
        #figure(table(columns: 3, [one two], [three], [four], [five], [six seven eight], [nine], [ten], [eleven],
          [twelve]), caption: [Words.])
        {PROSE}
        """
    )[0]
    [table] = tables_of(page)
    in_cells = sorted(word.text for cell in table.cells for line in cell.lines for word in line)
    on_lines = sorted(word.text for index in table.lines for word in page.lines[index].words)
    assert in_cells == on_lines


def test_names_above_numbers_are_the_header(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        {PROSE}
        #figure(table(columns: 2, [Sample], [Tc (K)], [A], [92.4(2)], [B], [–]), caption: [Critical temperatures.])
        {PROSE}
        """,
    )
    assert [(text(cell), cell.header) for cell in table.cells if cell.row < 2] == [
        ("Sample", True),
        ("Tc (K)", True),
        ("A", False),
        ("92.4(2)", False),
    ]


def test_narrow_headers_keep_to_their_columns(layouts: Layouts) -> None:
    table = only_table(
        layouts,
        f"""
        #set super(typographic: false)
        {PROSE}
        #figure(table(columns: 5, align: (left, right, right, right, right), column-gutter: 1pt, {BOOKTABS}
          [Crystal], [S (µV/K)], [σ (S/cm)], [p (cm#super[−3])], [κ (W/m)], table.hline(),
          [SnSe], [512], [1.4], [0.0031], [0.86], [Sn#sub[0.97]Na#sub[0.03]Se], [158], [1180], [5.1], [1.31],
          table.hline()), caption: [Transport.])
        {PROSE}
        """,
    )
    assert grid(table)[0] == ["Crystal", "S (µV/K)", "σ (S/cm)", "p (cm^−3)", "κ (W/m)"]
    assert grid(table)[2][1:] == ["158", "1180", "5.1", "1.31"]


def test_a_table_without_rules_ends_before_the_next_heading(layouts: Layouts) -> None:
    page = layouts(
        f"""
        #set page(columns: 2)
        {PROSE}
        #figure(table(columns: 3, stroke: none, inset: 3pt, [Property], [pure], [doped], [d (pC/N)], [98], [187],
          [k (%)], [36], [44], [T (°C)], [417], [449]), kind: table,
          caption: figure.caption(position: top)[Properties of ceramics after poling.])

        #v(6pt) _3.2 Dielectric response_

        {PROSE * 3}
        """
    )[0]
    [table] = tables_of(page)
    assert grid(table) == [
        ["Property", "pure", "doped"],
        ["d (pC/N)", "98", "187"],
        ["k (%)", "36", "44"],
        ["T (°C)", "417", "449"],
    ]


def test_notes_under_a_table_are_set_apart(layouts: Layouts) -> None:
    page = layouts(
        f"""
        {PROSE}
        #figure(table(columns: 2, {BOOKTABS} [Sample], [Tc (K)], table.hline(), [A\\*], [92], [B], [38],
          table.hline()), caption: figure.caption(position: top)[Samples.])
        #v(-10pt)
        #text(size: 7.5pt)[\\*Grown by another group, and measured there with the same apparatus and the same leads.]

        {PROSE}
        """
    )[0]
    [table] = tables_of(page)
    assert [page.lines[index].text.split()[0] for index in table.notes] == ["*Grown"]
    assert not set(table.notes) & set(table.lines)


@pytest.mark.parametrize("angle", ["-90deg", "90deg"])
def test_a_table_in_landscape_is_read(layouts: Layouts, angle: str) -> None:
    page = layouts(
        f"""
        {PROSE}
        #rotate({angle}, reflow: true)[#figure(table(columns: 3, {BOOKTABS} [Sample], [Tc (K)], [Method], table.hline(),
          [A], [92.4(2)], [resistivity], [B], [38], [heat capacity], table.hline()),
          caption: figure.caption(position: top)[Samples of two kinds.])]
        {PROSE}
        """
    )[0]
    captions = find_captions(page, body_style([page]))
    assert [" ".join(page.lines[i].text for i in each.lines) for each in captions] == ["Table 1: Samples of two kinds."]
    [table] = tables_of(page)
    assert table.caption == 0
    assert grid(table) == [
        ["Sample", "Tc (K)", "Method"],
        ["A", "92.4(2)", "resistivity"],
        ["B", "38", "heat capacity"],
    ]
    assert table.bbox.y1 - table.bbox.y0 > 2 * (table.bbox.x1 - table.bbox.x0)
    for cell in table.cells:
        for word in (word for line in cell.lines for word in line):
            assert cell.bbox.x0 <= word.x0 < word.x1 <= cell.bbox.x1
            assert cell.bbox.y0 <= word.y0 < word.y1 <= cell.bbox.y1


def test_tables_without_captions_are_parted_by_the_text_between_them() -> None:
    report = Path(__file__).parents[2] / "tasks/table_construction/papers/harbour_lantern_2023.pdf"
    paper = parse_pdf(report.read_bytes(), max_pages=2)
    assert [(table.page, table.rows, table.columns) for table in paper.tables] == [
        *((1, 8, 3), (1, 5, 3), (1, 4, 3), (2, 5, 3)),
    ]
    assert "The weighted average return on equity for 2023 was 12.14%. Revenue by quarter" in paper.text
