"""When a failed request is sent again, and after which pause."""

import random
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from pincite_core.errors import SourceError

_TRIES = 3
_FIRST_PAUSE = 0.25
_AGAIN = frozenset(("rate_limited", "server_error", "unreachable", "truncated"))
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{0,9})?\Z")


def pause_before_next(tried: int, error: SourceError) -> float | None:
    """Seconds before the next try after ``tried`` of them, None when there is to be none.

    Exponential backoff with jitter, from 0.25 s; the pause that a source asks for is kept by the rate limiter.
    """
    if tried >= _TRIES or error.cause not in _AGAIN:
        return None
    return _FIRST_PAUSE * 2 ** (tried - 1) * random.uniform(0.5, 1.5)  # noqa: S311


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
