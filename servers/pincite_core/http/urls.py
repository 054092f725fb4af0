"""Which URLs may be fetched, decided before any host is resolved; and what counts as one origin."""

import ipaddress
import re
from dataclasses import dataclass

import httpx

from pincite_core.errors import BadInputError, ForbiddenError

_SHOWN_CHARS = 200
"""Characters of an address that an error shows."""
_PORTS = 65_536
"""Ports of TCP: 16 bits."""
_FIRST_USER_PORT = 1024
"""Ports below are those of the system (RFC 6335), mail and the like, of which only the web's are open."""
_WEB_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\Z")


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host (lower case, without a final dot) and port of an address."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == _WEB_PORTS[self.scheme] else f":{self.port}")


def parse(address: str) -> httpx.URL:
    """The address as a URL without fragment, its host in one spelling.

    ForbiddenError for another scheme than http and https, or none; BadInputError for a user name or password, a port
    that does not exist and a host that is not a name or number.
    """
    authority = address.partition("://")[2].partition("/")[0]
    try:
        url = httpx.URL(address)
        host = url.host
        if any(sign.isdigit() and not sign.isascii() for sign in authority):
            raise httpx.InvalidURL("digits of another script")
    except (httpx.InvalidURL, ValueError) as error:
        raise BadInputError(f"{_shown(address)} is not an address.", seen=str(error)) from error
    if url.scheme not in _WEB_PORTS or not host:
        raise ForbiddenError(
            f"{_shown(address)} may not be fetched.",
            seen=f"the scheme {url.scheme!r}",
            next="Give an http or https address, or the path of a file.",
        )
    if url.userinfo or "@" in authority:
        raise BadInputError("The address carries a user name or password.", next="Give the address without them.")
    if url.port is not None and not 0 < url.port < _PORTS:
        raise BadInputError(
            f"{_shown(address)} has a port that is out of range.", next="Give an address with a port from 1 to 65535."
        )
    return url.copy_with(host=_host(url, address), fragment=None)


def origin(url: httpx.URL) -> Origin:
    """The origin of a parsed address."""
    return Origin(url.scheme, url.raw_host.decode("ascii"), url.port or _WEB_PORTS[url.scheme])


def check_port(place: Origin) -> None:
    """ForbiddenError for a port that belongs to another protocol: below 1024 only those of the web are asked."""
    if place.port < _FIRST_USER_PORT and place.port not in _WEB_PORTS.values():
        raise ForbiddenError(
            f"{place} may not be fetched from.",
            seen=f"port {place.port} is not a port of the web",
            next="Download the file yourself and open it by its path.",
        )


def _host(url: httpx.URL, address: str) -> str:
    host = url.raw_host.decode("ascii").lower()
    if ":" in host:
        try:
            return str(ipaddress.IPv6Address(host if "%" not in host else "zone ids are not for the web"))
        except ValueError as error:
            raise BadInputError(f"{_shown(address)} is not an address.", seen=str(error)) from error
    host = host.removesuffix(".")
    if _NAME.match(host) is None:
        raise BadInputError(f"{_shown(address)} is not an address.", seen=f"the host {host[:_SHOWN_CHARS]!r}")
    return host


def _shown(address: str) -> str:
    return repr(address[:_SHOWN_CHARS])
