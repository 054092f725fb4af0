"""Result: how one probe went."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["held", "open", "unknown"]
Group = Literal["promises", "network", "relay", "kernel", "files", "limits", "configuration"]


@dataclass(frozen=True, slots=True)
class Result:
    """``held``: the sandbox kept what it promises; ``open``: it did not; ``unknown``: that cannot be told here."""

    group: Group
    name: str
    what: str
    verdict: Verdict
    detail: str


class Broken(Exception):  # noqa: N818
    """A promise that was not kept; says how."""


class Unknown(Exception):  # noqa: N818
    """Whether a promise is kept cannot be told here; says why."""
