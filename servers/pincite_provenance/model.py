"""A claim, and what the checks of it say."""

from collections.abc import Iterable
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


Answer = Literal["yes", "no", "unsure"]
"""What a judge, or the caller, says of a claim that the rules leave unsure."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said of a claim that the rules left unsure; the rules' own verdict stays beside it."""

    kind: Literal["model", "person"]
    by: str
    """Model and host, or the client at which a person answered."""
    answer: Answer
    words: str = ""
    """The words of the paper that settle it, verbatim; a person need not give any."""
    reason: str = ""
    """Why it is not settled: an outage, words that do not stand in the paper, a refusal."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Three things that are not one: whether the quote stands in the paper, the value in the quote, and the claim."""

    quote: Literal["stands", "does not stand", "unsure"]
    value: Literal["stands", "does not stand", "unsure", "not claimed"]
    claim: Verdict

    @classmethod
    def of(cls, checks: Iterable[tuple[str, str]], claim: Verdict) -> "Facts":
        """From (name, verdict) of each check; the value stands with its unit."""
        verdicts = dict(checks)
        quoted = verdicts.get("quote", "unsure")
        valued = {verdicts[name] for name in ("value", "unit") if name in verdicts}
        worst = next((verdict for verdict in ("fails", "unsure", "holds") if verdict in valued), "")
        return cls(_STANDS[quoted], _STANDS[worst] if worst else "not claimed", claim)

    def __str__(self) -> str:
        value = "no value claimed" if self.value == "not claimed" else f"value {self.value}"
        return f"quote {self.quote}, {value}, claim {self.claim}"


_STANDS: dict[str, Literal["stands", "does not stand", "unsure"]] = {
    "holds": "stands", "fails": "does not stand", "unsure": "unsure",
}  # fmt: skip
