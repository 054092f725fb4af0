"""Fit: texts for a context of limited size, by a stated policy; what is left out is counted and said."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .role import Data

Policy = Literal["whole", "cut", "share"]
CHARS_PER_TOKEN = 4.0
"""Of text in Latin letters: the rule of thumb of the APIs' own guides."""
HAN_PER_TOKEN = 1.5
"""Of Chinese, Japanese and Korean."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The texts as they are shown, and how many tokens of how many that is, for each of them."""

    parts: tuple[Data, ...]
    shown: tuple[int, ...]
    whole: tuple[int, ...]


def tokens(text: str) -> int:
    """An estimate: a quarter of the characters, and two thirds of those of Chinese, Japanese and Korean."""
    wide = sum(1 for sign in text if _is_wide(sign))
    return round((len(text) - wide) / CHARS_PER_TOKEN + wide / HAN_PER_TOKEN)


def fit(parts: Sequence[Data], room: int, policy: Policy = "whole") -> Fitted:
    """The texts in at most ``room`` tokens (estimated). ``whole`` refuses what does not fit by a ValueError with
    the count; ``cut`` keeps the beginning of all of them in order; ``share`` gives each the same room, and what short
    ones leave goes to the others."""
    sizes = [tokens(part.text) for part in parts]
    if sum(sizes) <= room:
        return Fitted(tuple(parts), tuple(sizes), tuple(sizes))
    if policy == "whole":
        raise ValueError(f"the texts have about {sum(sizes)} tokens, and there is room for {room}")
    rooms = _shares(sizes, room) if policy == "share" else _prefix(sizes, room)
    cut = tuple(_cut(part, size, limit) for part, size, limit in zip(parts, sizes, rooms, strict=True))
    return Fitted(cut, tuple(min(size, limit) for size, limit in zip(sizes, rooms, strict=True)), tuple(sizes))


def _prefix(sizes: Sequence[int], room: int) -> list[int]:
    rooms: list[int] = []
    for size in sizes:
        rooms.append(min(size, room))
        room -= rooms[-1]
    return rooms


def _shares(sizes: Sequence[int], room: int) -> list[int]:
    """The same room for each, the shortest first, so that what they leave goes to the longer ones."""
    rooms = [0] * len(sizes)
    order = sorted(range(len(sizes)), key=lambda number: sizes[number])
    for done, number in enumerate(order):
        rooms[number] = min(sizes[number], room // (len(sizes) - done))
        room -= rooms[number]
    return rooms


def _cut(part: Data, size: int, limit: int) -> Data:
    if size <= limit:
        return part
    # The longest beginning whose estimate fits.
    low, high = 0, len(part.text)
    while low < high:
        middle = (low + high + 1) // 2
        if tokens(part.text[:middle]) <= limit:
            low = middle
        else:
            high = middle - 1
    return Data(part.text[:low], f"{part.source}; only the first {limit} of about {size} tokens")


def _is_wide(sign: str) -> bool:
    return "\u3040" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7af" or "\uf900" <= sign <= "\ufaff"
