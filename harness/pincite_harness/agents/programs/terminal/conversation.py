"""Conversation: what was said to the model and what it answered, kept within a budget of tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import AgentRunError, ContentFilterError, ModelContextWindowExceededError
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserContent, UserPromptPart
from pydantic_ai.models import Model
from pydantic_ai.usage import RequestUsage
from thinking import ThinkingError, refusal

from . import prompts

RESERVE = 8_000
"""Tokens that must be free before a turn; else the work is handed over. At most a quarter of the budget."""
_WORTHWHILE = 4
"""Messages that must have come since the last hand-off, else emptying the memory gains nothing."""
_BYTES_A_TOKEN = 3
"""Bytes a token, fewer than in English, so that the budget is not overrun."""
_NOTHING = "(an empty reply)"
_END = 1_000
"""Characters of what was last shown, where there is no summary."""
_SHORT_END = 8_000
"""Characters of the end of a conversation that is kept where nothing else fits."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What the model said; ``cut`` when it was stopped at its limit of output."""

    text: str
    reasoning: str
    usage: RequestUsage
    cut: bool = False


@dataclass(frozen=True, slots=True)
class HandOff:
    """How the memory was emptied: prompt and answer of each side conversation, and what the next one begins with."""

    exchanges: tuple[tuple[str, ModelAnswer], ...]
    resumed_with: str


@dataclass
class Conversation:
    """One with ``model``, begun by the message ``first`` under ``instructions``; ``budget`` is in tokens."""

    model: Model
    instructions: str
    first: str
    budget: int
    screen: Callable[[], str]
    """What the terminal shows now, for whoever takes over."""
    pictures: Sequence[UserContent] = ()
    """What every memory begins with beside ``first``: the pictures among the task's files."""
    hand_offs: list[HandOff] = field(default_factory=list[HandOff])
    _history: list[ModelMessage] = field(default_factory=list[ModelMessage])
    _used: int = 0
    _known: int = 0
    """Messages with which the memory began: those of the last hand-off."""

    async def ask(self, text: str) -> ModelAnswer:
        """Say ``text`` and give the answer; hands the work over first where the answer would not fit.

        ThinkingError when the model cannot be asked, will not answer, or has no room for the task itself.
        """
        full = self.budget - self._used - tokens(text) < self._reserve
        if full and len(self._history) - self._known >= _WORTHWHILE:
            text = await self._hand_off(text)
        try:
            return await self._say(text)
        except ModelContextWindowExceededError as error:
            if len(self._history) <= self._known:
                raise ThinkingError(f"the task alone does not fit into the model's context: {error}") from error
        except AgentRunError as error:
            raise ThinkingError(str(error)) from error
        self._unwind()
        text = await self._hand_off(text)
        try:
            return await self._say(text)
        except AgentRunError as error:
            raise ThinkingError(str(error)) from error

    @property
    def _reserve(self) -> int:
        return min(RESERVE, self.budget // 4)

    async def _say(self, text: str) -> ModelAnswer:
        request = self._request(text) if self._history else self._opening(text)
        answer, response = await self._call([*self._history, request])
        # No API takes an empty message back.
        kept = response if answer.text.strip() else ModelResponse(parts=[TextPart(_NOTHING)])
        self._history += [request, kept]
        self._used = _spent(answer.usage) or _estimate(self._history, self.instructions)
        return answer

    def _request(self, *texts: str) -> ModelRequest:
        return ModelRequest(parts=[UserPromptPart(text) for text in texts], instructions=self.instructions)

    def _opening(self, *texts: str) -> ModelRequest:
        """The first message of a memory."""
        request = self._request(*texts)
        pictures = [UserPromptPart(self.pictures)] if self.pictures else []
        return replace(request, parts=[*request.parts, *pictures])

    async def _call(self, messages: Sequence[ModelMessage]) -> tuple[ModelAnswer, ModelResponse]:
        response = await model_request(self.model, messages)
        if refused := refusal(response):
            raise ContentFilterError(refused)
        cut = response.finish_reason == "length"
        return ModelAnswer(response.text or "", response.thinking or "", response.usage, cut), response

    def _unwind(self) -> None:
        """Forget the latest exchanges until there is room to sum up the rest; the context is smaller than believed."""
        self.budget = min(self.budget, self._used)
        while len(self._history) > 2:
            del self._history[-2:]
            if _estimate(self._history, self.instructions) <= self.budget - self._reserve // 2:
                return

    async def _hand_off(self, pending: str) -> str:
        """Empty the memory: a summary from the old context, questions to it from a fresh one, answers from the old.

        The message with which the fresh one goes on, ``pending`` at its end: that was not said yet. Where a part
        fails, a short summary does, or the bare task.
        """
        exchanges: list[tuple[str, ModelAnswer]] = []
        try:
            resumed = await self._full_hand_off(pending, exchanges)
        except AgentRunError:
            try:
                resumed = await self._short_hand_off(pending, exchanges)
            except AgentRunError:
                self._history = []
                resumed = prompts.RESUME.format(first=self.first, summary="(not known)", pending=pending[-_END:])
        self._used, self._known = _estimate(self._history, self.instructions), len(self._history)
        self.hand_offs.append(HandOff(tuple(exchanges), resumed))
        return resumed

    async def _full_hand_off(self, pending: str, exchanges: list[tuple[str, ModelAnswer]]) -> str:
        old = [*self._history, self._request(prompts.SUMMARY)]
        summary, told = await self._call(old)
        exchanges.append((prompts.SUMMARY, summary))
        ask = prompts.QUESTIONS.format(summary=summary.text, screen=self.screen())
        fresh = self._opening(self.first, ask)
        questions, asked = await self._call([fresh])
        exchanges.append((ask, questions))
        reply = prompts.ANSWERS.format(questions=questions.text)
        answers, _ = await self._call([*old, told, self._request(reply)])
        exchanges.append((reply, answers))
        self._history = [fresh, asked]
        return prompts.GO_ON.format(answers=answers.text, pending=pending)

    async def _short_hand_off(self, pending: str, exchanges: list[tuple[str, ModelAnswer]]) -> str:
        end = "\n\n".join(_texts(self._history[1:]))[-_SHORT_END:]
        prompt = prompts.SHORT_SUMMARY.format(first=self.first, end=end)
        summary, _ = await self._call([ModelRequest(parts=[UserPromptPart(prompt)])])
        exchanges.append((prompt, summary))
        self._history = []
        return prompts.RESUME.format(first=self.first, summary=summary.text, pending=pending)


def tokens(text: str) -> int:
    """About how many tokens a text has: more rather than fewer."""
    return len(text.encode()) // _BYTES_A_TOKEN + 8


def _spent(usage: RequestUsage) -> int:
    return usage.input_tokens + usage.output_tokens


def _estimate(history: Sequence[ModelMessage], instructions: str) -> int:
    return tokens(instructions) + sum(map(tokens, _texts(history)))


def _texts(history: Sequence[ModelMessage]) -> list[str]:
    texts: list[str] = []
    for message in history:
        if isinstance(message, ModelResponse):
            texts.append(message.text or "")
        else:
            parts = [part.content for part in message.parts if isinstance(part, UserPromptPart)]
            texts += [content for content in parts if isinstance(content, str)]
    return texts
