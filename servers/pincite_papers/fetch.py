"""Download a paper from an http or https address, without being led to a private one."""

import ipaddress
import time
from collections.abc import Generator
from contextlib import contextmanager

import httpx

from pincite_core.addresses import resolve
from pincite_core.errors import (
    BadInputError,
    EmptySourceError,
    ForbiddenError,
    LimitReachedError,
    NotFoundError,
    UnavailableError,
    UnknownFormatError,
)
from pincite_core.settings import Settings

_REDIRECTS = 5
_REDIRECT_CODES = frozenset((301, 302, 303, 307, 308))
_HEAD_BYTES = 1024
_PORTS = 65536
_AGENT = "pincite (reads scientific papers)"
_ACCEPT = "application/pdf, text/html;q=0.9, application/xhtml+xml;q=0.9, application/xml;q=0.9, */*;q=0.5"
_ARCHIVES = frozenset((
    "application/gzip", "application/x-gzip", "application/x-tar", "application/x-gtar", "application/x-eprint",
    "application/x-eprint-tar", "application/x-latex", "application/x-tex", "application/octet-stream",
))  # fmt: skip
"""Types of sources that servers send compressed as they keep them, and call that an encoding."""
_NO_PAPERS = ("image/", "audio/", "video/", "font/", "text/css", "text/javascript", "application/json")


def fetch_source(address: str, settings: Settings) -> bytes:
    """The bytes at ``address``: at most ``max_source_bytes``, at most 5 redirects, each checked anew.

    The host is resolved once and connected to by that address, so that it cannot change in between.
    """
    deadline = time.monotonic() + settings.http_total_seconds
    url = _parse(address)
    with _client(settings) as client:
        for _ in range(_REDIRECTS + 1):
            addresses = _permitted(url, settings)
            with _get(client, url, addresses) as response:
                if response.status_code not in _REDIRECT_CODES:
                    return _body(response, url, settings.max_source_bytes, deadline)
                url = _parse(str(url.join(response.headers.get("location", ""))))
    raise UnavailableError(
        f"{address} leads from one redirect to the next.",
        seen=f"more than {_REDIRECTS} redirects",
        next="Give the address of the paper itself.",
    )


def _parse(address: str) -> httpx.URL:
    try:
        url = httpx.URL(address)
    except (httpx.InvalidURL, ValueError) as error:
        raise BadInputError(f"{address!r} is not an address.", seen=str(error)) from error
    if url.scheme not in ("http", "https") or not url.host:
        raise ForbiddenError(
            f"{address!r} may not be fetched.",
            seen=f"the scheme {url.scheme!r}",
            next="Give an http or https address, or the path of a file.",
        )
    if url.port is not None and not 0 < url.port < _PORTS:
        raise BadInputError(f"{address!r} has a port that does not exist.", next="Give an address with a true port.")
    if url.userinfo:
        raise BadInputError("The address carries a user name or password.", next="Give the address without them.")
    return url


def _permitted(url: httpx.URL, settings: Settings) -> list[str]:
    """The checked addresses of the URL's host."""
    host = url.raw_host.decode("ascii").lower().rstrip(".")
    allowed = settings.url_hosts
    if allowed and not any(host == name or host.endswith(f".{name}") for name in allowed):
        raise ForbiddenError(
            f"The host {host} may not be fetched from.",
            seen=f"the allowed hosts are {', '.join(allowed)}",
            next="Use one of these hosts, or let the user add this one to PINCITE_URL_HOSTS.",
        )
    return resolve(
        host, url.port or (443 if url.scheme == "https" else 80), allow_private=settings.allow_private_addresses
    )


def _client(settings: Settings) -> httpx.Client:
    return httpx.Client(
        verify=httpx.create_ssl_context(),
        trust_env=False,
        follow_redirects=False,
        timeout=httpx.Timeout(settings.http_read_seconds, connect=settings.http_connect_seconds),
        headers={"User-Agent": _AGENT, "Accept": _ACCEPT, "Accept-Encoding": "identity"},
    )


@contextmanager
def _get(client: httpx.Client, url: httpx.URL, addresses: list[str]) -> Generator[httpx.Response]:
    """The response of the first address that can be connected to, its body not yet read."""
    extensions = {} if _is_literal(url) else {"sni_hostname": url.raw_host.decode("ascii")}
    try:
        response = _first(client, url, addresses, extensions)
        try:
            yield response
        finally:
            response.close()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise UnavailableError(
            f"{url} could not be fetched.",
            seen=f"{type(error).__name__}: {error}",
            next="Try again later, or download the file yourself and open it by its path.",
        ) from error


def _first(client: httpx.Client, url: httpx.URL, addresses: list[str], extensions: dict[str, str]) -> httpx.Response:
    for address in addresses[:-1]:
        try:
            return _send(client, url, address, extensions)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            continue
    return _send(client, url, addresses[-1], extensions)


def _send(client: httpx.Client, url: httpx.URL, address: str, extensions: dict[str, str]) -> httpx.Response:
    pinned = url.copy_with(host=address)
    host = url.netloc.decode("ascii")
    return client.send(
        client.build_request("GET", pinned, headers={"Host": host}, extensions=dict(extensions)), stream=True
    )


def _is_literal(url: httpx.URL) -> bool:
    try:
        ipaddress.ip_address(url.host)
    except ValueError:
        return False
    return True


def _body(response: httpx.Response, url: httpx.URL, most: int, deadline: float) -> bytes:
    _check_status(response, url)
    encoding = response.headers.get("content-encoding", "identity").lower()
    if encoding != "identity" and not (encoding in ("gzip", "x-gzip") and _kind(response) in _ARCHIVES):
        raise UnavailableError(f"{url} answers in an encoding that was not asked for.")
    declared = response.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise _too_large(url, f"{declared} bytes", most)
    received = bytearray()
    for piece in response.iter_raw():
        received += piece
        if len(received) > most:
            raise _too_large(url, "more bytes than that", most)
        if time.monotonic() > deadline:
            raise UnavailableError(
                f"{url} sends too slowly.",
                next="Try again later, or download the file yourself and open it by its path.",
            )
    _check_content(bytes(received[:_HEAD_BYTES]), response, url)
    return bytes(received)


def _check_status(response: httpx.Response, url: httpx.URL) -> None:
    code = response.status_code
    seen = f"HTTP status {code}"
    if code == 200:
        return
    if code in (404, 410):
        raise NotFoundError(f"There is nothing at {url}.", seen=seen, next="Check the address.")
    if code in (401, 402, 403, 451):
        raise ForbiddenError(
            f"The server does not give {url} to us.", seen=seen, next="Download it yourself and open it by its path."
        )
    raise UnavailableError(f"{url} could not be fetched.", seen=seen, next="Try again later.")


def _check_content(head: bytes, response: httpx.Response, url: httpx.URL) -> None:
    if not head:
        raise EmptySourceError(f"{url} answers with no bytes.", next="Check the address.")
    kind = _kind(response)
    if kind.startswith(_NO_PAPERS) and b"%PDF-" not in head:
        raise UnknownFormatError(
            f"What is at {url} is no paper.",
            seen=f"content type {kind}",
            next="Give the address of a PDF, of a LaTeX or JATS source, or of a web page with the article.",
        )


def _kind(response: httpx.Response) -> str:
    """The media type of an answer, "" if it is not stated."""
    return response.headers.get("content-type", "").partition(";")[0].strip().lower()


def _too_large(url: httpx.URL, seen: str, most: int) -> LimitReachedError:
    return LimitReachedError(
        f"{url} is larger than the limit of {most} bytes.",
        seen=seen,
        next="If you trust it, raise PINCITE_MAX_SOURCE_BYTES.",
    )
