"""Events of a streamed OpenAI response, folded into the response."""

from typing import Any

from pincite_models.dialects.fields import count, mapping, mappings, text
from pincite_models.dialects.folding import Folding, error_text

_ENDS = {"response.completed", "response.incomplete", "response.failed", "response.done"}
_DELTAS = {
    "response.output_text.delta": ("content", "content_index", "output_text", "text"),
    "response.refusal.delta": ("content", "content_index", "refusal", "refusal"),
    "response.reasoning_text.delta": ("content", "content_index", "reasoning_text", "text"),
    "response.reasoning_summary_text.delta": ("summary", "summary_index", "summary_text", "text"),
    "response.function_call_arguments.delta": ("arguments", "", "", ""),
    "response.mcp_call_arguments.delta": ("arguments", "", "", ""),
    "response.custom_tool_call_input.delta": ("input", "", "", ""),
    "response.code_interpreter_call_code.delta": ("code", "", "", ""),
}
"""Where a delta goes: the field of its item, and for a list of parts the name of the index, the type and the field."""


class ResponseFolding(Folding):
    """``response.*`` and ``error``. Items are whole in ``output_item.done`` and in the last event; deltas tell what an
    answer that broke off had said."""

    def __init__(self) -> None:
        super().__init__()
        self._items: dict[int, dict[str, Any]] = {}
        self._finished: set[int] = set()
        self._pieces: dict[tuple[int, str, int, str, str], list[str]] = {}

    def take(self, name: str, data: dict[str, Any]) -> bool:
        """Fold one event; kinds that are not known are passed over."""
        kind = text(data.get("type")) or name
        index = count(data.get("output_index"))
        if kind == "error":
            self.error = error_text(data.get("error")) or error_text(data)
        elif kind in {"response.output_item.added", "response.output_item.done"}:
            self._items[index] = mapping(data.get("item"))
            self._finished |= {index} if kind.endswith("done") else set()
            return bool(self._items[index])
        elif kind in _DELTAS:
            return self._delta(index, _DELTAS[kind], data)
        elif "response" in data and kind.startswith("response."):
            self.body |= mapping(data["response"])
            self.ended |= kind in _ENDS
            return bool(mapping(data["response"]))
        return True

    def whole(self) -> dict[str, Any]:
        """The response; where its last event has no items, those that came on the way."""
        if mappings(self.body.get("output")):
            return self.body
        items = {index: dict(item) for index, item in sorted(self._items.items())}
        for (index, field, place, kind, inner), pieces in sorted(self._pieces.items()):
            if index in self._finished or index not in items:
                continue
            said = "".join(pieces)
            if inner:
                parts = [*mappings(items[index].get(field))[:place], {"type": kind, inner: said}]
                items[index][field] = parts
            else:
                items[index][field] = said
        return self.body | ({"output": list(items.values())} if items else {})

    def _delta(self, index: int, where: tuple[str, str, str, str], data: dict[str, Any]) -> bool:
        field, place, kind, inner = where
        piece = data.get("delta")
        if index not in self._items or not isinstance(piece, str):
            return False
        key = (index, field, count(data.get(place)) if place else 0, kind, inner)
        self._pieces.setdefault(key, []).append(piece)
        return True
