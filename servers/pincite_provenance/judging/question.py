"""Question: an unsure claim with the passage around its quote and what the rules leave open."""

import re
from dataclasses import dataclass

from pincite_core.locator import parse_locator
from pincite_papers.model import Paper
from pincite_provenance.model import Check, Claim, ClaimChecks

_AROUND = 1500
"""Characters of the paper shown on each side of the quote: the paragraph, and what stands before and behind it."""

_JUDGED = frozenset({"value", "unit", "material", "property"})
"""Checks whose unsureness is one of reading; a place that was not given is not a question to a judge."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a judge is asked: the claim, the passage of the paper, and the checks that are open with their reasons."""

    claim: Claim
    passage: str
    quote: str
    open: tuple[Check, ...]

    def settled_by(self, words: str) -> bool:
        """Whether these words stand in the passage, white space aside."""
        wanted = _even(words)
        return bool(re.search(r"\w", wanted)) and wanted in _even(self.passage)

    def said(self) -> str:
        """The claim in a line: ``transition temperature of MgB2: 39 K``."""
        claim = self.claim
        about = " of ".join(part for part in (claim.property, claim.material) if part.strip())
        value = " ".join(part for part in (claim.value, claim.unit) if part.strip())
        return ": ".join(part for part in (about, value) if part)


def question_of(paper: Paper, claim: Claim, checks: ClaimChecks) -> Question | None:
    """The question that a judge may settle; None where nothing is unsure, something fails or only its place is open."""
    unsure = tuple(check for check in checks.checks if check.verdict == "unsure")
    quoted = any(check.name == "quote" and check.verdict == "holds" for check in checks.checks)
    if checks.verdict != "unsure" or not quoted or not all(check.name in _JUDGED for check in unsure):
        return None
    at = parse_locator(checks.locator)
    passage = paper.text[max(at.start - _AROUND, 0) : at.end + _AROUND]
    return Question(claim, passage, paper.text[at.start : at.end], unsure)


def _even(text: str) -> str:
    return " ".join(text.split())
