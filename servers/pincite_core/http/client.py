"""Web: asks sources, each as it wants to be asked."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from pincite_core.errors import BadInputError, NotFoundError, SourceError
from pincite_core.http.exchange import Answer, Ask, Layer, Params, Request
from pincite_core.http.policy import NO_ACCESS, Access, SourcePolicy
from pincite_core.settings import Settings

if TYPE_CHECKING:
    import httpx

_MOST_BYTES = 32 << 20


class Web:
    """One client for all sources of a server; ``lifespan`` closes its connections.

    A request goes through ``layers`` (record, cache) to the live web. ``get`` and ``post`` raise NotFoundError (404,
    410), BadInputError (400, 414, 422: the source does not take the query), SourceError (every kind of outage),
    ForbiddenError (an address that may not be fetched) and LimitReachedError (an answer above ``most_bytes``), unless
    the status is in ``expect``.
    """

    def __init__(self, settings: Settings, *, layers: Iterable[Layer] = ()) -> None:
        self._settings = settings
        self._layers = tuple(layers)
        self._client: httpx.AsyncClient | None = None

    @asynccontextmanager
    async def lifespan(self, _server: object = None) -> AsyncGenerator[None]:
        """While a server runs; the connections end with it."""
        try:
            yield
        finally:
            if self._client is not None:
                await self._client.aclose()
                self._client = None

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
    ) -> Answer:
        """The answer to GET ``path``: below the source's address, or an absolute URL.

        ``seconds`` bounds the whole lookup (default: PINCITE_SOURCE_SECONDS).
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
    ) -> Answer:
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
        return Request(
            policy=policy,
            method=method,
            url=path if "://" in path else f"{base.rstrip('/')}/{path.lstrip('/')}",
            params=tuple(params.items()) if isinstance(params, Mapping) else tuple(params),
            headers=dict(headers or {}),
            body=body,
            access=access,
            expect=frozenset(expect),
            most_bytes=most_bytes,
            seconds=seconds or self._settings.source_seconds,
        )

    async def _ask(self, request: Request) -> Answer:
        ask = self._live
        for layer in reversed(self._layers):
            ask = _through(layer, ask)
        return await ask(request)

    async def _live(self, request: Request) -> Answer:
        import httpx

        if self._client is None:
            self._client = httpx.AsyncClient(trust_env=False)
        try:
            said = await self._client.request(
                request.method,
                request.url,
                params=[*request.params, *request.access.params.items()],
                headers={**request.headers, **request.access.headers},
                content=request.body or None,
                timeout=request.seconds,
            )
        except httpx.HTTPError as error:
            raise SourceError(
                f"{request.policy.title} could not be reached.",
                source=request.policy.name,
                cause="unreachable",
                seen=type(error).__name__,
            ) from error
        answer = Answer(
            request=request,
            status=said.status_code,
            url=request.address,
            headers=dict(said.headers),
            content=said.content,
            retrieved=datetime.now(UTC).replace(microsecond=0),
            origin="live",
        )
        return _checked(answer)


def _through(layer: Layer, ask: Ask) -> Ask:
    async def asked(request: Request) -> Answer:
        return await layer.answer(request, ask)

    return asked


def _checked(answer: Answer) -> Answer:
    request, code = answer.request, answer.status
    if 200 <= code < 300 or code in request.expect:
        return answer
    if code in (404, 410):
        raise NotFoundError(f"{request.policy.title} has nothing there.", seen=f"HTTP {code} at {request.address}")
    if code in (400, 414, 422):
        raise BadInputError(f"{request.policy.title} does not take this query.", seen=f"HTTP {code}")
    raise SourceError(
        f"{request.policy.title} answered with an error.",
        source=request.policy.name,
        cause="server_error",
        seen=f"HTTP {code}",
    )
