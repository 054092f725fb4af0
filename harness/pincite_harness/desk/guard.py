"""Guard: only this machine's own browser, with the address that was printed, gets an answer: to reads, and to writes
where a page has any."""

import hmac

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Sent with every answer: a page runs the desk's own scripts alone and loads nothing from elsewhere."""
_METHODS = frozenset({"GET", "HEAD"})
_OWN_SITES = frozenset({"same-origin", "none"})
"""Values of Sec-Fetch-Site: the desk's own page, or an address that the user typed or opened from a terminal."""


class Guard:
    """Passes requests on whose Host is this machine's, whose Origin is the desk's own and whose path begins with the
    token; the path goes on without it. The others learn nothing but that they are refused.

    ``writes`` are the paths that may be posted to: by the page's own scripts alone, which name their Origin and send
    JSON, as no form of another page can.
    """

    def __init__(self, app: ASGIApp, token: str, port: int, writes: frozenset[str] = frozenset()) -> None:
        self._app = app
        self._token = token.encode()
        self._writes = writes
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._why_not(scope)
        if refused is not None:
            await refused(scope, receive, with_headers)
            return
        _, _, rest = str(scope["path"])[1:].partition("/")
        await self._app({**scope, "path": f"/{rest}", "raw_path": None}, receive, with_headers)

    def _why_not(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if headers.getlist("host") != [headers.get("host")] or headers.get("host") not in self._hosts:
            return PlainTextResponse("This host is not answered.", 421)
        if (origin is not None and origin not in self._origins) or (site is not None and site not in _OWN_SITES):
            return PlainTextResponse("This origin is not answered.", 403)
        first, _, rest = str(scope["path"])[1:].partition("/")
        if not hmac.compare_digest(first.encode(errors="replace"), self._token):
            return PlainTextResponse("Open the address that pincite view printed.", 404)
        if scope["method"] == "POST" and f"/{rest}" in self._writes:
            is_own = origin in self._origins and headers.get("content-type") == "application/json"
            return None if is_own else PlainTextResponse("Only the page's own scripts write here.", 403)
        if scope["method"] not in _METHODS:
            return PlainTextResponse("The desk only shows.", 405)
        return None
