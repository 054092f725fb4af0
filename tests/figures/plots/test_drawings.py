"""What programs draw in their own ways: each case is one that a document or a program brought up."""

import io
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from pincite_core.errors import LimitReachedError
from pincite_figures.plots.labels import read_print
from pincite_figures.plots.model import Plot, PlotSeries, Refusal
from pincite_figures.plots.paths import clip_runs, read_drawing
from pincite_figures.plots.read import read_plots
from pincite_figures.plots.traces import SeriesKind
from pincite_papers.model import Rect
from pincite_papers.pdf.glyphs import Frame

Open = Callable[[bytes], pdfium.PdfPage]
Read = Callable[..., Plot]
Only = Callable[..., PlotSeries]

PAGE = Rect(0, 0, 600, 600)
AXES = b"".join(
    b"%d 100 m %d 95 l S BT /F 8 Tf %d 82 Td (%d) Tj ET 100 %d m 95 %d l S BT /F 8 Tf 85 %d Td (%d) Tj ET\n"
    % (at, at, at - 2, k, at, at, at - 3, k)
    for k, at in enumerate(range(100, 501, 100))
)
FRAME = b"100 100 400 400 re S\n"


def pdf(content: bytes, form: bytes = b"") -> bytes:
    """A page of 600 by 600 pt with this content; ``form`` is the form object X, Helvetica the font F."""
    resources = b"<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 600]/Contents 4 0 R/Resources" + resources + b">>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Type/XObject/Subtype/Form/BBox[-9 -9 9 9]/Length %d>>stream\n%s\nendstream" % (len(form), form),
    ]
    out = b"%PDF-1.4\n"
    places: list[int] = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer<</Size 7/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(out)
    return out + b"xref\n0 7\n0000000000 65535 f \n" + table + trailer


def read_one(page: pdfium.PdfPage) -> PlotSeries:
    plot = read_plots(page, PAGE)
    (panel,) = plot.panels
    (series,) = panel.series
    return series


def test_paths_carry_their_look_and_place(page_of: Open) -> None:
    content = b"2 0 0 2 0 0 cm 1 0 0 RG 0 0 1 rg [3 1] 0 d 1.5 w 10 20 30 40 re B 0 g 50 50 m 60 60 70 60 80 50 c f"
    page = page_of(pdf(content))
    box, curve = read_drawing(page, Frame.of(page), PAGE).shapes
    assert (box.stroke, box.fill, box.width, box.dash) == ((255, 0, 0), (0, 0, 255), 3.0, (6.0, 2.0))
    assert (box.box.x0, box.box.y0, box.box.x1, box.box.y1) == pytest.approx((20, 480, 80, 560))
    assert box.parts[0].closed
    assert curve.parts[0].curved
    assert curve.parts[0].points.tolist() == pytest.approx(np.array([[100, 500], [130, 485], [160, 500]]))


def test_forms_are_drawn_where_they_are_put_and_clipped(page_of: Open) -> None:
    page = page_of(pdf(b"q 0 0 200 600 re W n 1 0 0 1 195 300 cm /X Do Q", b"0 1 0 RG -4 0 m 20 0 l S"))
    (shape,) = read_drawing(page, Frame.of(page), PAGE).shapes
    assert shape.stroke == (0, 255, 0)
    assert shape.parts[0].points.tolist() == pytest.approx(np.array([[191, 300], [215, 300]]))
    assert shape.clip is not None
    assert shape.clip.x1 == pytest.approx(200)


def test_a_line_is_cut_at_its_box() -> None:
    line = np.array([[0.0, 5], [20, 5], [20, 30], [5, 30], [5, -9]])
    runs = clip_runs(line, Rect(2, 0, 10, 10))
    assert [run.tolist() for run in runs] == [[[2, 5], [10, 5]], [[5, 10], [5, 0]]]


@pytest.mark.parametrize(
    "content",
    [
        b"0 0 m\n" + b"9 9 l 8 7 l\n" * 500_000 + b"S",
        b"0 0 m 9 9 l S\n" * 61_000,
    ],
)
def test_too_much_is_a_typed_error(page_of: Open, content: bytes) -> None:
    with pytest.raises(LimitReachedError, match="too much"):
        read_plots(page_of(pdf(content)), PAGE)


def test_a_curve_in_many_strokes_is_one(page_of: Open) -> None:
    """As MATLAB and old Origin draw: a path object for every step."""
    steps = b"".join(
        b"%d %d m %d %d l S\n" % (x, 100 + x * x // 900, x + 10, 100 + (x + 10) ** 2 // 900)
        for x in range(110, 490, 10)
    )
    series = read_one(page_of(pdf(FRAME + AXES + b"0 0 1 RG\n" + steps)))
    assert len(series) == 39
    assert series.columns["x"] == pytest.approx(np.arange(0.1, 4.0, 0.1), abs=1e-3)


def test_a_line_of_dashes_is_one(page_of: Open) -> None:
    dashes = b"".join(b"%d %d m %d %d l S\n" % (x, x, x + 6, x + 6) for x in range(110, 480, 10))
    series = read_one(page_of(pdf(FRAME + AXES + dashes)))
    assert series.kind is SeriesKind.LINE
    assert any("dashes" in note for note in series.notes)
    assert series.columns["y"] == pytest.approx(series.columns["x"], abs=1e-3)


def test_lines_that_stop_at_their_markers_run_through_them(page_of: Open) -> None:
    """As Origin draws (Metabolites 2014, 4, 932, Figure 5): lines and error bars end at the edge of open markers."""
    places = [(150, 150), (230, 300), (310, 220), (400, 400)]
    marks = b"".join(b"1 g %d %d 8 8 re B\n" % (x - 4, y - 4) for x, y in places)
    lines = b""
    for (xa, ya), (xb, yb) in pairwise(places):
        away = np.array([xb - xa, yb - ya]) / np.hypot(xb - xa, yb - ya) * 7
        lines += b"%.3f %.3f m %.3f %.3f l S\n" % (xa + away[0], ya + away[1], xb - away[0], yb - away[1])
    bars = b"".join(
        b"%d %d m %d %d l S %d %d m %d %d l S\n" % (x, y + 4, x, y + 20, x, y - 4, x, y - 20) for x, y in places
    )
    series = read_one(page_of(pdf(FRAME + AXES + lines + marks + bars)))
    assert series.kind is SeriesKind.LINE_AND_MARKERS
    assert series.marker == "open square"
    assert series.columns["y"] == pytest.approx([0.5, 2, 1.2, 3], abs=1e-3)
    assert series.columns["y_high"] == pytest.approx([0.7, 2.2, 1.4, 3.2], abs=1e-3)


def test_marks_of_a_symbol_font_are_points(page_of: Open) -> None:
    """As R draws: a ZapfDingbats circle for every point."""
    dots = b"BT /F 8 Tf\n" + b"".join(b"1 0 0 1 %d %d Tm (l) Tj\n" % (x, 600 - x) for x in range(150, 451, 50)) + b"ET"
    content = pdf(FRAME + AXES + dots)
    symbols = content.replace(
        b"/Font<</F 5 0 R>>", b"/Font<</F 5 0 R/D<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>>>"
    )
    page = page_of(symbols.replace(b"BT /F 8 Tf\n1 0", b"BT /D 8 Tf\n1 0"))
    series = read_one(page)
    assert series.kind is SeriesKind.MARKERS
    assert len(series) == 7
    step = np.diff(series.columns["x"])
    assert step == pytest.approx(np.full(6, 0.5), abs=1e-3)


def test_the_points_and_error_bars_of_r_are_one_series(page_of: Open) -> None:
    """Open circles are glyphs of which the stroke alone shows, caps are strokes over a node, a legend holds a glyph."""
    places = [(x, 600 - x) for x in range(150, 451, 50)]
    dots = b"1 0 0 RG BT 1 Tr /F 8 Tf\n"
    dots += b"".join(b"1 0 0 1 %d %d Tm (l) Tj\n" % place for place in [*places, (420, 470)]) + b"0 Tr ET\n"
    bars = b"".join(
        b"%d %d m %d %d l S\n" % (x + 3, y - 20, x + 3, y + 26)
        + b"".join(b"%d %d m %d %d l %d %d l S\n" % (x, e, x + 3, e, x + 6, e) for e in (y - 20, y + 26))
        for x, y in places
    )
    name = b"BT /F 8 Tf 440 470 Td (control) Tj ET 415 462 80 20 re S\n"
    content = pdf(FRAME + AXES + dots + bars + b"0 G " + name)
    content = content.replace(
        b"/Font<</F 5 0 R>>", b"/Font<</F 5 0 R/D<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>>>"
    )
    series = read_one(page_of(content.replace(b"BT 1 Tr /F 8 Tf", b"BT 1 Tr /D 8 Tf")))
    assert (series.name, series.marker, series.color, len(series)) == ("control", "open circle", "#ff0000", 7)
    assert series.columns["y_high"] - series.columns["y_low"] == pytest.approx(np.full(7, 0.46), abs=1e-3)


def test_minus_signs_drawn_as_shapes_belong_to_their_numbers(page_of: Open) -> None:
    """As older matplotlib draws what a Type 3 font lacks (JOSE 286, Figure 2): "3 2 1 0 1" are -3 -2 -1 0 1."""
    labels = b"".join(
        b"%d 100 m %d 95 l S BT /F 8 Tf %d 82 Td (%d) Tj ET 100 %d m 95 %d l S BT /F 8 Tf 85 %d Td (%d) Tj ET\n"
        % (at, at, at - 2, abs(k - 3), at, at, at - 3, k)
        for k, at in enumerate(range(100, 501, 100))
    )
    signs = b"".join(b"%.1f 84.6 4.6 0.6 re f\n" % (at - 7.2) for at in (100, 200, 300))
    page = page_of(pdf(FRAME + labels + signs + b"0 0 1 RG 120 120 m 300 200 l 450 300 l S"))
    (panel,) = read_plots(page, PAGE).panels
    assert (panel.axes[0].start, panel.axes[0].end) == pytest.approx((-3, 1))
    texts = [label.text for label in read_print(page, Frame.of(page), PAGE).labels]
    assert not any("−" in text for text in texts)


def test_the_sign_of_an_exponent_may_be_a_shape(page_of: Open) -> None:
    content = b"100 100 400 400 re S\n" + b"".join(
        b"100 %d m 95 %d l S BT /F 8 Tf 1 0 0 1 70 %d Tm (10) Tj /F 5.6 Tf 1 0 0 1 84 %d Tm (%d) Tj ET "
        b"80 %.1f 3.4 0.5 re f\n" % (at, at, at - 3, at, 5 - k, at + 1.8)
        for k, at in enumerate(range(100, 501, 100))
    )
    bottom = b"".join(
        b"%d 100 m %d 95 l S BT /F 8 Tf %d 82 Td (%d) Tj ET\n" % (at, at, at - 2, at) for at in range(100, 501, 100)
    )
    (panel,) = read_plots(page_of(pdf(content + bottom + b"120 150 m 300 350 l 480 400 l S")), PAGE).panels
    axis = panel.axes[1]
    assert axis.scale == "log"
    assert (axis.start, axis.end) == pytest.approx((1e-5, 1e-1))


def test_numbers_that_only_name_ticks_are_categories(read_figure: Read) -> None:
    figure = Figure()
    axes = figure.subplots()
    axes.plot(["0", "1", "2", "5", "7"], [3.0, 4, 1, 6, 2], "o-")
    (panel,) = read_figure(figure).panels
    (series,) = panel.series
    assert series.categories == ["0", "1", "2", "5", "7"]
    assert "x" not in series.columns
    assert series.columns["y"] == pytest.approx([3, 4, 1, 6, 2], abs=0.01)


def test_a_broken_axis_is_refused(read_figure: Read) -> None:
    figure = Figure()
    axes = figure.subplots()
    axes.plot([0, 1, 2, 3, 4], [0, 1, 2, 3, 4])
    axes.set_yticks([0, 1, 2, 3, 4], ["0", "1", "2", "30", "40"])
    axes.set_ylim(-0.7, 4.9)
    plot = read_figure(figure)
    assert plot.refused in {Refusal.INCONSISTENT_LABELS, Refusal.NO_SERIES}


def test_contour_maps_are_refused(read_figure: Read) -> None:
    figure = Figure()
    x = np.linspace(-3, 3, 40)
    figure.subplots().contourf(x, x, np.hypot(*np.meshgrid(x, x)), levels=9)
    assert read_figure(figure).refused is Refusal.HEAT_MAP


def test_stacked_and_lying_bars(read_figure: Read) -> None:
    figure = Figure(figsize=(8, 3))
    left, right = figure.subplots(1, 2)
    left.bar([1, 2, 3], [2, 4, 3], color="r")
    left.bar([1, 2, 3], [1, 1, 2], bottom=[2, 4, 3], color="b")
    right.barh([10, 20, 30], [5, 7, 6], height=6)
    first, second = read_figure(figure).panels
    below, above = sorted(first.series, key=lambda series: float(series.columns["y"][0]))
    assert below.columns["y"] == pytest.approx([2, 4, 3], abs=0.01)
    assert above.columns["y"] == pytest.approx([3, 5, 5], abs=0.01)
    assert above.columns["y_base"] == pytest.approx([2, 4, 3], abs=0.01)
    (lying,) = second.series
    assert lying.columns["x"] == pytest.approx([5, 7, 6], abs=0.01)
    assert lying.columns["y"] == pytest.approx([10, 20, 30], abs=0.05)


def test_a_multiplier_is_in_the_values_and_said(read_figure: Read) -> None:
    figure = Figure()
    axes = figure.subplots()
    axes.plot([0, 1], [0, 4e7], "o")
    (panel,) = read_figure(figure).panels
    assert panel.axes[1].multiplier == "1e7"
    assert panel.series[0].columns["y"] == pytest.approx([0, 4e7], abs=1e4)


def test_a_legend_names_the_series_of_its_own_panel(read_figure: Read) -> None:
    """A lone series in the first colour of a program is not that of a neighbour's legend."""
    figure: Any = Figure(figsize=(8, 8))
    axes: Any = figure.subplots(2, 2, gridspec_kw={"hspace": 0.6}).ravel()
    for k, names in enumerate((["one", "two"], ["three", "four"], [""], [""])):
        for i, name in enumerate(names):
            axes[k].plot(XS, XS + 3 * i, "sd"[i], color=("C0", "C1")[i], label=name or None)
    axes[0].legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2)
    axes[1].legend(frameon=False)
    given = [sorted(series.name for series in panel.series) for panel in read_figure(figure).panels]
    assert given == [["one", "two"], ["four", "three"], [""], [""]]


def test_a_category_without_a_label_has_no_name(read_figure: Read) -> None:
    figure: Any = Figure()
    ax: Any = figure.subplots()
    ax.barh(range(5), [3, 1, 4, 2, 5], height=0.6)
    ax.set_yticks(range(5), ["soil", "water", "air", "leaf", ""], rotation=90, va="center")
    (panel,) = read_figure(figure).panels
    assert sorted(panel.series[0].categories) == ["", "air", "leaf", "soil", "water"]


def test_bars_without_a_frame_stand_on_a_line_with_names(page_of: Open) -> None:
    """As R draws them: the lines of its axes end at the last tick and do not meet."""
    values = b"".join(
        b"100 %d m 95 %d l S BT /F 8 Tf 80 %d Td (%d) Tj ET\n" % (at, at, at - 3, k)
        for k, at in enumerate(range(100, 501, 100))
    )
    names = b"".join(
        b"%d 90 m %d 85 l S BT /F 8 Tf %d 76 Td (%s) Tj ET\n" % (at, at, at - 8, name)
        for at, name in ((150, b"soil"), (250, b"water"), (350, b"air"))
    )
    bars = b"0 0 1 rg " + b"".join(
        b"%d 100 60 %d re B\n" % (at - 30, high) for at, high in ((150, 90), (250, 300), (350, 200))
    )
    series = read_one(page_of(pdf(b"100 100 m 100 500 l S 150 90 m 350 90 l S\n" + values + names + bars)))
    assert series.categories == ["soil", "water", "air"]
    assert series.columns["y"] == pytest.approx([0.9, 3, 2], abs=0.01)


def test_ranges_without_points_are_given_as_such(only_series: Only) -> None:
    figure = Figure()
    figure.subplots().errorbar([1, 2, 3, 4], [5, 6, 5, 7], yerr=[1, 2, 1, 1.5], fmt="none", capsize=4)
    series = only_series(figure)
    assert series.kind is SeriesKind.RANGES
    assert series.columns["y_low"] == pytest.approx([4, 4, 4, 5.5], abs=0.01)
    assert series.columns["y_high"] == pytest.approx([6, 8, 6, 8.5], abs=0.01)


def test_stems_are_no_error_bars(only_series: Only) -> None:
    figure = Figure()
    axes = figure.subplots()
    axes.vlines([1, 2, 3, 4], 0, [3, 5, 4, 6])
    axes.plot([1, 2, 3, 4], [3, 5, 4, 6], "o")
    series = only_series(figure)
    assert "y_low" not in series.columns
    assert any("stems" in note for note in series.notes)


def test_a_legend_beside_the_axes_names_series(read_figure: Read) -> None:
    figure = Figure(figsize=(6, 3))
    axes = figure.subplots()
    for k in range(3):
        axes.plot([0, 1, 2], [k, k + 1, k - 1], label=f"{k * 100} K")
    figure.legend(loc="outside right upper")
    (panel,) = read_figure(figure).panels
    assert [series.name for series in panel.series] == ["0 K", "100 K", "200 K"]


def test_a_turned_page_reads_the_same(page_of: Open) -> None:
    content = pdf(FRAME + AXES + b"0 0 1 RG 120 150 m 300 350 l 480 400 l S")
    level = read_one(page_of(content))
    turned = read_one(page_of(content.replace(b"/MediaBox[0 0 600 600]", b"/MediaBox[0 0 600 600]/Rotate 180")))
    assert level.columns["x"] == pytest.approx([0.2, 2, 3.8], abs=1e-3)
    assert sorted(turned.columns["x"]) == pytest.approx([0.2, 2, 3.8], abs=1e-3)


def test_an_empty_box_says_what_it_saw(page_of: Open, read_figure: Read) -> None:
    plot = read_plots(page_of(pdf(b"")), PAGE)
    assert (plot.refused, plot.seen) == (Refusal.NO_AXES, "nothing is drawn")
    figure = Figure()
    figure.subplots()
    assert read_figure(figure).refused is Refusal.NO_SERIES


def save(figure: Any) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format="pdf")
    return out.getvalue()


def test_markers_on_the_patch_of_another_panel_stay_out(page_of: Open) -> None:
    """Data beyond the limits is drawn and clipped: it must not turn up in the neighbouring panel."""
    figure = Figure(figsize=(7, 3))
    left, right = figure.subplots(1, 2)
    left.plot([0, 1, 2, 3], [0, 1, 2, 3], "o-")
    left.set_xlim(0, 1.5)
    right.plot([0, 1], [0, 1], "s")
    right.add_patch(Rectangle((0.2, 0.2), 0.1, 0.1))
    page = page_of(save(figure))
    first, second = read_plots(page, Rect(0, 0, *page.get_size())).panels
    assert [series.marker for series in first.series] == ["circle"]
    assert "circle" not in {series.marker for series in second.series}


def one_axes(draw: Callable[[Any], None]) -> Figure:
    """A small plot of one axes that ``draw`` fills."""
    fig = Figure(figsize=(4, 3), layout="constrained")
    draw(fig.subplots())
    return fig


XS = np.arange(1.0, 10.0)


def _twin_markers(ax: Any) -> None:
    for k, mark in enumerate("os^"):
        ax.errorbar(XS, XS * (k + 1), yerr=0.5, fmt=mark, label=f"set {k}")
    ax.legend(numpoints=2)


def _fit_through_data(ax: Any) -> None:
    ax.plot(XS, XS**2, "o", color="C0", label="data")
    ax.plot(XS, XS**2, "-", color="C0", label="fit")
    ax.legend()


def _arrow(ax: Any) -> None:
    ax.plot(XS, XS**2, label="data")
    ax.annotate("peak", (5, 25), (2, 60), arrowprops={"arrowstyle": "->"})
    ax.annotate("dip", (7, 49), (8, 20), arrowprops={"arrowstyle": "-|>"})
    ax.legend()


def _impulses(ax: Any) -> None:
    ax.vlines(XS, 0, XS**1.5)
    ax.set_ylim(0, 30)


def _stacked(ax: Any) -> None:
    low = np.array([3.0, 2.0, 4.0])
    for k in range(4):
        ax.bar(["A", "B", "C"], low, bottom=k * low, label=f"part {k}", edgecolor="k")
    ax.set_ylim(0, 25)
    ax.legend()


def _steps_over_legend(ax: Any) -> None:
    ax.step([0, 2, 4, 6, 9, 10], [0, 1, 2, 3, 6, 7], color="k", label="rising")
    ax.set_ylim(0, 20)
    ax.set_xlim(0, 20)
    ax.legend(loc=(0.05, 0.15), frameon=False)


def _hatched(ax: Any) -> None:
    for k, color in enumerate("rb"):
        for at, high in enumerate((3, 5, 4)):
            ax.add_patch(Rectangle((at + k * 0.4, 0), 0.3, high + k, facecolor=color))
            ax.add_patch(Rectangle((at + k * 0.4, 0), 0.3, high + k, facecolor="black"))
    ax.set_xlim(-0.5, 3)
    ax.set_ylim(0, 10)


def _alike_in_groups(ax: Any) -> None:
    for k in range(2):
        ax.bar(np.arange(4) + 0.3 * k, [3, 5, 4, 2 + k], 0.3, color="0.7", edgecolor="k")


def _marker_by_the_sample(ax: Any) -> None:
    ax.plot([2, 1.05], [1, 8.9], "k^", label="first")
    ax.plot([3, 5], [1, 2], "ks", label="second")
    ax.set_xlim(0, 10)
    ax.set_ylim(0, 10)
    ax.legend(loc="upper left", frameon=False)


def _one_letter(ax: Any) -> None:
    ax.plot(XS, XS, "o", label="A")
    ax.plot(XS, 2 * XS, "s", label="B")
    ax.legend()


def test_what_explains_a_plot_is_no_series(read_figure: Read) -> None:
    cases = [
        (_twin_markers, [("set 0", 9), ("set 1", 9), ("set 2", 9)]),
        (_fit_through_data, [("data", 9), ("fit", 9)]),
        (_arrow, [("data", 9)]),
        (_impulses, [("", 9)]),
        (_stacked, [("part 0", 3), ("part 1", 3), ("part 2", 3), ("part 3", 3)]),
        (_steps_over_legend, [("rising", 11)]),
        (_hatched, [("", 3), ("", 3)]),
        (_alike_in_groups, [("", 4), ("", 4)]),
        (_marker_by_the_sample, [("first", 2), ("second", 2)]),
        (_one_letter, [("A", 9), ("B", 9)]),
    ]
    wrong: list[tuple[str, object]] = []
    for draw, expected in cases:
        plot = read_figure(one_axes(draw))
        given = [(series.name, len(series)) for panel in plot.panels for series in panel.series]
        if sorted(given) != sorted(expected):
            wrong.append((draw.__name__, given))
    assert not wrong


def _on_root(ax: Any) -> None:
    ax.plot(XS, XS**2)
    ax.set_yscale("function", functions=(np.sqrt, np.square))
    ax.set_yticks([0, 10, 25, 50, 100])


def _near_minor_ticks(ax: Any) -> None:
    ax.plot(XS, 10 ** (XS / 3))
    ax.set_yscale("log")
    ax.tick_params(axis="y", which="major", length=0)


def _comma(ax: Any) -> None:
    ax.plot(XS, XS**2 / 1000)
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:.3f}".replace(".", ","))


def test_a_scale_is_what_all_its_labels_say(read_figure: Read) -> None:
    cases = [
        (_on_root, "square root", XS**2),
        (_near_minor_ticks, "log", 10 ** (XS / 3)),
        (_comma, "linear", XS**2 / 1000),
    ]
    wrong: list[tuple[str, object]] = []
    for draw, scale, expected in cases:
        plot = read_figure(one_axes(draw))
        (panel,) = plot.panels
        ((series,), y) = panel.series, panel.axes[1]
        if y.scale != scale or not np.allclose(series.columns["y"], expected, rtol=0.01):
            wrong.append((draw.__name__, (y.scale, series.columns["y"])))
    assert not wrong


def test_a_figure_on_its_side_is_read_as_its_words_stand(page_of: Open) -> None:
    out = io.BytesIO()
    figure: Any = one_axes(_arrow)
    figure.savefig(out, format="pdf")
    page: Any = page_of(out.getvalue())
    page.set_rotation(270)
    width, height = page.get_size()
    (panel,) = read_plots(page, Rect(0, 0, width, height)).panels
    (series,) = panel.series
    assert series.name == "data"
    assert np.allclose(series.columns["x"], XS, atol=0.01)
    assert np.allclose(series.columns["y"], XS**2, atol=0.05)
    assert 0 <= panel.box.x0 < panel.box.x1 <= width
    assert 0 <= panel.box.y0 < panel.box.y1 <= height
