"""Figures and tables of whole papers: parts over pages, panels, kinds, and one document for each mended fault."""

from collections.abc import Callable
from pathlib import Path

import pytest
import typst
from PIL import Image

from pincite_papers.model import BlockKind, FigureKind, Paper, Rect
from pincite_papers.pdf.figures.panels import find_panels
from pincite_papers.pdf.parse import parse_pdf

Parsed = Callable[[str], Paper]
PROSE = "The samples were annealed in flowing oxygen for two days before every measurement was taken at low field. "
RESULTS = PROSE * 4
BARS = "grid(columns: 3, gutter: 4pt, ..range(3).map(k => rect(width: 40pt, height: 30pt + k * 20pt, fill: blue)))"


@pytest.fixture
def shown(tmp_path: Path) -> Parsed:
    """Typst markup that may show the picture ``grain.png`` as a Paper."""
    Image.effect_noise((300, 200), 40).save(tmp_path / "grain.png")

    def parse(source: str) -> Paper:
        path = tmp_path / "paper.typ"
        path.write_text('#set text(font: "New Computer Modern", size: 10pt)\n' + source, encoding="utf-8")
        return parse_pdf(typst.compile(str(path)), max_pages=20)

    return parse


def size(box: Rect | None) -> tuple[float, float]:
    assert box is not None
    return box.x1 - box.x0, box.y1 - box.y0


def broken_table(rows: int, caption: str = "") -> str:
    body = ", ".join(f"[run {k}], [{k}.20], [−{k}.5]" for k in range(rows))
    head = "table.header(table.hline(), [Run], [Tc (K)], [Shift], table.hline(stroke: .5pt))"
    table = f"table(columns: 3, stroke: none, inset: 4pt, {head}, {body}, table.hline())"
    return (
        f"{RESULTS}\n#show figure: set block(breakable: true)\n#figure({table}, caption: [Runs.])\n{caption}{RESULTS}"
    )


def test_a_table_over_pages_is_one_table(parsed: Parsed) -> None:
    paper = parsed(f"#set figure.caption(position: top)\n{broken_table(80)}")
    [table] = paper.tables
    assert (table.rows, table.columns) == (81, 3)
    assert [part.page for part in table.parts] == sorted({cell.page for cell in table.cells})
    assert len(table.parts) >= 2
    assert [cell.text for cell in table.cells if cell.row == 80] == ["run 79", "79.20", "−79.5"]
    assert sum(cell.text == "Run" for cell in table.cells) == 1
    assert all(paper.text[cell.start : cell.end] == cell.text for cell in table.cells)
    assert all(paper.page_at(cell.start) == cell.page for cell in table.cells)


def test_blocks_of_a_table_over_pages_keep_to_their_pages(parsed: Parsed) -> None:
    paper = parsed(f"#set figure.caption(position: top)\n{broken_table(80)}")
    blocks = [block for block in paper.blocks if block.kind is BlockKind.TABLE]
    assert [block.page for block in blocks] == [part.page for part in paper.tables[0].parts]
    assert [block.start for block in paper.blocks] == sorted(block.start for block in paper.blocks)


def test_two_tables_of_one_shape_on_two_pages_stay_two(parsed: Parsed) -> None:
    cells = "table.hline(), [Run], [Gap], table.hline(), [A], [1.2], [B], [3.4], table.hline()"
    one = f"#figure(table(columns: 2, stroke: none, {cells}), caption: [Gaps.])"
    paper = parsed(f"#set figure.caption(position: top)\n{RESULTS}\n{one}\n{RESULTS}\n#pagebreak()\n{one}\n{RESULTS}")
    assert [table.label for table in paper.tables] == ["Table 1", "Table 2"]


def test_a_name_at_half_the_height_of_its_rows_spans_them(parsed: Parsed) -> None:
    rows = ", ".join(
        f"table.cell(rowspan: 2)[{name}], [1 T], [{k}.20], [2 T], [{k}.45]"
        for k, name in enumerate(("LSCO", "YBCO", "FeSe"))
    )
    head = "table.hline(), [Sample], [Field], [Gap], table.hline()"
    table = f"table(columns: 3, align: horizon, stroke: none, inset: 4pt, {head}, {rows}, table.hline())"
    [found] = parsed(f"{RESULTS}\n#figure({table}, caption: [Gaps.])\n{RESULTS}").tables
    spans = {cell.text: (cell.row, cell.row_span) for cell in found.cells if cell.row_span > 1}
    assert spans == {"LSCO": (1, 2), "YBCO": (3, 2), "FeSe": (5, 2)}
    assert found.rows == 7


def test_a_figure_and_its_caption_in_one_frame_are_told_apart(shown: Parsed) -> None:
    inside = '#align(center, image("grain.png", width: 150pt)) *Figure 1* Grains of the film.'
    box = f"#rect(width: 100%, inset: 8pt)[{inside}]"
    [figure] = shown(f"{RESULTS}\n\n{box}\n\n{RESULTS}").figures
    assert figure.label == "Figure 1"
    assert size(figure.bbox) == pytest.approx((150, 100), abs=3)


def test_only_what_shows_of_a_clipped_picture_counts(shown: Parsed) -> None:
    inside = 'place(dx: -60pt, dy: -50pt, box(width: 300pt, height: 200pt, image("grain.png", width: 300pt)))'
    window = f"box(width: 120pt, height: 60pt, clip: true, {inside})"
    [figure] = shown(f"{RESULTS}\n#figure({window}, caption: [A part of the film.])\n{RESULTS}").figures
    assert size(figure.bbox) == pytest.approx((120, 60), abs=2)
    assert figure.kind is FigureKind.RASTER


def test_the_head_of_a_page_is_no_part_of_a_figure(shown: Parsed) -> None:
    name = 'text(size: 8pt)[Journal 12], image("grain.png", width: 40pt)'
    head = f"#grid(columns: (1fr, auto), align: horizon, {name})\n#line(length: 100%)"
    [figure] = shown(f"{head}\n#figure({BARS}, caption: [Counts of the runs.])\n{RESULTS}").figures
    assert size(figure.bbox) == pytest.approx((128, 70), abs=3)
    assert figure.kind is FigureKind.VECTOR


def test_a_formula_over_a_figure_is_no_part_of_it(parsed: Parsed) -> None:
    formula = "$ sum_(k=1)^n (a_k + b) / (c + d_k) = integral_0^1 (f(x)) / (sqrt(1 + x^2)) dif x $"
    [figure] = parsed(f"{RESULTS}\n\n{formula}\n\n#figure({BARS}, caption: [Counts of the runs.])\n{RESULTS}").figures
    assert size(figure.bbox) == pytest.approx((128, 70), abs=3)


@pytest.mark.parametrize("order", ["figure first", "caption first"])
def test_a_short_caption_far_beside_its_figure_is_bound(shown: Parsed, order: str) -> None:
    parts = ['image("grain.png", width: 150pt)', "align(left, text(size: 8pt)[*Fig. 1.* Grains of the film.])"]
    columns = "(auto, 1fr)"
    if order == "caption first":
        parts.reverse()
        columns = "(1fr, auto)"
    [figure] = shown(
        f"{RESULTS}\n\n#grid(columns: {columns}, gutter: 12pt, {parts[0]}, {parts[1]})\n\n{RESULTS}"
    ).figures
    assert figure.label == "Fig. 1"
    assert size(figure.bbox) == pytest.approx((150, 100), abs=2)


def test_a_sentence_that_runs_into_a_label_over_a_column_is_no_caption(parsed: Parsed) -> None:
    paper = parsed(
        f"#set page(columns: 2, height: 300pt)\n#set par(justify: true)\n{PROSE * 3} This is so for all, as seen in\n"
        f"#colbreak()\nFig. 6. The low model of the field depends on the doped pressure. {PROSE * 3}"
    )
    assert paper.figures == ()
    assert not any(block.kind is BlockKind.CAPTION for block in paper.blocks)


def test_an_algorithm_is_no_figure(parsed: Parsed) -> None:
    rules = "#block(stroke: (top: .8pt, bottom: .8pt), inset: 5pt, width: 100%)"
    steps = "*Algorithm 1* Greedy search \\ *for* each node *do* \\ pop the queue \\ *end for*"
    assert (
        parsed(f"{RESULTS}\n\n{rules}[{steps}]\n\n{RESULTS}\n#figure({BARS}, caption: [Counts.])").figures[0].label
        == "Figure 1"
    )


@pytest.mark.parametrize("order", ["figure first", "caption first"])
@pytest.mark.parametrize("picture", ["drawn", "raster"])
def test_a_caption_on_the_next_page_is_bound_to_the_figure_that_fills_a_page(
    shown: Parsed, order: str, picture: str
) -> None:
    bars = "grid(columns: 3, gutter: 4pt, ..range(3).map(k => rect(width: 130pt, height: 500pt, fill: blue)))"
    body = f"#{bars}" if picture == "drawn" else '#image("grain.png", width: 400pt, height: 500pt)'
    pages = [body, f"#text(size: 8pt)[*Figure 1.* Counts of the runs, drawn for every sample.]\n\n{RESULTS}"]
    if order == "caption first":
        pages = [f"{RESULTS * 9}\n\n#text(size: 8pt)[*Figure 1.* Counts of the runs, drawn for every sample.]", body]
    paper = shown(f"{RESULTS}\n#pagebreak()\n" + "\n#pagebreak()\n".join(pages) + f"\n#pagebreak()\n{RESULTS * 9}")
    [figure] = paper.figures
    assert figure.label == "Figure 1"
    assert figure.caption is not None
    assert figure.page == (2 if order == "figure first" else 3)
    assert paper.page_at(figure.caption.start) == (3 if order == "figure first" else 2)
    assert size(figure.bbox)[1] == pytest.approx(500, abs=3)


def test_panels_have_letters_and_parts_of_the_caption(shown: Parsed) -> None:
    cell = 'stack(dir: ttb, spacing: 3pt, [*{}*], image("grain.png", width: 120pt))'
    grid = f"grid(columns: 2, gutter: 10pt, align: left, {cell.format('a')}, {cell.format('b')})"
    words = "Grains of both films. *a* Before annealing. *b* After annealing, scaled as in a."
    paper = shown(f"{RESULTS}\n#figure({grid}, caption: [{words}])\n{RESULTS}")
    [figure] = paper.figures
    said = {p.label: paper.text[p.caption.start : p.caption.end] for p in figure.panels if p.caption is not None}
    assert said == {"a": "a Before annealing.", "b": "b After annealing, scaled as in a."}
    assert all(panel.bbox is not None for panel in figure.panels)
    first, second = (panel.bbox for panel in figure.panels)
    assert first is not None
    assert second is not None
    assert first.x1 < second.x0


@pytest.mark.parametrize(
    ("caption", "labels"),
    [
        ("Fig. 3. (a, b) Maps. (c) A cut along the line in (a). (d–f) Others.", ["a", "b", "c", "d", "e", "f"]),
        ("Figure 5: a, Setup. b, Signal. c, d, Two more.", ["a", "b", "c", "d"]),
        ("Figure 2. A. Network; B. Tree.", ["A", "B"]),
        ("Figure 4 A map of places.", []),
        ("Figure 3. The gap (a measure of order) at 3 K (b).", []),
    ],
)
def test_letters_of_a_caption_run_from_a_on(caption: str, labels: list[str]) -> None:
    panels = find_panels([], caption, 100)
    assert [panel.label for panel in panels] == labels
    assert all(panel.caption is not None and 100 <= panel.caption.start < panel.caption.end for panel in panels)
