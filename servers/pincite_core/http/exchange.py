"""One question to a source and its answer."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol
from urllib.parse import urlencode

import orjson

from pincite_core.errors import SourceError
from pincite_core.http.policy import NO_ACCESS, Access, SourcePolicy

Params = tuple[tuple[str, str], ...]
Origin = Literal["live", "cache", "revalidated", "record"]
_SHOWN_CHARS = 200
"""Characters of an unreadable answer that an error shows."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked. ``url`` is absolute and has no query of its own; ``params`` keep their order."""

    policy: SourcePolicy
    method: Literal["GET", "POST"]
    url: str
    params: Params = ()
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    access: Access = NO_ACCESS
    expect: frozenset[int] = frozenset()
    """Statuses beyond 2xx that the caller handles itself."""
    secret: bool = False
    """The answer is a credential: no layer keeps it (cache, record); a replay does not have it."""
    most_bytes: int = 0
    seconds: float = 0.0

    @property
    def address(self) -> str:
        """The URL with its query, without what authenticates us: for results, errors and records."""
        return f"{self.url}{'&' if '?' in self.url else '?'}{urlencode(self.params)}" if self.params else self.url


def _keep() -> None:
    """Nothing was kept."""


@dataclass(frozen=True, slots=True)
class Response:
    """A source's response: the decoded body, and header names in lower case."""

    request: Request
    status: int
    url: str
    """Where the body came from, after redirects, without what authenticates us."""
    headers: Mapping[str, str]
    content: bytes
    retrieved: datetime
    """When the source said it (UTC, whole seconds); kept by cache and record."""
    origin: Origin
    forget: Callable[[], None] = field(default=_keep, compare=False, repr=False)
    """Takes the answer out of the cache, so that it is asked for again; from any thread."""

    def json(self) -> Any:
        """The body as JSON; SourceError ("malformed") when it is not JSON."""
        try:
            return orjson.loads(self.content)
        except ValueError as error:
            raise self.malformed(str(error)) from error

    def malformed(self, seen: str) -> SourceError:
        """The error for a body that is not what the source promises, which is forgotten; the caller raises it."""
        self.forget()
        shown = " ".join(self.content[: 4 * _SHOWN_CHARS].decode(errors="replace").split())[:_SHOWN_CHARS]
        return SourceError(
            f"{self.request.policy.title} sent an answer that cannot be read.",
            source=self.request.policy.name,
            cause="malformed",
            seen=f"{seen}; it begins: {shown!r}",
            next="Try again later, or ask another source.",
        )


Next = Callable[[Request], Awaitable[Response]]


class Layer(Protocol):
    """A step between the caller and the live web: answers itself, or asks the next one and may keep the response."""

    async def answer(self, request: Request, call_next: Next) -> Response:
        """The answer; raises what ``Web.get`` raises."""
        ...
