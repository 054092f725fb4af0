"""A question to a model, whatever its API: texts, pictures with their bytes, and the form of the answer."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Effort = Literal["", "low", "medium", "high"]

MOST_TOKENS = 8192
"""Tokens of an answer, reasoning included, where a question sets no bound and the API wants one. Set by judgement."""
THOUGHT_TOKENS: Mapping[Effort, int] = {"": 0, "low": 2048, "medium": 8192, "high": 16384}
"""Tokens that an effort stands for at APIs that count thinking in tokens. Set by judgement."""


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An encoded picture and its type ("image/png")."""

    data: bytes
    mime_type: str

    @property
    def base64(self) -> str:
        """The picture's bytes in base64."""
        return base64.b64encode(self.data).decode()

    @property
    def data_url(self) -> str:
        """The picture as a ``data:`` address."""
        return f"data:{self.mime_type};base64,{self.base64}"


Part = str | ImagePart


@dataclass(frozen=True, slots=True)
class Message:
    """What one side says: texts and pictures in order. A lone text as ``str`` stays a plain string at chat completions,
    since servers that read no pictures may take nothing else."""

    role: Literal["user", "assistant"]
    parts: str | Sequence[Part]

    @property
    def contents(self) -> Sequence[Part]:
        """The parts, a lone text as a list of one."""
        return [self.parts] if isinstance(self.parts, str) else self.parts

    @property
    def text(self) -> str:
        """The texts, a line each."""
        return "\n".join(part for part in self.contents if isinstance(part, str))


@dataclass(frozen=True, slots=True)
class Form:
    """The JSON Schema of an answer with its name and, for APIs that force a tool call instead, what that tool does."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """One call of a model. ``max_tokens`` None leaves the bound to the API, or is 8,192 where that wants one;
    ``temperature`` None is the model's own; ``form`` None asks for words."""

    system: str
    messages: Sequence[Message]
    max_tokens: int | None = None
    effort: Effort = ""
    temperature: float | None = None
    form: Form | None = None

    @property
    def sampling(self) -> dict[str, float]:
        """The field of the temperature, if one is asked for."""
        return {} if self.temperature is None else {"temperature": self.temperature}
