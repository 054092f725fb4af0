import numpy as np
import pytest

from pincite_figures.plots.calibration import ScaleKind, fit_scale, fit_two


def test_a_linear_scale_is_found() -> None:
    scale = fit_scale([10, 60, 110, 160], [0, 5, 10, 15], tolerance=0.8, powers=False)
    assert scale is not None
    assert scale.kind is ScaleKind.LINEAR
    assert scale.values([10, 135]) == pytest.approx([0, 12.5])
    assert scale.positions([7.5]) == pytest.approx([85])
    assert scale.residual == pytest.approx(0, abs=1e-9)


def test_a_logarithmic_scale_is_found() -> None:
    scale = fit_scale([200, 150, 100, 50], [0.1, 1, 10, 100], tolerance=0.8, powers=False)
    assert scale is not None
    assert scale.kind is ScaleKind.LOG
    assert scale.values([75]) == pytest.approx([10**1.5])


@pytest.mark.parametrize(
    ("positions", "values"),
    [
        ([0, 40, 80, 120], [0, 1, 10, 1000]),
        ([0, 40, 80, 120], [0, 1, 2, 5]),
        ([0, 40, 80, 120, 160], [3, 2, 1, 2, 3]),
        ([0, 40, 80, 120, 160, 200], [0, 1, 2, 3, 4, 20]),
        ([0, 40], [0, 1]),
        ([0, 1, 2], [0, 1, 2]),
        ([0, 40, 80], [5, 5, 5]),
    ],
)
def test_labels_on_no_scale_are_refused(positions: list[float], values: list[float]) -> None:
    assert fit_scale(positions, values, tolerance=0.8, powers=False) is None


def test_powers_of_ten_make_a_logarithmic_scale_however_few() -> None:
    scale = fit_scale([0, 40, 80], [1e2, 1e3, 1e4], tolerance=0.8, powers=True)
    assert scale is not None
    assert scale.kind is ScaleKind.LOG


def test_two_labels_need_ticks_that_tell() -> None:
    even = np.array([0.0, 25, 50, 75, 100])
    log = 100 * np.log10(np.arange(1.0, 11))
    linear = fit_two([0, 100], [1, 10], even, powers=False)
    assert linear is not None
    assert linear.kind is ScaleKind.LINEAR
    found = fit_two([0, 100], [1, 10], log, powers=False)
    assert found is not None
    assert found.kind is ScaleKind.LOG
    assert fit_two([0, 100], [1, 10], np.array([0.0, 100]), powers=False) is None
    powers = fit_two([0, 100], [10, 100], np.array([0.0, 100]), powers=True)
    assert powers is not None
    assert powers.kind is ScaleKind.LOG


def test_zero_stands_on_linear_scales_alone() -> None:
    scale = fit_two([0, 100], [0, 2], np.array([0.0, 100]), powers=False)
    assert scale is not None
    assert scale.values([50]) == pytest.approx([1])


def test_a_multiplier_changes_the_scale() -> None:
    scale = fit_scale([0, 50, 100], [0, 1, 2], tolerance=0.8, powers=False)
    assert scale is not None
    assert scale.shifted(1e3, 7.0).values([50]) == pytest.approx([1007])
    log = fit_scale([0, 50, 100], [1, 10, 100], tolerance=0.8, powers=True)
    assert log is not None
    assert log.shifted(1e-3, 0.0).values([50]) == pytest.approx([0.01])
