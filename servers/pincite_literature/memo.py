"""Memo: what was looked up a short while ago, kept in memory."""

import time
from collections.abc import Hashable
from typing import Any

from pincite_core.recent import Recent

_FRESH_SECONDS = 3600.0
"""Seconds that a look-up is believed: an agent's session, not a day. Set by judgement."""
_MOST = 100
"""Look-ups that are remembered, the latest ones. Set by judgement."""


class Memo:
    """Values by key for an hour, at most 100; the least recently used go first.

    Only what every asked source answered belongs here: a failure is asked again.
    """

    def __init__(self) -> None:
        self._kept: Recent[Hashable, tuple[float, Any]] = Recent(_MOST)

    def get(self, key: Hashable) -> Any:
        """The value, None when there is none."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        since, value = kept
        if time.monotonic() - since > _FRESH_SECONDS:
            self._kept.remove(key)
            return None
        return value

    def put(self, key: Hashable, value: Any) -> None:
        """Keep the value."""
        self._kept.put(key, (time.monotonic(), value))
