"""A question to a judge as each of the four APIs wants it, with the answer held to a JSON Schema.

Anthropic Messages forces a call of one tool; the others have an output format of their own. The schema is also told
in words, for servers that take no format.
"""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from pincite_models.dialects.model import DialectName
from pincite_scoring.judging.pictures import Shown

_NAME = "verdict"
_MOST_TOKENS = 8192
"""Of an answer, the model's own reasoning included; a server of somebody's own sets its own bound."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: ``form`` is the JSON Schema of its answer, None where the server takes no format; ``pictures``
    stand before the message, each behind its name."""

    model: str
    system: str
    message: str
    form: Mapping[str, Any] | None
    temperature: float | None
    pictures: tuple[Shown, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """Where a question goes, and its body."""

    path: str
    body: dict[str, Any]
    headers: Mapping[str, str]


def to_call(dialect: DialectName, asked: Asked) -> Call:
    """The request of one question in the words of an API."""
    return _CALLS[dialect](asked)


def _warmth(asked: Asked) -> dict[str, Any]:
    return {} if asked.temperature is None else {"temperature": asked.temperature}


Part = dict[str, Any]


def _content(asked: Asked, words: Callable[[str], Part], picture: Callable[[Shown], Part]) -> list[Part]:
    """The pictures, each behind its name, and the message, as parts of one turn."""
    shown = [part for each in asked.pictures for part in (words(f"The picture {each.name}:"), picture(each))]
    return [*shown, words(asked.message)]


def _base64(shown: Shown) -> str:
    return base64.b64encode(shown.data).decode()


def _data_url(shown: Shown) -> str:
    return f"data:{shown.media_type};base64,{_base64(shown)}"


def _anthropic(asked: Asked) -> Call:
    def picture(shown: Shown) -> Part:
        source = {"type": "base64", "media_type": shown.media_type, "data": _base64(shown)}
        return {"type": "image", "source": source}

    content = _content(asked, lambda text: {"type": "text", "text": text}, picture)
    body: dict[str, Any] = {
        "model": asked.model,
        "max_tokens": _MOST_TOKENS,
        "system": asked.system,
        "messages": [{"role": "user", "content": content}],
        **_warmth(asked),
    }
    if asked.form is not None:
        tool = {"name": _NAME, "description": "Give the verdict.", "input_schema": asked.form}
        body |= {"tools": [tool], "tool_choice": {"type": "tool", "name": _NAME}}
    return Call("/v1/messages", body, {"anthropic-version": "2023-06-01"})


def _responses(asked: Asked) -> Call:
    def picture(shown: Shown) -> Part:
        return {"type": "input_image", "detail": "auto", "image_url": _data_url(shown)}

    content = _content(asked, lambda text: {"type": "input_text", "text": text}, picture)
    body: dict[str, Any] = {
        "model": asked.model,
        "instructions": asked.system,
        "input": [{"role": "user", "content": content}],
        "max_output_tokens": _MOST_TOKENS,
        "store": False,
        **_warmth(asked),
    }
    if asked.form is not None:
        body["text"] = {"format": {"type": "json_schema", "name": _NAME, "strict": True, "schema": asked.form}}
    return Call("/v1/responses", body, {})


def _chat(asked: Asked) -> Call:
    def picture(shown: Shown) -> Part:
        return {"type": "image_url", "image_url": {"url": _data_url(shown)}}

    # Servers that read no pictures may know no content but a string.
    parts = _content(asked, lambda text: {"type": "text", "text": text}, picture)
    content = parts if asked.pictures else asked.message
    messages = [{"role": "system", "content": asked.system}, {"role": "user", "content": content}]
    body: dict[str, Any] = {"model": asked.model, "messages": messages, **_warmth(asked)}
    if asked.form is not None:
        named = {"name": _NAME, "strict": True, "schema": asked.form}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return Call("/v1/chat/completions", body, {})


def _google(asked: Asked) -> Call:
    def picture(shown: Shown) -> Part:
        return {"inlineData": {"mimeType": shown.media_type, "data": _base64(shown)}}

    config: dict[str, Any] = {"maxOutputTokens": _MOST_TOKENS, **_warmth(asked)}
    if asked.form is not None:
        config |= {"responseMimeType": "application/json", "responseJsonSchema": asked.form}
    body = {
        "systemInstruction": {"parts": [{"text": asked.system}]},
        "contents": [{"role": "user", "parts": _content(asked, lambda text: {"text": text}, picture)}],
        "generationConfig": config,
    }
    return Call(f"/v1beta/models/{quote(asked.model, safe='')}:generateContent", body, {})


_CALLS: Mapping[DialectName, Callable[[Asked], Call]] = {
    "anthropic.messages": _anthropic,
    "openai.responses": _responses,
    "openai.chat": _chat,
    "google.generate": _google,
}
