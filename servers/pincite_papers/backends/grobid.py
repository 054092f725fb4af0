"""GROBID: a server that reads the header and the references of a paper (its full-text service, TEI).

Text, offsets and boxes stay ours. GROBID fills in the header (title, authors, DOI, journal, year, keywords) and the
reference list, whose entries are found again in our text.
"""

import time
from collections.abc import Callable

import httpx

from pincite_core.errors import BadInputError, LimitReachedError, UnavailableError
from pincite_core.http.retries import Backoff
from pincite_papers.backends.backend import Work

_PATH = "/api/processFulltextDocument"
_MERGE = "pincite_papers.backends.grobid_tei:merge_job"
_FIELDS = {"includeRawCitations": "1", "consolidateHeader": "0", "consolidateCitations": "0"}
_ATTEMPTS = 5
"""Requests for one paper, since GROBID answers 503 while it is busy. Set by judgement."""
_BACKOFF = Backoff(1.0, most=1.25)
_MOST_ANSWER = 32 << 20
"""Bytes of its TEI. Set by judgement."""
_BUSY = frozenset((429, 502, 503, 504))


class Grobid:
    """A GROBID server at ``url``, which may take ``seconds`` for a paper, its waiting queue included."""

    def __init__(self, url: str, seconds: float) -> None:
        if not url.startswith(("http://", "https://")):
            raise BadInputError(f"{url[:100]!r} is not an address.", next="Give PINCITE_GROBID_URL as http(s)://…")
        self._url = url.rstrip("/")
        self._seconds = seconds

    @property
    def described(self) -> str:
        """Name and place; the server's version is not asked for, since it would be asked at every start."""
        return f"grobid at {self._url}"

    def read(self, source: bytes, parse: Callable[[], bytes], work: Work) -> bytes:
        """Our paper with GROBID's header and references."""
        paper = parse()
        tei = self._ask(source)
        return work({"job": _MERGE, "split": len(paper), "described": self.described}, paper + tei)[1]

    def _ask(self, source: bytes) -> bytes:
        """The TEI of a PDF; a busy server is asked again."""
        deadline = time.monotonic() + self._seconds
        with httpx.Client(timeout=httpx.Timeout(self._seconds, connect=10.0), follow_redirects=False) as client:
            for attempt in range(_ATTEMPTS):
                pause = _BACKOFF.pause(attempt + 1)
                try:
                    status, content = self._send(client, source, deadline)
                except httpx.HTTPError as error:
                    trouble = self._failed("could not be reached", f"{type(error).__name__}: {error}")
                else:
                    if status == 200 and content.strip():
                        return content
                    shown = " ".join(content[:300].decode(errors="replace").split())
                    trouble = self._failed("gave no text for this paper", f"HTTP {status} {shown}".strip())
                    if status not in _BUSY:
                        raise trouble
                if attempt + 1 == _ATTEMPTS or time.monotonic() + pause > deadline:
                    raise trouble
                time.sleep(pause)
        raise AssertionError("every attempt returns or raises")

    def _send(self, client: httpx.Client, source: bytes, deadline: float) -> tuple[int, bytes]:
        files = {"input": ("paper.pdf", source, "application/pdf")}
        with client.stream("POST", self._url + _PATH, data=_FIELDS, files=files) as response:
            content = bytearray()
            for piece in response.iter_bytes():
                content += piece
                if len(content) > _MOST_ANSWER:
                    raise LimitReachedError("GROBID's answer is too long.", seen=f"more than {_MOST_ANSWER} bytes")
                if time.monotonic() > deadline:
                    raise self._failed("did not answer in time", f"the limit is {self._seconds:g} s")
            return response.status_code, bytes(content)

    def _failed(self, how: str, seen: str) -> UnavailableError:
        return UnavailableError(
            f"The GROBID server at {self._url} {how}.",
            seen=seen,
            next="Start it or correct PINCITE_GROBID_URL; unset PINCITE_BACKEND to read papers without it.",
        )
