"""Request: what a scripted model was asked."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pincite_models.dialects.model import DialectName, Usage
from pincite_models.label import Label

Kind = Literal["turn", "side", "count_tokens", "models", "refused", "other"]
"""``turn`` plays the script; ``side`` is a title, a summary or another helper request of a client, which gets a
harmless answer; ``refused`` did not bring the key; ``other`` is a path that no API has."""


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that a request offers. ``namespace`` is the group it stands in (OpenAI Responses), mostly empty."""

    name: str
    schema: Mapping[str, Any]
    namespace: str = ""
    freeform: bool = False
    """Whether it takes text in place of arguments (OpenAI custom tools)."""


@dataclass(slots=True)
class Request:
    """One request, whatever the API. Texts are joined by line feeds; images are counted only."""

    number: int
    """From 1, in the order of arrival."""
    method: str
    path: str
    """Without its query."""
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    """By lower-case names."""
    body: Mapping[str, Any]
    dialect: DialectName | None = None
    kind: Kind = "other"
    model: str = ""
    streamed: bool = False
    system: str = ""
    users: tuple[str, ...] = ()
    """The text of each user message, results of tools included."""
    tools: tuple[OfferedTool, ...] = ()
    results: tuple[str, ...] = ()
    """The texts of all results of tools, in order."""
    images: int = 0
    schema: Mapping[str, Any] | None = None
    """The JSON Schema that the answer is asked to have."""
    label: Label | None = None
    """The role in whose name it was sent."""
    turn: int | None = None
    """Index, in its script, of the turn that was played or spoiled."""
    fault: str = ""
    """The fault that it met, by its class's name."""
    status: int | None = None
    """Of the answer; None where none was begun."""
    usage: Usage | None = None
    """The token counts that were told to the end."""
    left: bool = False
    """Whether the client went away before its answer was whole."""
    done: threading.Event = field(default_factory=threading.Event)
    """Set when the server has finished with it."""

    @property
    def first(self) -> str:
        """The first user message."""
        return self.users[0] if self.users else ""

    @property
    def last(self) -> str:
        """The last user message, or the results of tools that came last."""
        return self.users[-1] if self.users else ""
