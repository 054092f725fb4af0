"""Gemini generateContent and streamGenerateContent."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pincite_doors.testing.apis.fake_api import FakeReply, Part, Reading, chunks, event, items, joined, mapping
from pincite_doors.testing.offer import ResolvedCall
from pincite_doors.testing.request import OfferedTool
from pincite_doors.testing.script import Say, Think
from pincite_models.dialects.model import DialectName, Usage

_SIGNATURE = "c2NyaXB0ZWQ="
_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class FakeGoogle:
    """``/v1beta/models/NAME:generateContent`` and its streamed twin."""

    dialect: DialectName = "google.generate"

    def read(self, body: Mapping[str, Any]) -> Reading:
        """What is asked; model and streaming stand in the path."""
        system = mapping(_field(body, "systemInstruction"))
        reading = Reading(system=joined(items(system.get("parts"))))
        for content in items(body.get("contents")):
            if content.get("role", "user") != "model":
                _read_user(items(content.get("parts")), reading)
        for group in items(body.get("tools")):
            for tool in items(_field(group, "functionDeclarations")):
                schema = mapping(_field(tool, "parametersJsonSchema") or tool.get("parameters"))
                reading.tools.append(OfferedTool(str(tool.get("name")), schema))
        config = mapping(_field(body, "generationConfig"))
        reading.schema = _field(config, "responseJsonSchema") or _field(config, "responseSchema")
        return reading

    def whole(self, reply: FakeReply, body: Mapping[str, Any]) -> dict[str, Any]:
        """A response."""
        return _response(reply, [_part(part) for part in reply.parts], last=True)

    def events(self, reply: FakeReply, body: Mapping[str, Any]) -> Iterator[bytes]:
        """Responses that each hold a piece; the last one holds the reason of the end and the full counts."""
        for part in reply.parts:
            if isinstance(part, ResolvedCall):
                yield event(_response(reply, [_part(part)]))
                continue
            for text in chunks(part.text):
                yield event(_response(reply, [_part(type(part)(text))]))
        yield event(_response(reply, [{"text": ""}], last=True))

    def error(self, status: int, message: str) -> dict[str, Any]:
        """An error."""
        return {"error": {"code": status, "message": message, "status": _STATUSES.get(status, "INTERNAL")}}

    def overflow(self) -> dict[str, Any]:
        """An error for an input that is too long."""
        words = "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."
        return self.error(400, words)

    def stumble(self, message: str) -> bytes:
        """An error in place of a response."""
        return event(self.error(503, message))

    def count(self, tokens: int) -> dict[str, Any]:
        """A token count."""
        return {"totalTokens": tokens, "promptTokensDetails": [{"modality": "TEXT", "tokenCount": tokens}]}


def _read_user(parts: list[dict[str, Any]], reading: Reading) -> None:
    texts: list[str] = []
    for part in parts:
        answer = mapping(_field(part, "functionResponse"))
        if answer:
            text = _result_text(mapping(answer.get("response")))
            reading.results.append(text)
            texts.append(text)
            reading.images += sum(_is_media(inner) for inner in items(answer.get("parts")))
        elif _is_media(part):
            reading.images += 1
        else:
            texts.append(joined([part]))
    reading.users.append("\n".join(texts))


def _is_media(part: dict[str, Any]) -> bool:
    return _field(part, "inlineData") is not None


def _field(value: Mapping[str, Any], name: str) -> Any:
    """A field in camel case or in snake case: the API takes both, and its SDK sends both."""
    return value.get(name, value.get(re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", name)))


def _result_text(response: dict[str, Any]) -> str:
    for name in ("output", "result", "return_value", "error"):
        if isinstance(response.get(name), str):
            return str(response[name])
    return json.dumps(response, ensure_ascii=False)


def _response(reply: FakeReply, parts: list[dict[str, Any]], *, last: bool = False) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if last:
        candidate["finishReason"] = {"length": "MAX_TOKENS", "refusal": "SAFETY", "end": "STOP"}[reply.stop]
    return {
        "candidates": [candidate],
        "usageMetadata": _usage(reply.usage, last=last),
        "modelVersion": reply.model,
        "responseId": f"scripted{reply.number:08d}",
    }


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, Say):
        return {"text": part.text}
    if isinstance(part, Think):
        return {"text": part.text, "thought": True}
    return {"functionCall": {"name": part.name, "args": dict(part.arguments)}, "thoughtSignature": _SIGNATURE}


def _usage(usage: Usage, *, last: bool) -> dict[str, Any]:
    """Candidates' tokens are told without the thoughts' here; a stream tells the output's only at its end."""
    counts: dict[str, Any] = {"promptTokenCount": usage.input_tokens, "totalTokenCount": usage.input_tokens}
    if usage.cached_tokens:
        counts["cachedContentTokenCount"] = usage.cached_tokens
    if last:
        counts["candidatesTokenCount"] = usage.output_tokens - usage.reasoning_tokens
        counts["totalTokenCount"] += usage.output_tokens
        if usage.reasoning_tokens:
            counts["thoughtsTokenCount"] = usage.reasoning_tokens
    return counts
