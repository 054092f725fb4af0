"""WitnessedWeb: remembers what a lookup stood on, for the addresses and times that results show."""

from collections.abc import Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import anyio

from pincite_core.http.client import Web

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pincite_core.http.exchange import Response

_LONG = 10_000
"""Bytes of an answer whose file takes measurable time to be written. Set by judgement."""
_MOMENT = 0.002
"""Seconds between looks for what another task is about to note."""

_heard: ContextVar["list[Response] | None"] = ContextVar("heard", default=None)


@contextmanager
def witnessing() -> Generator["list[Response]"]:
    """The answers that come in the body, in this task and those it starts, in the order they came."""
    answers: list[Response] = []
    token = _heard.set(answers)
    try:
        yield answers
    finally:
        _heard.reset(token)


class WitnessedWeb(Web):
    """Asks through another Web, and hands out long answers one at a time, a moment apart.

    Reading a long answer keeps the event loop; in the moments between, sources that need another request get on.
    """

    def __init__(self, web: Web) -> None:
        self._web = web
        self._handing_out = anyio.Lock()

    @asynccontextmanager
    async def lifespan(self, _server: object = None) -> "AsyncGenerator[None]":
        """While a server runs."""
        async with self._web.lifespan(_server):
            yield

    async def get(self, *args: Any, **named: Any) -> "Response":
        """See ``Web.get``."""
        return await self._hand_out(await self._web.get(*args, **named))

    async def post(self, *args: Any, **named: Any) -> "Response":
        """See ``Web.post``."""
        return await self._hand_out(await self._web.post(*args, **named))

    async def _hand_out(self, response: "Response") -> "Response":
        if len(response.content) > _LONG and response.origin == "live":
            async with self._handing_out:
                await anyio.sleep(_MOMENT)
        return _noted(response)


def _noted(response: "Response") -> "Response":
    heard = _heard.get()
    if heard is not None:
        heard.append(response)
    return response
