"""Downloads a paper from an http or https address; private addresses are refused, after redirects too."""

import anyio
import httpx

from pincite_core.errors import (
    EmptySourceError,
    ForbiddenError,
    LimitReachedError,
    NotFoundError,
    SourceError,
    UnavailableError,
    UnknownFormatError,
)
from pincite_core.http.route import REDIRECT_CODES, REDIRECTS
from pincite_core.http.transport import TransferError, Transport, WireResponse
from pincite_core.http.urls import origin, parse
from pincite_core.settings import Settings

_HEAD_BYTES = 1024
"""First bytes of an answer, which show whether it can be a paper."""
_HEADERS = {
    "User-Agent": "pincite (reads scientific papers)",
    "Accept": "application/pdf, text/html;q=0.9, application/xhtml+xml;q=0.9, application/xml;q=0.9, */*;q=0.5",
    "Accept-Encoding": "identity",
}
_ARCHIVES = frozenset((
    "application/gzip", "application/x-gzip", "application/x-tar", "application/x-gtar", "application/x-eprint",
    "application/x-eprint-tar", "application/x-latex", "application/x-tex", "application/octet-stream",
))  # fmt: skip
"""Types of sources that servers send compressed as they keep them, and call that an encoding."""
_NO_PAPERS = ("image/", "audio/", "video/", "font/", "text/css", "text/javascript", "application/json")


def fetch_source(address: str, settings: Settings) -> bytes:
    """The bytes at ``address``: at most ``max_source_bytes``, at most 5 redirects, each of which is checked.

    For threads without an event loop. The host is resolved once and connected to by that address, so that it cannot
    change in between. These downloads are not recorded: where the web is replayed they are refused.
    """
    if settings.http_mode == "replay":
        raise SourceError(
            "The recorded web does not have this request.",
            cause="not_recorded",
            seen=f"GET {address}; papers opened by their address are not recorded",
            next="Open the paper by its path, or fetch it with fetch_fulltext of the literature server.",
        )
    return anyio.run(_fetch, address, settings)


async def _fetch(address: str, settings: Settings) -> bytes:
    transport = Transport(settings)
    try:
        with anyio.move_on_after(settings.http_total_seconds):
            return await _follow(transport, address, settings)
    finally:
        await transport.aclose()
    raise UnavailableError(
        f"{address} sends too slowly.",
        next="Try again later, or download the file yourself and open it by its path.",
    )


async def _follow(transport: Transport, address: str, settings: Settings) -> bytes:
    url = parse(address)
    for _ in range(REDIRECTS + 1):
        _check_host(url, settings)
        try:
            async with transport.send("GET", url, _HEADERS) as reply:
                if reply.status not in REDIRECT_CODES:
                    return await _body(reply, url, settings.max_source_bytes)
                url = _target(url, reply.headers.get("location", ""))
        except (TransferError, httpx.InvalidURL) as error:
            raise UnavailableError(
                f"{url} could not be fetched.",
                seen=error.seen if isinstance(error, TransferError) else str(error),
                next="Try again later, or download the file yourself and open it by its path.",
            ) from error
    raise UnavailableError(
        f"{address} redirects too often.",
        seen=f"more than {REDIRECTS} redirects",
        next="Give the address of the paper itself.",
    )


def _target(url: httpx.URL, location: str) -> httpx.URL:
    target = url.join(location)
    if not target.host and not target.path.startswith("/"):
        raise httpx.InvalidURL(f"a redirect to {location[:100]!r}")
    return parse(str(target))


def _check_host(url: httpx.URL, settings: Settings) -> None:
    host, allowed = origin(url).host, settings.url_hosts
    if allowed and not any(host == name or host.endswith(f".{name}") for name in allowed):
        raise ForbiddenError(
            f"The host {host} may not be fetched from.",
            seen=f"the allowed hosts are {', '.join(allowed)}",
            next="Use one of these hosts, or let the user add this one to PINCITE_URL_HOSTS.",
        )


async def _body(reply: WireResponse, url: httpx.URL, most: int) -> bytes:
    _check_status(reply, url)
    encoding = reply.headers.get("content-encoding", "identity").lower()
    if encoding != "identity" and not (encoding in ("gzip", "x-gzip") and _kind(reply) in _ARCHIVES):
        raise UnavailableError(f"{url} sent an encoding that was not asked for.")
    declared = reply.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise _too_large(url, f"{declared} bytes", most)
    received = bytearray()
    async for piece in reply.pieces:
        received += piece
        if len(received) > most:
            raise _too_large(url, "more bytes than that", most)
    _check_content(bytes(received[:_HEAD_BYTES]), reply, url)
    return bytes(received)


def _check_status(reply: WireResponse, url: httpx.URL) -> None:
    code = reply.status
    seen = f"HTTP status {code}"
    if code == 200:
        return
    if code in (404, 410):
        raise NotFoundError(f"There is nothing at {url}.", seen=seen, next="Check the address.")
    if code in (401, 402, 403, 451):
        raise ForbiddenError(
            f"The server refused to send {url}.", seen=seen, next="Download it yourself and open it by its path."
        )
    raise UnavailableError(f"{url} could not be fetched.", seen=seen, next="Try again later.")


def _check_content(head: bytes, reply: WireResponse, url: httpx.URL) -> None:
    if not head:
        raise EmptySourceError(f"{url} sent an empty response.", next="Check the address.")
    kind = _kind(reply)
    if kind.startswith(_NO_PAPERS) and b"%PDF-" not in head:
        raise UnknownFormatError(
            f"What is at {url} is not a paper.",
            seen=f"content type {kind}",
            next="Give the address of a PDF, of a LaTeX or JATS source, or of a web page with the article.",
        )


def _kind(reply: WireResponse) -> str:
    """The media type of an answer, "" if it is not stated."""
    return reply.headers.get("content-type", "").partition(";")[0].strip().lower()


def _too_large(url: httpx.URL, seen: str, most: int) -> LimitReachedError:
    return LimitReachedError(
        f"{url} is larger than the limit of {most} bytes.",
        seen=seen,
        next="If you trust it, raise PINCITE_MAX_SOURCE_BYTES.",
    )
