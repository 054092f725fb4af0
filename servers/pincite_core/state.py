"""What the tools of one server share."""

from collections.abc import Awaitable, Callable
from typing import Any

from pincite_core.settings import Settings
from pincite_core.tool import bind


class ServerState:
    """The settings of a server; each server adds what its tools work with, and a ``lifespan`` that ends it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def tool(self, function: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """The coroutine function ``function``, which takes the state first, without that argument."""
        return bind(function, self)
