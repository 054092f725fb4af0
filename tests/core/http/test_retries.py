import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, formatdate
from typing import Any

import pytest

from pincite_core.errors import SourceError
from pincite_core.http.retries import asked_pause, pause_before_next


@pytest.mark.parametrize(("value", "seconds"), [("120", 120.0), (" 0 ", 0.0), ("1.5", 1.5), ("999999999", 999999999.0)])
def test_a_pause_in_seconds(value: str, seconds: float) -> None:
    assert asked_pause({"retry-after": value}) == seconds


def test_a_pause_until_a_date_counts_from_the_answers_own_clock() -> None:
    then = datetime(2031, 1, 1, 12, 0, 0, tzinfo=UTC)
    headers = {
        "date": format_datetime(then, usegmt=True),
        "retry-after": format_datetime(then + timedelta(seconds=90), usegmt=True),
    }
    assert asked_pause(headers) == 90.0
    assert asked_pause({"retry-after": "Fri, 01 Jan 1999 00:00:00 GMT"}) == 0.0
    ours = asked_pause({"retry-after": formatdate(time.time() + 100, usegmt=True)})
    assert ours is not None
    assert 90 < ours <= 100


@pytest.mark.parametrize("value", ["", "soon", "-5", "nan", "inf", "1e9", "9" * 12, "Fri, 99 Jan 2031", "٣", "\0"])
def test_what_is_no_pause_is_none(value: str) -> None:
    assert asked_pause({"retry-after": value}) is None


def test_pauses_grow_and_end() -> None:
    error = SourceError("x", cause="server_error")
    first, second = ([pause_before_next(tried, error) or 0.0 for _ in range(50)] for tried in (1, 2))
    assert 0.125 <= min(first) < max(first) <= 0.375
    assert 0.25 <= min(second) < max(second) <= 0.75
    assert pause_before_next(3, error) is None


@pytest.mark.parametrize("cause", ["slow", "malformed", "refused", "down", "not_recorded"])
def test_what_another_try_would_not_mend_is_not_tried_again(cause: Any) -> None:
    assert pause_before_next(1, SourceError("x", cause=cause)) is None
