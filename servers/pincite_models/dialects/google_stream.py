"""Chunks of a streamed Gemini answer, as server-sent events or as one JSON array, folded into the answer."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pincite_models.dialects.event_stream import ArrayDecoder, Event, EventDecoder
from pincite_models.dialects.fields import first, mapping, mappings
from pincite_models.dialects.google_contents import camels
from pincite_models.dialects.model import ModelResponse


class ContentReader:
    """A StreamReader. The stream has no mark of its end: it ends with a reason to finish or a blocked prompt."""

    def __init__(self, read: Callable[[dict[str, Any]], ModelResponse]) -> None:
        self._read = read
        self._decoder: EventDecoder | ArrayDecoder | None = None
        self._opening = b""
        self._body: dict[str, Any] = {}
        self._candidate: dict[str, Any] = {}
        self._parts: list[dict[str, Any]] = []
        self._sound = True

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        if self._decoder is None:
            self._opening = (self._opening + data).lstrip()
            if not self._opening:
                return
            self._decoder = ArrayDecoder() if self._opening[:1] in b"[{" else EventDecoder()
            data = self._opening
        for event in self._decoder.feed(data):
            self._take(event)

    def response(self) -> ModelResponse:
        """What has come so far."""
        kept = (dict(self._body), dict(self._candidate), list(self._parts), self._sound)
        for event in self._decoder.rest() if self._decoder is not None else []:
            self._take(event)
        found = self._whole()
        self._body, self._candidate, self._parts, self._sound = kept
        return found

    def _whole(self) -> ModelResponse:
        body = self._body
        if self._candidate or self._parts:
            body = body | {"candidates": [self._candidate | {"content": {"parts": _joined(self._parts)}}]}
        found = self._read(body)
        return replace(found, complete=found.complete and self._sound)

    def _take(self, event: Event) -> None:
        if event.data is None:
            self._sound = False
            return
        chunk = camels(event.data)
        usage = camels(self._body.get("usageMetadata")) | camels(chunk.get("usageMetadata"))
        self._body |= {key: value for key, value in chunk.items() if key != "candidates" and value is not None}
        if usage:
            self._body["usageMetadata"] = usage
        candidate = camels(first(chunk.get("candidates")))
        self._parts += map(camels, mappings(mapping(candidate.pop("content", None)).get("parts")))
        self._candidate |= {key: value for key, value in candidate.items() if value is not None}


def _joined(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Pieces of one text as one part."""
    runs: list[tuple[dict[str, Any], list[str]]] = []
    for part in parts:
        said = part.get("text")
        if not isinstance(said, str):
            runs.append((part, []))
        elif runs and runs[-1][1] and runs[-1][0].get("thought") == part.get("thought"):
            runs[-1][1].append(said)
        else:
            runs.append((part, [said]))
    return [part | {"text": "".join(said)} if said else part for part, said in runs]
