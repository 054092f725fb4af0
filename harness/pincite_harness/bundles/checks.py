"""Checks: what verifying a bundle finds, and the text and JSON that say it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """What a check came to. *Unknown* is neither: it says that nobody can tell from what is at hand."""

    HOLDS = "holds"
    FAILS = "fails"
    UNKNOWN = "cannot be checked"


@dataclass(frozen=True, slots=True)
class Check:
    """One promise of a bundle: what it is of, what came of it, and what was seen."""

    name: str
    outcome: Outcome
    detail: str
    places: tuple[str, ...] = ()
    """Where it fails: files, trials or calls."""


@dataclass(slots=True)
class Verification:
    """All checks of one bundle, in their order."""

    bundle: str
    checks: list[Check] = field(default_factory=list[Check])

    def add(self, name: str, outcome: Outcome, detail: str, places: tuple[str, ...] = ()) -> None:
        """Note what a check came to."""
        self.checks.append(Check(name, outcome, detail, places))

    def judge(self, name: str, wrong: list[str], good: str, bad: str) -> bool:
        """Note a check that holds where ``wrong`` is empty; whether it holds."""
        if wrong:
            self.add(name, Outcome.FAILS, bad, tuple(wrong))
        else:
            self.add(name, Outcome.HOLDS, good)
        return not wrong

    @property
    def failed(self) -> bool:
        """Whether any check fails."""
        return any(check.outcome is Outcome.FAILS for check in self.checks)

    def as_json(self) -> dict[str, Any]:
        """For programs: ``pincite-verification/1``."""
        return {
            "schema_version": "pincite-verification/1",
            "bundle": self.bundle,
            "verdict": "fails" if self.failed else "holds",
            "checks": [
                {
                    "name": check.name,
                    "outcome": check.outcome.value,
                    "detail": check.detail,
                    "places": list(check.places),
                }
                for check in self.checks
            ],
        }
