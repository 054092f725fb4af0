"""DatabasesState: what the tools of the databases server work with."""

from collections.abc import Callable
from typing import Any, TypeVar

from pincite_core.errors import ForbiddenError
from pincite_core.http.client import Web
from pincite_core.http.opening import open_web
from pincite_core.settings import Settings
from pincite_core.state import ServerState

Client = TypeVar("Client")


class DatabasesState(ServerState):
    """The settings and the one way out of a server; ``web.lifespan`` closes its connections."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.web: Web = open_web(settings)
        self._clients: dict[type[Any], Any] = {}

    def client(self, kind: type[Client], make: Callable[[], Client]) -> Client:
        """The one client of this kind, which keeps its token: made by the first call that needs it."""
        if kind not in self._clients:
            self._clients[kind] = make()
        return self._clients[kind]

    def refuse_under_cutoff(self, what: str) -> None:
        """ForbiddenError under PINCITE_BEFORE: ``what`` shows its state of today, which tells of what came later."""
        if self.settings.before is not None:
            raise ForbiddenError(
                f"{what} cannot be asked under the cutoff {self.settings.before}.",
                seen="its records are shown as they are today",
                next="Go on without it.",
            )
