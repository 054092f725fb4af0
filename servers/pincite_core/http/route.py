"""Redirects: what each origin may be sent, and where a redirect may lead."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from urllib.parse import urlencode

import httpx

from pincite_core.errors import BadInputError, ForbiddenError
from pincite_core.http.bodies import ENCODINGS
from pincite_core.http.dialing import Reach
from pincite_core.http.exchange import Request
from pincite_core.http.transport import WireResponse
from pincite_core.http.urls import origin, parse
from pincite_core.settings import Settings

REDIRECTS = 5
"""Redirects that are followed in one request. Set by judgement."""
REDIRECT_CODES = frozenset((301, 302, 303, 307, 308))
_KEEP_METHOD = frozenset((307, 308))


@dataclass(frozen=True, slots=True)
class Hop:
    """One exchange: what is sent where."""

    method: str
    url: httpx.URL
    headers: Mapping[str, str]
    body: bytes
    reach: Reach


class Route:
    """The way of one request: ``home`` is the origin of its source, the only one that gets credentials and contact.

    ``moved`` tells that the user set that origin; then it may be private.
    """

    def __init__(self, request: Request, settings: Settings) -> None:
        self._request = request
        self._settings = settings
        self.moved = request.policy.name in settings.source_urls
        self._trusted = self.moved or request.policy.trusted
        self._foreign = request.policy.foreign and not self.moved
        self.home = origin(parse(settings.source_urls.get(request.policy.name, request.policy.base_url)))

    @property
    def lane(self) -> str:
        """The name of what shares a rate and a circuit: the group, at another address if the user set one."""
        name = self._request.policy.group or self._request.policy.name
        return f"{name} at {self.home}" if self.moved else name

    def first(self) -> Hop:
        """The hop to the address that was asked for."""
        request = self._request
        url = parse(request.address)
        if origin(url) == self.home and request.access.params:
            url = parse(f"{url}{'&' if url.query else '?'}{urlencode(list(request.access.params.items()))}")
        return self._hop(request.method, url, request.body)

    def next(self, hop: Hop, reply: WireResponse) -> Hop | None:
        """The hop that the answer leads to, None when it is not a redirect.

        ForbiddenError when it leads to what is not an address of the web, takes the body of a POST to another origin,
        or leaves https with credentials.
        """
        location = reply.headers.get("location")
        code = reply.status
        if code not in REDIRECT_CODES or code in self._request.expect or location is None:
            return None
        url = self._target(hop, location)
        left, entered = origin(hop.url), origin(url)
        if left.scheme == "https" and entered.scheme == "http" and self._has_access():
            raise self._forbidden(f"from https to {entered}")
        if hop.method == "GET" or code not in _KEEP_METHOD:
            return self._hop("GET", url, b"")
        if left != entered:
            raise self._forbidden(f"a POST to {entered}")
        return self._hop(hop.method, url, hop.body)

    def _target(self, hop: Hop, location: str) -> httpx.URL:
        try:
            return parse(str(hop.url.join(location)))
        except (httpx.InvalidURL, ValueError) as error:
            raise self._forbidden("to what is not an address") from error
        except BadInputError as error:
            raise self._forbidden(error.seen or error.what) from error

    def _hop(self, method: str, url: httpx.URL, body: bytes) -> Hop:
        place = origin(url)
        at_home = place == self.home
        headers = {"user-agent": self._agent(at_home), "accept": "*/*", "accept-encoding": ENCODINGS}
        headers |= {name.lower(): value for name, value in self._request.headers.items()}
        if at_home:
            headers |= {name.lower(): value for name, value in self._request.access.headers.items()}
        if not body:
            headers.pop("content-type", None)
        return Hop(method, url, headers, body, self._reach(at_home))

    def _reach(self, at_home: bool) -> Reach:
        if not at_home or self._foreign:
            return "public"
        return "any" if self._trusted else "own"

    def _agent(self, at_home: bool) -> str:
        contact = self._settings.contact.strip()
        about = f" (+mailto:{contact})" if contact and at_home and not self._foreign else ""
        return f"pincite/{_version()}{about}"

    def _has_access(self) -> bool:
        return bool(self._request.access.params or self._request.access.headers)

    def _forbidden(self, seen: str) -> ForbiddenError:
        return ForbiddenError(
            f"{self._request.policy.title} redirects to an address that is not allowed.",
            seen=seen,
            next="Ask another source.",
        )


@functools.cache
def _version() -> str:
    return version("pincite")
