"""What of a terminal is shown to the model."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="module")
def screen(program: Callable[[str], ModuleType]) -> Any:
    return program("terminal.screen")


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        ([], ["$"], ["$"]),
        (["$"], ["$"], []),
        (["$"], ["$ ls", "a", "$"], ["$ ls", "a", "$"]),
        (["a", "$"], ["a", "$ ls", "b", "$"], ["$ ls", "b", "$"]),
        (["x", "a", "b", "c", "$"], ["b", "c", "$ l", "d"], None),
        (["x", "p", "a", "b", "c", "$"], ["p", "a", "b", "c", "$ l", "d"], ["$ l", "d"]),
        (["a", "$"], ["$ clear", "$"], None),
        (["one", "two", "$ clear"], ["$"], None),
        (["$ s", "r", "r", "r", "r", "$"], ["$ s", "r", "r", "r", "r", "$ s", "r", "r"], ["$ s", "r", "r"]),
    ],
    ids=["first", "nothing", "a prompt", "grown", "too little left", "scrolled", "cleared", "emptied", "repeated"],
)
def test_new_lines(screen: Any, before: list[str], after: list[str], new: list[str] | None) -> None:
    assert screen.new_lines(before, after) == new


def test_a_capture_loses_what_pads_it(screen: Any) -> None:
    assert screen.lines_of("$ ls   \n\na  \n\n\n") == ["$ ls", "", "a"]


def test_long_text_keeps_its_ends(screen: Any) -> None:
    text = "head" + "é" * 20_000 + "tail"
    shown = screen.bounded(text)
    assert shown.startswith("head")
    assert shown.endswith("tail")
    assert "bytes are left out here" in shown
    assert len(shown.encode()) < 10_100
    assert "�" not in shown
    assert screen.bounded("short") == "short"
