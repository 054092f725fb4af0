"""The score of a claim: how probably the number is the claimed one, and what that makes of the checks."""

import math
from collections.abc import Sequence

from pincite_provenance.claims.doubts import Doubt, plain
from pincite_provenance.claims.traits import Traits
from pincite_provenance.claims.weights import BASE, WEIGHTS
from pincite_provenance.model import Check

_LEAST = 0.8
"""The score below which nothing holds, though no check has a doubt."""

_ENOUGH = 0.8
"""The score at which a claim holds in spite of weak doubts. Both were set by leaving one set of written claims out
(``tests/benchmarks/claim_score.py``), for about one false claim in a hundred that holds."""

_WEAK = frozenset(
    {
        "neither", "what a citation gives", "may be one", "a condition", "too many", "unpaired", "a negation",
        "unit not claimed", "rival",
    }
)  # fmt: skip
"""Kinds of doubts that true claims have as often as false ones, or oftener."""

_SHOWN = 3


def score(traits: Traits) -> float:
    """The probability that the claim is true, by the claims that set the weights."""
    return 1 / (1 + math.exp(-BASE - sum(WEIGHTS.get(name, 0.0) * value for name, value in traits.items())))


def settled(checks: Sequence[Check], traits: Traits) -> list[Check]:
    """The checks, with weak doubts overruled where the score is high, and a doubt where it is low."""
    verdicts = {check.verdict for check in checks}
    if "fails" in verdicts:
        return [plain(check) for check in checks]
    probability = score(traits)
    if "unsure" not in verdicts:
        return [*checks] if probability >= _LEAST else _doubted(checks, traits)
    unsure = [check for check in checks if check.verdict == "unsure"]
    weak = all(isinstance(check, Doubt) and check.kind in _WEAK for check in unsure)
    if not weak or probability < _ENOUGH:
        return [plain(check) for check in checks]
    return [
        Check(check.name, "holds", f"all else fits, but {check.reason}") if check in unsure else check
        for check in checks
    ]


def _doubted(checks: Sequence[Check], traits: Traits) -> list[Check]:
    """The checks with the last one unsure: what weighs most against the claim."""
    against = sorted((WEIGHTS.get(name, 0.0) * value, name) for name, value in traits.items())
    named = ", ".join(name for weight, name in against[:_SHOWN] if weight < 0)
    last = checks[-1]
    return [*checks[:-1], Check(last.name, "unsure", f"{last.reason}, but other readings are near: {named}")]
