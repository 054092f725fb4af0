"""ModelEndpoint: a model of the servers' own, asked with text and images."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from pydantic import SecretStr

from pincite_core.errors import BadInputError, LimitReachedError
from pincite_core.http.retries import Backoff
from pincite_core.settings import Settings
from pincite_models.client import Bounds, ModelClient
from pincite_models.connection import Connection, call_address
from pincite_models.dialects.instruction import texts_of
from pincite_models.dialects.model import DialectName, ModelResponse
from pincite_models.dialects.question import Effort, ImagePart, Message, Part, Question
from pincite_models.role import TEXT, VISION, Role
from pincite_models.trouble import CallError

if TYPE_CHECKING:
    from mcp_types import ClientCapabilities

__all__ = ["Effort", "ImagePart", "Message", "ModelEndpoint", "ModelReply", "Part", "can_see"]

Dialect = Literal["openai", "anthropic"]
_DIALECTS: dict[Dialect, DialectName] = {"openai": "openai.chat", "anthropic": "anthropic.messages"}
_TRIES = 4
"""Requests for one answer, the first included. Set by judgement."""
_BACKOFF = Backoff(0.5, most=1.25)
_MOST_REQUEST = 32 << 20
"""Bytes of a request: providers refuse above 20 to 32 MB."""
_MOST_REPLY = 4 << 20
"""Bytes of a reply, far above the longest text that a model writes. Set by judgement."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The text of a model's answer and the name that the endpoint gives the model."""

    text: str
    model: str


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
        spoken: Dialect = dialect or _guess(url)
        there = Connection.of_server(role, _address(url, spoken), model, api_key, _DIALECTS[spoken])
        self._role = role
        self._client = ModelClient(there, Bounds(seconds, _TRIES, _MOST_REPLY, _BACKOFF))

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
        return f"{self._client.connection.model} at {self._client.connection.host}"

    async def ask(
        self, system: str, messages: Sequence[Message], *, max_tokens: int = 2000, effort: Effort = ""
    ) -> ModelReply:
        """The model's answer, after a few more tries where it is busy.

        Raises UnavailableError when it cannot be reached, answers with an error or declines, LimitReachedError when
        the request is too large.
        """
        body = self._client.write(Question(system, messages, max_tokens, effort))
        if len(body) > _MOST_REQUEST:
            raise LimitReachedError(
                f"The request to the {self._role.title} is too large.", seen=f"{len(body)} of {_MOST_REQUEST} bytes"
            )
        try:
            return self._read(await self._client.ask(body))
        except CallError as failure:
            raise self._role.explain(f"({self.name})", failure) from None

    def _read(self, answer: ModelResponse) -> ModelReply:
        """The text of an answer; CallError where the model declined or said nothing."""
        text = "".join(texts_of(answer.parts))
        if answer.stop in ("refusal", "filtered") or not text.strip():
            said = self._client.connection.clean(text)
            raise CallError("bad_request", "declined to answer", f"{answer.stop}: {said}")
        return ModelReply(text, answer.model or self._client.connection.model)


def _guess(url: str) -> Dialect:
    parts = urlsplit(url)
    anthropic = "anthropic" in (parts.hostname or "") or parts.path.rstrip("/").endswith("/messages")
    return "anthropic" if anthropic else "openai"


def _address(url: str, dialect: Dialect) -> str:
    """The address of the call, from that of the call itself or of its API."""
    if dialect == "openai":
        return call_address(url, "/chat/completions", "/v1/chat/completions")
    path = urlsplit(url).path.rstrip("/")
    ending = "/messages" if path.endswith("/v1") else "/v1/messages"
    return url if path.endswith("/messages") else call_address(url, ending, ending)
