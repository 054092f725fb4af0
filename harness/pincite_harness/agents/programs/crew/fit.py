"""Fit: texts for a context of limited size, by a stated policy; what is left out is counted and said."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from context_fit import beginning, prefix, shares, tokens

from .role import Data

__all__ = ["Fitted", "Policy", "fit", "tokens"]

Policy = Literal["whole", "cut", "share"]


@dataclass(frozen=True, slots=True)
class Fitted:
    """The texts as they are shown, and how many tokens of how many that is, for each of them."""

    parts: tuple[Data, ...]
    shown: tuple[int, ...]
    whole: tuple[int, ...]


def fit(parts: Sequence[Data], room: int, policy: Policy = "whole") -> Fitted:
    """The texts in at most ``room`` tokens (estimated). ``whole`` refuses what does not fit by a ValueError with
    the count; ``cut`` keeps the beginning of all of them in order; ``share`` gives each the same room, and what short
    ones leave goes to the others."""
    sizes = [tokens(part.text) for part in parts]
    if sum(sizes) <= room:
        return Fitted(tuple(parts), tuple(sizes), tuple(sizes))
    if policy == "whole":
        raise ValueError(f"the texts have about {sum(sizes)} tokens, and there is room for {room}")
    rooms = shares(sizes, room) if policy == "share" else prefix(sizes, room)
    cut = tuple(_cut(part, size, limit) for part, size, limit in zip(parts, sizes, rooms, strict=True))
    return Fitted(cut, tuple(min(size, limit) for size, limit in zip(sizes, rooms, strict=True)), tuple(sizes))


def _cut(part: Data, size: int, limit: int) -> Data:
    if size <= limit:
        return part
    start = beginning(part.text, limit)
    return Data(start, f"{part.source}; only the first {limit} of about {size} tokens")
