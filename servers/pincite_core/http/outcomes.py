"""Maps responses and failed exchanges to errors, with their messages."""

import math

from pincite_core.errors import BadInputError, NotFoundError, SourceCause, SourceError
from pincite_core.http.exchange import Request, Response
from pincite_core.http.redaction import TextRedactor

OUTAGES: frozenset[SourceCause] = frozenset(("server_error", "slow", "unreachable", "truncated"))
"""The failures that count against a source's circuit."""

_LATER = "Try again later, or ask another source."
_SAID_CHARS = 300
"""Characters of a server's own words in an error."""
_NOT_THERE = frozenset((404, 410))
_BAD_QUERY = frozenset((400, 413, 414, 422, 431))
_KEPT_OUT = frozenset((401, 402, 403, 407, 451))
_ASKS_TO_WAIT = 429
"""HTTP status "Too Many Requests" (RFC 6585)."""


def checked(response: Response, redactor: TextRedactor | None = None, retry_after: float | None = None) -> Response:
    """The answer when its status is 2xx or expected; what ``Web.get`` raises otherwise.

    ``retry_after`` are the seconds that the source asks to be left alone.
    """
    request, code = response.request, response.status
    if 200 <= code < 300 or code in request.expect:
        return response
    title = request.policy.title
    said = (redactor or TextRedactor(request.access)).excerpt(response.content, _SAID_CHARS)
    seen = f"HTTP {code}: {said}" if said else f"HTTP {code}"
    if code in _NOT_THERE:
        raise NotFoundError(f"{title} has no such entry.", seen=f"HTTP {code} at {request.address}")
    if code in _BAD_QUERY:
        raise BadInputError(f"{title} rejected this query.", seen=seen, next="Change the query and ask again.")
    if code == _ASKS_TO_WAIT or retry_after is not None:
        raise asks_to_wait(request, retry_after, seen)
    if code in _KEPT_OUT:
        key = "Check the key that is set for it, or ask" if request.access.params or request.access.headers else "Ask"
        raise failure(request, "refused", f"{title} refused access.", seen, next=f"{key} another source.")
    raise failure(request, "server_error", f"{title} answered with an error.", seen)


def failure(
    request: Request,
    cause: SourceCause,
    what: str,
    seen: str = "",
    *,
    retry_after: float | None = None,
    next: str = _LATER,  # noqa: A002
) -> SourceError:
    """A SourceError of the source that was asked."""
    return SourceError(what, source=request.policy.name, cause=cause, retry_after=retry_after, seen=seen, next=next)


def transfer_failed(request: Request, cause: SourceCause, seen: str) -> SourceError:
    """The error for an exchange that broke off, other than by timeout."""
    how = {
        "truncated": "broke off its answer",
        "malformed": "sent an answer that cannot be read",
    }.get(cause, "could not be reached")
    return failure(request, cause, f"{request.policy.title} {how}.", seen)


def too_slow(request: Request, seconds: float, seen: str) -> SourceError:
    """The error for a source that did not respond completely within ``seconds``."""
    return failure(request, "slow", f"{request.policy.title} did not answer in {seconds:g} s.", seen)


def asks_to_wait(request: Request, seconds: float | None, seen: str) -> SourceError:
    """The error for a source that asks us to wait, for ``seconds`` if it says how long."""
    title = request.policy.title
    if seconds is None:
        return failure(request, "rate_limited", f"{title} asks to wait.", seen)
    what = f"{title} asks to wait {whole(seconds)} s."
    return failure(request, "rate_limited", what, seen, retry_after=float(whole(seconds)))


def queue_too_long(request: Request, seconds: float) -> SourceError:
    """The error for a request that would wait in the queue past its deadline, ``seconds`` from now."""
    rate = request.policy.rate
    return failure(
        request,
        "rate_limited",
        f"{request.policy.title} has too many lookups of ours waiting: the next turn comes in {whole(seconds)} s.",
        f"it takes {rate.requests} in {rate.seconds:g} s",
        retry_after=float(whole(seconds)),
        next="Ask fewer things at once, or again after that time.",
    )


def left_alone(request: Request, seconds: float, failures: int) -> SourceError:
    """The error of an open circuit, ``seconds`` before the source is tried again."""
    return failure(
        request,
        "down",
        f"{request.policy.title} is left alone for {whole(seconds)} s: it failed {failures} times in a row.",
        retry_after=float(whole(seconds)),
    )


def whole(seconds: float) -> int:
    """Seconds for a message: rounded up, at least 1."""
    return max(math.ceil(seconds - 1e-3), 1)
