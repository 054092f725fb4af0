"""Fetcher: the open full text of an identifier for programs without an event loop, as fetch_fulltext gets it."""

import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pincite_core.errors import NotFoundError, PinciteError, UnavailableError
from pincite_core.settings import Settings

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from pincite_literature.fulltext.result import Fulltext
    from pincite_literature.state import LiteratureState

_AT_ONCE = 4
"""Texts that are fetched at once. Set by judgement."""
_PREFERRED = ("latex", "jats", "html", "pdf")
_TRIED = 5
"""Places that an error names; of the rest the number is said."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A full text: the real path of its file, and what the sources say of the work."""

    path: str
    record: Mapping[str, str] = field(default_factory=dict[str, str])


class Fetcher:
    """Fetches full texts for threads; the web is opened by the first call. At most four at once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._turns = threading.BoundedSemaphore(_AT_ONCE)
        self._open: tuple[BlockingPortal, LiteratureState] | None = None
        self._going: set[Future[Fulltext | PinciteError]] = set()
        self._stopped = False
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._stack.__exit__(kind, value, at)

    def close(self) -> None:
        """Close the connections; whoever calls it has stopped what was going on."""
        self._stack.close()

    def fetch(self, identifier: str) -> Fetched:
        """The full text of an identifier, from the folder of fetched papers where it was fetched before.

        NotFoundError when no open text exists (an abstract is not one), UnavailableError when that is not sure.
        """
        with self._turns:
            outcome = self._asked(identifier)
        if isinstance(outcome, PinciteError):
            raise outcome
        if "path" not in outcome:
            raise _no_text(identifier, outcome)
        known = ((name, outcome.get(name)) for name in ("title", "doi", "published", "status"))
        return Fetched(outcome["path"], {name: value for name, value in known if isinstance(value, str)})

    def stop(self) -> None:
        """Let what is being fetched, and all that is asked for later, fail with UnavailableError; from any thread."""
        with self._lock:
            self._stopped = True
            going = list(self._going)
        for future in going:
            future.cancel()

    def _asked(self, identifier: str) -> "Fulltext | PinciteError":
        with self._lock:
            if self._stopped:
                raise _stopped()
            portal, state = self._open = self._open or self._opened()
            future = portal.start_task_soon(_fulltext, state, identifier)
            self._going.add(future)
        try:
            return future.result()
        except CancelledError:
            raise _stopped() from None
        finally:
            with self._lock:
                self._going.discard(future)

    def _opened(self) -> "tuple[BlockingPortal, LiteratureState]":
        from anyio.from_thread import start_blocking_portal

        from pincite_core.http.opening import open_web
        from pincite_literature.state import LiteratureState

        state = LiteratureState(self._settings, open_web(self._settings))
        portal = self._stack.enter_context(start_blocking_portal())
        self._stack.enter_context(portal.wrap_async_context_manager(state.lifespan(None)))
        return portal, state


def _stopped() -> UnavailableError:
    return UnavailableError("The fetch was stopped.", next="Ask for the same identifiers again.")


async def _fulltext(state: "LiteratureState", identifier: str) -> "Fulltext | PinciteError":
    from pincite_literature.fulltext.fetch_fulltext import get_fulltext

    try:
        return await get_fulltext(state, identifier, _PREFERRED, lambda _: None)
    except PinciteError as error:
        return error


def _no_text(identifier: str, outcome: "Fulltext") -> PinciteError:
    """The error that says that there is the abstract only, or that this is not sure."""
    tried = [f"{entry['route']}: {entry['outcome']}" for entry in outcome["tried"]]
    more = f" and {len(tried) - _TRIED} more" if len(tried) > _TRIED else ""
    kind = NotFoundError if outcome["state"] == "abstract_only" else UnavailableError
    return kind(
        f"{identifier} ({outcome['title']}) was not fetched: {outcome['says'].partition(' Here is')[0]}",
        seen="; ".join(tried[:_TRIED]) + more,
        next="If you can get the file, give it by its path."
        if kind is NotFoundError
        else "Try again later: sources that did not answer may have it.",
    )
