"""Playback of tool calls: what tools said in a recorded trial, given again where the same is asked."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import Any

import orjson


class ToolPlayback:
    """Results of tool calls by server, tool and arguments, each given once, as the wire has them."""

    def __init__(self, results: Iterable[tuple[str, str, Any, Mapping[str, Any]]]) -> None:
        self._results: dict[bytes, deque[Mapping[str, Any]]] = defaultdict(deque)
        self.recorded = 0
        self.played = 0
        for server, tool, arguments, result in results:
            self._results[_call(server, tool, arguments)].append(result)
            self.recorded += 1

    def find(self, server: str, tool: str, arguments: Any) -> Mapping[str, Any] | None:
        """The next result that was recorded of this call; None where there is none."""
        waiting = self._results.get(_call(server, tool, arguments))
        if not waiting:
            return None
        self.played += 1
        return waiting.popleft()


def _call(server: str, tool: str, arguments: Any) -> bytes:
    return orjson.dumps([server, tool, arguments or {}], option=orjson.OPT_SORT_KEYS)
