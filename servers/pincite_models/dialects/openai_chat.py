"""OpenAI Chat Completions, as OpenAI and the many compatible servers speak it."""

from collections.abc import Mapping
from typing import Any

from pincite_models.dialects import openai
from pincite_models.dialects.dialect import Operation, RawRepeats, StreamReader
from pincite_models.dialects.fields import (
    dump,
    first,
    make_call,
    make_media,
    mapping,
    mappings,
    text,
    without,
)
from pincite_models.dialects.folding import FoldingReader, error_text
from pincite_models.dialects.instruction import split_instruction
from pincite_models.dialects.model import (
    DialectName,
    Media,
    Message,
    ModelRequest,
    ModelResponse,
    Part,
    Reasoning,
    Result,
    Role,
    StopReason,
    Text,
)
from pincite_models.dialects.openai_chat_stream import CompletionFolding
from pincite_models.dialects.question import Message as AskedMessage
from pincite_models.dialects.question import Part as AskedPart
from pincite_models.dialects.question import Question

_STOPS: dict[str, StopReason] = {
    "stop": "end",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "filtered",
    "error": "error",
}
_RESULTS = {"tool", "function"}
"""Roles of messages that bring the result of a call."""


class OpenAIChat(openai.OpenAI):
    """The Chat Completions API."""

    name: DialectName = "openai.chat"

    def operation(self, method: str, path: str) -> Operation | None:
        """See Dialect."""
        place = path.partition("?")[0].rstrip("/")
        if place == "/v1/chat/completions" and method.upper() == "POST":
            return Operation(self.name, "generate")
        if place.startswith("/v1/chat/completions"):
            return Operation(self.name, "other")
        embeddings = openai.embeddings_operation(self.name, method, place)
        return embeddings or openai.models_operation(self.name, place)

    def hosted_tools(self, body: Mapping[str, Any]) -> tuple[str, ...]:
        """Tools that are not functions; one without a type is called by its first field."""
        found = [_kind_of(tool) for tool in mappings(body.get("tools"))]
        return tuple(dict.fromkeys(kind for kind in found if kind not in {"function", "custom"}))

    def read_request(
        self, operation: Operation, body: Mapping[str, Any], repeats: RawRepeats | None = None
    ) -> ModelRequest:
        """The system and developer messages that open the conversation are its instruction."""
        system, messages = split_instruction([], _messages(mappings(body.get("messages")), repeats or RawRepeats()))
        functions = [{"type": "function", "function": one} for one in mappings(body.get("functions"))]
        effort = body.get("reasoning_effort") or mapping(body.get("reasoning")).get("effort")
        return ModelRequest(
            model=self.model_of(operation, body),
            system=system,
            messages=messages,
            tools=tuple(
                made for tool in [*mappings(body.get("tools")), *functions] for made in openai.make_tools(tool)
            ),
            effort=effort if isinstance(effort, str) else None,
            parameters=without(
                dict(body), "model", "messages", "tools", "functions", "stream", "stream_options", "metadata"
            ),
            streamed=self.streamed(operation, body),
        )

    def read_response(self, body: Mapping[str, Any]) -> ModelResponse:
        """The first choice of a completion, or the error that came in its place."""
        choice = first(body.get("choices"))
        message = mapping(choice.get("message"))
        parts = _said(message)
        error = error_text(body.get("error")) or error_text(choice.get("error"))
        reason = text(choice.get("finish_reason"))
        stop = _STOPS.get(reason, "other") if reason else "unknown"
        if stop == "end" and any(message.get(name) for name in ("tool_calls", "function_call")):
            stop = "tool_calls"
        elif stop in {"end", "unknown"} and message.get("refusal"):
            stop = "refusal"
        return ModelResponse(
            response_id=text(body.get("id")),
            model=text(body.get("model")),
            parts=parts,
            stop="error" if error else stop,
            usage=openai.read_usage(body.get("usage")),
            complete=bool(reason) and not error,
            error=error,
        )

    def call_path(self, model: str) -> str:
        """See Dialect."""
        return "/v1/chat/completions"

    def write_question(self, model: str, question: Question) -> dict[str, Any]:
        """A model that is asked for effort gets no bound of tokens, which would cut its reasoning."""
        messages: list[dict[str, Any]] = [{"role": "system", "content": question.system}]
        messages += [{"role": message.role, "content": _written_message(message)} for message in question.messages]
        body: dict[str, Any] = {"model": model, "messages": messages}
        if question.effort:
            body["reasoning_effort"] = question.effort
        elif question.max_tokens is not None:
            body["max_tokens"] = question.max_tokens
        body |= question.sampling
        if question.form is not None:
            named = {"name": question.form.name, "strict": True, "schema": question.form.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        return body

    def reader(self) -> StreamReader:
        """See Dialect."""
        return FoldingReader(CompletionFolding(), self.read_response)


def _written_message(message: AskedMessage) -> str | list[dict[str, Any]]:
    if message.role == "assistant" or isinstance(message.parts, str):
        return message.text
    return [_written(part) for part in message.parts]


def _written(part: AskedPart) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image_url", "image_url": {"url": part.data_url}}


def _messages(found: list[dict[str, Any]], repeats: RawRepeats) -> list[Message]:
    """Messages as turns: the results of tools that follow each other are one."""
    turns: list[Message] = []
    for place, entry in enumerate(found):
        message: Message = repeats.read(place, entry, _message)
        before = turns[-1].parts[-1:] if turns else ()
        if text(entry.get("role")) in _RESULTS and before and isinstance(before[0], Result):
            turns[-1] = Message("user", (*turns[-1].parts, *message.parts))
        else:
            turns.append(message)
    return turns


def _message(entry: dict[str, Any]) -> Message:
    role = text(entry.get("role"))
    if role in _RESULTS:
        call_id = text(entry.get("tool_call_id") or entry.get("name"))
        return Message("user", (Result(call_id, _contents(entry.get("content"))),))
    if role == "assistant":
        return Message("assistant", _said(entry))
    side: Role = "system" if role in {"system", "developer"} else "user"
    return Message(side, _contents(entry.get("content")))


def _said(message: dict[str, Any]) -> tuple[Part, ...]:
    """What an assistant's message holds: thoughts, words, calls."""
    thought = message.get("reasoning_content") or message.get("reasoning")
    parts: list[Part] = [Reasoning(text(thought))] if thought else []
    content = message.get("content")
    if isinstance(content, str):
        parts += [Text(text(content))] if content else []
    for part in mappings(content) if not isinstance(content, str) else []:
        parts.append(Reasoning(_thought(part)) if part.get("type") == "thinking" else _content(part))
    parts += [Text(text(message.get("refusal")))] if message.get("refusal") else []
    audio = mapping(message.get("audio"))
    parts += [make_media("audio/wav", audio.get("data")), Text(text(audio.get("transcript")))] if audio else []
    parts += [openai.make_image(image.get("image_url")) for image in mappings(message.get("images"))]
    for call in mappings(message.get("tool_calls")):
        parts.append(_call(call))
    lone = mapping(message.get("function_call"))
    parts += [make_call(lone.get("name"), lone.get("name"), lone.get("arguments"))] if lone else []
    return tuple(parts)


def _call(call: dict[str, Any]) -> Part:
    custom = mapping(call.get("custom"))
    if custom:
        return make_call(call.get("id"), custom.get("name"), {"input": text(custom.get("input"))})
    function = mapping(call.get("function"))
    return make_call(call.get("id"), function.get("name"), function.get("arguments"))


def _contents(content: Any) -> tuple[Text | Media, ...]:
    if isinstance(content, str):
        return (Text(text(content)),)
    return tuple(_content(part) for part in mappings(content))


def _content(part: dict[str, Any]) -> Text | Media:
    kind = text(part.get("type"))
    if kind == "image_url":
        return openai.make_image(part.get("image_url"))
    if kind == "input_audio":
        audio = mapping(part.get("input_audio"))
        return make_media(f"audio/{text(audio.get('format')) or 'wav'}", audio.get("data"))
    if kind == "file":
        return openai.make_file(mapping(part.get("file")))
    said = part.get("text", part.get("refusal"))
    return Text(text(said)) if isinstance(said, str) else Text(dump(part))


def _thought(part: dict[str, Any]) -> str:
    held = part.get("thinking")
    return text(held) if isinstance(held, str) else "".join(text(one.get("text")) for one in mappings(held))


def _kind_of(tool: dict[str, Any]) -> str:
    """The type of a tool; some servers take a function without one."""
    return text(tool.get("type")) or next(iter(tool), "tool without a type")
