"""Which API a path belongs to, and what it asks for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pincite_doors.testing.request import Kind
from pincite_doors.testing.voices.anthropic import AnthropicVoice
from pincite_doors.testing.voices.chat import ChatVoice
from pincite_doors.testing.voices.google import GoogleVoice
from pincite_doors.testing.voices.responses import ResponsesVoice
from pincite_doors.testing.voices.voice import CREATED, Voice

_GOOGLE = re.compile(r"/models/(?P<model>[^/:]+):(?P<action>\w+)$")
_MODELS = re.compile(r"/models(?:/(?P<model>[^:]+))?$")
_POSTS: tuple[tuple[str, Kind, Voice], ...] = (
    ("/messages/count_tokens", "count_tokens", AnthropicVoice()),
    ("/messages", "turn", AnthropicVoice()),
    ("/responses/input_tokens", "count_tokens", ResponsesVoice()),
    ("/responses", "turn", ResponsesVoice()),
    ("/chat/completions", "turn", ChatVoice()),
)
_ACTIONS: dict[str, Kind] = {
    "generateContent": "turn",
    "streamGenerateContent": "turn",
    "countTokens": "count_tokens",
}


@dataclass(frozen=True, slots=True)
class Route:
    """What a path asks for; ``model`` and ``streamed`` where the path says them."""

    kind: Kind
    voice: Voice
    model: str = ""
    streamed: bool = False


def route(method: str, path: str, headers: Mapping[str, str]) -> Route:
    """The route of a path under any prefix."""
    if method == "POST":
        if found := _GOOGLE.search(path):
            action = found["action"]
            kind = _ACTIONS.get(action, "other")
            return Route(kind, GoogleVoice(), found["model"], streamed=action == "streamGenerateContent")
        for end, kind, voice in _POSTS:
            if path.endswith(end):
                return Route(kind, voice)
    voice = _listing_voice(path, headers)
    if method == "GET" and (found := _MODELS.search(path)):
        return Route("models", voice, found["model"] or "")
    return Route("other", voice)


def list_models(asked: Route, names: tuple[str, ...]) -> dict[str, Any]:
    """The list of models, or one of them where the path names it."""
    describe = {"anthropic.messages": _anthropic_model, "google.generate": _google_model}.get(
        asked.voice.dialect, _openai_model
    )
    if asked.model:
        return describe(asked.model)
    models = [describe(name) for name in names]
    if asked.voice.dialect == "google.generate":
        return {"models": models}
    if asked.voice.dialect == "anthropic.messages":
        return {"data": models, "has_more": False, "first_id": names[0], "last_id": names[-1]}
    return {"object": "list", "data": models}


def _listing_voice(path: str, headers: Mapping[str, str]) -> Voice:
    if "/v1beta" in path:
        return GoogleVoice()
    return AnthropicVoice() if "anthropic-version" in headers else ChatVoice()


def _openai_model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": CREATED, "owned_by": "scripted"}


def _anthropic_model(name: str) -> dict[str, Any]:
    return {"type": "model", "id": name, "display_name": name, "created_at": "2026-09-21T00:00:00Z"}


def _google_model(name: str) -> dict[str, Any]:
    return {
        "name": f"models/{name}",
        "version": "1",
        "displayName": name,
        "inputTokenLimit": 1_000_000,
        "outputTokenLimit": 65_536,
        "supportedGenerationMethods": ["generateContent", "countTokens"],
    }
