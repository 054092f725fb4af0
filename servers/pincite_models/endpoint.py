"""A model behind an HTTP endpoint, asked with text and images: OpenAI chat completions or Anthropic messages.

httpx is loaded by the first question.
"""

import base64
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urlsplit

import anyio
import orjson
from pydantic import SecretStr

from pincite_core.errors import BadInputError, LimitReachedError, UnavailableError
from pincite_core.http.retries import Backoff, asked_pause
from pincite_core.settings import Settings

if TYPE_CHECKING:
    import httpx
    from mcp_types import ClientCapabilities

Dialect = Literal["openai", "anthropic"]
Effort = Literal["", "low", "medium", "high"]

_ATTEMPTS = 4
_AGAIN = frozenset((408, 409, 429, 500, 502, 503, 504, 529))
_BACKOFF = Backoff(0.5, most=1.25)
_LONGEST_PAUSE = 30.0
"""Seconds: an API that asks for more is given up."""
_CONNECT_SECONDS = 10.0
_MOST_REQUEST = 32 << 20
_MOST_REPLY = 4 << 20
_SEEN_CHARS = 300
_THOUGHT_TOKENS = {"low": 2048, "medium": 8192, "high": 16384}
_ANTHROPIC_VERSION = "2023-06-01"


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An encoded picture and its type ("image/png")."""

    data: bytes
    mime_type: str


Part = str | ImagePart


@dataclass(frozen=True, slots=True)
class Message:
    """What one side says: texts and pictures in order."""

    role: Literal["user", "assistant"]
    parts: Sequence[Part]


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The text of a model's answer and the name that the endpoint gives the model."""

    text: str
    model: str


@dataclass(frozen=True, slots=True)
class Role:
    """What errors call a model, the prefix of its settings (``PINCITE_VISION_URL``) and what may be done without it."""

    title: str
    prefix: str
    without: str


VISION = Role(
    "vision model",
    "PINCITE_VISION",
    "Try again later, or look with view_figure, zoom_figure and read_figure_text.",
)
TEXT = Role("text model", "PINCITE_TEXT", "Try again later, or unset PINCITE_TEXT_MODEL to go on without it.")


def can_see(settings: Settings, client: "ClientCapabilities | None") -> bool:
    """Whether tools that need a model that sees (``inspect_figure``) can work: one is configured, or the client offers
    its own by sampling."""
    configured = bool(settings.vision_url and settings.vision_model)
    return configured or (client is not None and client.sampling is not None)


class ModelEndpoint:
    """Asks one model. The key is sent in a header and stands in no message, error or log of ours."""

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api_key: SecretStr | None,
        dialect: Dialect | None,
        seconds: float,
        role: Role = VISION,
    ) -> None:
        self._role = role
        self._dialect: Dialect = dialect or _guess(url)
        self._url = _address(url, self._dialect, role)
        self._model = model
        self._key = api_key
        self._seconds = seconds

    @classmethod
    def of(cls, settings: Settings) -> "ModelEndpoint | None":
        """The vision model of the settings; None where none is set, BadInputError where it is half set."""
        return cls._set(
            VISION,
            settings.vision_url,
            settings.vision_model,
            settings.vision_api_key,
            settings.vision_dialect,
            settings.vision_seconds,
        )

    @classmethod
    def of_text(cls, settings: Settings) -> "ModelEndpoint | None":
        """The text model of the settings, as ``of`` the vision model."""
        return cls._set(
            TEXT,
            settings.text_url,
            settings.text_model,
            settings.text_api_key,
            settings.text_dialect,
            settings.text_seconds,
        )

    @classmethod
    def _set(
        cls,
        role: Role,
        url: str,
        model: str,
        api_key: SecretStr | None,
        dialect: Literal["auto", "openai", "anthropic"],
        seconds: float,
    ) -> "ModelEndpoint | None":
        if not url and not model:
            return None
        if not (url and model):
            raise BadInputError(
                f"The {role.title} is only partly set up.", next=f"Set both {role.prefix}_URL and {role.prefix}_MODEL."
            )
        spoken = None if dialect == "auto" else dialect
        return cls(url, model, api_key=api_key, dialect=spoken, seconds=seconds, role=role)

    @property
    def name(self) -> str:
        """Model and host, as results name them."""
        return f"{self._model} at {urlsplit(self._url).hostname}"

    async def ask(
        self, system: str, messages: Sequence[Message], *, max_tokens: int = 2000, effort: Effort = ""
    ) -> ModelReply:
        """The model's answer, after a few more tries where it is busy.

        Raises UnavailableError when it cannot be reached, answers with an error or declines, LimitReachedError when
        the request is too large.
        """
        import httpx

        body = orjson.dumps(self._body(system, messages, max_tokens, effort))
        if len(body) > _MOST_REQUEST:
            raise LimitReachedError(
                f"The request to the {self._role.title} is too large.", seen=f"{len(body)} of {_MOST_REQUEST} bytes"
            )
        deadline = time.monotonic() + self._seconds
        timeout = httpx.Timeout(self._seconds, connect=min(_CONNECT_SECONDS, self._seconds))
        async with httpx.AsyncClient(timeout=timeout, follow_redirects=False) as client:
            for attempt in range(_ATTEMPTS):
                pause = _BACKOFF.pause(attempt + 1)
                try:
                    with anyio.fail_after(max(deadline - time.monotonic(), 0.0)):
                        status, headers, content = await self._send(client, body)
                except TimeoutError:
                    raise self._failed("did not answer in time", f"the limit is {self._seconds:g} s") from None
                except httpx.HTTPError as error:
                    # The text of an error may quote the request: its kind says enough.
                    trouble = self._failed("could not be reached", type(error).__name__)
                else:
                    if status == 200:
                        return self._read(content)
                    trouble = self._refused(status, content)
                    if status not in _AGAIN:
                        raise trouble
                    pause = max(pause, asked_pause(headers) or 0.0)
                if attempt + 1 == _ATTEMPTS or pause > _LONGEST_PAUSE or time.monotonic() + pause > deadline:
                    raise trouble
                await anyio.sleep(pause)
        raise AssertionError("every attempt returns or raises")

    async def _send(self, client: "httpx.AsyncClient", body: bytes) -> "tuple[int, httpx.Headers, bytes]":
        headers = {"content-type": "application/json"}
        key = self._key.get_secret_value() if self._key is not None else ""
        if self._dialect == "anthropic":
            headers |= {"anthropic-version": _ANTHROPIC_VERSION} | ({"x-api-key": key} if key else {})
        elif key:
            headers["authorization"] = f"Bearer {key}"
        async with client.stream("POST", self._url, content=body, headers=headers) as response:
            content = bytearray()
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > _MOST_REPLY:
                    raise self._failed("sent too long an answer", f"more than {_MOST_REPLY} bytes")
            return response.status_code, response.headers, bytes(content)

    def _body(self, system: str, messages: Sequence[Message], max_tokens: int, effort: Effort) -> dict[str, Any]:
        if self._dialect == "anthropic":
            thought = _THOUGHT_TOKENS.get(effort, 0)
            body: dict[str, Any] = {
                "model": self._model,
                "max_tokens": max_tokens + thought,
                "system": system,
                "messages": [{"role": m.role, "content": [_anthropic(part) for part in m.parts]} for m in messages],
            }
            return body | ({"thinking": {"type": "enabled", "budget_tokens": thought}} if thought else {})
        spoken = [{"role": m.role, "content": _openai_content(m)} for m in messages]
        body = {"model": self._model, "messages": [{"role": "system", "content": system}, *spoken]}
        return body | ({"reasoning_effort": effort} if effort else {"max_tokens": max_tokens})

    def _read(self, content: bytes) -> ModelReply:
        """The text of an answer; UnavailableError where it has none."""
        try:
            answer = orjson.loads(content)
            text = _anthropic_text(answer) if self._dialect == "anthropic" else _openai_text(answer)
            model = str(answer.get("model") or self._model)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            raise self._failed("sent an answer that is none", self._shown(content)) from None
        if not text.strip():
            raise self._failed("declined to answer", self._shown(content))
        return ModelReply(text, model)

    def _refused(self, status: int, content: bytes) -> UnavailableError:
        prefix = self._role.prefix
        advice = f"Check {prefix}_API_KEY." if status in (401, 403) else ""
        if status in (400, 404, 405, 422):
            advice = f"Check {prefix}_URL, {prefix}_MODEL and {prefix}_DIALECT."
        if 300 <= status < 400:
            advice = f"Set {prefix}_URL to where it points: redirects are not followed with a key."
        return self._failed("answered with an error", f"HTTP {status}: {self._shown(content)}", advice)

    def _failed(self, how: str, seen: str, advice: str = "") -> UnavailableError:
        return UnavailableError(
            f"The {self._role.title} ({self.name}) {how}.",
            seen=seen,
            next=advice or self._role.without,
        )

    def _shown(self, content: bytes) -> str:
        """The start of an answer for an error, the key left out should the endpoint repeat it."""
        text = " ".join(content[: 4 * _SEEN_CHARS].decode(errors="replace").split())
        key = self._key.get_secret_value() if self._key is not None else ""
        return (text.replace(key, "***") if key else text)[:_SEEN_CHARS]


def _guess(url: str) -> Dialect:
    parts = urlsplit(url)
    anthropic = "anthropic" in (parts.hostname or "") or parts.path.rstrip("/").endswith("/messages")
    return "anthropic" if anthropic else "openai"


def _address(url: str, dialect: Dialect, role: Role) -> str:
    """The address of the call, from that of the call itself or of its API."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInputError(
            f"{url[:100]!r} is not an address of a model.", next=f"Give {role.prefix}_URL as http(s)://…"
        )
    path = parts.path.rstrip("/")
    ending = "/messages" if dialect == "anthropic" else "/chat/completions"
    if not path.endswith(ending):
        path += ending if path.endswith("/v1") or (path and dialect == "openai") else "/v1" + ending
    return parts._replace(path=path, fragment="").geturl()


def _openai_content(message: Message) -> str | list[dict[str, Any]]:
    if message.role == "assistant":
        return "\n".join(part for part in message.parts if isinstance(part, str))
    return [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image_url", "image_url": {"url": f"data:{part.mime_type};base64,{_base64(part)}"}}
        for part in message.parts
    ]


def _anthropic(part: Part) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image", "source": {"type": "base64", "media_type": part.mime_type, "data": _base64(part)}}


def _base64(part: ImagePart) -> str:
    return base64.b64encode(part.data).decode()


def _openai_text(answer: dict[str, Any]) -> str:
    content = answer["choices"][0]["message"].get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in cast("list[dict[str, Any]]", content))


def _anthropic_text(answer: dict[str, Any]) -> str:
    return "".join(str(part["text"]) for part in answer["content"] if part["type"] == "text")
