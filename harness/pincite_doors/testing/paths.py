"""Which API a path belongs to, and what it asks for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pincite_doors.testing.apis.anthropic import FakeAnthropic
from pincite_doors.testing.apis.chat import FakeChat
from pincite_doors.testing.apis.fake_api import CREATED, FakeApi
from pincite_doors.testing.apis.google import FakeGoogle
from pincite_doors.testing.apis.responses import FakeResponses
from pincite_doors.testing.request import Kind

_GOOGLE = re.compile(r"/models/(?P<model>[^/:]+):(?P<action>\w+)$")
_MODELS = re.compile(r"/models(?:/(?P<model>[^:]+))?$")
_POSTS: tuple[tuple[str, Kind, FakeApi], ...] = (
    ("/messages/count_tokens", "count_tokens", FakeAnthropic()),
    ("/messages", "turn", FakeAnthropic()),
    ("/responses/input_tokens", "count_tokens", FakeResponses()),
    ("/responses", "turn", FakeResponses()),
    ("/chat/completions", "turn", FakeChat()),
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
    api: FakeApi
    model: str = ""
    streamed: bool = False


def route(method: str, path: str, headers: Mapping[str, str]) -> Route:
    """The route of a path under any prefix."""
    if method == "POST":
        if found := _GOOGLE.search(path):
            action = found["action"]
            kind = _ACTIONS.get(action, "other")
            return Route(kind, FakeGoogle(), found["model"], streamed=action == "streamGenerateContent")
        for end, kind, api in _POSTS:
            if path.endswith(end):
                return Route(kind, api)
    api = _listing_api(path, headers)
    if method == "GET" and (found := _MODELS.search(path)):
        return Route("models", api, found["model"] or "")
    return Route("other", api)


def list_models(asked: Route, names: tuple[str, ...]) -> dict[str, Any]:
    """The list of models, or one of them where the path names it."""
    describe = {"anthropic.messages": _anthropic_model, "google.generate": _google_model}.get(
        asked.api.dialect, _openai_model
    )
    if asked.model:
        return describe(asked.model)
    models = [describe(name) for name in names]
    if asked.api.dialect == "google.generate":
        return {"models": models}
    if asked.api.dialect == "anthropic.messages":
        return {"data": models, "has_more": False, "first_id": names[0], "last_id": names[-1]}
    return {"object": "list", "data": models}


def _listing_api(path: str, headers: Mapping[str, str]) -> FakeApi:
    if "/v1beta" in path:
        return FakeGoogle()
    return FakeAnthropic() if "anthropic-version" in headers else FakeChat()


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
