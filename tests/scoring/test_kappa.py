"""Agreement of two raters: worked by hand, and as published."""

import math

import pytest

from pincite_scoring.statistics.kappa import agree, wilson


def labels_of(table: list[list[int]], names: str) -> tuple[list[str], list[str]]:
    pairs = [(a, b) for i, a in enumerate(names) for j, b in enumerate(names) for _ in range(table[i][j])]
    return [a for a, _ in pairs], [b for _, b in pairs]


def test_kappa_by_hand() -> None:
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: agreement 35/50 = 0.7, chance 0.5·0.6 + 0.5·0.4 = 0.5, kappa 0.4."""
    reference, judged = labels_of([[15, 10], [5, 20]], "ny")
    found = agree("ny", reference, judged)
    assert found.table == ((15, 10), (5, 20))
    assert (found.n, found.accuracy) == (50, pytest.approx(0.7))
    assert found.kappa == found.weighted == pytest.approx(0.4)


def test_the_error_of_kappa_by_hand() -> None:
    """The large-sample variance of Fleiss, Cohen and Everitt 1969 for the table above; rows .5 .5, columns .4 .6.

    A = .3 (1 - .9·.6)² + .4 (1 - 1.1·.6)² = .06348 + .04624; B = .6² (.2 (.4 + .5)² + .1 (.6 + .5)²) = .36 · .283;
    C = (.4 - .5·.6)² = .01; the variance is (A + B - C)/(50 · .5²).
    """
    reference, judged = labels_of([[15, 10], [5, 20]], "ny")
    found = agree("ny", reference, judged)
    variance = 0.3 * 0.46**2 + 0.4 * 0.34**2 + 0.36 * (0.2 * 0.9**2 + 0.1 * 1.1**2) - 0.1**2
    assert found.kappa_error == pytest.approx(math.sqrt(variance / 50) / 0.5)
    assert found.kappa_interval == pytest.approx(
        (0.4 - 1.959964 * found.kappa_error, 0.4 + 1.959964 * found.kappa_error)
    )


def test_three_labels_with_and_without_weights() -> None:
    """Diagonal 4, 3, 2 of 12, misses by one 2, by two 1: agreement 9/12; chance (5·5 + 4·4 + 3·3)/144 = 50/144.

    Squared distances: seen (2·1 + 1·4)/12; by chance (2·(5·4) + 2·(4·3) + 4·2·(5·3))/144 = 184/144.
    """
    table = [[4, 1, 0], [0, 3, 1], [1, 0, 2]]
    found = agree("012", *labels_of(table, "012"))
    assert found.kappa == pytest.approx((9 / 12 - 50 / 144) / (1 - 50 / 144))
    assert found.weighted == pytest.approx(1 - (6 / 12) / (184 / 144))


def test_perfect_and_opposite_and_chance() -> None:
    assert agree("ny", list("nnyy"), list("nnyy")).kappa == 1.0
    assert agree("ny", list("nnyy"), list("yynn")).kappa == -1.0
    assert agree("ny", list("nnyy"), list("nyny")).kappa == pytest.approx(0.0)
    perfect = agree("ny", list("nnyy"), list("nnyy"))
    assert perfect.kappa_interval == pytest.approx((1.0, 1.0))


def test_where_one_label_is_all_there_is_kappa_is_not_defined() -> None:
    found = agree("ny", list("yyy"), list("yyy"))
    assert (found.accuracy, found.kappa, found.kappa_interval, found.weighted) == (1.0, None, None, None)
    assert agree("ny", [], []).accuracy is None


def test_wilson_by_hand() -> None:
    """0 of 10 reaches up to z²/(10 + z²) = 3.8415/13.8415 = 0.2775; 5 of 10 is 0.5 ± z·√(.025 + z²/400)/(1 + z²/10)."""
    assert wilson(0, 10) == (pytest.approx(0.0, abs=1e-12), pytest.approx(0.27753, abs=1e-5))
    half = 1.959964 * math.sqrt(0.025 + 3.841459 / 400) / 1.3841459
    assert wilson(0.5, 10) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)
