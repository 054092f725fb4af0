"""Chunks of a streamed chat completion, folded into the completion."""

from typing import Any

from pincite_models.dialects.fields import count, dump, first, mapping, mappings, text
from pincite_models.dialects.folding import Folding, error_text

_WORDS = ("content", "reasoning_content", "reasoning", "refusal")


class CompletionFolding(Folding):
    """``chat.completion.chunk`` objects and ``[DONE]``; of several choices the first."""

    def __init__(self) -> None:
        super().__init__()
        self._words: dict[str, list[str]] = {}
        self._parts: list[dict[str, Any]] = []
        self._images: list[dict[str, Any]] = []
        self._calls: list[_StreamedCall] = []
        self._lone: _StreamedCall | None = None
        self._finish: Any = None
        self._audio: dict[str, str] = {}

    def take(self, name: str, data: dict[str, Any]) -> bool:
        """Fold one chunk."""
        self.error = self.error or error_text(data.get("error"))
        for field in ("id", "model"):
            self.body[field] = text(self.body.get(field)) or data.get(field)
        usage = data.get("usage") or mapping(data.get("x_groq")).get("usage")
        choice = first([one for one in mappings(data.get("choices")) if not count(one.get("index"))])
        self.body["usage"] = usage or choice.get("usage") or self.body.get("usage")
        self.error = self.error or error_text(choice.get("error"))
        if choice.get("finish_reason"):
            self._finish, self.ended = choice["finish_reason"], True
        self._delta(mapping(choice.get("delta")) or mapping(choice.get("message")))
        return True

    def done(self) -> None:
        """``[DONE]``; some servers leave it out, so a reason for the end is as good."""
        self.ended = True
        self._finish = self._finish or ("stop" if self._words or self._calls or self._parts else None)

    def whole(self) -> dict[str, Any]:
        """The completion."""
        message: dict[str, Any] = {field: "".join(pieces) for field, pieces in self._words.items()}
        if self._parts:
            said = [{"type": "text", "text": message["content"]}] if message.get("content") else []
            message["content"] = [*self._parts, *said]
        if self._calls:
            message["tool_calls"] = [call.whole() for call in self._calls]
        if self._lone is not None:
            message["function_call"] = self._lone.whole()["function"]
        if self._audio:
            message["audio"] = self._audio
        message["images"] = self._images
        return self.body | {"choices": [{"message": message, "finish_reason": self._finish}]}

    def _delta(self, delta: dict[str, Any]) -> None:
        for field in _WORDS:
            piece = delta.get(field)
            if isinstance(piece, str) and piece:
                self._words.setdefault(field, []).append(piece)
        if isinstance(delta.get("content"), list):
            self._parts += mappings(delta["content"])
        self._images += mappings(delta.get("images"))
        for call in mappings(delta.get("tool_calls")):
            self._call(call)
        if mapping(delta.get("function_call")):
            self._lone = self._lone or _StreamedCall(0)
            self._lone.take({"function": delta["function_call"]})
        for field in ("data", "transcript"):
            piece = mapping(delta.get("audio")).get(field)
            if isinstance(piece, str):
                self._audio[field] = self._audio.get(field, "") + piece

    def _call(self, delta: dict[str, Any]) -> None:
        """A piece of a call. Servers that give no index begin a new call with each new id."""
        index, identifier = delta.get("index"), text(delta.get("id"))
        if isinstance(index, int):
            found = next((call for call in self._calls if call.index == index), None)
        else:
            last = self._calls[-1] if self._calls else None
            found = last if last is not None and identifier in {"", last.identifier} else None
        if found is None:
            found = _StreamedCall(index if isinstance(index, int) else len(self._calls))
            self._calls.append(found)
        found.take(delta)


class _StreamedCall:
    """A call that comes in pieces; some servers repeat its id and its name in each."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.identifier = ""
        self._kind = "function"
        self._name = ""
        self._pieces: list[str] = []

    def take(self, delta: dict[str, Any]) -> None:
        self.identifier = self.identifier or text(delta.get("id"))
        self._kind = "custom" if delta.get("custom") else self._kind
        held = mapping(delta.get(self._kind))
        name = text(held.get("name"))
        self._name += name if name != self._name else ""
        piece = held.get("arguments") if self._kind == "function" else held.get("input")
        if piece is not None:
            self._pieces.append(piece if isinstance(piece, str) else dump(piece))

    def whole(self) -> dict[str, Any]:
        field = "arguments" if self._kind == "function" else "input"
        return {
            "id": self.identifier,
            "type": self._kind,
            self._kind: {"name": self._name, field: "".join(self._pieces)},
        }
