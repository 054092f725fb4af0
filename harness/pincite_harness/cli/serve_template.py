"""The program of the template (``pincite_doors.template``): imports servers once, and forks each that is asked for.

Run as ``python -P -m pincite_harness.cli.serve_template DESCRIPTOR NAME…``; it ends when the other end of the socket is
closed.
"""

import atexit
import gc
import importlib
import json
import os
import random
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from pincite_core.servers import SERVERS
from pincite_doors.template import LENGTH, PID

_DESCRIPTORS = 2
"""What comes with a request: the server's socket and its log."""
_THREADS = Path("/proc/self/task")
_ALSO = (
    "pincite_harness.cli.main",
    "pincite_harness.cli.serve",
    "pincite_harness.cli.serve_selection",
    "pincite_core.merged",
    "pincite_core.server",
    "rich.logging",
    "rich.markup",
    "anyio._backends._asyncio",
    "mcp.server.stdio",
)
"""What a server imports beside its own module before it lists its tools."""


def main() -> None:
    """Import, then fork for each message until there is none."""
    number, *names = sys.argv[1:]
    with socket.socket(fileno=int(number)) as control:
        _import(names)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the servers here
        while True:
            message, descriptors, _, _ = socket.recv_fds(control, 1, _DESCRIPTORS)
            if not message or len(list(_THREADS.iterdir())) > 1:
                return  # the harness is gone, or a module started a thread: a fork would lose it
            if os.fork() == 0:
                control.close()
                _become(*descriptors)
            for descriptor in descriptors:
                os.close(descriptor)


def _import(names: Sequence[str]) -> None:
    """Import what the servers import, and keep the pages of memory that it takes shared with them."""
    gc.disable()
    for module in (*_ALSO, *(SERVERS[name].module for name in names)):
        with suppress(ImportError):  # the server itself says what is missing
            importlib.import_module(module)
    gc.freeze()


def _become(server: int, log: int) -> NoReturn:
    """Be the server: a session, variables, streams and random numbers of its own; then what ``pincite`` does."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with socket.socket(fileno=server) as connection:
        (length,) = LENGTH.unpack(_read(connection, LENGTH.size))
        order = json.loads(_read(connection, length))
        connection.sendall(PID.pack(os.getpid()))
        for target, source in ((0, server), (1, server), (2, log)):
            os.dup2(source, target)
    os.close(log)
    sys.stdin, sys.stdout, sys.stderr = (
        open(0, encoding="utf-8", closefd=False),  # noqa: SIM115 - open until the process ends
        open(1, "w", encoding="utf-8", closefd=False),  # noqa: SIM115
        open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False),  # noqa: SIM115
    )
    os.environ.clear()
    os.environ.update(order["env"])
    random.seed()
    gc.enable()
    sys.argv = ["pincite", *order["words"]]
    _end(_serve())


def _serve() -> int:
    from pincite_harness.cli.main import main as pincite

    try:
        pincite()
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException as error:  # noqa: BLE001 - the process top
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    return 0


def _end(code: int) -> NoReturn:
    """End without taking the imported modules apart, which are the template's."""
    with suppress(Exception):
        atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage] - as Python itself ends
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _read(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            os._exit(1)  # whoever wanted the server is gone
        data += more
    return data


if __name__ == "__main__":
    main()
