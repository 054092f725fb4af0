"""PaperOpener: opens the papers of one server without keeping other calls waiting."""

import functools
import inspect
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, cast

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.utilities.context_injection import find_context_parameter

from pincite_core.client_roots import ask_again, folders_of
from pincite_core.errors import ForbiddenError, PinciteError
from pincite_core.recent import Recent
from pincite_core.settings import Settings
from pincite_papers.arguments import PaperName

if TYPE_CHECKING:
    from pincite_papers.model import Paper
    from pincite_papers.opening.store import PaperStore

_QUIET_SECONDS = 1.0
"""Seconds between reports of progress."""
_INLINE_CHARS = 300_000
"""Characters of a paper up to which work on it is done in the event loop: some milliseconds. Set by judgement."""


_FOLDERS: ContextVar[tuple[Path, ...] | None] = ContextVar("folders of the call", default=None)
_MOST_STORES = 4
"""Sets of folders whose parsed papers stay in memory: a client changes its folders now and then."""


class PaperOpener:
    """Opens papers through a PaperStore that is made by the first call, so that a server starts fast.

    A client that offers other folders than the default ones has a store of its own.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store: PaperStore | None = None
        self._others: Recent[tuple[Path, ...], PaperStore] = Recent(_MOST_STORES)
        self._running = 0

    @property
    def store(self) -> "PaperStore":
        """The store of the call that is being answered, made when first asked for."""
        if self._store is None:
            from pincite_papers.opening.store import PaperStore

            self._store = PaperStore(self._settings)
        folders = _FOLDERS.get()
        if folders is None or folders == self._settings.roots:
            return self._store
        store = self._others.get(folders)
        if store is None:
            store = self._store.rooted(folders)
            self._others.put(folders, store)
        return store

    @asynccontextmanager
    async def lifespan(self, _server: object) -> AsyncGenerator[None]:
        """A server's lifespan; the last one to end stops the parsing processes."""
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1
            if not self._running and self._store is not None:
                self._store.close()
                self._store = None
                self._others.clear()

    async def open(self, source: str, context: Context[Any, Any] | None) -> "Paper":
        """The paper; at once from memory, else in a thread, with a progress notification each second to a caller.

        Raises InputNeededError where the client is to name its folders first.
        """
        try:
            return await self._open(source, context)
        except ForbiddenError:
            if not ask_again(self._settings, context):
                raise
        return await self._open(source, context)

    async def _open(self, source: str, context: Context[Any, Any] | None) -> "Paper":
        _FOLDERS.set(await folders_of(self._settings, context))
        known = self.store.recall(source)
        if known is not None:
            return known
        async with reporting(context, f"reading {PurePath(source).name}"):
            outcome = await anyio.to_thread.run_sync(self._outcome, source, abandon_on_cancel=True)
        if isinstance(outcome, PinciteError):
            raise outcome
        return outcome

    async def examine(self, data: bytes) -> "Paper":
        """The paper of bytes that lie in no file yet (``PaperStore.examine``), in a thread."""
        return await anyio.to_thread.run_sync(self.store.examine, data, abandon_on_cancel=True)

    def _outcome(self, source: str) -> "Paper | PinciteError":
        """The paper or why there is none: returned, since a task group would wrap what is raised."""
        try:
            return self.store.open(source)
        except PinciteError as error:
            return error

    def tool(
        self,
        function: Callable[..., Any],
        *bound: object,
        in_thread: Callable[[dict[str, Any]], bool] | None = None,
    ) -> Callable[..., Awaitable[Any]]:
        """``function``, which takes a Paper and then ``bound``, as a coroutine function that takes the paper's name.

        A coroutine function is awaited. Another runs on the event loop when the paper is of ordinary length, unless
        ``in_thread`` says otherwise of the arguments, and in a thread else. A parameter that is annotated as the call's
        Context is given it.
        """
        awaited = inspect.iscoroutinefunction(function)
        calling_name = find_context_parameter(function)

        async def call(paper: str, calling: Context[Any, Any], **arguments: Any) -> Any:
            opened = await self.open(paper, calling)
            context = {} if calling_name is None else {calling_name: calling}
            if awaited:
                return await function(opened, *bound, **arguments, **context)
            work = functools.partial(function, opened, *bound, **arguments, **context)
            if len(opened.text) > _INLINE_CHARS or (in_thread is not None and in_thread(arguments)):
                return await anyio.to_thread.run_sync(work)
            return work()

        signature = inspect.signature(function, eval_str=True)
        own = [p for p in list(signature.parameters.values())[1 + len(bound) :] if p.name != calling_name]
        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters = [
            inspect.Parameter("paper", keyword, annotation=PaperName),
            *(parameter.replace(kind=keyword) for parameter in own),
            inspect.Parameter("calling", keyword, annotation=Context[Any, Any]),
        ]
        made = cast("Any", call)
        made.__name__, made.__doc__ = function.__name__, function.__doc__
        made.__signature__ = signature.replace(parameters=parameters)
        return made


@asynccontextmanager
async def reporting(context: Context[Any, Any] | None, message: str) -> AsyncGenerator[None]:
    """Report progress to the caller each second while the body runs. The body must return errors, not raise them."""
    if context is None:
        yield
        return
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_report, context, message)
        yield
        tasks.cancel_scope.cancel()


async def _report(context: Context[Any, Any], message: str) -> None:
    started = time.monotonic()
    while True:
        await anyio.sleep(_QUIET_SECONDS)
        await context.report_progress(round(time.monotonic() - started, 1), None, message)
