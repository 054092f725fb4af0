"""The promise of read_plot, kept on plots drawn with known data."""

from collections.abc import Callable

import numpy as np
import pytest
from plot_cases import CASES
from plot_score import Score
from plot_truth import Drawn

from pincite_figures.plots.model import Plot

PLOTS = [case.name for case in CASES if not case.name.startswith("refused")]
OTHERS = [case.name for case in CASES if case.name.startswith("refused")]

Get = Callable[[str], tuple[Drawn, Plot, Score]]


def test_the_set_is_large_enough() -> None:
    assert len(PLOTS) >= 40


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_read_as_it_was_drawn(drawn_case: Get, name: str) -> None:
    _, _, found = drawn_case(name)
    assert found.recalled == found.true_series
    assert found.false_series == 0
    assert np.median(found.errors) < 0.005
    assert np.percentile(found.errors, 95) < 0.02
    assert found.right_names == found.named
    assert found.right_labels == found.panels


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_plot_is_refused_with_its_reason(drawn_case: Get, name: str) -> None:
    drawn, plot, _ = drawn_case(name)
    assert plot.panels == []
    assert plot.refused is not None
    assert plot.refused.value in drawn.refused
    assert plot.seen


@pytest.mark.parametrize("name", ["mpl line", "mpl log_log", "gnuplot lines", "pgfplots loglog", "paper latex"])
def test_the_stated_error_covers_the_true_one(drawn_case: Get, name: str) -> None:
    _, plot, found = drawn_case(name)
    stated = [max(axis.error for axis in panel.axes) for panel in plot.panels]
    assert np.median(found.errors) <= 3 * max(stated)
    assert max(stated) < 0.002


def test_values_are_given_on_both_axes_where_nothing_tells(drawn_case: Get) -> None:
    _, plot, _ = drawn_case("mpl two_axes_undecided")
    for series in plot.panels[0].series:
        assert {"y", "y2"} <= set(series.columns)
        assert any("both" in note for note in series.notes)


def test_colour_tells_the_axis(drawn_case: Get) -> None:
    _, plot, _ = drawn_case("mpl two_axes_in_colour")
    assert [series.axes for series in plot.panels[0].series] == [("x", "y"), ("x", "y2")]


def test_titles_stand_with_their_units(drawn_case: Get) -> None:
    _, plot, _ = drawn_case("mpl two_axes_in_colour")
    assert [axis.title for axis in plot.panels[0].axes] == ["Time (h)", "Temperature (°C)", "Pressure (hPa)"]


def test_a_reversed_axis_starts_high(drawn_case: Get) -> None:
    drawn, plot, _ = drawn_case("mpl reversed_axis")
    (axis, _) = plot.panels[0].axes
    assert axis.start > axis.end
    assert (axis.start, axis.end) == pytest.approx(drawn.panels[0].x, rel=1e-4)


def test_dashes_and_markers_are_named(drawn_case: Get) -> None:
    _, plot, _ = drawn_case("mpl black_dashes")
    assert [series.line for series in plot.panels[0].series] == ["solid", "dashed", "dotted", "dash-dotted"]
    _, plot, _ = drawn_case("mpl markers")
    shapes = {series.name: series.marker for series in plot.panels[0].series}
    wanted = {"circles": "circle", "squares": "square", "up": "triangle up", "diamonds": "diamond"}
    assert wanted.items() <= shapes.items()
