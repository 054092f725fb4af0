"""The model of a harness agent, on pydantic-ai: reached through the model door, with retries that are bounded.

pydantic-ai speaks all four APIs behind one interface, sorts providers' errors into categories, and is typed
throughout. Needs the libraries of the extra ``agents``.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, cast

from pydantic_ai.embeddings import EmbeddingModel
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRequestRejectedError,
    UnexpectedModelBehavior,
)
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.settings import ModelSettings, ThinkingLevel

SECONDS = 600.0
"""How long one call of the model may take."""
PAUSES = (1.0, 4.0, 15.0)
"""Seconds before each retry, where the provider asks for no other."""
LONGEST_PAUSE = 60.0
"""Seconds of a pause before the next try, whatever the provider asks. Set by judgement."""
SETTINGS = ModelSettings(timeout=SECONDS, max_retries=0, cache=True, framing_announcement="never")
"""Goes with every call: the retries are those of Patient, prompts are cached where the provider can, and the system
prompt is the agent's own, word for word, from the first request to the last."""
ONE_SYSTEM_MESSAGE = ModelProfile(supports_inline_system_prompts=False)
"""Says that a model takes no system message in mid-conversation, whatever it is: pydantic-ai adds one after the first
picture of a tool, and the chat templates of many local models refuse a system message that is not the first."""

_PASSING_STATUSES = (408, 409, 429)
"""HTTP statuses of a refusal that a later try may not meet."""


class ThinkingError(Exception):
    """The model cannot be asked, or did not answer: the message says why."""


class Patient(WrapperModel):
    """A model that is asked again, three times at most, when what went wrong may pass."""

    def __init__(self, wrapped: Model, pauses: tuple[float, ...] = PAUSES) -> None:
        super().__init__(wrapped)
        self._pauses = pauses

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The answer; the last error when every try failed."""
        for pause in self._pauses:
            try:
                return await super().request(messages, model_settings, model_request_parameters)
            except (ModelAPIError, UnexpectedModelBehavior) as error:
                if not _may_pass(error):
                    raise
                await asyncio.sleep(_wait(error, pause))
        return await super().request(messages, model_settings, model_request_parameters)


def open_model(task: Mapping[str, Any], options: Mapping[str, str]) -> Model:
    """The model that task.json names, with no key but the trial's token; ThinkingError where it names none.

    Of the agent's options it takes ``effort``, in the words of pydantic-ai, and ``max_output`` (tokens of an answer).
    """
    given = task.get("model")
    if not given:
        raise ThinkingError("task.json names no model")
    settings = SETTINGS.copy()
    if "effort" in options:
        settings["thinking"] = cast("ThinkingLevel", options["effort"])
    if "max_output" in options:
        settings["max_tokens"] = int(options["max_output"])
    model = _model(str(given["dialect"]), str(given["name"]), str(given["url"]), str(given["api_key"]), settings)
    return Patient(model)


def open_embedder(given: Mapping[str, Any] | None) -> EmbeddingModel:
    """A model that makes vectors, as an entry of task.json's ``models`` tells it; ThinkingError where there is none, or
    where its API has none."""
    if not given:
        raise ThinkingError("task.json names no such model")
    dialect = str(given["dialect"])
    if dialect not in ("openai.responses", "openai.chat"):
        raise ThinkingError(f"{dialect} makes no vectors: name a model of an OpenAI-compatible API")
    from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(api_key=str(given["api_key"]), base_url=f"{given['url']}/v1")
    return OpenAIEmbeddingModel(str(given["name"]), provider=provider)


def refusal(message: ModelMessage) -> str:
    """How an answer was refused by the model or withheld by its provider; empty for any other message."""
    if not isinstance(message, ModelResponse) or message.finish_reason != "content_filter":
        return ""
    return f"the model refused: {(message.text or 'without a word').strip()}"


def _model(dialect: str, name: str, url: str, token: str, settings: ModelSettings) -> Model:
    # Each API's SDK takes seconds to import: only the one that is spoken.
    if dialect == "anthropic.messages":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        anthropic = AnthropicProvider(api_key=token, base_url=url)
        return AnthropicModel(name, provider=anthropic, profile=ONE_SYSTEM_MESSAGE, settings=settings)
    if dialect == "google.generate":
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        google = GoogleProvider(api_key=token, base_url=url)
        return GoogleModel(name, provider=google, profile=ONE_SYSTEM_MESSAGE, settings=settings)
    if dialect in ("openai.responses", "openai.chat"):
        from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
        from pydantic_ai.providers.openai import OpenAIProvider

        class ChatModel(OpenAIChatModel):
            """Takes calls whose arguments are null, which some compatible servers send in place of a text."""

            def _validate_completion(self, response: Any) -> Any:
                for call in _calls_of(response):
                    if call.arguments is None:
                        call.arguments = "null"
                return super()._validate_completion(response)

        provider = OpenAIProvider(api_key=token, base_url=f"{url}/v1")
        kind = OpenAIResponsesModel if dialect == "openai.responses" else ChatModel
        return kind(name, provider=provider, profile=ONE_SYSTEM_MESSAGE, settings=settings)
    raise ThinkingError(f"the dialect {dialect!r} is not known")


def _calls_of(completion: Any) -> list[Any]:
    """The functions that a completion of OpenAI's API calls, as they came."""
    messages = [choice.message for choice in completion.choices or () if choice.message is not None]
    calls = [call for message in messages for call in getattr(message, "tool_calls", None) or ()]
    return [call.function for call in calls if getattr(call, "function", None) is not None]


def _may_pass(error: Exception) -> bool:
    """Whether to retry: rate limits, outages, dropped connections, unreadable replies; not rejected requests or
    exhausted quotas."""
    if isinstance(error, ModelRequestRejectedError | ModelQuotaExceededError):
        return False
    status = error.status_code if isinstance(error, ModelHTTPError) else 0
    return not 400 <= status < 500 or status in _PASSING_STATUSES


def _wait(error: Exception, pause: float) -> float:
    asked = error.retry_after if isinstance(error, ModelAPIError) else None
    return min(asked, LONGEST_PAUSE) if asked is not None else pause
