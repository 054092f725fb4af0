"""A plain http request of an agent to an allowed host."""

import hashlib
import re
from collections.abc import AsyncGenerator

import h11
import httpcore

from pincite_core.http.urls import Origin
from pincite_doors.headers import Headers, end_to_end
from pincite_doors.web.client import WebClient
from pincite_doors.web.failing import CONNECT_SECONDS, IDLE_SECONDS, web_errors
from pincite_doors.web.recorder import Outcome

_LIMITS = {"connect": CONNECT_SECONDS, "read": IDLE_SECONDS, "write": IDLE_SECONDS, "pool": None}
_AUTHORITY = re.compile(rb"http://[^/?#]*", re.IGNORECASE)
_HOST = frozenset({b"host"})


async def fetch(
    client: WebClient, request: h11.Request, place: Origin, pool: httpcore.AsyncConnectionPool, outcome: Outcome
) -> None:
    """Pass one request on and its answer back as it comes; WebError where the host does not answer so.

    The Host header follows from the address (RFC 9112, section 3.2.2): no other site is asked behind it.
    """
    path = _AUTHORITY.sub(b"", request.target, count=1)
    path = path if path.startswith(b"/") else b"/" + path
    url = httpcore.URL(scheme=b"http", host=place.host.encode("ascii"), port=place.port, target=path)
    headers, sends = _headers(request, place)
    asked = httpcore.Request(
        request.method,
        url,
        headers=headers,
        content=_counted(client, outcome) if sends else b"",
        extensions={"timeout": _LIMITS},
    )
    with web_errors():
        response = await pool.handle_async_request(asked)
    try:
        await _pass_back(client, response, outcome)
    finally:
        with web_errors():
            await response.aclose()


def _headers(request: h11.Request, place: Origin) -> tuple[Headers, bool]:
    """The headers to send, and whether a body comes with them."""
    given = [(bytes(name), bytes(value)) for name, value in request.headers]
    names = {name for name, _ in given}
    headers = [(b"host", place.host.encode("ascii")), *end_to_end(given, without=_HOST)]
    if b"transfer-encoding" in names:
        headers.append((b"transfer-encoding", b"chunked"))
    return headers, bool(names & {b"content-length", b"transfer-encoding"})


async def _counted(client: WebClient, outcome: Outcome) -> AsyncGenerator[bytes]:
    async for piece in client.body():
        outcome.sent += len(piece)
        yield piece


async def _pass_back(client: WebClient, response: httpcore.Response, outcome: Outcome) -> None:
    headers = end_to_end(response.headers)
    outcome.status = response.status
    outcome.media_type = dict(headers).get(b"content-type", b"").decode("latin-1")
    digest = hashlib.sha256()
    await client.begin(response.status, headers)
    with web_errors():
        async for piece in response.aiter_stream():
            outcome.received += len(piece)
            digest.update(piece)
            await client.send(piece)
    outcome.digest = f"sha256:{digest.hexdigest()}"
    await client.end()
