"""The model that looks: the configured endpoint, else the client's own by MCP sampling (deprecated in 2026-07-28)."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import anyio
import orjson
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ImageContent,
    InputRequiredResult,
    ModelPreferences,
    SamplingMessage,
    TextContent,
)
from mcp_types.version import is_version_at_least

from pincite_core.client_roots import MODERN, InputNeededError
from pincite_core.errors import BadInputError, UnavailableError
from pincite_core.settings import Settings
from pincite_models.endpoint import Effort, Message, ModelEndpoint, ModelReply, can_see

_KEY = "look"
_MOST_TOKENS = 2000
"""Tokens of one decision. Set by judgement."""
_MANUAL = "Look with view_figure, zoom_figure and read_figure_text."


class Model(Protocol):
    """What answers a round. ``replaying`` says that the next answer is one that was given before."""

    @property
    def replaying(self) -> bool: ...

    async def ask(self, system: str, messages: Sequence[Message], *, careful: bool) -> ModelReply:
        """The answer; ``careful`` asks for the highest effort. Raises UnavailableError where there is none."""
        ...


def choose_model(settings: Settings, calling: Context[Any, Any], subject: str) -> Model:
    """The configured model, else the client's where it offers sampling; UnavailableError names the manual tools.

    ``subject`` says what is looked at: a client that calls again must call for the same.
    """
    endpoint = ModelEndpoint.of(settings)
    if endpoint is not None:
        return EndpointModel(endpoint, settings.vision_effort)
    if not can_see(settings, calling.client_capabilities):
        raise UnavailableError(
            "inspect_figure needs a vision model: none is configured, and the client does not offer sampling.",
            next=f"{_MANUAL} Or let the user set PINCITE_VISION_URL and PINCITE_VISION_MODEL.",
        )
    version = calling.protocol_version
    if version is not None and is_version_at_least(version, MODERN):
        return RetriedModel(calling, subject)
    return SampledModel(calling, settings.vision_seconds)


@dataclass(frozen=True, slots=True)
class EndpointModel:
    """A configured endpoint."""

    endpoint: ModelEndpoint
    effort: Effort
    replaying: bool = False

    async def ask(self, system: str, messages: Sequence[Message], *, careful: bool) -> ModelReply:
        """What the endpoint answers; the settings' effort is asked for where care is needed."""
        return await self.endpoint.ask(system, messages, max_tokens=_MOST_TOKENS, effort=self.effort if careful else "")


@dataclass(frozen=True, slots=True)
class SampledModel:
    """The client's model, asked in the middle of the call (protocols with a handshake)."""

    calling: Context[Any, Any]
    seconds: float
    replaying: bool = False

    async def ask(self, system: str, messages: Sequence[Message], *, careful: bool) -> ModelReply:
        """What the client's model answers."""
        request = _request(system, messages, careful=careful)
        metadata = ServerMessageMetadata(related_request_id=self.calling.request_id)
        try:
            with anyio.fail_after(self.seconds):
                result = await self.calling.session.send_request(request, CreateMessageResult, metadata=metadata)
        except TimeoutError:
            raise UnavailableError(
                "The client's model did not answer in time.",
                seen=f"the limit is {self.seconds:g} s",
                next=f"Raise PINCITE_VISION_SECONDS, or: {_MANUAL}",
            ) from None
        except MCPError as error:
            raise UnavailableError(
                "The client did not let its model look at the figure.", seen=str(error)[:300], next=_MANUAL
            ) from error
        return _reply(result)


class RetriedModel:
    """The client's model where a server cannot ask by itself: the call ends with a request and is made again.

    The answers given so far travel in the state of the request, which the SDK seals; the loop is run again on them.
    """

    def __init__(self, calling: Context[Any, Any], subject: str) -> None:
        self._subject = hashlib.sha256(subject.encode()).hexdigest()
        self._replies: list[ModelReply] = []
        self._next = 0
        if calling.request_state is not None:
            state = orjson.loads(calling.request_state)
            if state["subject"] != self._subject:
                raise BadInputError(
                    "The client resumed a different call from the one that it started.", next="Start a new call."
                )
            self._replies = [ModelReply(text, model) for text, model in state["replies"]]
        self._known = len(self._replies)
        response = (calling.input_responses or {}).get(_KEY)
        if isinstance(response, CreateMessageResult):
            self._replies.append(_reply(response))
        elif calling.request_state is not None:
            raise UnavailableError("The client did not let its model look at the figure.", next=_MANUAL)

    @property
    def replaying(self) -> bool:
        """Whether the next answer was acted on in an earlier call."""
        return self._next < self._known

    async def ask(self, system: str, messages: Sequence[Message], *, careful: bool) -> ModelReply:
        """The next answer that is known; InputNeededError where the client is to ask for it."""
        if self._next < len(self._replies):
            self._next += 1
            return self._replies[self._next - 1]
        state = {"subject": self._subject, "replies": [[reply.text, reply.model] for reply in self._replies]}
        raise InputNeededError(
            InputRequiredResult(
                input_requests={_KEY: _request(system, messages, careful=careful)},
                request_state=orjson.dumps(state).decode(),
            )
        )


def _request(system: str, messages: Sequence[Message], *, careful: bool) -> CreateMessageRequest:
    """The request for the client's model; each text and picture is a message of its own."""
    spoken: list[SamplingMessage] = []
    for message in messages:
        for part in message.contents:
            content = (
                TextContent(text=part)
                if isinstance(part, str)
                else ImageContent(data=base64.b64encode(part.data).decode(), mime_type=part.mime_type)
            )
            spoken.append(SamplingMessage(role=message.role, content=content))
    return CreateMessageRequest(
        params=CreateMessageRequestParams(
            messages=spoken,
            system_prompt=system,
            max_tokens=_MOST_TOKENS,
            temperature=0.0,
            model_preferences=ModelPreferences(intelligence_priority=1.0 if careful else 0.6),
        )
    )


def _reply(result: CreateMessageResult) -> ModelReply:
    content = result.content
    if not isinstance(content, TextContent) or not content.text.strip():
        raise UnavailableError("The client's model answered without text.", next=_MANUAL)
    return ModelReply(content.text, result.model)
