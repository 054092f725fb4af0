"""Desk: what the two tools share: the desks of the library and of the literature."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from pincite_core.http.opening import open_web
from pincite_core.settings import Settings
from pincite_core.tool import bind
from pincite_library.desk import Desk as LibraryDesk
from pincite_literature.desk import Desk as LiteratureDesk


class Desk:
    """Tool functions take it first: ``function(desk, …)``."""

    def __init__(self, settings: Settings) -> None:
        self.library = LibraryDesk(settings)
        self.literature = LiteratureDesk(settings, open_web(settings))

    @asynccontextmanager
    async def lifespan(self, server: object) -> AsyncGenerator[None]:
        """While a server runs; then the store and connections are closed."""
        async with self.library.lifespan(server), self.literature.lifespan(server):
            yield

    def tool(self, function: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """The coroutine function ``function``, which takes the desk first, without that argument."""
        return bind(function, self)
