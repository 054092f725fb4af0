"""WebRecorder: what an open-web task asked of the web, and what came back."""

import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pincite_doors.lines import JsonLines, stamped
from pincite_doors.redactor import Redactor
from pincite_doors.traffic import Traffic

WebCause = Literal["forbidden", "connection", "timeout", "malformed", "cut", "cancelled"]
"""``forbidden``: an address that is not public, or TLS for another host; ``cut``: an answer that broke off;
``cancelled``: the agent, or the trial, went away first."""


@dataclass
class Outcome:
    """How a request ended. ``sent`` and ``received`` count the bytes of bodies, in a tunnel all bytes; ``digest`` is
    that of a plain answer's body."""

    status: int | None = None
    sent: int = 0
    received: int = 0
    media_type: str = ""
    digest: str = ""
    cause: WebCause | None = None
    detail: str = ""


class WebRecorder:
    """Writes ``request``, ``response`` and ``refused`` records. A tunnel is one request with the method CONNECT: what
    passes inside is between the agent and the site, and only counted.

    ``failure`` says why the record is no longer whole.
    """

    def __init__(self, path: Path, redactor: Redactor, traffic: Traffic | None = None) -> None:
        self.failure: str | None = None
        self._lines = JsonLines(path, redactor, traffic)
        self._sequence = 0
        self._started: dict[int, float] = {}

    def request(self, method: str, url: str) -> int:
        """Record a request that may pass, and return its number."""
        self._sequence += 1
        self._started[self._sequence] = time.monotonic()
        self._write("request", seq=self._sequence, method=method, url=url)
        return self._sequence

    def response(self, sequence: int, outcome: Outcome) -> None:
        """Record how a request ended."""
        seconds = round(time.monotonic() - self._started.pop(sequence), 6)
        self._write("response", seq=sequence, seconds=seconds, **asdict(outcome))

    def refused(self, status: int, method: str, target: str, reason: str) -> None:
        """Record a request that may not pass."""
        self._write("refused", status=status, method=method, url=target, reason=reason)

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._lines.close()

    def _write(self, kind: str, **fields: Any) -> None:
        try:
            self._lines.write(stamped(kind, **fields))
        except OSError as error:
            self.failure = self.failure or str(error)
