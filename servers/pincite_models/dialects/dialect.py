"""The protocol that each dialect keeps, and the table of dialects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from pincite_models.dialects.model import DialectName, ModelRequest, ModelResponse
from pincite_models.dialects.question import Question
from pincite_models.dialects.repeats import Repeats

OperationKind = Literal["generate", "embeddings", "rerank", "count_tokens", "models", "other"]
"""``embeddings`` and ``rerank`` are calls of a model that answers in numbers; ``models`` lists or describes models;
``other`` is anything else under the dialect's paths."""
COUNTED: Sequence[OperationKind] = ("embeddings", "rerank")
"""Calls whose answers are numbers: what they use is counted, and the numbers are not recorded."""

Refusal = Literal["limit", "policy", "auth", "malformed", "unreachable"]
"""Why the door itself answers with an error."""


RawRepeats = Repeats[dict[str, Any], Any]
"""Entries of a request (messages, items) as they came, and what a dialect read in them."""


@dataclass(frozen=True, slots=True)
class Operation:
    """What a request asks for. ``model`` is empty where the path does not name it (then the body does)."""

    dialect: DialectName
    kind: OperationKind
    model: str = ""
    streamed: bool = False
    """Whether the path asks for a stream (Gemini); else the body says so."""


class StreamReader(Protocol):
    """Reads a streamed response as it comes: any cut of the bytes will do."""

    def feed(self, data: bytes) -> None:
        """Take the next bytes; what cannot be read is passed over and shows as an incomplete response."""
        ...

    def response(self) -> ModelResponse:
        """What has come so far; complete only when the dialect's own end of a response was seen."""
        ...


class Dialect(Protocol):
    """One model API. All methods are pure; what a body lacks is left out, never an exception."""

    name: DialectName
    version_headers: Mapping[str, str]
    """Headers (lower-case names) that each call needs beside its key."""

    def operation(self, method: str, path: str) -> Operation | None:
        """What ``path`` (without the door's prefix and without a query) asks for; None when it is not this API's."""
        ...

    def model_of(self, operation: Operation, body: Mapping[str, Any]) -> str:
        """The model that is asked for, empty where none is named."""
        ...

    def streamed(self, operation: Operation, body: Mapping[str, Any]) -> bool:
        """Whether a stream is asked for."""
        ...

    def hosted_tools(self, body: Mapping[str, Any]) -> tuple[str, ...]:
        """Types of the tools that the provider itself would run (web search, code execution, files, computers, MCP
        connectors), as the API names them."""
        ...

    def read_request(
        self, operation: Operation, body: Mapping[str, Any], repeats: RawRepeats | None = None
    ) -> ModelRequest:
        """The request in the one shape; ``repeats`` knows what earlier requests of the same record held."""
        ...

    def read_response(self, body: Mapping[str, Any]) -> ModelResponse:
        """A response that came whole."""
        ...

    def call_path(self, model: str) -> str:
        """The path where ``write_question`` goes, from the root of the provider's API."""
        ...

    def write_question(self, model: str, question: Question) -> dict[str, Any]:
        """The body that asks ``model`` a question, for an answer that comes whole."""
        ...

    def reader(self) -> StreamReader:
        """A reader for a streamed response."""
        ...

    def error_body(self, status: int, refusal: Refusal, message: str) -> dict[str, Any]:
        """An error as this API words one, which its clients do not retry (but for ``unreachable``)."""
        ...

    def credentials(self, key: str) -> dict[str, str]:
        """The headers (lower-case names) that carry a key to this API."""
        ...
