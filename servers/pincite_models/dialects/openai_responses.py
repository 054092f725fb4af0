"""OpenAI Responses: ``/v1/responses``, its compaction and its count of input tokens."""

from collections.abc import Mapping
from typing import Any

from pincite_models.dialects import openai
from pincite_models.dialects.dialect import Operation, RawRepeats, StreamReader
from pincite_models.dialects.fields import mapping, mappings, text, without
from pincite_models.dialects.folding import FoldingReader, error_text
from pincite_models.dialects.instruction import split_instruction
from pincite_models.dialects.model import (
    DialectName,
    Message,
    ModelRequest,
    ModelResponse,
    Part,
    Result,
    Role,
    StopReason,
)
from pincite_models.dialects.openai_responses_stream import ResponseFolding
from pincite_models.dialects.question import MOST_TOKENS, Question
from pincite_models.dialects.question import Message as AskedMessage
from pincite_models.dialects.question import Part as AskedPart
from pincite_models.dialects.responses_items import awaits_client, is_result, read_item, role_of

_CLIENT_TOOLS = {
    "function",
    "custom",
    "namespace",
    "local_shell",
    "apply_patch",
    "computer",
    "computer_use_preview",
    "tool_search",
}
_CUTS: dict[str, StopReason] = {"max_output_tokens": "length", "max_messages": "length", "content_filter": "filtered"}


class OpenAIResponses(openai.OpenAI):
    """The Responses API as of November 2026."""

    name: DialectName = "openai.responses"

    def operation(self, method: str, path: str) -> Operation | None:
        """See Dialect. A compaction is a call of a model too."""
        place = path.partition("?")[0].rstrip("/")
        if method.upper() == "POST" and place in {"/v1/responses", "/v1/responses/compact"}:
            return Operation(self.name, "generate")
        if method.upper() == "POST" and place == "/v1/responses/input_tokens":
            return Operation(self.name, "count_tokens")
        if place.startswith("/v1/responses"):
            return Operation(self.name, "other")
        embeddings = openai.embeddings_operation(self.name, method, place)
        return embeddings or openai.models_operation(self.name, place)

    def hosted_tools(self, body: Mapping[str, Any]) -> tuple[str, ...]:
        """Tools of the request and those that its items add."""
        items = mappings(body.get("input"))
        offered = [*mappings(body.get("tools")), *(tool for item in items for tool in mappings(item.get("tools")))]
        offered += [inner for tool in offered for inner in mappings(tool.get("tools"))]
        found = [text(tool.get("type")) or "tool without a type" for tool in offered if _is_hosted(tool)]
        return tuple(dict.fromkeys(found))

    def read_request(
        self, operation: Operation, body: Mapping[str, Any], repeats: RawRepeats | None = None
    ) -> ModelRequest:
        """Instructions and the system and developer messages that open the input are its instruction."""
        given = body.get("input")
        items = [{"role": "user", "content": given}] if isinstance(given, str) else mappings(given)
        turns = _messages(items, repeats or RawRepeats())
        system, messages = split_instruction([text(body.get("instructions"))], turns)
        adding = [item for item in items if item.get("type") == "additional_tools"]
        tools = [tool for one in (body, *adding) for tool in mappings(one.get("tools"))]
        effort = mapping(body.get("reasoning")).get("effort")
        return ModelRequest(
            model=self.model_of(operation, body),
            system=system,
            messages=messages,
            tools=tuple(made for tool in tools for made in openai.make_tools(tool)),
            effort=effort if isinstance(effort, str) else None,
            parameters=without(
                dict(body), "model", "input", "instructions", "tools", "stream", "metadata", "client_metadata"
            ),
            streamed=self.streamed(operation, body),
            previous_response=text(body.get("previous_response_id")),
        )

    def read_response(self, body: Mapping[str, Any]) -> ModelResponse:
        """A response, a compacted one, or the error that came in its place."""
        items = mappings(body.get("output"))
        error = error_text(body.get("error"))
        status = text(body.get("status")) or ("completed" if "output" in body else "")
        failed = bool(error) or status == "failed"
        return ModelResponse(
            response_id=text(body.get("id")),
            model=text(body.get("model")),
            parts=tuple(part for item in items for part in read_item(item)),
            stop="error" if failed else _stop(status, body, items),
            usage=openai.read_usage(body.get("usage")),
            complete=status in {"completed", "incomplete"} and not failed,
            error=error or ("failed" if failed else ""),
        )

    def call_path(self, model: str) -> str:
        """See Dialect."""
        return "/v1/responses"

    def write_question(self, model: str, question: Question) -> dict[str, Any]:
        """The provider keeps no copy of the exchange."""
        body: dict[str, Any] = {
            "model": model,
            "instructions": question.system,
            "input": [_written_message(message) for message in question.messages],
            "max_output_tokens": question.max_tokens or MOST_TOKENS,
            "store": False,
            **question.sampling,
        }
        if question.effort:
            body["reasoning"] = {"effort": question.effort}
        if question.form is not None:
            named = {"name": question.form.name, "strict": True, "schema": question.form.schema}
            body["text"] = {"format": {"type": "json_schema", **named}}
        return body

    def reader(self) -> StreamReader:
        """See Dialect."""
        return FoldingReader(ResponseFolding(), self.read_response)


def _written_message(message: AskedMessage) -> dict[str, Any]:
    if message.role == "assistant":
        return {"role": "assistant", "content": [{"type": "output_text", "text": message.text}]}
    return {"role": "user", "content": [_written(part) for part in message.contents]}


def _written(part: AskedPart) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "input_text", "text": part}
    return {"type": "input_image", "detail": "auto", "image_url": part.data_url}


def _stop(status: str, body: Mapping[str, Any], items: list[dict[str, Any]]) -> StopReason:
    if status == "incomplete":
        return _CUTS.get(text(mapping(body.get("incomplete_details")).get("reason")), "other")
    if status != "completed":
        return "other" if status == "cancelled" else "unknown"
    if any(awaits_client(item) for item in items):
        return "tool_calls"
    parts = [part for item in items for part in mappings(item.get("content"))]
    return "refusal" if any(part.get("type") == "refusal" for part in parts) else "end"


def _messages(items: list[dict[str, Any]], repeats: RawRepeats) -> list[Message]:
    """Items as turns: neighbours of the same side are one."""
    turns: list[tuple[Role, list[Part]]] = []
    for place, item in enumerate(items):
        parts: tuple[Part, ...] = repeats.read(place, item, read_item)
        if not parts:
            continue
        role = role_of(item)
        before: tuple[Role, list[Part]] = turns[-1] if turns else ("system", [])
        answering = is_result(item) and bool(before[1]) and isinstance(before[1][-1], Result)
        if role == before[0] and (role == "assistant" or answering):
            before[1].extend(parts)
        else:
            turns.append((role, list(parts)))
    return [Message(role, tuple(parts)) for role, parts in turns]


def _is_hosted(tool: dict[str, Any]) -> bool:
    kind = text(tool.get("type"))
    if kind == "shell":
        return mapping(tool.get("environment")).get("type") not in {None, "local"}
    return kind not in _CLIENT_TOOLS
