"""Whether a failed request is retried, and after what pause."""

import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from pincite_core.errors import SourceError

_TRIES = 3
"""Requests for one question, the first included. Set by judgement."""
_AGAIN = frozenset(("rate_limited", "server_error", "unreachable", "truncated"))
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{0,9})?\Z")


@dataclass(frozen=True, slots=True)
class Backoff:
    """Pauses between tries: ``first`` seconds, each twice as long as the one before, times a random factor between
    ``least`` and ``most``, so that those that failed together do not come back together."""

    first: float
    least: float = 1.0
    most: float = 1.0

    def pause(self, tried: int) -> float:
        """The seconds to wait after ``tried`` tries, from 1."""
        return self.first * 2 ** (tried - 1) * random.uniform(self.least, self.most)  # noqa: S311


_BACKOFF = Backoff(0.25, least=0.5, most=1.5)


def pause_before_next(tried: int, error: SourceError) -> float | None:
    """Seconds before the next try after ``tried`` of them, None when there is to be none.

    Exponential backoff with jitter, from 0.25 s; the pause that a source asks for is kept by the rate limiter.
    """
    if tried >= _TRIES or error.cause not in _AGAIN:
        return None
    return _BACKOFF.pause(tried)


def asked_pause(headers: Mapping[str, str]) -> float | None:
    """The seconds of a Retry-After header (RFC 9110, 10.2.3), a number or a date; None where there is none.

    A date counts from the answer's own Date, so that clocks that differ do no harm.
    """
    value = headers.get("retry-after", "").strip()
    if _SECONDS.match(value):
        return float(value)
    until = _moment(value)
    if until is None:
        return None
    return max(until - (_moment(headers.get("date", "")) or time.time()), 0.0)


def _moment(value: str) -> float | None:
    try:
        return parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
