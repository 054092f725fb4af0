"""Once: work that several threads ask for at the same time is done by one of them."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Once(Generic[Made]):
    """Runs work by its key, one at a time for each key."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._going: dict[str, Future[Made]] = {}

    def run(self, key: str, work: Callable[[], Made]) -> Made:
        """Run ``work``, unless another thread is at it for this key: then wait for its result, or its error."""
        with self._lock:
            future = self._going.get(key)
            mine = future is None
            if future is None:
                future = self._going[key] = Future()
        if not mine:
            return future.result()
        try:
            made = work()
        except BaseException as error:
            future.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._going[key]
        future.set_result(made)
        return made
