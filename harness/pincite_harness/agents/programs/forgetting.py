"""A model that forgets: old results of tools make room when a conversation does not fit its context."""

from collections.abc import Sequence
from dataclasses import replace

from pydantic_ai.exceptions import ModelContextWindowExceededError
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelRequestPart, ModelResponse, ToolReturnPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

NOTE = "[This result was removed to make room. Call the tool again if you need it.]"
_SHORT = 200
"""Characters of a result that is not worth forgetting."""


class Forgetful(WrapperModel):
    """Asks again without the older half of the long results whenever the model says that there is too much; the error
    goes on when none is left. What is forgotten stays so, and the beginning of a conversation cacheable."""

    def __init__(self, wrapped: Model) -> None:
        super().__init__(wrapped)
        self._forgotten: set[str] = set()

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The answer to what is remembered."""
        while True:
            remembered = [self._remembered(message) for message in messages]
            try:
                return await super().request(remembered, model_settings, model_request_parameters)
            except ModelContextWindowExceededError:
                long = self._long_results(messages)
                if not long:
                    raise
                self._forgotten.update(long[: (len(long) + 1) // 2])
                print(f"the context is full: {len(self._forgotten)} results are forgotten", flush=True)

    def _remembered(self, message: ModelMessage) -> ModelMessage:
        if not isinstance(message, ModelRequest):
            return message
        parts: list[ModelRequestPart] = [
            replace(part, content=NOTE)
            if isinstance(part, ToolReturnPart) and part.tool_call_id in self._forgotten
            else part
            for part in message.parts
        ]
        return replace(message, parts=parts)

    def _long_results(self, messages: Sequence[ModelMessage]) -> list[str]:
        """The calls whose results are long and remembered, oldest first."""
        return [
            part.tool_call_id
            for message in messages
            for part in message.parts
            if isinstance(part, ToolReturnPart)
            and part.tool_call_id not in self._forgotten
            and not (isinstance(part.content, str) and len(part.content) <= _SHORT)
        ]
