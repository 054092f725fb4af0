"""Volatile: the parts of results that may differ between two calls, stated by tool."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, cast

MASK = "…"


@dataclass(frozen=True, slots=True)
class Mask:
    """What does not count in one tool's results: ``keys`` of structured content at any depth, what ``patterns`` match
    in text, and the images where ``images`` is set."""

    keys: frozenset[str] = frozenset()
    patterns: tuple[re.Pattern[str], ...] = ()
    images: bool = False

    def text(self, text: str) -> str:
        """``text`` with what does not count masked."""
        for pattern in self.patterns:
            text = pattern.sub(MASK, text)
        return text

    def value(self, value: Any) -> Any:
        """A JSON value with what does not count masked."""
        if isinstance(value, dict):
            items = cast("dict[str, Any]", value).items()
            return {key: MASK if key in self.keys else self.value(item) for key, item in items}
        if isinstance(value, list):
            return [self.value(item) for item in cast("list[Any]", value)]
        return self.text(value) if isinstance(value, str) else value


class Volatile:
    """Rules ``{"tool": "server.tool", "keys": […], "text": [regular expressions], "images": bool}``; ``tool`` may hold
    ``*`` and is all tools where it is left out."""

    def __init__(self, rules: Sequence[Mapping[str, Any]]) -> None:
        self._rules = rules

    def of(self, server: str, tool: str) -> Mask:
        """The mask for one tool: all rules that name it, together."""
        rules = [rule for rule in self._rules if fnmatchcase(f"{server}.{tool}", str(rule.get("tool", "*")))]
        return Mask(
            frozenset(key for rule in rules for key in rule.get("keys", ())),
            tuple(re.compile(pattern) for rule in rules for pattern in rule.get("text", ())),
            any(rule.get("images", False) for rule in rules),
        )
