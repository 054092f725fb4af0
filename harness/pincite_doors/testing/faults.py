"""What can go wrong between a client and a model: given in a turn, before its pieces.

A fault takes the place of the turn for ``times`` requests (None: for every one); then the turn is played.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fault:
    """``times``: how many requests it spoils, None for all."""

    times: int | None = 1


@dataclass(frozen=True, slots=True)
class Fail(Fault):
    """An error answer with ``status`` in the API's own shape."""

    status: int = 500
    message: str = "The scripted model fails."
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Overflow(Fault):
    """The error of a request that does not fit the model's context, as the API words it."""


@dataclass(frozen=True, slots=True)
class Hang(Fault):
    """Nothing is answered until the client goes away or ``seconds`` are over (then the connection is closed).
    ``after`` bytes of the answer come first."""

    seconds: float | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Drip(Fault):
    """The answer comes byte by byte, ``every`` so many seconds one, and never to its end."""

    every: float = 1.0


@dataclass(frozen=True, slots=True)
class Cut(Fault):
    """The connection breaks after ``after`` bytes of the answer's body; None: in its midst."""

    after: int | None = None


@dataclass(frozen=True, slots=True)
class Drop(Fault):
    """The connection is closed before a byte is answered."""


@dataclass(frozen=True, slots=True)
class Garble(Fault):
    """The answer is broken JSON (in a stream: its middle event, then its end), with status 200."""


@dataclass(frozen=True, slots=True)
class Stumble(Fault):
    """A stream that begins well tells an error in its midst; a whole answer has a status of overload."""

    message: str = "The scripted model is overloaded."


@dataclass(frozen=True, slots=True)
class Pace:
    """How slowly a turn is played: seconds before the first byte, and before each further event of a stream."""

    first: float = 0.0
    between: float = 0.0


def fail(status: int = 500, times: int | None = 1, headers: Mapping[str, str] | None = None, message: str = "") -> Fail:
    """Answer ``times`` requests with an error: 429, 500, 503, 529, 401, 400 …"""
    return Fail(times, status, message or f"The scripted model fails with {status}.", dict(headers or {}))


def overflow(times: int | None = 1) -> Overflow:
    """Say that the request is too long for the model."""
    return Overflow(times)


def hang(seconds: float | None = None, times: int | None = 1, after: int | None = None) -> Hang:
    """Say nothing (or ``after`` bytes, then nothing) to ``times`` requests until they are given up."""
    return Hang(times, seconds, after)


def drip(every: float = 1.0, times: int | None = 1) -> Drip:
    """Send a byte of the answer each so many seconds to ``times`` requests, until they are given up."""
    return Drip(times, every)


def cut(after: int | None = None, times: int | None = 1) -> Cut:
    """Break the connection after so many bytes of the answer."""
    return Cut(times, after)


def drop(times: int | None = 1) -> Drop:
    """Close the connection without an answer."""
    return Drop(times)


def garble(times: int | None = 1) -> Garble:
    """Answer with JSON that is none."""
    return Garble(times)


def stumble(message: str = "The scripted model is overloaded.", times: int | None = 1) -> Stumble:
    """Tell an error in the midst of a stream."""
    return Stumble(times, message)


def slow(first: float = 0.0, between: float = 0.0) -> Pace:
    """Play this turn slowly; both in seconds. Not a fault: the turn is played."""
    return Pace(first, between)
