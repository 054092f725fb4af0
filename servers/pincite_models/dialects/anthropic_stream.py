"""Events of a streamed Anthropic message, folded into the message."""

from typing import Any

from pincite_models.dialects.fields import count, mapping, text
from pincite_models.dialects.folding import Folding, error_text

_PIECES = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "input_json_delta": ("input", "partial_json"),
    "compaction_delta": ("content", "content"),
}
"""Which field of a block a delta goes on, and where the delta has its piece."""


class MessageFolding(Folding):
    """``message_start``, ``content_block_*``, ``message_delta``, ``message_stop`` and ``error``."""

    def __init__(self) -> None:
        super().__init__()
        self._blocks: dict[int, dict[str, Any]] = {}
        self._pieces: dict[tuple[int, str], list[str]] = {}

    def take(self, name: str, data: dict[str, Any]) -> bool:
        """Fold one event; kinds that are not known are passed over, as the API asks of its clients."""
        kind = text(data.get("type")) or name
        if kind == "message_start":
            self.body = dict(mapping(data.get("message")))
            return bool(self.body)
        if kind == "content_block_start":
            return self._start(data)
        if kind == "content_block_delta":
            return self._delta(count(data.get("index")), mapping(data.get("delta")))
        if kind == "message_delta":
            self._finish(mapping(data.get("delta")), mapping(data.get("usage")))
        elif kind == "message_stop":
            self.ended = bool(self.body)
        elif kind == "error":
            self.error = error_text(data.get("error")) or "error"
        return True

    def whole(self) -> dict[str, Any]:
        """The message with its blocks in the order of their indices."""
        blocks = {index: dict(block) for index, block in sorted(self._blocks.items())}
        for (index, field), pieces in self._pieces.items():
            begun = blocks[index].get(field)
            streamed = "".join(pieces)
            blocks[index][field] = begun + streamed if isinstance(begun, str) else streamed or begun
        return self.body | {"content": list(blocks.values())}

    def _start(self, data: dict[str, Any]) -> bool:
        block = mapping(data.get("content_block"))
        self._blocks[count(data.get("index"))] = dict(block)
        if text(block.get("type")) == "fallback":
            self.body["model"] = mapping(block.get("to")).get("model") or self.body.get("model")
        return bool(block)

    def _delta(self, index: int, delta: dict[str, Any]) -> bool:
        if index not in self._blocks:
            return False
        target, source = _PIECES.get(text(delta.get("type")), ("", ""))
        piece = delta.get(source)
        if isinstance(piece, str):
            self._pieces.setdefault((index, target), []).append(piece)
        return True

    def _finish(self, delta: dict[str, Any], usage: dict[str, Any]) -> None:
        self.body |= {key: value for key, value in delta.items() if value is not None}
        # Counts of a message_delta are sums so far; what it leaves out keeps the value of message_start.
        told = {key: value for key, value in usage.items() if value is not None}
        if told:
            self.body["usage"] = mapping(self.body.get("usage")) | told
