"""A claim, and what the checks of it say."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["holds", "fails", "unsure"]
"""``unsure`` where the paper does not let one tell; it is never a pass."""

CheckName = Literal["locator", "quote", "value", "unit", "material", "property"]


@dataclass(frozen=True, slots=True)
class Claim:
    """What someone says a paper says; texts as they were given, "" for what was not given."""

    quote: str
    locator: str
    """Short locator, or the paper (path or id) where the quote is to be found."""
    value: str = ""
    """As printed or normalised: ``93(1)``, ``1.2 × 10^-3``, ``4.2–4.5``, ``Pnma``."""
    unit: str = ""
    material: str = ""
    property: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One question asked of a claim, its answer, and why, in words that name what was seen."""

    name: CheckName
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimChecks:
    """All checks of a claim; ``locator`` is where the quote was found to stand (short), "" where it was not."""

    checks: tuple[Check, ...]
    locator: str = ""

    @property
    def verdict(self) -> Verdict:
        """``fails`` when one check does, else ``unsure`` when one is, else ``holds``."""
        verdicts = {check.verdict for check in self.checks}
        return "fails" if "fails" in verdicts else "unsure" if "unsure" in verdicts else "holds"
