"""A source's policy: its address, published limits and how long responses stay fresh."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

DAY = 86_400.0
"""Seconds of a day."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most ``requests`` in any ``seconds``, and at most ``at_once`` of them unanswered."""

    requests: int
    seconds: float
    at_once: int = 4


@dataclass(frozen=True, slots=True)
class SourcePolicy:
    """One source: its name in settings and results, its address, its published limits, how long answers stay fresh.

    Policies with the same ``group`` share one rate and one circuit (hosts of one operator). ``trusted`` marks an
    address that the user configured, which may be private; ``foreign`` one that stood in an answer: it gets no contact,
    and is checked even where a proxy finds the hosts. ``asked_rest`` reads an answer's headers (names in lower case)
    for the seconds that the source wants to be left alone, where it says so by other headers than Retry-After.
    """

    name: str
    title: str
    base_url: str
    rate: Rate
    fresh_seconds: float = DAY
    group: str = ""
    trusted: bool = False
    foreign: bool = False
    asked_rest: Callable[[Mapping[str, str]], float] | None = None


@dataclass(frozen=True, slots=True)
class Access:
    """What authenticates or identifies us (keys, e-mail address): sent, but in no key, cache, record, log or error."""

    params: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


NO_ACCESS = Access()
