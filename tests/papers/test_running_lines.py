"""Running headers and footers: what repeats at the edge of the pages, and nothing of what stands further in."""

from collections.abc import Callable

from pincite_papers.model import FurnitureKind, Paper

TABLES = """
#set page(paper: "a5", margin: 15mm, header: [J. Invented Mater. *4*, 17 (2021)])
#set page(footer: context align(center)[#here().page()])
#let words(first) = lorem(60).split().slice(first).join(" ")
#let rows(..cells) = place(bottom, table(columns: 3, stroke: none, ..cells))
#words(0)
#rows([Sample], [$T$ (K)], [$p$ (GPa)], [Nb], [9.26], [0.50], [UPt], [74.95], [59.70], [Sn], [3.72], [1.10])
#pagebreak()
#words(7)
#rows([Sample], [$T$ (K)], [$p$ (GPa)], [Al], [1.18], [2.50], [UPt], [51.90], [13.30], [Hg], [4.15], [7.40])
#pagebreak()
#words(19)
"""


def _furniture(paper: Paper, kind: FurnitureKind) -> list[str]:
    return [item.text for page in paper.pages for item in page.furniture if item.kind is kind]


def test_rows_of_tables_at_the_same_height_of_two_pages_stay_in_the_text(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(TABLES)
    assert _furniture(paper, FurnitureKind.FOOTER) == []
    assert len(_furniture(paper, FurnitureKind.HEADER)) == 3
    assert len(_furniture(paper, FurnitureKind.PAGE_NUMBER)) == 3
    for value in ("9.26", "74.95", "59.70", "3.72", "1.18", "51.90", "13.30", "7.40"):
        assert value in paper.text
    assert paper.text.count("UPt") == paper.text.count("Sample") == 2


def test_a_footer_of_two_lines_whose_last_has_no_word_runs(parsed: Callable[[str], Paper]) -> None:
    footer = "footer: text(7pt)[An address that runs on: https://doi.example/10.21105/jose. #linebreak() 00302.]"
    paper = parsed(f'#set page(paper: "a6", {footer})\n' + "#lorem(90)\n#pagebreak()\n" * 3 + "#lorem(90)")
    assert _furniture(paper, FurnitureKind.FOOTER).count("00302.") == 4
    assert "00302" not in paper.text


def test_a_running_title_that_changes_does_not_hold_back_its_neighbour(parsed: Callable[[str], Paper]) -> None:
    header = 'header: context [A. Writer et al. #h(1fr) #("Growth", "Transport", "Outlook").at(here().page() - 1)]'
    paper = parsed(f'#set page(paper: "a6", {header})\n' + "#lorem(90)\n#pagebreak()\n" * 2 + "#lorem(90)")
    assert _furniture(paper, FurnitureKind.HEADER).count("A. Writer et al.") == 3


def test_labels_of_a_table_that_goes_on_over_pages_are_no_running_lines(parsed: Callable[[str], Paper]) -> None:
    part = """Table 1: Continued.
#table(columns: 2, stroke: none, table.hline(), [Sample], [Value], table.hline(), {}, table.hline())"""
    pages = [part.format(", ".join(f"[s{page}{k}], [{page}.{k}5]" for k in range(9))) for page in range(1, 5)]
    paper = parsed('#set page(paper: "a5", margin: 12mm)\n' + "\n#pagebreak()\n".join(pages))
    assert _furniture(paper, FurnitureKind.HEADER) == []
    assert paper.text.count("Table 1: Continued.") == 4
    cells = {cell.text for table in paper.tables for cell in table.cells}
    assert {f"s{page}{k}" for page in range(1, 5) for k in range(9)} <= cells


def test_numbers_of_rows_are_no_line_numbers(parsed: Callable[[str], Paper]) -> None:
    cells = ("[Compound {m}], [C{k}H{n}], [{v:.3f}]", "[Compound {m}], [{v:.3f}]", "[{v:.3f}], [± {v:.2f}]")
    counted: list[str] = []
    for shape in cells:
        rows = ", ".join(f"[{k}], " + shape.format(k=k, m=k % 7, n=2 * k, v=k / 7) for k in range(1, 60))
        columns = ", 1fr" * shape.count("[")
        source = f'#set page(paper: "a5", margin: 12mm)\n#table(columns: (1cm{columns}), stroke: none, {rows})'
        if _furniture(parsed(source), FurnitureKind.LINE_NUMBER):
            counted.append(shape)
    assert not counted
