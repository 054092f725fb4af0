"""Which tool a name means, and which results are the same."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

LIVE = {"documents": ["open_paper", "read_pages"], "my-library": ["search", "read_pages"], "lit": ["search"]}


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("mcp__documents__open_paper", ("documents", "open_paper")),
        ("mcp_documents_open_paper", ("documents", "open_paper")),
        ("documents.open_paper", ("documents", "open_paper")),
        ("documents__open_paper", ("documents", "open_paper")),
        ("mcp__documents.open_paper", ("documents", "open_paper")),
        ("MCP__Documents__open-paper", ("documents", "open_paper")),
        ("open_paper", ("documents", "open_paper")),
        ("mcp__my_library__search", ("my-library", "search")),
        ("mcp_my-library_read_pages", ("my-library", "read_pages")),
        ("mcp_documents___open_paper", ("documents", "open_paper")),
        ("read_pages", None),
        ("Bash", None),
        ("mcp__documents", None),
        ("", None),
    ],
)
def test_a_name_means_one_tool_however_it_is_spelt(
    program: Callable[[str], ModuleType], name: str, place: tuple[str, str] | None
) -> None:
    assert program("replaying.naming").Tools(LIVE).find(name) == place


def test_a_shortened_name_and_what_the_recording_itself_says(program: Callable[[str], ModuleType]) -> None:
    tools = program("replaying.naming").Tools({"a_server_with_quite_a_name": ["find_all_of_the_references", "x"]})
    assert tools.find("mcp_a_server_with_quite_a_na___all_of_the_references") is not None
    assert tools.find("Shell", "a_server_with_quite_a_name", "x") == ("a_server_with_quite_a_name", "x")
    assert tools.find("Shell", "a_server_with_quite_a_name", "y") is None


@pytest.fixture(scope="module")
def differ(program: Callable[[str], ModuleType]) -> Callable[..., list[tuple[str, str]]]:
    """Part and place of each difference between two outcomes, under rules of what is volatile."""
    outcome, volatile = program("replaying.outcome").Outcome, program("replaying.volatile").Volatile

    def run(recorded: Any, live: Any, *rules: Any) -> list[tuple[str, str]]:
        mask = volatile(rules).of("s", "t")
        found = program("replaying.comparing").compare(outcome(**recorded), outcome(**live), mask)
        return [(difference.part, difference.place) for difference in found]

    return run


STRUCTURED = {"a": [1, {"b": "x"}], "c": None}
AS_TEXT = '{"a":[1,{"b":"x"}],"c":null}'


@pytest.mark.parametrize(
    ("recorded", "live"),
    [
        ({"text": "a\nb"}, {"text": "a\nb"}),
        ({"text": "a  b\n"}, {"text": "a b"}),
        ({"text": AS_TEXT}, {"text": "other words", "structured": STRUCTURED}),
        ({"text": '{"c": null, "a": [1, {"b": "x"}]}'}, {"text": AS_TEXT}),
        ({"text": "Wall time: 0.1 seconds\nOutput:\na long enough text"}, {"text": "a long enough text"}),
        ({"text": '{"content":[{"type":"text","text":"a \\"b\\"\\nc"}]}'}, {"text": 'a "b"\nc'}),
        ({"text": "", "structured": STRUCTURED}, {"text": "", "structured": STRUCTURED}),
        ({"text": "shown", "structured": STRUCTURED}, {"text": AS_TEXT, "structured": STRUCTURED}),
        ({"text": "no", "failed": None}, {"text": "no", "failed": True}),
        ({"text": f"reported {'x' * 900} [no file]", "failed": True}, {"text": "no file", "failed": True}),
        ({"text": "", "images": ("h",)}, {"text": "", "images": ("h",)}),
    ],
    ids=[
        "same",
        "spaces",
        "structure",
        "order",
        "decorated",
        "wrapped",
        "both",
        "shown",
        "unknown error",
        "told error",
        "image",
    ],
)
def test_what_says_the_same_is_the_same(differ: Any, recorded: Any, live: Any) -> None:
    assert differ(recorded, live) == []


@pytest.mark.parametrize(
    ("recorded", "live", "place"),
    [
        ({"text": "a\nb"}, {"text": "a\nc"}, ("text", "line 2")),
        ({"text": "a\nb" + "x" * 300}, {"text": "a"}, ("text", "line 2")),
        ({"text": "a"}, {"text": "a\nb"}, ("text", "line 2")),
        ({"text": "a"}, {"text": ""}, ("text", "line 1")),
        ({"text": "", "structured": STRUCTURED}, {"text": "", "structured": None}, ("structured", "$")),
        ({"text": "", "structured": {"a": 1}}, {"text": "", "structured": {"a": True}}, ("structured", "$.a")),
        ({"text": "", "structured": {"a": 1}}, {"text": "", "structured": {"a": 1, "b": 2}}, ("structured", "$.b")),
        ({"text": "", "structured": {"a": [1]}}, {"text": "", "structured": {"a": [1, 2]}}, ("structured", "$.a[1]")),
        ({"text": "a", "failed": True}, {"text": "a"}, ("error", "")),
        ({"text": "a"}, {"text": "a", "failed": True}, ("error", "")),
        ({"text": "", "images": ("h",)}, {"text": ""}, ("images", "1")),
        ({"text": "", "images": ("h",)}, {"text": "", "images": ("h", "i")}, ("images", "2")),
    ],
)
def test_what_differs_is_told_with_its_place(differ: Any, recorded: Any, live: Any, place: tuple[str, str]) -> None:
    assert differ(recorded, live) == [place]


def test_what_is_volatile_does_not_count_and_all_else_does(differ: Any) -> None:
    recorded = {"text": "took 3 ms", "structured": {"seconds": 1, "n": [{"seconds": 2, "note": "took 3 ms"}]}}
    live = {"text": "took 14 ms", "structured": {"seconds": 9, "n": [{"seconds": 8, "note": "took 14 ms"}]}}
    rules = [{"tool": "s.*", "keys": ["seconds"]}, {"text": ["\\d+ ms"]}]
    assert len(differ(recorded, live)) == 4
    assert differ(recorded, live, *rules) == []
    assert differ(recorded, live, {**rules[0], "tool": "other.*"}, rules[1]) == [
        *(("structured", "$.seconds"), ("structured", "$.n[0].seconds")),
    ]
    assert differ({"text": "", "images": ("h",)}, {"text": ""}, {"images": True}) == []


def test_many_differences_are_bounded(differ: Any, program: Callable[[str], ModuleType]) -> None:
    recorded = {"text": "", "structured": list(range(1000))}
    live = {"text": "", "structured": list(range(1, 1001))}
    assert len(differ(recorded, live)) == 20
    outcome, mask = program("replaying.outcome").Outcome, program("replaying.volatile").Mask()
    [found] = program("replaying.comparing").compare(outcome("x" * 5000), outcome("y" * 5000), mask)
    assert len(found.recorded) < 500
