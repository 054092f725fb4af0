"""Dates as sources give them, precise to the day or not."""

from datetime import date
from typing import Any

import pytest

from pincite_literature.dates import PartialDate


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        ((2021, 3, 5), "2021-03-05"),
        (("2021", "03"), "2021-03"),
        ((2021, 13, 5), "2021"),
        ((2021, 2, 30), "2021-02"),
        ((2021, None, 5), "2021"),
        ((2021, True), "2021"),
        ((None, 3), "None"),
        (("9" * 5000,), "None"),
        ((21,), "None"),
        (("٢٠٢١",), "None"),
    ],
)
def test_parts_that_are_no_date_are_left_out(parts: tuple[Any, ...], shown: str) -> None:
    assert str(PartialDate.of(*parts)) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2021-03-05T10:00:00Z", "2021-03-05"),
        (" 2021-03 ", "2021-03"),
        ("2021", "2021"),
        ("2021-1-5", "2021-01-05"),
        ("March 2021", "None"),
        ("", "None"),
    ],
)
def test_dates_of_text(text: str, shown: str) -> None:
    assert str(PartialDate.parse(text)) == shown


@pytest.mark.parametrize(
    ("found", "before"),
    [
        (PartialDate(2020), True),
        (PartialDate(2021), False),
        (PartialDate(2020, 12), True),
        (PartialDate(2021, 1), False),
        (PartialDate(2020, 12, 31), True),
        (PartialDate(2021, 1, 1), False),
    ],
)
def test_surely_before_a_day(found: PartialDate, before: bool) -> None:
    assert found.surely_before(date(2021, 1, 1)) is before
