"""What the dialects read is what the APIs' own SDKs read, word for word and token for token."""

import json
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_models.dialects.model import Call, DialectName, ModelResponse, Reasoning, Text
from pincite_models.dialects.table import DIALECTS

ASK = [{"role": "user", "content": "?"}]
Told = dict[str, Any]


def message_of(clients: Any) -> Told:
    with clients.anthropic.messages.stream(model="m", max_tokens=9, messages=ASK) as stream:
        message = stream.get_final_message()
    usage = message.usage
    cached, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    thinking = usage.output_tokens_details.thinking_tokens if usage.output_tokens_details else 0
    return {
        "body": message.to_dict(),
        "words": [block.text for block in message.content if block.type == "text"],
        "thoughts": [block.thinking for block in message.content if block.type == "thinking"],
        "calls": [(block.name, block.input) for block in message.content if block.type == "tool_use"],
        "usage": (usage.input_tokens + cached + written, usage.output_tokens, cached, written, thinking),
    }


def response_of(clients: Any) -> Told:
    with clients.openai.responses.create(model="m", input="?", stream=True) as stream:
        response = next(event.response for event in reversed(list(stream)) if hasattr(event, "response"))
    usage = response.usage
    given, made = usage.input_tokens_details, usage.output_tokens_details
    return {
        "body": response.to_dict(),
        "words": [part.text if part.type == "output_text" else part.refusal
                  for item in response.output if item.type == "message" for part in item.content],
        "thoughts": ["\n\n".join(part.text for part in item.summary)
                     for item in response.output if item.type == "reasoning" and item.summary],
        "calls": [(f"{item.namespace}__{item.name}", item.arguments)
                  for item in response.output if item.type == "function_call"],
        "usage": (usage.input_tokens, usage.output_tokens, given.cached_tokens, given.cache_write_tokens,
                  made.reasoning_tokens),
    }  # fmt: skip


def completion_of(clients: Any, streaming: ModuleType) -> Told:
    state = streaming.ChatCompletionStreamState()
    with clients.openai.chat.completions.create(model="m", messages=ASK, stream=True) as stream:
        for chunk in stream:
            state.handle_chunk(chunk)
    completion = state.current_completion_snapshot
    message, usage = completion.choices[0].message, completion.usage
    given = usage.prompt_tokens_details if usage else None
    return {
        "body": completion.to_dict(),
        "words": [text for text in (message.content, message.refusal) if text],
        "thoughts": [message.reasoning_content] if hasattr(message, "reasoning_content") else [],
        "calls": [(call.function.name, call.function.arguments) for call in message.tool_calls or []],
        "usage": usage and (usage.prompt_tokens, usage.completion_tokens, given.cached_tokens or 0,
                            given.cache_write_tokens or 0, usage.completion_tokens_details.reasoning_tokens or 0),
    }  # fmt: skip


def content_of(clients: Any) -> Told:
    chunks = list(clients.google.models.generate_content_stream(model="m", contents="?"))
    parts = [part for chunk in chunks for part in chunk.parts or []]
    usage = chunks[-1].usage_metadata
    thoughts = usage.thoughts_token_count or 0
    words = "".join(part.text for part in parts if part.text and not part.thought)
    thought = "".join(part.text for part in parts if part.text and part.thought)
    return {
        "words": [words] if words else [],
        "thoughts": [thought] if thought else [],
        "calls": [(part.function_call.name, part.function_call.args) for part in parts if part.function_call],
        "usage": ((usage.prompt_token_count or 0) + (usage.tool_use_prompt_token_count or 0),
                  (usage.candidates_token_count or 0) + thoughts, usage.cached_content_token_count or 0, 0, thoughts),
    }  # fmt: skip


@pytest.fixture
def told(answering: Any, clients: Any) -> Callable[[Path], Told]:
    """What the SDK of a stream's API reads."""

    def tell(stream: Path) -> Told:
        own = clients(answering(stream.read_bytes(), kind="text/event-stream").url)
        name = stream.stem.partition("-")[0]
        if name == "openai.chat":
            streaming = pytest.importorskip("openai.lib.streaming.chat")
            return completion_of(own, streaming)
        return {
            "anthropic.messages": message_of,
            "openai.responses": response_of,
            "google.generate": content_of,
        }[name](own)

    return tell


def test_a_stream_says_what_the_sdk_reads(stream: Path, told: Callable[[Path], Told]) -> None:
    if stream.stem in {"anthropic.messages-overloaded", "openai.responses-failed", "google.generate-array"}:
        return  # The SDKs raise the errors, and ask for no arrays: see test_dialect_streams.
    name: DialectName = stream.stem.partition("-")[0]  # type: ignore[assignment]
    dialect, sdk = DIALECTS[name], told(stream)
    reader = dialect.reader()
    reader.feed(stream.read_bytes())
    compare(reader.response(), sdk)
    if "body" in sdk:
        whole = dialect.read_response(sdk["body"])
        assert whole == reader.response(), "the body that came whole is read differently"


def compare(response: ModelResponse, sdk: Told) -> None:
    usage = response.usage
    calls = [part for part in response.parts if isinstance(part, Call) and not part.hosted]
    assert {
        "words": "".join(part.text for part in response.parts if isinstance(part, Text)),
        "thoughts": [part.text for part in response.parts if isinstance(part, Reasoning) and part.text],
        "calls": [(call.name, dict(call.arguments)) for call in calls if call.name != "apply_patch"],
        "usage": usage and astuple(usage),
    } == {
        "words": "".join(sdk["words"]),
        "thoughts": sdk["thoughts"],
        "calls": [(name, json.loads(given) if isinstance(given, str) else given) for name, given in sdk["calls"]],
        "usage": sdk["usage"],
    }


@pytest.mark.parametrize("status", [400, 401, 403, 404])
@pytest.mark.parametrize("name", list(DIALECTS))
def test_refusals_are_read_and_not_asked_again(name: DialectName, status: int, answering: Any, clients: Any) -> None:
    body = DIALECTS[name].error_body(status, "limit", "The trial's limit of 5 model calls is reached.")
    endpoint = answering(json.dumps(body).encode(), status=status)
    own = clients(endpoint.url)
    ask = {
        "anthropic.messages": lambda: own.anthropic.messages.create(model="m", max_tokens=9, messages=ASK),
        "openai.responses": lambda: own.openai.responses.create(model="m", input="?"),
        "openai.chat": lambda: own.openai.chat.completions.create(model="m", messages=ASK),
        "google.generate": lambda: own.google.models.generate_content(model="m", contents="?"),
    }[name]
    with pytest.raises(Exception, match="limit of 5 model calls") as raised:
        ask()
    assert getattr(raised.value, "status_code", getattr(raised.value, "code", None)) == status
    assert len(endpoint.requests) == 1


def test_paths_that_the_sdks_ask(answering: Any, clients: Any) -> None:
    """Every path that a client asks is told apart, and foreign APIs are not taken for ours."""
    endpoint = answering(b'{"data": [], "input_tokens": 1, "models": [], "object": "list", "totalTokens": 3}')
    own = clients(endpoint.url)
    own.anthropic.messages.create(model="m", max_tokens=9, messages=ASK)
    own.anthropic.beta.messages.create(model="m", max_tokens=9, messages=ASK)
    own.anthropic.messages.count_tokens(model="m", messages=ASK)
    list(own.anthropic.models.list())
    own.anthropic.models.retrieve("claude-x")
    own.openai.responses.create(model="m", input="?")
    own.openai.responses.input_tokens.count(model="m", input="?")
    own.openai.responses.compact(model="m", input="?")
    own.openai.responses.retrieve("resp_1")
    own.openai.chat.completions.create(model="m", messages=ASK)
    own.openai.models.list()
    own.google.models.generate_content(model="m", contents="?")
    list(own.google.models.generate_content_stream(model="tunedModels/t", contents="?"))
    own.google.models.count_tokens(model="m", contents="?")
    own.google.models.embed_content(model="m", contents="?")
    own.google.models.get(model="m")
    seen: dict[str, list[Any]] = {}
    for method, path, body in endpoint.requests:
        if path.startswith("/v1/models"):
            continue
        for name, dialect in DIALECTS.items():
            operation = dialect.operation(method, path)
            if operation is not None:
                key = (operation.kind, dialect.model_of(operation, body), dialect.streamed(operation, body))
                seen.setdefault(name, []).append((path.partition("?")[0], *key))
    lists = {path.partition("?")[0] for _, path, _ in endpoint.requests if path.startswith("/v1/models")}
    for name in ("anthropic.messages", "openai.responses", "openai.chat"):
        found = [DIALECTS[name].operation("GET", path) for path in sorted(lists)]
        assert [operation and (operation.kind, operation.model) for operation in found] == [
            ("models", ""),
            ("models", "claude-x"),
        ]
    assert seen == {
        "anthropic.messages": [
            ("/v1/messages", "generate", "m", False),
            ("/v1/messages", "generate", "m", False),
            ("/v1/messages/count_tokens", "count_tokens", "m", False),
        ],
        "openai.responses": [
            ("/v1/responses", "generate", "m", False),
            ("/v1/responses/input_tokens", "count_tokens", "m", False),
            ("/v1/responses/compact", "generate", "m", False),
            ("/v1/responses/resp_1", "other", "", False),
        ],
        "openai.chat": [("/v1/chat/completions", "generate", "m", False)],
        "google.generate": [
            ("/v1beta/models/m:generateContent", "generate", "m", False),
            ("/v1beta/tunedModels/t:streamGenerateContent", "generate", "t", True),
            ("/v1beta/models/m:countTokens", "count_tokens", "m", False),
            ("/v1beta/models/m:batchEmbedContents", "other", "m", False),
            ("/v1beta/models/m", "models", "m", False),
        ],
    }
