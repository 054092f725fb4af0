"""SearchState: what the two tools share: the states of the library and of the literature."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from pincite_core.http.opening import open_web
from pincite_core.settings import Settings
from pincite_core.state import ServerState
from pincite_library.state import LibraryState
from pincite_literature.state import LiteratureState


class SearchState(ServerState):
    """Tool functions take it first: ``function(state, …)``."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.library = LibraryState(settings)
        self.literature = LiteratureState(settings, open_web(settings))

    @asynccontextmanager
    async def lifespan(self, server: object) -> AsyncGenerator[None]:
        """While a server runs; then the store and connections are closed."""
        async with self.library.lifespan(server), self.literature.lifespan(server):
            yield
