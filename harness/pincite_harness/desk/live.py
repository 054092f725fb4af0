"""Live: the changes of a run as server-sent events, also of one that another process writes."""

from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import anyio
import anyio.to_thread
import orjson

from pincite_harness.desk.run_book import RunBook
from pincite_tasks.trial_record import TRIAL_FILE
from pincite_trajectory.build import MODEL_WIRE, TOOL_WIRE

SECONDS = 1.0
"""Between two looks at a run's folder."""
_QUIET = 15
"""Looks without a change after which a comment is sent, so that a closed window is noticed."""


async def run_events(book: RunBook, ended: Callable[[], bool], seconds: float = SECONDS) -> AsyncGenerator[bytes]:
    """An event each time that something has changed, until ``ended``. Its data says how many trials are in each state;
    the page asks for its rows again."""
    known, quiet = -1, 0
    while not ended():
        trials = await anyio.to_thread.run_sync(book.trials)
        if book.version != known:
            known, quiet = book.version, 0
            states: dict[str, int] = {}
            for listed in trials:
                states[listed.state] = states.get(listed.state, 0) + 1
            data = orjson.dumps({"version": known, "states": states}).decode()
            yield f"event: changed\ndata: {data}\n\n".encode()
        elif (quiet := quiet + 1) % _QUIET == 0:
            yield b": still here\n\n"
        await anyio.sleep(seconds)


async def trial_events(folder: Path, ended: Callable[[], bool], seconds: float = SECONDS) -> AsyncGenerator[bytes]:
    """An event each time that the record of a running trial has grown, and one, the last, when the trial has ended."""
    known, quiet = -1, 0
    while not ended():
        over, size = await anyio.to_thread.run_sync(_how_far, folder)
        if over:
            yield b"event: ended\ndata: {}\n\n"
            return
        if size != known:
            known, quiet = size, 0
            yield b"event: grown\ndata: {}\n\n"
        elif (quiet := quiet + 1) % _QUIET == 0:
            yield b": still here\n\n"
        await anyio.sleep(seconds)


def _how_far(folder: Path) -> tuple[bool, int]:
    """Whether a trial has ended, and how many bytes of its wire there are."""
    wire = [folder / name for name in (MODEL_WIRE, TOOL_WIRE)]
    return (folder / TRIAL_FILE).is_file(), sum(path.stat().st_size for path in wire if path.is_file())
