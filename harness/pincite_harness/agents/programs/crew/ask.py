"""Ask: one call of a role, with an output that is checked; a reply that does not fit is told its faults once."""

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar, cast

from pydantic_ai.embeddings import EmbeddingModel
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings, ThinkingLevel
from thinking import open_embedder, open_model, refusal

from .budget import Budget, Metered
from .form import Form
from .role import LABEL, Part, Refused, Role, label
from .state import Asked, State

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Said(Generic[T]):
    """What a role said: ``value`` where it fits, else None and ``fault`` says what is wrong with it."""

    value: T | None
    fault: str = ""
    text: str = ""
    """Its last reply as it came."""
    repairs: int = 0
    calls: int = 1
    who: str = ""
    step: str = ""

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.value is not None


@dataclass
class Talk:
    """The conversation of one ``ask`` or ``work``: its messages and what they cost."""

    messages: list[ModelMessage]
    settings: ModelSettings
    calls: int = 0
    repairs: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    begun: float = field(default_factory=time.monotonic)


class Crew:
    """The roles' way to their models: settings, budget and state of one trial. Use it as an async context manager.

    ``options`` are the agent's options; the kernel reads ``format`` (``tool`` or ``tags``), ``repairs``, ``effort``,
    ``pictures`` and the limits of ``Budget.of``.
    """

    def __init__(
        self, task: Mapping[str, Any], options: Mapping[str, str], state: State, budget: Budget | None = None
    ) -> None:
        self.task = task
        self.options = options
        self.state = state
        self.budget = budget if budget is not None else Budget.of(task, options)
        self._models: dict[str, Model] = {}
        self._embedders: dict[str, EmbeddingModel] = {}
        self._exit = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Open the clients of all models; they are closed on exit."""
        named: Mapping[str, Any] = self.task.get("models") or {}
        for key in ("", *named):
            if key or self.task.get("model"):
                await self._exit.enter_async_context(self.model(key))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._exit.aclose()

    async def ask(
        self,
        role: Role[T],
        parts: Sequence[Part],
        *,
        who: str,
        step: str = "",
        slots: Mapping[str, object] | None = None,
        parent: str = "main",
    ) -> Said[T]:
        """One reply of ``role`` to ``parts``; ``slots`` fill its prompt, and ``who``, ``step`` and ``parent`` name the
        request on the wire.

        A reply that does not fit is asked for again (option ``repairs``, 1), then told as ``Said.fault``. Refused where
        the model refuses, Spent where the budget is, and the errors of pydantic-ai where it cannot be asked."""
        form = self.form(role)
        talk = self.open(role, parts, form, who=who, step=step, slots=slots, parent=parent)
        while True:
            response = await self.reply(role, talk, form.parameters())
            value, fault = form.read(response)
            if not fault or talk.repairs >= self.repairs:
                return self.close(role, talk, response, value, fault, who=who, step=step)
            talk.repairs += 1
            talk.messages += [response, ModelRequest(told(response, fault))]

    async def embed(
        self, texts: Sequence[str], *, model: str = "embedder", who: str = "", step: str = ""
    ) -> Sequence[Sequence[float]]:
        """The vector of each text, by the model of this key of ``task.json["models"]``; ThinkingError where there is
        none. Its tokens count in the budget."""
        if model not in self._embedders:
            named: Mapping[str, Any] = self.task.get("models") or {}
            self._embedders[model] = open_embedder(named.get(model))
        headers = {LABEL: label(model, who, step)}
        result = await self._embedders[model].embed(
            list(texts), input_type="document", settings={"extra_headers": headers}
        )
        self.budget.tokens += result.usage.input_tokens
        return result.embeddings

    @property
    def repairs(self) -> int:
        """How often a reply that does not fit is asked for again."""
        return int(self.options.get("repairs", "1"))

    def model(self, key: str = "") -> Model:
        """The model of a key of ``task.json["models"]``, the main one for an empty key or one that is not there."""
        named: Mapping[str, Any] = self.task.get("models") or {}
        key = key if key in named else ""  # one client for all that share the main model: it is closed at the end
        if key not in self._models:
            model = open_model({"model": named.get(key) or self.task.get("model")}, self.options)
            if isinstance(model, WrapperModel):  # under the retries, so that each of them is counted
                model.wrapped = Metered(model.wrapped, self.budget)
            self._models[key] = model
        return self._models[key]

    def answer(self, value: Any) -> list[str]:
        """Write the task's answer, repaired where that loses nothing; a later one replaces it. What does not fit the
        task's schema, a line each."""
        from answering import AnswerFile

        file = AnswerFile.of(self.task)
        fitted, _ = file.fit(value)
        file.write(fitted)
        return file.faults(fitted)

    def form(self, role: Role[T]) -> Form[T]:
        """How ``role`` is asked for its output."""
        native = self.model(role.asks).profile.get("default_structured_output_mode") == "native"
        return Form(role.output, tags=self.options.get("format", "tool") == "tags", native=native)

    def open(
        self,
        role: Role[Any],
        parts: Sequence[Part],
        form: Form[Any],
        *,
        who: str,
        step: str,
        slots: Mapping[str, object] | None,
        parent: str,
        more: str = "",
    ) -> Talk:
        """A conversation with its first message."""
        blind = self.options.get("pictures", "yes") == "no"
        instructions = "\n\n".join(filter(None, [role.instructions(slots or {}), form.wish, more]))
        content = role.content(parts, pictures=not blind)
        settings = ModelSettings(extra_headers={LABEL: label(role.name, who, step, parent)})
        if role.effort is not None:
            settings["thinking"] = cast("ThinkingLevel", role.effort)
        return Talk([ModelRequest([UserPromptPart(content)], instructions=instructions)], settings)

    async def reply(self, role: Role[Any], talk: Talk, parameters: ModelRequestParameters) -> ModelResponse:
        """The model's next reply; Refused where it refuses."""
        response = await self.model(role.asks).request(talk.messages, talk.settings, parameters)
        talk.calls += 1
        talk.input_tokens += response.usage.input_tokens
        talk.output_tokens += response.usage.output_tokens
        if refused := refusal(response):
            raise Refused(f"role {role.name}: {refused}")
        return response

    def close(
        self,
        role: Role[T],
        talk: Talk,
        response: ModelResponse,
        value: T | None,
        fault: str,
        *,
        who: str,
        step: str,
    ) -> Said[T]:
        """What was said, noted in the state."""
        asked = Asked(
            role=role.name,
            who=who,
            step=step,
            fault=fault,
            repairs=talk.repairs,
            calls=talk.calls,
            input_tokens=talk.input_tokens,
            output_tokens=talk.output_tokens,
            seconds=round(time.monotonic() - talk.begun, 3),
        )
        self.state.emit(asked)
        text = response.text or json.dumps([call.args_as_dict() for call in response.tool_calls], ensure_ascii=False)
        return Said(value, fault, text, talk.repairs, talk.calls, who, step)


def told(response: ModelResponse, fault: str) -> list[ModelRequestPart]:
    """The message that tells a model what is wrong with its reply: as the result of each call that it made, since
    every API wants one, else as a message."""
    text = f"That does not fit:\n{fault}\nAnswer again, whole."
    calls = response.tool_calls
    if not calls:
        return [UserPromptPart(text)]
    return [ToolReturnPart(call.tool_name, text, call.tool_call_id, outcome="failed") for call in calls]
