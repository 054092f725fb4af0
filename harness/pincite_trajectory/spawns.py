"""Which tool call started a conversation: sub-agents are told by their instruction, which stood in a call."""

from collections.abc import Container, Iterable, Iterator
from typing import Any, cast

from pincite_models.dialects.model import Call, Text
from pincite_trajectory.items import Item, squeezed
from pincite_trajectory.turns import Turn

_LEAST = 12
"""Letters of an instruction that is worth comparing."""
_SHARE = 0.25
"""The part of a message that an instruction must make up: the rest is the client's own frame around it."""


def spawning_call(
    items: Iterable[Item], earlier: Iterable[Turn], taken: Container[int] = ()
) -> tuple[Turn, Call] | None:
    """The call among the answers of ``earlier`` turns whose argument ``items`` bring as a message; of several the one
    with the longest such argument, then one that is not ``taken`` (calls by identity), then the latest."""
    messages = [squeezed(item.part.text) for item in items if item.role == "user" and isinstance(item.part, Text)]
    best: tuple[tuple[int, bool], Turn, Call] | None = None
    for turn in earlier:
        for call in turn.calls:
            length = max((_quoted(text, messages) for text in _texts(call.arguments)), default=0)
            rank = length, id(call) not in taken
            if length and (best is None or rank >= best[0]):
                best = (rank, turn, call)
    return (best[1], best[2]) if best is not None else None


def _quoted(text: str, messages: Iterable[str]) -> int:
    wanted = squeezed(text)
    if len(wanted) < _LEAST:
        return 0
    return len(wanted) * any(wanted in message and len(wanted) >= _SHARE * len(message) for message in messages)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _texts(item)
    elif isinstance(value, dict):
        for item in cast("dict[str, Any]", value).values():
            yield from _texts(item)
