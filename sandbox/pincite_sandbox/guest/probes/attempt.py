"""Attempt: one probe's try, made in a process of its own."""

from __future__ import annotations

import errno
import json
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Targets = dict[str, Any]
SECONDS = 10
"""Seconds of one attempt; one that hangs was not let through. Set by judgement."""
_BUSY = (errno.ETIMEDOUT, errno.EAGAIN, errno.EINTR)


class Refused(Exception):  # noqa: N818
    """Something stopped the attempt; says what."""


class Unknown(Exception):  # noqa: N818
    """Whether the attempt got out cannot be told; says why."""


@dataclass(frozen=True)
class Attempt:
    """``name`` is the probe's, ``what`` says in words what is tried."""

    name: str
    what: str
    run: Callable[[Targets], str]
    seconds: int = SECONDS
    """How long it may take; then nothing can be told."""


def verdict(attempt: Attempt, targets: Targets) -> dict[str, str]:
    """How an attempt goes: ``open``, ``held`` or ``unknown``, with the detail. A child makes it, and may be killed."""
    told, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(told)
        signal.alarm(attempt.seconds)
        try:
            os.write(tell, json.dumps(_judge(attempt, targets)).encode()[:4000])
        finally:
            os._exit(0)
    os.close(tell)
    with os.fdopen(told, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(pid, 0)
    if said:
        return {"name": attempt.name, "what": attempt.what, **json.loads(said)}
    ended = f"ended by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "ended without a word"
    state = "held" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSYS else "unknown"
    return {"name": attempt.name, "what": attempt.what, "verdict": state, "detail": ended}


def _judge(attempt: Attempt, targets: Targets) -> dict[str, str]:
    try:
        return {"verdict": "open", "detail": attempt.run(targets)[:300]}
    except Refused as refused:
        return {"verdict": "held", "detail": str(refused)[:300]}
    except Unknown as unknown:
        return {"verdict": "unknown", "detail": str(unknown)[:300]}
    except TimeoutError:
        return {"verdict": "unknown", "detail": "no answer in time; something may have left"}
    except OSError as error:
        if error.errno in _BUSY:
            return {"verdict": "unknown", "detail": f"{error}; something may have left"}
        return {"verdict": "held", "detail": error.strerror or str(error)}
    except Exception as error:  # noqa: BLE001
        return {"verdict": "unknown", "detail": f"{type(error).__name__}: {error}"[:300]}
