"""ModelRecorder: one JSON line for each thing that passes the model door, written by a thread of its own."""

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pincite_harness.dialects.model import Usage
from pincite_harness.gateway.lines import JsonLines, stamped
from pincite_harness.gateway.media import MediaStore
from pincite_harness.gateway.models.json_text import read_json, record_json
from pincite_harness.gateway.models.trouble import ModelCause
from pincite_harness.gateway.redactor import Redactor

Content = Callable[[], dict[str, Any]]
Entry = tuple[dict[str, Any], Content]
_DELAY_SECONDS = 0.2
"""How long a request waits for its record: writing it would take the time in which its answer begins."""
_MEDIA = re.compile(rb';base64,|"data"\s*:\s*"|b64|"file_data"|image_generation_call')
"""Where media may stand; what has none of it need not be searched part by part."""


class ModelRecorder:
    """Appends records to a file and flushes each. A record has ``kind`` (request, response, refused) and ``at`` (UTC);
    requests and responses share their number ``seq``.

    Nothing here waits for the disk but ``close``; ``failure`` says why the record is no longer whole.
    """

    def __init__(self, path: Path, redactor: Redactor, media: MediaStore) -> None:
        self.failure: str | None = None
        self._lines = JsonLines(path, redactor)
        self._media = media
        self._sequence = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="model recorder")
        self._closed = False
        self._waiting: dict[int, Entry] = {}
        self._timer: asyncio.TimerHandle | None = None

    def request(self, body: bytes, **fields: Any) -> int:
        """Record a request with its JSON body (empty where it has none), and return its number."""
        self._sequence += 1
        record = stamped("request", seq=self._sequence, **fields, bytes=len(body))
        self._waiting[self._sequence] = (record, lambda: self._body(body))
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
        self._put((stamped("response", **known), lambda: self._stream(content) if streamed else self._body(content)))

    def refused(self, status: int, path: str, reason: str) -> None:
        """Record a request that the door turned away before it asked for anything that a model does."""
        self._put((stamped("refused", status=status, path=path, reason=reason), dict))

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

    def _write(self, record: dict[str, Any], content: Content) -> None:
        try:
            self._lines.append(record_json({**record, **content()}))
        except Exception as error:  # noqa: BLE001 - the top of a thread: the door asks for ``failure``
            self.failure = self.failure or f"{type(error).__name__}: {error}"

    def _body(self, data: bytes) -> dict[str, Any]:
        if not data:
            return {"body": None}
        try:
            value = read_json(data)
        except ValueError:
            return {"text": data.decode("utf-8", "replace")}
        return {"body": self._media.detach(value) if _MEDIA.search(data) else value}

    def _stream(self, data: bytes) -> dict[str, Any]:
        if _MEDIA.search(data):
            # An array of Gemini's is one line, or several that begin with no field.
            lines = [data] if data.lstrip()[:1] == b"[" else data.split(b"\n")
            data = b"\n".join(self._line(line) for line in lines)
        return {"stream": data.decode("utf-8", "replace")}

    def _line(self, line: bytes) -> bytes:
        """A line of a stream, its JSON without media."""
        field = b"data: " if line.startswith(b"data:") else b""
        if not _MEDIA.search(line):
            return line
        try:
            value = read_json(line.removeprefix(b"data:"))
        except ValueError:
            return line
        return field + record_json(self._media.detach(value))
