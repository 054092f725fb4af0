import pytest

from pincite_figures.plots.numbers import decimal_comma, read_all, read_number, read_offset


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0), ("12.5", 12.5), (".5", 0.5), ("5.", 5), ("−3", -3), ("–0.2", -0.2), ("- 4", -4), ("+7", 7),
        ("1e-05", 1e-5), ("1.5E+03", 1500), ("10^−3", 1e-3), ("10^{−12}", 1e-12), ("10^0", 1), ("2×10^4", 2e4),
        ("5 · 10^-2", 0.05), ("−10^2", -100), ("2^10", 1024), ("12,000", 12000), ("1 234 567", 1234567),
        ("1/2", 0.5), ("50%", 50), ("90°", 90), ("10k", 1e4), ("3M", 3e6),
    ],
)  # fmt: skip
def test_a_label_is_read_as_a_number(text: str, value: float) -> None:
    reading = read_number(text)
    assert reading is not None
    assert reading.point == pytest.approx(value)


@pytest.mark.parametrize(
    "text", ["", "T (K)", "2019a", "a", "−", "10^", "1.2.3", "10^999", "1e999", "(a)", "5 10", "x10"]
)
def test_other_text_is_none(text: str) -> None:
    assert read_number(text) is None


def test_a_comma_may_part_decimals() -> None:
    assert read_all(["0", "0,25", "0,5"]) == ([[0.0, 0.25, 0.5]], False)
    assert read_all(["0,000", "0,020", "0,040"])[0] == [[0.0, 0.02, 0.04]]
    assert read_all(["1", "two"]) == ([], False)
    assert read_all(["10^1", "10^2"])[1]


def test_the_figure_decides_what_an_axis_leaves_open() -> None:
    cases = [
        (["1,000", "1,500", "2,000"], None, [[1000, 1500, 2000]]),
        (["1,000", "1,500", "2,000"], True, [[1.0, 1.5, 2.0]]),
        (["0", "1,000", "2,000"], True, [[0, 1000, 2000]]),
        (["1,005", "1,010", "1,015"], None, []),
        (["1,005", "1,010", "1,015"], False, [[1005, 1010, 1015]]),
        (["1.000", "1.500"], None, [[1.0, 1.5]]),
        (["1.000", "1.500"], True, [[1000, 1500]]),
    ]
    wrong = [(texts, comma) for texts, comma, ways in cases if read_all(texts, comma=comma)[0] != ways]
    assert not wrong
    assert decimal_comma(["10", "0,5", "1,000"]) is True
    assert decimal_comma(["0.5", "1,000"]) is False
    assert decimal_comma(["1,000", "2"]) is None


@pytest.mark.parametrize(
    ("text", "factor", "shift"),
    [
        ("1e6", 1e6, 0), ("1e−5", 1e-5, 0), ("×10^−3", 1e-3, 0), ("× 10^{−7}", 1e-7, 0), ("·10^4", 1e4, 0),
        ("10^5", 1e5, 0), ("+1.23456e4", 1, 12345.6), ("1e−5+2.5e3", 1e-5, 2500), ("(10^3)", None, None),
        ("−3", None, None), ("T", None, None), ("12", None, None), ("0.5", None, None), ("2e6", None, None),
    ],
)  # fmt: skip
def test_what_an_axis_prints_once_is_read(text: str, factor: float | None, shift: float | None) -> None:
    offset = read_offset(text)
    if factor is None:
        assert offset is None
    else:
        assert offset is not None
        assert (offset.factor, offset.shift) == pytest.approx((factor, shift))
