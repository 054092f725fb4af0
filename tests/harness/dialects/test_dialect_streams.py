"""Streams are read to one shape, wherever their bytes are cut."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from pincite_models.dialects.model import Call, Media, ModelResponse, Reasoning, Result, Text, Usage
from pincite_models.dialects.table import DIALECTS

TOOLS = (
    Text("I open 紙."),
    Call("call_01", "mcp__documents__open_paper", {"path": "a.pdf"}),
)
ENDS = {
    "anthropic.messages-tools": ("tool_calls", Usage(4312, 89, 4000, 300, 40)),
    "anthropic.messages-server_tools": ("end", Usage(15682, 510, 5000)),
    "anthropic.messages-refusal": ("refusal", Usage(30, 3)),
    "anthropic.messages-length": ("length", Usage(12, 4096)),
    "openai.responses-tools": ("tool_calls", Usage(5000, 200, 4096, 512, 128)),
    "openai.responses-hosted": ("end", Usage(10, 20)),
    "openai.responses-incomplete": ("length", Usage(10, 4096, reasoning_tokens=4000)),
    "openai.responses-refusal": ("refusal", Usage(9, 4)),
    "openai.chat-tools": ("tool_calls", Usage(5000, 200, 4096, 64, 128)),
    "openai.chat-refusal": ("refusal", Usage(9, 4)),
    "openai.chat-filtered": ("filtered", None),
    "openai.chat-length": ("length", Usage(3, 4096)),
    "google.generate-tools": ("tool_calls", Usage(5000, 200, 4096, reasoning_tokens=128)),
    "google.generate-array": ("tool_calls", Usage(5000, 200, 4096, reasoning_tokens=128)),
    "google.generate-safety": ("filtered", Usage(7, 2)),
    "google.generate-blocked": ("filtered", Usage(7, 0)),
    "google.generate-code": ("end", Usage(70, 20)),
    "google.generate-malformed_call": ("error", Usage(7, 0)),
}


def read(name: str, pieces: Iterable[bytes]) -> ModelResponse:
    reader = DIALECTS[name.partition("-")[0]].reader()  # type: ignore[index]
    for piece in pieces:
        reader.feed(piece)
    return reader.response()


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@pytest.mark.parametrize("name", ENDS)
def test_end_and_usage(name: str, stream_at: Callable[[str], Path]) -> None:
    response = read(name, [stream_at(name).read_bytes()])
    assert (response.stop, response.usage) == ENDS[name]
    assert response.complete


def test_any_cut_gives_the_same_response(stream: Path) -> None:
    data = stream.read_bytes()
    whole = read(stream.stem, [data])
    assert [read(stream.stem, cut(data, size)) == whole for size in (1, 2, 3, 7, 64)] == [True] * 5


def test_what_broke_off_is_not_complete(stream: Path) -> None:
    """A stream that breaks off anywhere is complete only if nothing of the answer is missing."""
    data = stream.read_bytes()
    whole = read(stream.stem, [data])
    for end in range(0, len(data), 13):
        early = read(stream.stem, [data[:end]])
        if early.complete:
            assert (early.parts, early.stop) == (whole.parts, whole.stop)
        else:
            assert len(early.parts) <= len(whole.parts) + 1


def test_asking_early_changes_nothing(stream: Path) -> None:
    data = stream.read_bytes()
    reader = DIALECTS[stream.stem.partition("-")[0]].reader()  # type: ignore[index]
    for piece in cut(data, 11):
        reader.feed(piece)
        reader.response()
    assert reader.response() == read(stream.stem, [data])


@pytest.mark.parametrize(
    "name", ["anthropic.messages-tools", "openai.responses-tools", "openai.chat-tools", "google.generate-tools"]
)
def test_an_event_that_cannot_be_read_shows(name: str, stream_at: Callable[[str], Path]) -> None:
    data = stream_at(name).read_bytes()
    whole = read(name, [data])
    end = data.index(b"\n\n") + 2 if b"\n\n" in data else data.index(b"\r\n\r\n") + 4
    spoiled = read(name, [data[:end], b'data: {"type": "mess\n\n', data[end:]])
    assert not spoiled.complete
    assert spoiled == replace(whole, complete=False)


def test_thoughts_words_and_calls_in_order(stream_at: Callable[[str], Path]) -> None:
    anthropic = read("anthropic.messages-tools", [stream_at("anthropic.messages-tools").read_bytes()])
    assert anthropic.parts == (
        Reasoning("The paper says Å."),
        Reasoning(""),
        Text("I open it — 紙."),
        Call("toolu_01", "mcp__documents__open_paper", {"path": "a.pdf", "pages": [1, 2]}),
        Call("toolu_02", "mcp__figures__list_figures", {}),
    )
    responses = read("openai.responses-tools", [stream_at("openai.responses-tools").read_bytes()])
    assert responses.parts == (
        Reasoning("**Looking**\n\nat Å\n\nthen on"),
        Reasoning(""),
        *TOOLS,
        Call("call_02", "apply_patch", {"input": "*** Begin Patch\n*** End Patch\n"}),
    )
    chat = read("openai.chat-tools", [stream_at("openai.chat-tools").read_bytes()])
    assert chat.parts == (Reasoning("First Å."), *TOOLS, Call("call_02", "mcp__figures__list_figures", {}))
    for name in ("google.generate-tools", "google.generate-array"):
        google = read(name, [stream_at(name).read_bytes()])
        assert google.parts == (
            Reasoning("First Å."),
            Text("I open 紙."),
            Call("mcp_documents_open_paper:0", "mcp_documents_open_paper", {"path": "a.pdf"}),
            Call("mcp_documents_open_paper:1", "mcp_documents_open_paper", {"path": "b{.pdf"}),
            Call("fc-3", "mcp_figures_list_figures", {}),
        )


def test_hosted_calls_stand_with_their_results(stream_at: Callable[[str], Path]) -> None:
    anthropic = read("anthropic.messages-server_tools", [stream_at("anthropic.messages-server_tools").read_bytes()])
    assert anthropic.parts[1] == Call("srvtoolu_01", "web_search", {"query": "YBCO"}, hosted=True)
    assert isinstance(found := anthropic.parts[2], Result)
    assert "https://example.org/ybco" in _words(found) and "EqgfCioIARgB" not in _words(found)
    assert isinstance(ran := anthropic.parts[4], Result)
    assert '"stdout":"2\\n"' in _words(ran) and not ran.is_error
    assert isinstance(failed := anthropic.parts[6], Result)
    assert failed.is_error
    responses = read("openai.responses-hosted", [stream_at("openai.responses-hosted").read_bytes()]).parts
    assert [part.name for part in responses if isinstance(part, Call) and part.hosted] == [
        "web_search",
        "file_search",
        "code_interpreter",
        "mcp__deepwiki__ask",
        "image_generation",
    ]
    assert Result("ig_01", (Media("image/png", path="media/abc.png"),)) in responses
    assert Result("mcp_01", (Text("found"),)) in responses
    google = read("google.generate-code", [stream_at("google.generate-code").read_bytes()]).parts
    assert isinstance(google[1], Call) and google[1].hosted
    assert google[2] == Result(google[1].call_id, (Text("1\n"),))


def test_errors_in_the_midst_keep_what_was_said(stream_at: Callable[[str], Path]) -> None:
    overloaded = read("anthropic.messages-overloaded", [stream_at("anthropic.messages-overloaded").read_bytes()])
    assert (overloaded.stop, overloaded.complete, overloaded.parts) == ("error", False, (Text("Half"),))
    assert overloaded.error == "overloaded_error: Overloaded"
    failed = read("openai.responses-failed", [stream_at("openai.responses-failed").read_bytes()])
    assert (failed.stop, failed.complete, failed.parts) == ("error", False, (Text("Half"),))
    assert failed.error == "server_error: The model failed."
    blocked = read("google.generate-blocked", [stream_at("google.generate-blocked").read_bytes()])
    assert (blocked.error, blocked.parts) == ("PROHIBITED_CONTENT", ())


def test_halves_of_a_character_find_each_other() -> None:
    """Some servers escape what is no ASCII and split a character's surrogates between chunks."""
    data = (
        rb'data: {"choices":[{"index":0,"delta":{"content":"\ud83e"}}]}' + b"\n\n"
        rb'data: {"choices":[{"index":0,"delta":{"content":"\uddea \ud83e"}}]}' + b"\n\n"
        rb'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":'
        rb'"{\"x\": \"\\ud83e\\uddea\\ud83e\"}"}}]},"finish_reason":"tool_calls"}]}' + b"\n\ndata: [DONE]\n\n"
    )
    response = read("openai.chat", [data])
    assert response.parts == (Text("🧪 �"), Call("a", "f", {"x": "🧪�"}))


def _words(result: Result) -> str:
    return "".join(part.text for part in result.parts if isinstance(part, Text))
