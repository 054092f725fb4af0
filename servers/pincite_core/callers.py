"""Authentication of callers over HTTP: a shared bearer token, or a token of an OAuth authorization server."""

import hashlib
import hmac
import logging
import time
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote, urlencode

from mcp.server import MCPServer
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.responses import JSONResponse

from pincite_core.errors import PinciteError, UnavailableError
from pincite_core.http.client import Web
from pincite_core.http.policy import Access, Rate, SourcePolicy
from pincite_core.http_settings import HttpSettings
from pincite_core.settings import Settings, load_settings

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

logger = logging.getLogger(__name__)

_TRUSTED_SECONDS = 30.0
"""How long what the authorization server said of a token is taken for true: a revoked token ends within it."""
_REMEMBERED = 1000
"""Tokens that are remembered, the least recently asked about go first."""
_ANY_RATE = Rate(1000, 1.0, at_once=64)
_LAST_SECOND = 2**53
"""Seconds since 1970 from here on are not a time: JSON numbers are exact up to it (RFC 8259, section 6)."""
_RETRY_SECONDS = "5"


def guarded_app(server: MCPServer[Any], settings: HttpSettings, token: str, oauth: AuthSettings | None) -> "Starlette":
    """The ASGI application of a server that answers only callers with ``token``, or with one of ``oauth``'s server."""
    verifier: TokenVerifier = SharedToken(token) if oauth is None else Introspection(settings, load_settings())
    # MCPServer takes both only when it is made, before it is known whether it will serve HTTP.
    lowlevel = server._lowlevel_server  # pyright: ignore[reportPrivateUsage]
    app = lowlevel.streamable_http_app(
        transport_security=settings.security(),
        auth=oauth,
        token_verifier=verifier,
        custom_starlette_routes=server._custom_starlette_routes,  # pyright: ignore[reportPrivateUsage]
    )
    if oauth is None:
        # The SDK reads the header itself only where there is an authorization server.
        app.add_middleware(AuthContextMiddleware)
        app.add_middleware(AuthenticationMiddleware, backend=BearerAuthBackend(verifier))
    app.add_middleware(_Outages)
    return app


class SharedToken:
    """One secret that every caller knows."""

    def __init__(self, token: str) -> None:
        self._digest = _digest(token)

    async def verify_token(self, token: str) -> AccessToken | None:
        """The caller of a token; None for a wrong one. The comparison takes constant time."""
        if not hmac.compare_digest(_digest(token), self._digest):
            return None
        return AccessToken(token="", client_id="pincite", scopes=[])


class Introspection:
    """Asks the authorization server whether a token is valid (token introspection, RFC 7662).

    A token counts when it is active, comes from the issuer where that is told, and was issued for this server, which
    the SDK checks by ``AccessToken.resource``.
    """

    def __init__(self, settings: HttpSettings, own: Settings) -> None:
        self._issuer = settings.http_oauth_issuer
        self._resource = settings.http_oauth_resource
        self._url = settings.http_oauth_introspection_url
        self._web = Web(own)
        self._policy = SourcePolicy(
            "http_oauth", "The authorization server", self._url, _ANY_RATE, fresh_seconds=0.0, trusted=True
        )
        secret = settings.http_oauth_client_secret
        self._access = _basic(settings.http_oauth_client_id, secret.get_secret_value() if secret is not None else "")
        self._known: OrderedDict[bytes, tuple[float, AccessToken]] = OrderedDict()

    async def verify_token(self, token: str) -> AccessToken | None:
        """Who the caller is, None for a token that does not count; UnavailableError when the server cannot be asked."""
        digest = _digest(token)
        until, known = self._known.get(digest, (0.0, None))
        if known is not None and time.monotonic() < until:
            return known
        self._known.pop(digest, None)
        told = await self._ask(token)
        if told.get("active") is not True or told.get("iss", self._issuer) != self._issuer:
            return None
        if not _is_day(told.get("exp")):
            logger.warning("The authorization server at %s tells no readable end of a token", self._url)
            return None
        caller = self._caller(told)
        self._known[digest] = (time.monotonic() + _TRUSTED_SECONDS, caller)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return caller

    async def _ask(self, token: str) -> Mapping[str, Any]:
        body = urlencode({"token": token, "token_type_hint": "access_token"}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        try:
            answer = await self._web.post(
                self._policy, self._url, body, headers=headers, access=self._access, secret=True
            )
            told = answer.json()
        except PinciteError as error:
            # Its text may quote what was sent: the kind of error says enough.
            logger.warning("The authorization server at %s could not be asked: %s", self._url, error.code)
            raise UnavailableError("The authorization server could not be asked.") from None
        if not isinstance(told, dict):
            raise UnavailableError("The authorization server's answer cannot be read.")
        return cast("dict[str, Any]", told)

    def _caller(self, told: Mapping[str, Any]) -> AccessToken:
        audience: Sequence[object] = told["aud"] if isinstance(told.get("aud"), list) else [told.get("aud")]
        mine = next((one for one in audience if _same_address(one, self._resource)), None)
        expires, subject = told.get("exp"), told.get("sub")
        return AccessToken(
            token="",
            client_id=str(told.get("client_id", "")),
            scopes=str(told.get("scope", "")).split(),
            expires_at=None if expires is None else int(expires),
            resource=str(mine) if mine is not None else None,
            subject=str(subject) if subject is not None else None,
            claims={"iss": self._issuer},
        )


class _Outages:
    """Answers 503 where it cannot be found out who the caller is: a 401 would say that the token is wrong."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        try:
            await self._app(scope, receive, send)
        except UnavailableError as error:
            body = {"error": "temporarily_unavailable", "error_description": error.what}
            response = JSONResponse(body, status_code=503, headers={"Retry-After": _RETRY_SECONDS})
            await response(scope, receive, send)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _basic(name: str, secret: str) -> Access:
    """HTTP Basic as RFC 6749, section 2.3.1 wants it; nothing for a server that asks for no name."""
    if not name:
        return Access()
    pair = f"{quote(name, safe='')}:{quote(secret, safe='')}"
    return Access(headers={"Authorization": f"Basic {b64encode(pair.encode()).decode()}"})


def _is_day(value: object) -> bool:
    """Whether a token's end is unsaid or seconds since 1970; one that cannot be read does not mean that it has none."""
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LAST_SECOND


def _same_address(one: object, other: str) -> bool:
    return isinstance(one, str) and one.rstrip("/") == other.rstrip("/")
