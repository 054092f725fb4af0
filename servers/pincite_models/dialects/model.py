"""One shape for what passes between an agent and a model, whatever the API.

Binary content never stands here: where a recorded body held base64 data or a data URL, it now says ``media:PATH`` (see
``gateway.media``), and its part is a Media with that path, relative to the trial's folder.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

DialectName = Literal["anthropic.messages", "openai.responses", "openai.chat", "google.generate", "rerank"]
"""``rerank`` is the API of rerankers, which servers alone ask."""
Role = Literal["system", "user", "assistant"]
StopReason = Literal["end", "tool_calls", "length", "refusal", "filtered", "error", "other", "unknown"]
"""``refusal``: the model would not; ``filtered``: the provider withheld the answer; ``unknown``: the response did not
come to its end."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call as the provider counted them. ``input_tokens`` include the cached and the cache-written ones,
    ``output_tokens`` include the reasoning ones."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
        )


@dataclass(frozen=True, slots=True)
class Text:
    """Words that are to be read."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """The model's thinking; ``text`` is empty where the provider keeps it to itself (encrypted or redacted)."""

    text: str


@dataclass(frozen=True, slots=True)
class Media:
    """An image, sound or document: ``path`` of a kept file, or else ``url`` where the request named one."""

    media_type: str
    path: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. ``arguments`` is empty, and ``raw`` says what stood there, where they are not a JSON object.
    ``hosted`` calls are carried out by the provider."""

    call_id: str
    name: str
    arguments: Mapping[str, Any]
    raw: str = ""
    hosted: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool gave back for the call ``call_id``."""

    call_id: str
    parts: tuple["Text | Media", ...]
    is_error: bool = False


Part = Text | Reasoning | Media | Call | Result


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call of a model. ``system`` is the instruction before the conversation, ``tools`` follow the OpenAI function
    schema (``{"type": "function", "function": {...}}``), hosted tools as ``{"type": their type}``."""

    model: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[dict[str, Any], ...] = ()
    effort: str | float | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Temperature, limits of output and the like, as the API names them."""
    streamed: bool = False
    previous_response: str = ""
    """The id of the response that this request goes on from (OpenAI Responses)."""


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """What a model answered; ``complete`` is False where the answer broke off, with all parts that came until then."""

    response_id: str
    model: str
    parts: tuple[Part, ...]
    stop: StopReason
    usage: Usage | None
    complete: bool = True
    error: str = ""
    """What the provider said went wrong in the midst of a response."""
