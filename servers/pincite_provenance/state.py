"""ProvenanceState: what the tools of the provenance server share: papers, the sources of the literature, the ledger."""

import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from pincite_core.http.client import Web
from pincite_core.settings import Settings
from pincite_core.state import ServerState
from pincite_literature.state import LiteratureState

if TYPE_CHECKING:
    from pincite_provenance.ledger.ledger import Ledger


class ProvenanceState(ServerState):
    """Tool functions take it first: ``function(state, …)``."""

    def __init__(self, settings: Settings, web: Web) -> None:
        super().__init__(settings)
        self.literature = LiteratureState(settings, web)
        self.library = self.literature.library
        self.session = secrets.token_hex(8)
        """Names this process in the ledger where the transport has no session of its own (stdio)."""
        self._ledger: Ledger | None = None

    @property
    def ledger(self) -> "Ledger":
        """The ledger of the settings; its file is made by the first claim."""
        if self._ledger is None:
            from pincite_provenance.ledger.ledger import Ledger

            self._ledger = Ledger.of(self.settings)
        return self._ledger

    @asynccontextmanager
    async def lifespan(self, server: object) -> AsyncGenerator[None]:
        """While a server runs; then connections are closed and parsing processes end."""
        async with self.literature.lifespan(server):
            yield
