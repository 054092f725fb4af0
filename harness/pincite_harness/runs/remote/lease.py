"""Lease: the object that keeps a second harness off a run on object storage."""

import errno
import os
import secrets
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, cast

import orjson

from pincite_core.errors import PinciteError, UnavailableError
from pincite_harness.runs.remote.mirror import LOCK
from pincite_harness.runs.remote.objects import Objects
from pincite_sandbox.owner import is_alive, owner_label, where

_RENEW_SECONDS = 20.0
"""Seconds between signs of life; set by judgement."""
_STALE_SECONDS = 120.0
"""Seconds without a sign of life after which a holder counts as dead, by the clocks of the service and of this machine;
set by judgement."""


class Lease:
    """Held by one process; a thread renews it. ``check`` raises OSError where another has taken it over."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._id = secrets.token_hex(8)
        self._etag = ""
        self._ending = threading.Event()
        self._lost = ""

    @contextmanager
    def held(self) -> Generator[None]:
        """Hold it to the end of the block; UnavailableError while another has it."""
        self._take()
        thread = threading.Thread(target=self._renew, name="pincite-lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ending.set()
            thread.join()
            if not self._lost:
                with suppress(PinciteError):  # in an outage it becomes stale
                    self._objects.delete([LOCK])

    def check(self) -> None:
        """OSError where this process holds it no longer: what it would write could undo another's work."""
        if self._lost:
            raise OSError(errno.EIO, f"{self._lost} works on {self._objects.address} now")

    def _take(self) -> None:
        self._etag = self._objects.create(LOCK, self._note())
        if self._etag:
            return
        before = self._objects.find(LOCK)
        if before is None:
            self._etag = self._objects.create(LOCK, self._note())
        else:
            holder = _read(self._objects)
            age = (datetime.now(UTC) - before.changed).total_seconds()
            if age > _STALE_SECONDS or _is_dead(holder):
                self._etag = self._objects.replace(LOCK, self._note(), before.etag)
        if not self._etag:
            raise UnavailableError(
                f"Another pincite is working on {self._objects.address}.",
                seen=_words(_read(self._objects)),
                next=f"Wait for it, or stop it. What a dead one held is free after {_STALE_SECONDS:.0f} s.",
            )

    def _renew(self) -> None:
        while not self._ending.wait(_RENEW_SECONDS):
            try:
                etag = self._objects.replace(LOCK, self._note(), self._etag)
                if not etag:
                    self._lost = _words(_read(self._objects))
                    return
                self._etag = etag
            except PinciteError:
                continue  # an outage: whoever publishes meets it, too

    def _note(self) -> bytes:
        note = {"id": self._id, "host": socket.gethostname(), "process": owner_label(), "where": where()}
        return orjson.dumps(note | {"pid": os.getpid(), "at": datetime.now(UTC).isoformat()})


def _read(objects: Objects) -> dict[str, Any]:
    try:
        note = orjson.loads(objects.read(LOCK))
    except (PinciteError, ValueError):
        return {}
    return cast("dict[str, Any]", note) if isinstance(note, dict) else {}


def _is_dead(holder: dict[str, Any]) -> bool:
    """Whether the holder was a process of this machine that has ended."""
    here = where()
    return bool(here) and holder.get("where") == here and not is_alive(str(holder.get("process", "")))


def _words(holder: dict[str, Any]) -> str:
    return f"process {holder.get('pid', 'unknown')} on {holder.get('host', 'an unknown machine')}"
