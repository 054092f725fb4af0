"""LibraryState: what the tools of the library server share: the store, opened by the first call, and what ranks."""

import threading
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import anyio.to_thread

from pincite_core.errors import NotFoundError, PinciteError
from pincite_core.settings import Settings
from pincite_core.state import ServerState

if TYPE_CHECKING:
    from pincite_library.ranking.embedder import Embedder
    from pincite_library.ranking.judge import Judge
    from pincite_library.ranking.ranked import Ranked, RankerName
    from pincite_library.ranking.reranker import Reranker
    from pincite_library.store.store import Store

_Result = TypeVar("_Result")
_KEPT = 16
"""Rankers and the like that are remembered, one for each choice of settings."""


@dataclass(slots=True)
class Rankers:
    """What ranks beside BM25, as the settings say, and why one of them could not be opened."""

    embedder: "Embedder | None" = None
    reranker: "Reranker | None" = None
    judge: "Judge | None" = None
    failed: "dict[RankerName, PinciteError] | None" = None


class Recent(Generic[_Result]):
    """What was made for the latest questions, so that the next page of an answer is not made, and paid for, again."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[object, ...], _Result] = OrderedDict()

    def get(self, question: tuple[object, ...]) -> _Result | None:
        """What was made for a question, if it was one of the latest."""
        return self._made.get(question)

    def put(self, question: tuple[object, ...], made: _Result) -> None:
        """Keep this; the oldest goes."""
        self._made[question] = made
        self._made.move_to_end(question)
        if len(self._made) > _KEPT:
            self._made.popitem(last=False)


class LibraryState(ServerState):
    """Tool functions take it first: ``function(state, …)``."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._lock = threading.Lock()
        self._store: Store | None = None
        self._rankers: Rankers | None = None
        self._running = 0
        self.searches: Recent[Ranked] = Recent()

    @asynccontextmanager
    async def lifespan(self, _server: object) -> AsyncGenerator[None]:
        """While a server runs; when the last one stops, the store is closed."""
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1
            if not self._running and self._store is not None:
                self._store.close()
                self._store = None

    async def work(self, function: "Callable[[Store], _Result]") -> _Result:
        """What ``function`` makes of the store, in a thread: stores block."""
        return await anyio.to_thread.run_sync(lambda: function(self.store()), abandon_on_cancel=True)

    def store(self) -> "Store":
        """The store, opened by the first call; what prevents it is tried again by the next."""
        with self._lock:
            if self._store is None:
                from pincite_library.store.opening import open_store

                self._store = open_store(self.settings)
            return self._store

    def rankers(self) -> Rankers:
        """Embedder, reranker and judge of the settings; one that cannot be opened fails alone."""
        with self._lock:
            if self._rankers is None:
                self._rankers = _open_rankers(self.settings)
            return self._rankers


def _open_rankers(settings: Settings) -> Rankers:
    from pincite_library.ranking.embedder import open_embedder
    from pincite_library.ranking.judge import open_judge
    from pincite_library.ranking.reranker import open_reranker

    failed: dict[RankerName, PinciteError] = {}
    made = Rankers(failed=failed)
    try:
        made.embedder = open_embedder(settings)
    except PinciteError as error:
        failed["dense"] = error
    try:
        made.reranker = open_reranker(settings)
    except PinciteError as error:
        failed["reranker"] = error
    try:
        made.judge = open_judge(settings)
    except PinciteError as error:
        failed["judge"] = error
    return made


def check_filled(store: "Store") -> None:
    """NotFoundError, with what to do, where the library holds no paper: never to be read as "nothing found"."""
    if not store.counts()["papers"]:
        raise NotFoundError(
            "The library is empty: nothing can be found in it.",
            next="Add papers with add_papers (files or folders, or a DOI or arXiv id), or let the user run "
            "`pincite library add FOLDER`.",
        )
