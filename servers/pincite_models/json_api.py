"""JsonApi: one address that is asked with JSON and answers with JSON, for embeddings and rerankers.

httpx is loaded by the first call.
"""

import threading
import time
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import orjson
from pydantic import SecretStr

from pincite_core.calling import label_headers
from pincite_core.errors import BadInputError, UnavailableError
from pincite_core.http.retries import Backoff, asked_pause

if TYPE_CHECKING:
    import httpx

_ATTEMPTS = 5
_AGAIN = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
_BACKOFF = Backoff(0.5, most=1.25)
_LONGEST_PAUSE = 30.0
"""Seconds: an API that asks for more is given up."""
_CONNECT_SECONDS = 10.0
_MOST_REPLY = 64 << 20
_SEEN_CHARS = 300


@dataclass(frozen=True, slots=True)
class ApiRole:
    """What errors call the API ("reranker") and the prefix of its settings ("PINCITE_RERANK")."""

    title: str
    prefix: str


class JsonApi:
    """Asks one address. Blocks: call it in a thread; safe in several. The key stands in no message or error of ours."""

    def __init__(self, url: str, *, role: ApiRole, api_key: SecretStr | None, seconds: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInputError(
                f"{url[:100]!r} is not an address of the {role.title}.", next=f"Give {role.prefix}_URL as http(s)://…"
            )
        self.host = parts.hostname
        self._url = parts._replace(fragment="").geturl()
        self._role = role
        self._key = api_key.get_secret_value() if api_key is not None else ""
        self._seconds = seconds
        self._client: httpx.Client | None = None
        self._lock = threading.Lock()

    def ask(self, body: dict[str, Any]) -> Any:
        """The decoded answer, after a few more tries where the API is busy.

        Raises UnavailableError when it cannot be reached in time or answers with an error or no JSON.
        """
        import httpx

        content = orjson.dumps(body)
        deadline = time.monotonic() + self._seconds
        for attempt in range(_ATTEMPTS):
            pause = _BACKOFF.pause(attempt + 1)
            try:
                status, headers, answer = self._send(content, deadline)
            except httpx.TimeoutException:
                raise self.failed("did not answer in time", f"the limit is {self._seconds:g} s") from None
            except httpx.HTTPError as error:
                # The text of an error may quote the request: its kind says enough.
                trouble = self.failed("could not be reached", type(error).__name__)
            else:
                if status == 200:
                    return self._decoded(answer)
                trouble = self._refused(status, answer)
                if status not in _AGAIN:
                    raise trouble
                pause = max(pause, asked_pause(headers) or 0.0)
            if attempt + 1 == _ATTEMPTS or pause > _LONGEST_PAUSE or time.monotonic() + pause > deadline:
                raise trouble
            time.sleep(pause)
        raise AssertionError("every attempt returns or raises")

    def failed(self, how: str, seen: str, advice: str = "") -> UnavailableError:
        """The error that says how the API failed."""
        return UnavailableError(
            f"The {self._role.title} at {self.host} {how}.",
            seen=seen,
            next=advice or f"Try again later, or check {self._role.prefix}_URL.",
        )

    def malformed(self, seen: str) -> UnavailableError:
        """The error for an answer that is not what was asked for."""
        return self.failed("sent an answer that cannot be used", seen[:_SEEN_CHARS])

    def _send(self, content: bytes, deadline: float) -> "tuple[int, httpx.Headers, bytes]":
        import httpx

        left = max(deadline - time.monotonic(), 0.001)
        headers = {"content-type": "application/json", **label_headers()}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        timeout = httpx.Timeout(left, connect=min(_CONNECT_SECONDS, left))
        with self._opened().stream("POST", self._url, content=content, headers=headers, timeout=timeout) as response:
            answer = bytearray()
            for piece in response.iter_bytes():
                answer += piece
                if len(answer) > _MOST_REPLY:
                    raise self.failed("sent too long an answer", f"more than {_MOST_REPLY} bytes")
                if time.monotonic() > deadline:
                    raise httpx.ReadTimeout("the answer came too slowly")
            return response.status_code, response.headers, bytes(answer)

    def _opened(self) -> "httpx.Client":
        import httpx

        with self._lock:
            if self._client is None:
                self._client = httpx.Client(follow_redirects=False)
                weakref.finalize(self, self._client.close)
            return self._client

    def _decoded(self, answer: bytes) -> Any:
        try:
            return orjson.loads(answer)
        except ValueError:
            raise self.malformed(f"no JSON: {self._shown(answer)}") from None

    def _refused(self, status: int, answer: bytes) -> UnavailableError:
        prefix, advice = self._role.prefix, ""
        if status in (401, 403):
            advice = f"Check {prefix}_API_KEY."
        elif status in (400, 404, 405, 413, 422):
            advice = f"Check {prefix}_URL and {prefix}_MODEL."
        elif 300 <= status < 400:
            advice = f"Set {prefix}_URL to where it points: redirects are not followed with a key."
        return self.failed("answered with an error", f"HTTP {status}: {self._shown(answer)}", advice)

    def _shown(self, answer: bytes) -> str:
        """The start of an answer, the key left out should the API repeat it."""
        text = " ".join(answer[: 4 * _SEEN_CHARS].decode(errors="replace").split())
        return (text.replace(self._key, "***") if self._key else text)[:_SEEN_CHARS]


def call_address(url: str, ending: str, default: str) -> str:
    """The address of a call from that of the call itself (it ends in ``ending``), of its API, or of a bare host."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    if not path.endswith(ending):
        path = path + ending if path else default
    return parts._replace(path=path).geturl()
