"""CallLoop: an event loop in a thread of its own, where the calls of blocking callers run.

Whoever waits for one is let go at once when the loop is closed.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, TypeVar

Answer = TypeVar("Answer")

_CLOSE_SECONDS = 2.0
"""Seconds that closing waits for the thread; it ends with the process in any case."""


class LoopClosedError(Exception):
    """The loop was closed before or while the call ran."""


class CallLoop:
    """Runs coroutines for callers in any thread. The first call starts the thread, which is called ``name``."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._guard = threading.Lock()
        self._closed = False

    def run(self, call: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
        """Wait for what ``call`` returns; LoopClosedError where the loop is closed meanwhile. A caller that is
        interrupted breaks the call off."""
        with self._guard:
            if self._closed:
                raise LoopClosedError
            going = asyncio.run_coroutine_threadsafe(call(), self._running())
        try:
            return going.result()
        except CancelledError:
            raise LoopClosedError from None
        except BaseException:
            going.cancel()
            raise

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Break off every call, run ``last`` in the loop and end it, for good; safe to call twice."""
        with self._guard:
            self._closed = True
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(_end(last), loop)
        if thread is not threading.current_thread():
            thread.join(_CLOSE_SECONDS)

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=_serve, args=(self._loop,), name=self._name, daemon=True)
            self._thread.start()
        return self._loop


async def _end(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    with suppress(Exception):  # the other side may be gone; nothing is asked of it any more
        await last()
    asyncio.get_running_loop().stop()


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()
