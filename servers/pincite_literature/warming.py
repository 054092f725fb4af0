"""Warming: what the first lookup needs is imported while the client is still thinking of it."""

import importlib
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress

QUIET_SECONDS = 1.0
"""How long the client has for listing the tools undisturbed."""


@contextmanager
def warming(modules: Sequence[str], *, after: float = QUIET_SECONDS) -> Generator[None]:
    """While the body runs, import ``modules`` in a thread ``after`` its begin; those that are missing are left out."""
    timer = threading.Timer(after, _import, (modules,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _import(modules: Sequence[str]) -> None:
    for name in modules:
        with suppress(ImportError):
            importlib.import_module(name)
