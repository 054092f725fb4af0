"""Gemini ``generateContent`` and ``streamGenerateContent``, and ``countTokens``."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from pincite_models.dialects.dialect import Operation, OperationKind, RawRepeats, Refusal, StreamReader
from pincite_models.dialects.fields import (
    count,
    first,
    mapping,
    mappings,
    text,
    without,
)
from pincite_models.dialects.folding import error_text
from pincite_models.dialects.google_contents import camels, make_tools, read_contents, read_parts
from pincite_models.dialects.google_stream import ContentReader
from pincite_models.dialects.instruction import split_instruction, texts_of
from pincite_models.dialects.model import (
    Call,
    DialectName,
    ModelRequest,
    ModelResponse,
    Part,
    StopReason,
    Text,
    Usage,
)
from pincite_models.dialects.question import MOST_TOKENS, THOUGHT_TOKENS, Question
from pincite_models.dialects.question import Message as AskedMessage
from pincite_models.dialects.question import Part as AskedPart

_PATH = re.compile(r"/v1(?:beta\d*|alpha)?/(?:models|tunedModels)(?:/([^/:]+)(?::(\w+))?)?")
_KINDS: dict[str, OperationKind] = {
    "generateContent": "generate",
    "streamGenerateContent": "generate",
    "countTokens": "count_tokens",
    "": "models",
}
_STOPS: dict[str, StopReason] = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    "SAFETY": "filtered",
    "RECITATION": "filtered",
    "BLOCKLIST": "filtered",
    "PROHIBITED_CONTENT": "filtered",
    "SPII": "filtered",
    "IMAGE_SAFETY": "filtered",
    "IMAGE_PROHIBITED_CONTENT": "filtered",
    "IMAGE_RECITATION": "filtered",
    "MALFORMED_FUNCTION_CALL": "error",
    "UNEXPECTED_TOOL_CALL": "error",
    "TOO_MANY_TOOL_CALLS": "error",
}
_ERRORS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_CLIENT_TOOLS = {"functionDeclarations", "computerUse"}


class Google:
    """The Gemini API, v1 and v1beta. Names of fields are taken in camel case and in snake case, as the API does."""

    name: DialectName = "google.generate"
    version_headers: Mapping[str, str] = {}

    def operation(self, method: str, path: str) -> Operation | None:
        """See Dialect."""
        found = _PATH.fullmatch(path.partition("?")[0].rstrip("/"))
        if found is None:
            return None
        model, verb = found.group(1) or "", found.group(2) or ""
        kind = _KINDS.get(verb, "other")
        return Operation(self.name, kind, model=model, streamed=verb == "streamGenerateContent")

    def model_of(self, operation: Operation, body: Mapping[str, Any]) -> str:
        """See Dialect."""
        return operation.model or text(body.get("model")).removeprefix("models/")

    def streamed(self, operation: Operation, body: Mapping[str, Any]) -> bool:
        """See Dialect."""
        return operation.streamed

    def hosted_tools(self, body: Mapping[str, Any]) -> tuple[str, ...]:
        """Every tool but functions and the computer, which clients carry out."""
        asked = _asked(body)
        found = [key for tool in mappings(asked.get("tools")) for key in without(camels(tool), *_CLIENT_TOOLS)]
        return tuple(dict.fromkeys(found))

    def read_request(
        self, operation: Operation, body: Mapping[str, Any], repeats: RawRepeats | None = None
    ) -> ModelRequest:
        """``systemInstruction`` is the instruction; calls without an id are called ``NAME:N``, results likewise."""
        asked = _asked(body)
        config = camels(asked.get("generationConfig"))
        thinking = camels(config.get("thinkingConfig"))
        system = asked.get("systemInstruction")
        words = [Text(system)] if isinstance(system, str) else read_parts(mappings(mapping(system).get("parts")))
        system, messages = split_instruction(texts_of(words), read_contents(asked.get("contents")))
        effort = thinking.get("thinkingLevel") or thinking.get("thinkingBudget")
        return ModelRequest(
            model=self.model_of(operation, asked),
            system=system,
            messages=messages,
            tools=tuple(made for tool in mappings(asked.get("tools")) for made in make_tools(camels(tool))),
            effort=effort if isinstance(effort, str | int | float) else None,
            parameters=without(config) | without({"toolConfig": asked.get("toolConfig")}),
            streamed=operation.streamed,
        )

    def read_response(self, body: Mapping[str, Any]) -> ModelResponse:
        """The first candidate, or why there is none."""
        answer = camels(body)
        candidate = camels(first(answer.get("candidates")))
        parts = read_parts(mappings(mapping(candidate.get("content")).get("parts")))
        feedback = camels(answer.get("promptFeedback"))
        blocked, error = text(feedback.get("blockReason")), error_text(answer.get("error"))
        reason = text(candidate.get("finishReason"))
        stop = "error" if error else _stop(reason, blocked, parts)
        if stop == "error" and not error:
            error = f"{reason}: {text(candidate.get('finishMessage'))}".removesuffix(": ")
        elif blocked:
            error = f"{blocked}: {text(feedback.get('blockReasonMessage'))}".removesuffix(": ")
        return ModelResponse(
            response_id=text(answer.get("responseId")),
            model=text(answer.get("modelVersion")),
            parts=parts,
            stop=stop,
            usage=_usage(answer.get("usageMetadata")),
            complete=bool(reason or blocked) and not answer.get("error"),
            error=error,
        )

    def call_path(self, model: str) -> str:
        """See Dialect."""
        return f"/v1beta/models/{quote(model, safe='')}:generateContent"

    def write_question(self, model: str, question: Question) -> dict[str, Any]:
        """The path names the model; tokens of thinking count against the bound of the answer."""
        thought = THOUGHT_TOKENS[question.effort]
        config: dict[str, Any] = {
            "maxOutputTokens": (question.max_tokens or MOST_TOKENS) + thought,
            **question.sampling,
        }
        if thought:
            config["thinkingConfig"] = {"thinkingBudget": thought}
        if question.form is not None:
            config |= {"responseMimeType": "application/json", "responseJsonSchema": question.form.schema}
        return {
            "systemInstruction": {"parts": [{"text": question.system}]},
            "contents": [_written_message(message) for message in question.messages],
            "generationConfig": config,
        }

    def reader(self) -> StreamReader:
        """See Dialect."""
        return ContentReader(self.read_response)

    def error_body(self, status: int, refusal: Refusal, message: str) -> dict[str, Any]:
        """The API's word for the status, and in the details what the door refused."""
        word = _ERRORS.get(status, "FAILED_PRECONDITION" if status < 500 else "UNKNOWN")
        details = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": refusal.upper(), "domain": "pincite"}
        return {"error": {"code": status, "message": message, "status": word, "details": [details]}}

    def credentials(self, key: str) -> dict[str, str]:
        """See Dialect."""
        return {"x-goog-api-key": key}


def _written_message(message: AskedMessage) -> dict[str, Any]:
    role = "model" if message.role == "assistant" else "user"
    return {"role": role, "parts": [_written(part) for part in message.contents]}


def _written(part: AskedPart) -> dict[str, Any]:
    if isinstance(part, str):
        return {"text": part}
    return {"inlineData": {"mimeType": part.mime_type, "data": part.base64}}


def _asked(body: Mapping[str, Any]) -> dict[str, Any]:
    """A request's fields; ``countTokens`` may carry a whole request in one."""
    found = camels(body)
    return camels(found.get("generateContentRequest")) or found


def _stop(reason: str, blocked: str, parts: tuple[Part, ...]) -> StopReason:
    if blocked:
        return "filtered"
    if not reason:
        return "unknown"
    called = any(isinstance(part, Call) and not part.hosted for part in parts)
    return "tool_calls" if reason == "STOP" and called else _STOPS.get(reason, "other")


def _usage(value: Any) -> Usage | None:
    usage = camels(value)
    if not usage:
        return None
    thoughts = count(usage.get("thoughtsTokenCount"))
    given = count(usage.get("promptTokenCount")) + count(usage.get("toolUsePromptTokenCount"))
    made = count(usage.get("candidatesTokenCount")) + thoughts
    return Usage(given, made, count(usage.get("cachedContentTokenCount")), reasoning_tokens=thoughts)
