"""Figures: vector and raster, one column of two and both, several panels, captions over, under and beside."""

import io
from collections.abc import Callable
from itertools import pairwise

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import typst
from PIL import Image

from pincite_papers.model import Rect
from pincite_papers.pdf.captions import find_captions
from pincite_papers.pdf.elements import PageLayout
from pincite_papers.pdf.figures import FigureDraft, find_figures
from pincite_papers.pdf.layout.measures import body_style
from pincite_papers.pdf.layout.pages import read_layout
from pincite_papers.pdf.tables import find_tables

PROSE = "The samples were annealed in flowing oxygen for two days before every measurement was taken at low field. " * 4
SetFigures = Callable[..., PageLayout]


@pytest.fixture(scope="module")
def vector_plot() -> bytes:
    """A resistivity curve as SVG, its labels as text."""
    with mpl.rc_context({"svg.fonttype": "none", "font.size": 9}):
        figure, axes = plt.subplots(figsize=(3.0, 2.0), layout="constrained")
        axes.plot(np.linspace(0, 300, 50), np.linspace(0, 1, 50) ** 2)
        axes.set_xlabel("Temperature (K)")
        axes.set_ylabel("Resistivity")
        out = io.BytesIO()
        figure.savefig(out, format="svg")
        plt.close(figure)
    return out.getvalue()


@pytest.fixture(scope="module")
def micrograph() -> bytes:
    """A grey picture as PNG."""
    out = io.BytesIO()
    Image.effect_noise((300, 200), 40).save(out, "PNG")
    return out.getvalue()


@pytest.fixture(scope="module")
def page_with(vector_plot: bytes, micrograph: bytes, tmp_path_factory: pytest.TempPathFactory) -> SetFigures:
    """Typst markup, which may show ``plot.svg`` and ``grain.png``, as the layout of its first page."""
    folder = tmp_path_factory.mktemp("figures")
    (folder / "plot.svg").write_bytes(vector_plot)
    (folder / "grain.png").write_bytes(micrograph)

    def compile_page(source: str) -> PageLayout:
        path = folder / "page.typ"
        path.write_text('#set text(font: "New Computer Modern", size: 10pt)\n' + source, encoding="utf-8")
        return read_layout(typst.compile(str(path)))[0]

    return compile_page


def figures_of(page: PageLayout) -> list[FigureDraft]:
    captions = find_captions(page, body_style([page]))
    taken = {index for table in find_tables(page, captions) for index in table.lines}
    return find_figures(page, captions, taken)


def size(box: Rect) -> tuple[float, float]:
    return box.x1 - box.x0, box.y1 - box.y0


def texts(page: PageLayout, figure: FigureDraft) -> set[str]:
    return {page.lines[index].text for index in figure.lines}


def test_a_vector_figure_is_boxed_with_its_labels(page_with: SetFigures) -> None:
    page = page_with(f'{PROSE}\n#figure(image("plot.svg", width: 216pt), caption: [Resistivity.])\n{PROSE}')
    [figure] = figures_of(page)
    width, height = size(figure.bbox)
    assert figure.caption == 0
    assert 190 < width < 225
    assert 120 < height < 150
    assert "Temperature (K)" in texts(page, figure)
    assert not any("annealed" in text for text in texts(page, figure))


def test_a_raster_figure_is_boxed(page_with: SetFigures) -> None:
    page = page_with(f'{PROSE}\n#figure(image("grain.png", width: 150pt), caption: [Grains.])\n{PROSE}')
    [figure] = figures_of(page)
    assert size(figure.bbox) == pytest.approx((150, 100), abs=2)
    assert figure.lines == ()


@pytest.mark.parametrize("position", ["top", "bottom"])
def test_two_figures_below_each_other_keep_their_captions(page_with: SetFigures, position: str) -> None:
    page = page_with(
        f"""
        #set figure.caption(position: {position})
        {PROSE}
        #figure(image("grain.png", width: 120pt), caption: [Grains before.])
        #figure(image("grain.png", width: 180pt), caption: [Grains after.])
        {PROSE}
        """
    )
    first, second = figures_of(page)
    assert (first.caption, second.caption) == (0, 1)
    assert size(first.bbox) == pytest.approx((120, 80), abs=2)
    assert size(second.bbox) == pytest.approx((180, 120), abs=2)


def test_a_figure_in_one_column_leaves_the_other_alone(page_with: SetFigures) -> None:
    page = page_with(
        f"""
        #set page(columns: 2)
        {PROSE}
        #figure(image("plot.svg", width: 180pt), caption: [Resistivity of the sample in zero field and at nine tesla.])
        {PROSE * 7}
        """
    )
    [figure] = figures_of(page)
    assert figure.bbox.x1 < page.width / 2
    assert not any("annealed" in text for text in texts(page, figure))


def test_a_figure_across_both_columns_is_whole(page_with: SetFigures) -> None:
    page = page_with(
        f"""
        #set page(columns: 2)
        #place(top, scope: "parent", float: true)[#figure(grid(columns: 2, gutter: 20pt,
          image("plot.svg", width: 200pt), image("grain.png", width: 200pt)), caption: [Resistivity and grains.])]
        {PROSE * 6}
        """
    )
    [figure] = figures_of(page)
    assert size(figure.bbox)[0] > 400
    assert "Temperature (K)" in texts(page, figure)


def test_figures_side_by_side_are_two(page_with: SetFigures) -> None:
    page = page_with(
        f"""
        {PROSE}
        #grid(columns: 2, gutter: 30pt,
          figure(image("grain.png", width: 150pt), caption: [The grains before the annealing in oxygen.]),
          figure(image("grain.png", width: 150pt), caption: [The grains after the annealing in oxygen.]))
        {PROSE}
        """
    )
    found = figures_of(page)
    assert [figure.caption for figure in found] == [0, 1]
    assert all(size(figure.bbox) == pytest.approx((150, 100), abs=2) for figure in found)
    assert all(one.bbox.x1 < other.bbox.x0 for one, other in pairwise(found))


def test_a_caption_beside_its_figure_is_bound_to_it(page_with: SetFigures) -> None:
    page = page_with(
        f"""
        {PROSE}

        #grid(columns: (100pt, 1fr), gutter: 20pt,
          text(size: 8pt)[*Fig. 1* Paired pen trial design with each holding pen],
          image("grain.png", width: 240pt))

        {PROSE}
        """
    )
    [figure] = figures_of(page)
    assert figure.caption == 0
    assert size(figure.bbox) == pytest.approx((240, 160), abs=2)


def test_the_rules_of_a_table_are_no_figure(page_with: SetFigures) -> None:
    page = page_with(
        f"""
        {PROSE}
        #figure(table(columns: 2, [a], [b], [1], [2]), caption: [Numbers.])
        {PROSE}
        """
    )
    assert figures_of(page) == []


def test_a_numbered_heat_map_is_a_figure_and_no_table(page_with: SetFigures) -> None:
    cells = ", ".join(f"[0.{number:02}]" for number in range(25))
    page = page_with(f"{PROSE}\n#figure(table(columns: 5, {cells}), kind: image, caption: [Coefficients.])\n{PROSE}")
    captions = find_captions(page, body_style([page]))
    assert find_tables(page, captions) == []
    [figure] = find_figures(page, captions)
    assert len(texts(page, figure)) >= 5


def test_a_large_picture_needs_no_caption(page_with: SetFigures) -> None:
    page = page_with(f'{PROSE}\n\n#image("grain.png", width: 200pt)\n\n{PROSE}')
    [figure] = figures_of(page)
    assert figure.caption is None
    assert size(figure.bbox) == pytest.approx((200, 133), abs=2)


def test_a_logo_is_no_figure(page_with: SetFigures) -> None:
    assert figures_of(page_with(f'#image("grain.png", width: 60pt)\n\n{PROSE}')) == []


def test_a_page_of_text_has_no_figures(page_with: SetFigures) -> None:
    assert figures_of(page_with(PROSE)) == []


def test_a_figure_in_landscape_is_boxed(page_with: SetFigures) -> None:
    page = page_with(
        f"""
        {PROSE}
        #rotate(-90deg, reflow: true)[#figure(image("grain.png", width: 150pt), caption: [Grains of both samples.])]
        {PROSE}
        """
    )
    [figure] = figures_of(page)
    assert figure.caption == 0
    assert size(figure.bbox) == pytest.approx((100, 150), abs=2)
