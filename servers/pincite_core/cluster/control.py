"""RunControl: the actor of a run that its workers ask for their variables and whether to stop."""

import asyncio

import orjson

from pincite_core.cluster.sealing import Receiver, seal

STOP_WAIT_SECONDS = 30.0
"""Seconds that a question whether to stop stays open before it is asked again; set by judgement."""


class RunControl:
    """Holds a run's variables, keys among them, in its memory alone. They come sealed for this process and leave it
    sealed for the worker that asks: what Ray stores, spills or logs of the messages tells nobody a key."""

    def __init__(self) -> None:
        self._receiver = Receiver()
        self._variables = b""
        self._stopped: dict[str, asyncio.Event] = {}

    async def public_key(self) -> bytes:
        """The key to seal the run's variables with."""
        return self._receiver.public

    async def fill(self, sealed: bytes) -> None:
        """Take the run's variables."""
        self._variables = self._receiver.open(sealed)

    async def variables(self, public_key: bytes) -> bytes:
        """The run's variables, sealed for the worker of that key."""
        return seal(public_key, self._variables)

    async def stop(self, trial: str) -> None:
        """Let the worker of a trial know that it is to stop."""
        self._event(trial).set()

    async def stopped(self, trial: str) -> bool:
        """Whether a trial is to stop; the answer comes when it is, or after 30 seconds."""
        try:
            await asyncio.wait_for(self._event(trial).wait(), STOP_WAIT_SECONDS)
        except TimeoutError:
            return False
        return True

    async def forget(self, trial: str) -> None:
        """The trial has ended."""
        self._stopped.pop(trial, None)

    def _event(self, trial: str) -> asyncio.Event:
        return self._stopped.setdefault(trial, asyncio.Event())


def pack_variables(variables: dict[str, str]) -> bytes:
    """Variables as bytes to seal."""
    return orjson.dumps(variables)


def unpack_variables(data: bytes) -> dict[str, str]:
    """See pack_variables."""
    return orjson.loads(data)
