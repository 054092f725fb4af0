"""Follower: the ids and cursors of the live server replace the recorded ones in later arguments."""

from typing import Any, cast

_ENDS = ("id", "cursor", "token", "handle", "locator")
_LEAST = 6
"""Characters of an id that is followed: shorter ones stand in other arguments by chance. Set by judgement."""


class Follower:
    """Learns from each pair of results which recorded value is now called otherwise."""

    def __init__(self) -> None:
        self._now: dict[str, str] = {}

    def learn(self, recorded: Any, live: Any) -> None:
        """Take the strings that differ at one place under a key that ends like a name for something."""
        if isinstance(recorded, list) and isinstance(live, list):
            for old, new in zip(cast("list[Any]", recorded), cast("list[Any]", live), strict=False):
                self.learn(old, new)
        if not isinstance(recorded, dict) or not isinstance(live, dict):
            return
        new_values = cast("dict[str, Any]", live)
        for key, old in cast("dict[str, Any]", recorded).items():
            new = new_values.get(key)
            if isinstance(old, str) and isinstance(new, str):
                if old != new and len(old) >= _LEAST and key.lower().endswith(_ENDS):
                    self._now[old] = new
            else:
                self.learn(old, new)

    def follow(self, arguments: Any) -> tuple[Any, bool]:
        """The arguments as they must be now, and whether that changed them."""
        followed = self._replaced(arguments)
        return followed, followed != arguments

    def _replaced(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._replaced(item) for key, item in cast("dict[str, Any]", value).items()}
        if isinstance(value, list):
            return [self._replaced(item) for item in cast("list[Any]", value)]
        return self._now.get(value, value) if isinstance(value, str) else value
