"""Cursors are bound to their call, and a page is bounded in characters."""

import orjson
import pytest

from pincite_core.errors import BadInputError
from pincite_core.paging import decode_cursor, decode_token, encode_cursor, encode_token, fill_page


@pytest.mark.parametrize("position", [0, 1, 70_000, 2**32 - 1])
def test_a_cursor_comes_back_as_its_position(position: int) -> None:
    cursor = encode_cursor(position, "grep", "sha256:1", "T_c")
    assert len(cursor) == 12
    assert decode_cursor(cursor, "grep", "sha256:1", "T_c") == position


def test_no_cursor_is_the_beginning() -> None:
    assert decode_cursor("", "grep") == 0


@pytest.mark.parametrize("cursor", ["x", "AAAAAAAAAAAA", "é", "a b", "=" * 12, "A" * 4000, "\ud800"])
def test_a_made_up_cursor_is_bad_input(cursor: str) -> None:
    with pytest.raises(BadInputError, match="does not belong"):
        decode_cursor(cursor, "grep")


def test_a_cursor_of_another_call_is_bad_input() -> None:
    with pytest.raises(BadInputError):
        decode_cursor(encode_cursor(5, "grep", "a"), "grep", "b")


def test_pages_cover_every_item_once_within_the_bound() -> None:
    items = [f"{'é' * (i % 50)}{i}" for i in range(300)]
    seen: list[str] = []
    start = 0
    while start < len(items):
        shown, start = fill_page(items, start, lambda item: {"quote": item}, max_chars=500, max_items=40)
        assert len(orjson.dumps(shown).decode()) <= 502
        seen += [entry["quote"] for entry in shown]
    assert seen == items


def test_an_item_larger_than_the_bound_still_makes_progress() -> None:
    shown, after = fill_page(["x" * 900, "y"], 0, lambda item: {"quote": item}, max_chars=500, max_items=40)
    assert [len(entry["quote"]) for entry in shown] == [900]
    assert after == 1


@pytest.mark.parametrize("token", ["2", "1mkycb2xwxbouo9k32ol0x3e8fmfjl9xk2s1", "Ä/+=?&", "x" * 3000])
def test_a_token_of_a_source_comes_back_in_its_own_listing_only(token: str) -> None:
    cursor = encode_token(token, "search_trials", "asthma")
    assert decode_token(cursor, "search_trials", "asthma") == token
    with pytest.raises(BadInputError, match="does not belong"):
        decode_token(cursor, "search_trials", "copd")


@pytest.mark.parametrize("cursor", ["x", "AAAAAAAAAAAA", "é", "a b", "=" * 12, "A" * 4000, "\ud800", "____", "/w=="])
def test_a_made_up_token_cursor_is_bad_input(cursor: str) -> None:
    with pytest.raises(BadInputError, match="does not belong"):
        decode_token(cursor, "search_trials")


def test_no_token_cursor_is_the_beginning() -> None:
    assert decode_token("", "search_trials") == ""
