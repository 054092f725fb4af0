"""Doubts: checks that are unsure, each of a kind."""

from dataclasses import dataclass

from pincite_provenance.model import Check, CheckName


@dataclass(frozen=True, slots=True)
class Doubt(Check):
    """A check that is unsure, and the kind of its reason."""

    kind: str = ""


def doubt(name: CheckName, kind: str, why: str) -> Doubt:
    """An unsure check for a reason of a ``kind``."""
    return Doubt(name, "unsure", why, kind)


def plain(check: Check) -> Check:
    """The check without its kind, as it is handed on."""
    return Check(check.name, check.verdict, check.reason) if isinstance(check, Doubt) else check
