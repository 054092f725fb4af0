"""Web: the HTTP client of all sources, which keeps each source's policy."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pincite_core.errors import BadInputError
from pincite_core.http.exchange import Layer, Next, Params, Request, Response
from pincite_core.http.policy import NO_ACCESS, Access, SourcePolicy
from pincite_core.settings import Settings

if TYPE_CHECKING:
    from pincite_core.http.live import Live

_MOST_BYTES = 32 << 20
"""Bytes of a response by default, decompressed. Set by judgement."""
_ABSOLUTE = ("http://", "https://")


class Web:
    """One client for all sources of a server; ``lifespan`` closes its connections.

    A request goes through ``layers`` (record, cache) to the live web. ``get`` and ``post`` raise NotFoundError (404,
    410), BadInputError (400, 413, 414, 422, 431: the source does not take the query), SourceError (every outage),
    ForbiddenError (an address that may not be fetched) and LimitReachedError (an answer above ``most_bytes``), unless
    the status is in ``expect``.
    """

    def __init__(self, settings: Settings, *, layers: Iterable[Layer] = ()) -> None:
        self._settings = settings
        self._layers = tuple(layers)
        self._live: Live | None = None

    @asynccontextmanager
    async def lifespan(self, _server: object = None) -> AsyncGenerator[None]:
        """While a server runs; the connections end with it."""
        try:
            yield
        finally:
            if self._live is not None:
                await self._live.aclose()

    async def get(
        self,
        policy: SourcePolicy,
        path: str,
        params: Params | Mapping[str, str] = (),
        *,
        headers: Mapping[str, str] | None = None,
        access: Access = NO_ACCESS,
        expect: Iterable[int] = (),
        most_bytes: int = _MOST_BYTES,
        seconds: float | None = None,
    ) -> Response:
        """The answer to GET ``path``: below the source's address, or an absolute http(s) URL.

        ``access`` goes to the origin of the source alone, whatever URL is asked and wherever redirects lead.
        ``seconds`` bounds the whole lookup (default: PINCITE_SOURCE_SECONDS), ``most_bytes`` the body, packed and not.
        """
        return await self._ask(
            self._request(policy, "GET", path, params, headers, b"", access, expect, most_bytes, seconds)
        )

    async def post(
        self,
        policy: SourcePolicy,
        path: str,
        body: bytes,
        *,
        params: Params | Mapping[str, str] = (),
        headers: Mapping[str, str] | None = None,
        access: Access = NO_ACCESS,
        expect: Iterable[int] = (),
        most_bytes: int = _MOST_BYTES,
        seconds: float | None = None,
        secret: bool = False,
    ) -> Response:
        """The answer to POST ``body``, for lookups that a source only takes so; it is cached and recorded like GET.

        ``secret`` marks an answer that is a credential: it is neither cached nor recorded.
        """
        request = self._request(policy, "POST", path, params, headers, body, access, expect, most_bytes, seconds)
        return await self._ask(replace(request, secret=secret))

    def _request(
        self,
        policy: SourcePolicy,
        method: Literal["GET", "POST"],
        path: str,
        params: Params | Mapping[str, str],
        headers: Mapping[str, str] | None,
        body: bytes,
        access: Access,
        expect: Iterable[int],
        most_bytes: int,
        seconds: float | None,
    ) -> Request:
        base = self._settings.source_urls.get(policy.name, policy.base_url)
        asked = tuple(params.items()) if isinstance(params, Mapping) else tuple(params)
        _check_characters([path, *(text for pair in asked for text in pair)])
        return Request(
            policy=policy,
            method=method,
            url=path if path.lower().startswith(_ABSOLUTE) else f"{base.rstrip('/')}/{path.lstrip('/')}",
            params=asked,
            headers=dict(headers or {}),
            body=body,
            access=access,
            expect=frozenset(expect),
            most_bytes=most_bytes,
            seconds=seconds or self._settings.source_seconds,
        )

    async def _ask(self, request: Request) -> Response:
        call_next: Next = self._from_the_web
        for layer in reversed(self._layers):
            call_next = _through(layer, call_next)
        return await call_next(request)

    async def _from_the_web(self, request: Request) -> Response:
        if self._live is None:
            from pincite_core.http.live import Live

            self._live = Live(self._settings)
        return await self._live.answer(request)


def _check_characters(texts: Iterable[str]) -> None:
    """BadInputError for half a character (a lone surrogate), which no address can carry."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError as error:
        raise BadInputError(
            "The query contains half of a surrogate pair.", seen=repr(error.object[error.start]), next="Leave it out."
        ) from error


def _through(layer: Layer, call_next: Next) -> Next:
    async def asked(request: Request) -> Response:
        return await layer.answer(request, call_next)

    return asked
