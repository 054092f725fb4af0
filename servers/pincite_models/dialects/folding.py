"""A reader of streams that folds events into the body that the same API would have sent whole."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

from pincite_models.dialects.event_stream import DONE, Event, EventDecoder
from pincite_models.dialects.fields import dump, load, mapping, text
from pincite_models.dialects.model import ModelResponse


class Folding(ABC):
    """The events of one response, folded. ``body`` is as the API sends it whole."""

    body: dict[str, Any]

    def __init__(self) -> None:
        self.body = {}
        self.ended = False
        self.error = ""

    @abstractmethod
    def take(self, name: str, data: dict[str, Any]) -> bool:
        """Fold one event; False when it makes no sense here."""

    def done(self) -> None:
        """Fold ``[DONE]``, the mark that ends the streams of some APIs; others send it after their own end."""
        return

    def whole(self) -> dict[str, Any]:
        """The body as far as it has come."""
        return self.body


class FoldingReader:
    """A StreamReader over a Folding."""

    def __init__(self, folding: Folding, read: Callable[[dict[str, Any]], ModelResponse]) -> None:
        self._folding = folding
        self._read = read
        self._decoder = EventDecoder()
        self._opening = b""
        self._whole: list[bytes] | None = None
        self._sound = True

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the stream; a server that does not stream may send a whole body instead."""
        if not self._opening:
            self._opening = data.lstrip()[:1]
            self._whole = [] if self._opening == b"{" else None
        if self._whole is not None:
            self._whole.append(data)
            return
        for event in self._decoder.feed(data):
            self._take(event)

    def response(self) -> ModelResponse:
        """What has come so far."""
        if self._whole is not None:
            return self._read(mapping(load(b"".join(self._whole))))
        rest = self._decoder.rest()
        if not rest:
            return self._response()
        kept = (deepcopy(self._folding), self._sound)
        for event in rest:
            self._take(event)
        found = self._response()
        self._folding, self._sound = kept
        return found

    def _response(self) -> ModelResponse:
        folding = self._folding
        found = self._read(folding.whole())
        error = folding.error or found.error
        sound = self._sound and folding.ended and not error
        stop = "error" if error else found.stop
        return replace(found, complete=sound, error=error, stop=stop)

    def _take(self, event: Event) -> None:
        if event.name == "ping":
            return  # What keeps a connection open says nothing, whatever its data.
        if event.data is not None:
            self._sound &= self._folding.take(event.name, event.data)
        elif event.raw.strip() == DONE:
            self._folding.done()
        else:
            self._sound = False


def error_text(data: Any) -> str:
    """What an error object says, as ``type: message``; empty where there is no error."""
    if isinstance(data, str):
        return text(data)
    error = mapping(data)
    if not error:
        return ""
    kind = text(error.get("type")) or text(error.get("code")) or text(error.get("status"))
    said = text(error.get("message")) or dump(error)
    return f"{kind}: {said}" if kind and kind != "error" else said
