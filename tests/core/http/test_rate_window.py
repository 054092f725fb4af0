import pytest

from pincite_core.http.policy import Rate
from pincite_core.http.rate_window import GUARD_SECONDS, Flight, RateWindow, lateness, read_window

RATE = Rate(2, 10.0, at_once=4)
NOW = 1000.0


def test_a_turn_comes_a_window_after_the_request_before_those_allowed() -> None:
    window = RateWindow(past=[992.0, 995.0, 997.0])
    assert window.due(0, RATE, NOW) == 995.0 + 10.0 + GUARD_SECONDS
    assert window.due(1, RATE, NOW) == 997.0 + 10.0 + GUARD_SECONDS
    assert window.due(2, RATE, NOW) == 995.0 + 20.0 + 2 * GUARD_SECONDS
    assert RateWindow(past=[997.0]).due(0, RATE, NOW) == NOW


def test_requests_under_way_count_as_late_as_they_may_arrive() -> None:
    sent = RateWindow(flights={"a": Flight(1010.0, 998.0), "b": Flight(1010.0, 999.0)})
    assert sent.due(0, RATE, NOW) == 998.0 + lateness(RATE) + 10.0 + GUARD_SECONDS
    unsent = RateWindow(flights={"a": Flight(1010.0), "b": Flight(1010.0, 999.0)})
    assert unsent.due(0, RATE, NOW) == 999.5 + 10.0 + GUARD_SECONDS


def test_a_rest_holds_for_everyone() -> None:
    assert RateWindow(rest_until=1060.0).due(0, RATE, NOW) == 1060.0


def test_callers_that_are_gone_are_forgotten_and_what_they_sent_counts() -> None:
    window = RateWindow(
        past=[980.0, 991.0],
        flights={"killed": Flight(999.0, 995.0), "unsent": Flight(999.0), "alive": Flight(1001.0, 996.0)},
        queue={"gone": (1, 999.0), "waiting": (2, 1001.0)},
    )
    window.tidy(RATE, NOW)
    assert window.past == [991.0, 995.0 + lateness(RATE), NOW]
    assert set(window.flights) == {"alive"}
    assert set(window.queue) == {"waiting"}


def test_a_longer_window_of_another_process_is_remembered() -> None:
    window = RateWindow(past=[950.0])
    window.tidy(Rate(1, 100.0), NOW)
    window.tidy(Rate(1, 1.0), NOW)
    assert window.past == [950.0]


def test_places_are_in_the_order_of_numbers() -> None:
    window = RateWindow()
    first, second, third = (window.next_number() for _ in range(3))
    window.queue = {"c": (third, 2000.0), "a": (first, 2000.0)}
    assert [window.position(number) for number in (first, second, third)] == [0, 1, 1]


def test_a_window_is_read_as_it_was_written() -> None:
    window = RateWindow([1.0, 2.0], {"a": Flight(5.0, 3.0, "7-1@pid:[1]")}, {"b": (7, 9.0)}, 7, 4.0, 60.0)
    written = window.to_bytes()
    assert read_window(written, RATE, 10.0) == window
    assert read_window(written + b"the end of a longer one]\n", RATE, 10.0) == window
    assert read_window(b"", RATE, 10.0) == RateWindow()


@pytest.mark.parametrize(
    "stored",
    [
        b"\n", b"{", b"null", b"{}", b"[]", b"[1,2,3,4,5,6]", b"[[],[],{},0,0,0]", b'[["x"],{},{},0,0,0]', b"\0" * 4096,
        b'[[],{"a":[1]},{},0,0,0]', b'[[],{},{"a":[1,2,3]},0,0,0]', b"[[null],{},{},0,0,0]", b"[" * 5000,
        b"[[5000.0],{},{},0,0,0]", b"[[-1.0],{},{},0,0,0]", b"[[],{},{},0,9e99,0]", b'[[],{"a":[9e99,0,""]},{},0,0,0]',
        b'[[],{},{"a":[1,9e99]},0,0,0]', b'[[],{"a":[1001,5000,""]},{},0,0,0]', b"[[1e999],{},{},0,0,0]", b"\xff\xfe",
    ],
)  # fmt: skip
def test_what_cannot_be_true_counts_as_a_window_just_used_up(stored: bytes) -> None:
    window = read_window(stored, RATE, NOW)
    assert window == RateWindow(past=[NOW, NOW])
    assert window.due(0, RATE, NOW) > NOW + RATE.seconds
