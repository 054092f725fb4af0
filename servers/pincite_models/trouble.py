"""Why a call of a model did not end well: one table of causes, told by status, message and how a stream broke."""

import re
from dataclasses import dataclass
from typing import Literal

ModelCause = Literal[
    "rate_limited",
    "overloaded",
    "server_error",
    "auth",
    "bad_request",
    "model_not_found",
    "context_overflow",
    "timeout",
    "connection",
    "cut_stream",
    "malformed",
    "cancelled",
    "limit",
    "policy",
]
"""``auth`` is the provider's refusal of the user's key; ``cut_stream`` an answer that broke off, ``malformed`` one that
cannot be read; ``cancelled``: the agent went away first; ``limit`` and ``policy`` are the door's own refusals."""

_DETAIL_CHARS = 500
"""Characters of a provider's message in an error."""
_OVERFLOW = re.compile(
    r"context[_ ]length|maximum context|context window|prompt is too long|input is too long|too many (input )?tokens"
    r"|exceeds the maximum number of tokens|request too large for model",
    re.IGNORECASE,
)
_OVERLOADED = re.compile(r"overloaded|UNAVAILABLE|capacity", re.IGNORECASE)
_RATE = re.compile(r"rate.?limit|RESOURCE_EXHAUSTED|quota|too many requests", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ModelTrouble:
    """How the last call for an answer ended, where that was not good. ``refused``: the model would not answer, or its
    provider withheld the answer; ``unrecorded``: the door closed because the record cannot be written; ``door``: a
    fault of the door's own."""

    kind: ModelCause | Literal["refused", "unrecorded", "door"]
    detail: str
    silent_seconds: float = 0.0
    """How long the provider had sent nothing, or next to nothing, when the call ended."""


class CallError(Exception):
    """A call of a model brought no answer. ``how`` ends a sentence about the model ("could not be reached"), ``text``
    is what was seen of it, without the key; ``status`` is 0 where nothing was answered. ``pause`` are the seconds that
    the API asked to wait; where it is ``final``, another try would end the same."""

    def __init__(
        self,
        cause: ModelCause,
        how: str,
        text: str,
        *,
        status: int = 0,
        pause: float = 0.0,
        final: bool = False,
    ) -> None:
        super().__init__(f"{how}: {text}")
        self.cause: ModelCause = cause
        self.how = how
        self.text = text
        self.status = status
        self.pause = pause
        self.final = final

    @property
    def seen(self) -> str:
        """Status and text, on one line."""
        text = shortened(self.text)
        return f"HTTP {self.status}: {text}" if self.status else text


def cause_of_status(status: int, text: str) -> ModelCause | None:
    """What an HTTP status means, with the words of its body; None for a good one."""
    if status < 300:
        return None
    if status in (400, 413, 422) and _OVERFLOW.search(text):
        return "context_overflow"
    if status >= 500:
        if status in (408, 504):
            return "timeout"
        return "overloaded" if status in (503, 529) or _OVERLOADED.search(text) else "server_error"
    known: dict[int, ModelCause] = {
        401: "auth",
        403: "auth",
        404: "model_not_found",
        408: "timeout",
        429: "rate_limited",
    }
    return known.get(status, "bad_request")


def cause_of_words(text: str) -> ModelCause:
    """What the provider's own words for an error in the midst of a response mean."""
    if _OVERFLOW.search(text):
        return "context_overflow"
    if _RATE.search(text):
        return "rate_limited"
    return "overloaded" if _OVERLOADED.search(text) else "server_error"


def shortened(text: str) -> str:
    """The beginning of a message, on one line."""
    return " ".join(text.split())[:_DETAIL_CHARS]
