"""The scaffold: closed schemas, results in both channels, errors that help, and how a server is served."""

import json
import logging
from typing import Annotated, Any, NotRequired

import jsonschema
import pytest
from mcp import Client
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.http_settings import HttpSettings, load_http_settings
from pincite_core.server import create
from pincite_core.serving import parse_address
from pincite_core.tool import make_tool


class Point(TypedDict):
    """A point; ``title`` is a property, not a schema's title."""

    x: int
    title: NotRequired[str]


class Shape(TypedDict):
    """Points."""

    points: list[Point]
    area: float | None


async def count_words(text: Annotated[str, Field(description="What to count")], twice: bool = False) -> str:
    """Count
    the words.
    """
    return str(len(text.split()) * (2 if twice else 1))


async def draw(size: Annotated[int, Field(ge=1, le=9)]) -> Shape:
    """Draw a shape."""
    return Shape(points=[Point(x=index, title="é") for index in range(size)], area=None)


def find(name: str) -> str:
    """Find something."""
    raise NotFoundError(f"There is no {name!r}.", seen="a, b", next="Give a or b.")


def break_down() -> str:
    """Break down."""
    raise RuntimeError("secret /root/path")


@pytest.fixture
async def client() -> Any:
    tools = [
        make_tool(count_words, title="Count words"),
        make_tool(draw, title="Draw", output=Shape),
        make_tool(find, title="Find"),
        make_tool(break_down, title="Break down"),
    ]
    server = create("test", title="Test", description="A test", instructions="Use it.", tools=tools)
    async with Client(server) as client:
        yield client


def text_of(result: Any) -> str:
    (block,) = result.content
    return block.text


async def test_the_server_says_what_it_is(client: Client) -> None:
    info = client.server_info
    assert (info.name, info.title, client.instructions) == ("test", "Test", "Use it.")
    assert info.version


async def test_schemas_are_closed_and_flat(client: Client) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    count = tools["count_words"]
    assert count.description == "Count the words."
    assert count.annotations is not None
    assert count.annotations.read_only_hint is True
    assert count.output_schema is None
    assert count.input_schema == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "text": {"type": "string", "description": "What to count"},
            "twice": {"type": "boolean"},
        },
        "required": ["text"],
    }
    shape = tools["draw"].output_schema
    assert shape is not None
    assert "$" not in json.dumps(shape)
    point = shape["properties"]["points"]["items"]
    assert point["additionalProperties"] is False
    assert point["properties"]["title"] == {"type": "string"}
    assert "title" not in point


async def test_prose_is_text_alone(client: Client) -> None:
    result = await client.call_tool("count_words", {"text": "one two", "twice": True})
    assert text_of(result) == "4"
    assert result.structured_content is None
    assert not result.is_error


async def test_data_is_the_same_in_both_channels(client: Client) -> None:
    result = await client.call_tool("draw", {"size": 2})
    assert result.structured_content == {"points": [{"x": 0, "title": "é"}, {"x": 1, "title": "é"}], "area": None}
    assert json.loads(text_of(result)) == result.structured_content
    schema = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}["draw"]
    assert schema is not None
    jsonschema.validate(result.structured_content, schema)


async def test_an_error_says_what_was_asked_seen_and_next(client: Client) -> None:
    result = await client.call_tool("find", {"name": "c"})
    assert result.is_error
    assert text_of(result) == "There is no 'c'.\nSeen: a, b\nNext: Give a or b."


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        ({}, "'size' is missing"),
        ({"size": 2, "colour": "red"}, "'colour' is not an argument"),
        ({"size": 12}, "'size' was 12"),
        ({"size": "many"}, "'size' was 'many'"),
        ({"size": None}, "'size' was None"),
    ],
)
async def test_wrong_arguments_name_the_right_ones(client: Client, arguments: dict[str, Any], seen: str) -> None:
    result = await client.call_tool("draw", arguments)
    assert result.is_error
    assert seen in text_of(result)
    assert text_of(result).endswith("Next: draw takes size (required).")


async def test_numbers_where_text_is_wanted_are_their_text(client: Client) -> None:
    """Models send a page as 3 and a box as a list; what could lose a word or a meaning is still refused."""
    given = [3, 2.5, [0.1, 0.1, 0.5, 1], True, None, [], ["a", "b"], {"a": 1}, [[1]]]
    results = [text_of(await client.call_tool("find", {"name": value})) for value in given]
    assert [result.splitlines()[0] for result in results[:3]] == [
        "There is no '3'.", "There is no '2.5'.", "There is no '0.1,0.1,0.5,1'.",
    ]  # fmt: skip
    assert all("cannot be called" in result for result in results[3:]), results
    more = text_of(await client.call_tool("find", {"name": 3, "other": 1}))
    assert "'other' is not an argument" in more


async def test_a_fault_is_logged_and_not_shown(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        result = await client.call_tool("break_down", {})
    assert result.is_error
    assert "secret" not in text_of(result)
    assert "break_down failed" in text_of(result)
    assert "secret" in caplog.text


async def test_an_unknown_tool_is_an_error(client: Client) -> None:
    assert (await client.call_tool("nothing", {})).is_error


@pytest.mark.parametrize(
    ("address", "parts"),
    [("127.0.0.1:8701", ("127.0.0.1", 8701)), ("[::1]:0", ("::1", 0)), ("0.0.0.0:80", ("0.0.0.0", 80))],
)
def test_addresses(address: str, parts: tuple[str, int]) -> None:
    assert parse_address(address) == parts


@pytest.mark.parametrize("address", ["", "8701", "localhost", "localhost:", ":80", "a:99999", "a:-1", "a:٣"])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(BadInputError, match="not an address"):
        parse_address(address)


def test_hosts_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "localhost:*" in HttpSettings().security().allowed_hosts
    for value in ('["a:*", "b"]', "a:*, b"):
        monkeypatch.setenv("PINCITE_ALLOWED_HOSTS", value)
        assert load_http_settings().security().allowed_hosts == ["a:*", "b"]
    monkeypatch.setenv("PINCITE_ALLOWED_HOSTS", "[nonsense")
    with pytest.raises(BadInputError, match="PINCITE_ALLOWED_HOSTS"):
        load_http_settings()


async def test_a_tool_is_listed_for_the_clients_for_which_it_can_work() -> None:
    def samples(known: Any) -> bool:
        return known is not None and known.sampling is not None

    async def refuse(context: Any, params: Any) -> Any:
        raise NotImplementedError

    tools = [make_tool(count_words, title="Count words"), make_tool(find, title="Find", offered=samples)]
    server = create("s", title="S", description="", instructions="", tools=tools)
    for callback, mode, wanted in (
        (None, "legacy", {"count_words"}),
        (refuse, "legacy", {"count_words", "find"}),
        (refuse, "auto", {"count_words", "find"}),
    ):
        async with Client(server, mode=mode, sampling_callback=callback) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == wanted, mode
            assert (await client.call_tool("find", {"name": "c"})).is_error, "it may still be called, and says why not"
