"""AnswerReader: reads what the provider sends back for one call, while it is passed on."""

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import orjson

from pincite_doors.headers import Headers
from pincite_doors.models.connection import UpstreamError
from pincite_doors.models.json_text import read_json
from pincite_doors.models.mask import Mask
from pincite_doors.models.progress import Progress
from pincite_models.dialects.counted import read_counted, without_numbers
from pincite_models.dialects.dialect import Dialect, StreamReader
from pincite_models.dialects.folding import error_text
from pincite_models.dialects.model import ModelResponse, Usage
from pincite_models.trouble import ModelCause, ModelTrouble, cause_of_status, cause_of_words, shortened

REFUSED_STATUS = 400
"""HTTP status of a request that the door refused."""
_REQUEST_IDS = (b"request-id", b"x-request-id", b"x-goog-request-id", b"apim-request-id", b"cf-ray")
_REFUSING = frozenset({"refusal", "filtered"})


@dataclass
class AnswerReader:
    """Takes the bytes of one answer and tells at its end what they were."""

    dialect: Dialect
    mask: Mask
    generates: bool
    counted: bool = False
    """Whether it is in numbers, as vectors are: only what it used is read of it."""
    asked: float = field(default_factory=time.monotonic)
    status: int | None = None
    streamed: bool = False
    complete: bool = False
    """Whether the provider ended its answer, as HTTP says and, where it is a good one, as the API says."""
    cause: ModelCause | None = None
    detail: str = ""
    request_id: str | None = None
    content_type: str = ""
    replayed: bool = False
    """Whether it was recorded earlier and no provider was asked."""
    first_byte_seconds: float | None = None
    response: ModelResponse | None = None
    _progress: Progress = field(default_factory=Progress)
    _settled: bool = False
    _content: list[bytes] = field(default_factory=list[bytes])
    _reader: StreamReader | None = None
    _inflate: Callable[[bytes], bytes] | None = None

    def begin(self, status: int, headers: Headers) -> None:
        """Take status and headers; UpstreamError for a compression that was not asked for and cannot be undone."""
        known = {name.lower(): value.decode("latin-1") for name, value in headers}
        self.status = status
        self.request_id = next((known[name] for name in _REQUEST_IDS if name in known), None)
        self.content_type = known.get(b"content-type", "")
        self.streamed = "event-stream" in self.content_type
        encoding = known.get(b"content-encoding", "identity").strip().lower()
        if encoding in ("gzip", "x-gzip", "deflate"):
            self._inflate = zlib.decompressobj(wbits=47).decompress
        elif encoding not in ("identity", ""):
            raise UpstreamError("malformed", f"the provider compresses with {encoding}, which was not asked for")

    @property
    def same_bytes(self) -> bool:
        """Whether the body is passed on with the length that it came with."""
        return self._inflate is None

    def take(self, piece: bytes) -> bytes:
        """The bytes to pass on now, without the provider's key."""
        self._progress.note(len(piece))
        if self.first_byte_seconds is None:
            self.first_byte_seconds = time.monotonic() - self.asked
        return self.mask.feed(self._inflated(piece))

    def keep(self, data: bytes) -> None:
        """Read what was passed on."""
        if not self._content and self.generates and self.status is not None and self.status < 300:
            # Gemini streams an array where no events are asked for; not every server names the type of events.
            self.streamed = self.streamed or _is_array(data) or data.lstrip().startswith((b"data:", b"event:"))
            self._reader = self.dialect.reader() if self.streamed else None
        self._content.append(data)
        if self._reader is not None:
            self._reader.feed(data)

    def refuse(self, cause: ModelCause, message: str) -> None:
        """The door itself answers, with 400: the one status that no client tries again."""
        self.status = REFUSED_STATUS
        self.fail(cause, message)

    def fail(self, cause: ModelCause, detail: str) -> None:
        """Say why the answer ended; the first reason stays."""
        if self.cause is None:
            self.cause, self.detail = cause, shortened(detail)

    @property
    def content(self) -> bytes:
        """All that was passed on."""
        return b"".join(self._content)

    @property
    def recorded(self) -> bytes:
        """What the record holds of it: all, but for numbers."""
        if not self.counted or self.response is None:
            return self.content
        return orjson.dumps(without_numbers(read_json(self.content)))

    @property
    def usage(self) -> Usage | None:
        """What the provider counted."""
        return self.response.usage if self.response is not None else None

    @property
    def billable(self) -> bool:
        """Whether the provider may have counted tokens: it answered well, or it is not known what it did."""
        if self.status is not None:
            return self.status < 300
        return self.cause not in (None, "connection")

    @property
    def trouble(self) -> ModelTrouble | None:
        """How the call ended where that was not good."""
        if self.cause is not None:
            return ModelTrouble(self.cause, self.detail or f"HTTP {self.status}", self._progress.stalled_seconds)
        if self.response is not None and self.response.stop in _REFUSING:
            words = "The model refused to answer." if self.response.stop == "refusal" else "The answer was withheld."
            return ModelTrouble("refused", words)
        return None

    def settle(self) -> bool:
        """Read the answer as a whole once it has ended; False when that was done before."""
        if self._settled:
            return False
        self._settled = True
        if self.status is not None and self.status < 300 and self.generates:
            self._judge(self.content)
        elif self.status is not None and self.status < 300 and self.counted:
            self._count(self.content)
        elif self.status is not None and self.cause is None:
            text = self.content.decode("utf-8", "replace")
            if cause := cause_of_status(self.status, text):
                self.fail(cause, f"HTTP {self.status}: {_words(text)}")
        return True

    def _judge(self, content: bytes) -> None:
        """Whether what came with a good status is an answer."""
        self.response = self._reader.response() if self._reader is not None else self._whole(content)
        if self.response is None:
            self.fail("malformed" if self.complete else "cut_stream", "The answer is not a JSON object.")
            self.complete = False
        elif self.response.error and not self.response.complete:
            self.complete = False
            self.fail(cause_of_words(self.response.error), self.response.error)
        elif self._reader is not None and self.response.complete:
            # The agent may hang up, and the provider too, as soon as the last event was there.
            self.complete, self.cause, self.detail = True, None, ""
        elif self._reader is not None:
            self.complete = False
            self.fail("cut_stream" if _readable(content) else "malformed", "The stream ended before the answer did.")
        elif not self.response.complete and not self.response.parts:
            self.complete = False
            self.fail("malformed", "The answer has nothing in it.")

    def _count(self, content: bytes) -> None:
        """Whether what came with a good status can be read, and what it used."""
        try:
            self.response = read_counted(read_json(content))
        except ValueError:
            self.complete = False
            self.fail("malformed", "The answer is not JSON.")
            return
        if self.response.error:
            self.complete = False
            self.fail(cause_of_words(self.response.error), self.response.error)

    def _whole(self, content: bytes) -> ModelResponse | None:
        try:
            value = read_json(content)
        except ValueError:
            return None
        return self.dialect.read_response(cast("dict[str, Any]", value)) if isinstance(value, dict) else None

    def _inflated(self, piece: bytes) -> bytes:
        if self._inflate is None:
            return piece
        try:
            return self._inflate(piece)
        except zlib.error as error:
            raise UpstreamError("malformed", f"the compressed answer is broken: {error}") from error


def _words(text: str) -> str:
    """What an error says: its type and message where it is one of the APIs'."""
    try:
        value = read_json(text.encode())
    except ValueError:
        return text
    found = cast("list[Any]", value)[:1] if isinstance(value, list) else [value]
    bodies = [cast("dict[str, Any]", body) for body in found if isinstance(body, dict)]
    return next((error_text(body.get("error")) for body in bodies), "") or text


def _is_array(content: bytes) -> bool:
    return content.lstrip()[:1] == b"["


def _readable(content: bytes) -> bool:
    """Whether every event that came whole is JSON, and there was one."""
    if _is_array(content):
        return True
    lines = content.split(b"\n")[:-1]
    events = [line[5:].strip() for line in lines if line.startswith(b"data:")]
    try:
        for event in events:
            if event != b"[DONE]":
                read_json(event)
    except ValueError:
        return False
    return bool(events)
