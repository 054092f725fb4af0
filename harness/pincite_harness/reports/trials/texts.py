"""Texts of a trial on its page: cut where they are long, with a word of how much there is."""

import json
from typing import Any, cast

from pincite_harness.reports.markup import Markup, tag

_PAGE_CHARS = 3_000_000
"""Characters of steps on one page: a browser opens this at once, and the trajectory's file has the rest."""


class Budget:
    """What room a page still has."""

    def __init__(self, characters: int = _PAGE_CHARS) -> None:
        self.left = characters

    def cut(self, text: str, most: int) -> tuple[str, int]:
        """The beginning of ``text`` for which there is room, ``most`` characters of it; and how many are left out."""
        room = max(0, min(most, self.left))
        shown = text[:room]
        self.left -= len(shown)
        return shown, len(text) - len(shown)


def block(text: str, budget: Budget, most: int, *, class_: str = "") -> Markup:
    """A text with its line breaks."""
    shown, left = budget.cut(text, most)
    more = tag("span", f" … {left:,} more characters", class_="cut") if left else Markup("")
    return tag("pre", shown, more, class_=f"text {class_}".strip())


def pretty(value: Any) -> str:
    """A JSON value in lines."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def excerpt(text: str, most: int = 140) -> str:
    """A text's beginning in one line."""
    flat = " ".join(text[: 4 * most].split())
    return flat if len(flat) <= most and len(text) <= 4 * most else f"{flat[: most - 1]}…"


def plain(value: Any) -> str:
    """A value as a reader meets it in a cell: texts as they are, lists and the objects in them in lines."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(plain(item) for item in cast("list[Any]", value))
    if isinstance(value, dict):
        inner = [plain(item) for item in cast("dict[str, Any]", value).values()]
        return " · ".join(text for text in inner if text)
    return json.dumps(value, ensure_ascii=False)
