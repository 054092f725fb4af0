"""ModelRecorder: one JSON line for each thing that passes the model door, written by a thread of its own."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from pincite_doors.lines import JsonLines, stamped
from pincite_doors.media import MediaStore
from pincite_doors.models.json_text import read_json, record_json
from pincite_doors.redactor import Redactor
from pincite_doors.traffic import Traffic
from pincite_models.dialects.model import Usage
from pincite_models.trouble import ModelCause

Content = Callable[[], dict[str, Any]]
Entry = tuple[dict[str, Any], Content, int]
"""A record, what reads its content, and the bytes that it holds in memory."""
_DELAY_SECONDS = 0.2
"""How long a request waits for its record: writing it would take the time in which its answer begins."""
_MEDIA = (b";base64,", b'"data"', b"b64", b'"file_data"', b"image_generation_call")
"""Where media may stand; what has none of it need not be searched part by part."""
_LONE_SURROGATE = b"\\ud"
"""Begins what ``write_json`` escapes because UTF-8 cannot say it, and perhaps other text."""


class ModelRecorder:
    """Appends records to a file and flushes each. A record has ``kind`` (request, response, refused) and ``at`` (UTC);
    requests and responses share their number ``seq``.

    Nothing here waits for the disk but ``close``; ``failure`` says why the record is no longer whole.
    """

    def __init__(self, path: Path, redactor: Redactor, media: MediaStore, traffic: Traffic | None = None) -> None:
        self.failure: str | None = None
        self._lines = JsonLines(path, redactor, traffic)
        self._traffic = traffic
        self._media = media
        self._sequence = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="model recorder")
        self._closed = False
        self._waiting: dict[int, Entry] = {}
        self._timer: asyncio.TimerHandle | None = None

    def request(self, body: bytes, **fields: Any) -> int:
        """Record a request with its JSON body as ``write_json`` writes it (empty where it has none), and return its
        number."""
        self._sequence += 1
        self._hold(len(body))
        record = stamped("request", seq=self._sequence, **fields, bytes=len(body))
        self._waiting[self._sequence] = (record, lambda: self._sent(body), len(body))
        self._timer = self._timer or asyncio.get_running_loop().call_later(_DELAY_SECONDS, self.catch_up)
        return self._sequence

    def response(
        self,
        sequence: int,
        content: bytes,
        *,
        streamed: bool,
        cause: ModelCause | None,
        usage: Usage | None,
        **fields: Any,
    ) -> None:
        """Record how a request ended: what came, and why it was not good."""
        known = {"seq": sequence, **fields, "bytes": len(content), "cause": cause}
        known["usage"] = asdict(usage) if usage is not None else None
        self._put(self._waiting.pop(sequence, None))
        self._hold(len(content))
        read = self._stream if streamed else self._body
        self._put((stamped("response", **known), lambda: read(content), len(content)))

    def refused(self, status: int, path: str, reason: str) -> None:
        """Record a request that the door turned away before it asked for anything that a model does."""
        self._put((stamped("refused", status=status, path=path, reason=reason), dict, 0))

    def close(self) -> None:
        """Write what is left and close the file; safe to call twice."""
        self._closed = True
        self._thread.shutdown(wait=True)
        self._lines.close()

    def catch_up(self) -> None:
        """Let requests be written whose answers are not there yet; called from the event loop, as all but ``close``."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for sequence in list(self._waiting):
            self._put(self._waiting.pop(sequence))

    def _put(self, entry: Entry | None) -> None:
        if entry is not None and not self._closed:
            self._thread.submit(self._write, *entry)

    def _hold(self, size: int) -> None:
        if self._traffic is not None and not self._closed:
            self._traffic.hold(size)

    def _write(self, record: dict[str, Any], content: Content, held: int) -> None:
        try:
            self._lines.append(record_json({**record, **content()}))
        except Exception as error:  # noqa: BLE001 - the top of a thread: the door asks for ``failure``
            self.failure = self.failure or f"{type(error).__name__}: {error}"
        finally:
            if self._traffic is not None:
                self._traffic.release(held)

    def _sent(self, data: bytes) -> dict[str, Any]:
        """A body that is one line of JSON already: it is read again only for what must not stand in a record."""
        if not data or _LONE_SURROGATE in data or _may_hold_media(data):
            return self._body(data)
        return {"body": orjson.Fragment(data)}

    def _body(self, data: bytes) -> dict[str, Any]:
        if not data:
            return {"body": None}
        try:
            value = read_json(data)
        except ValueError:
            return {"text": data.decode("utf-8", "replace")}
        return {"body": self._media.detach(value) if _may_hold_media(data) else value}

    def _stream(self, data: bytes) -> dict[str, Any]:
        if _may_hold_media(data):
            # An array of Gemini's is one line, or several that begin with no field.
            lines = [data] if data.lstrip()[:1] == b"[" else data.split(b"\n")
            data = b"\n".join(self._line(line) for line in lines)
        return {"stream": data.decode("utf-8", "replace")}

    def _line(self, line: bytes) -> bytes:
        """A line of a stream, its JSON without media."""
        field = b"data: " if line.startswith(b"data:") else b""
        if not _may_hold_media(line):
            return line
        try:
            value = read_json(line.removeprefix(b"data:"))
        except ValueError:
            return line
        return field + record_json(self._media.detach(value))


def _may_hold_media(data: bytes) -> bool:
    return any(mark in data for mark in _MEDIA)
