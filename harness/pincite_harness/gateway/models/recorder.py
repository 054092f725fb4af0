"""ModelRecorder: one JSON line for each thing that passes the model door, written by a thread of its own."""

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

    def request(self, body: bytes, **fields: Any) -> int:
        """Record a request with its JSON body (empty where it has none), and return its number."""
        self._sequence += 1
        self._put("request", {"seq": self._sequence, **fields, "bytes": len(body)}, lambda: self._body(body))
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
        self._put("response", known, lambda: self._stream(content) if streamed else self._body(content))

    def refused(self, status: int, path: str, reason: str) -> None:
        """Record a request that the door turned away before it asked for anything that a model does."""
        self._put("refused", {"status": status, "path": path, "reason": reason}, dict)

    def close(self) -> None:
        """Write what is left and close the file; safe to call twice."""
        self._closed = True
        self._thread.shutdown(wait=True)
        self._lines.close()

    def _put(self, kind: str, fields: dict[str, Any], content: Callable[[], dict[str, Any]]) -> None:
        if self._closed:
            return
        self._thread.submit(self._write, stamped(kind, **fields), content)

    def _write(self, record: dict[str, Any], content: Callable[[], dict[str, Any]]) -> None:
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
            data = b"\n".join(self._line(line) for line in data.split(b"\n"))
        return {"stream": data.decode("utf-8", "replace")}

    def _line(self, line: bytes) -> bytes:
        """A line of a stream, its JSON without media."""
        head, sign, rest = line.partition(b"data:")
        if head or not sign or not _MEDIA.search(rest):
            return line
        try:
            value = read_json(rest)
        except ValueError:
            return line
        return b"data: " + record_json(self._media.detach(value))
