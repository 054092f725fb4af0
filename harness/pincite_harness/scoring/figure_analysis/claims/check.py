"""Check: all claims of a gold analysis in one answer, and the numbers that nothing supports."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite_harness.scoring.figure_analysis.claims.model import Claim, Claims
from pincite_harness.scoring.figure_analysis.claims.reading import Number, Sentence, read_answer
from pincite_harness.scoring.figure_analysis.claims.support import Support
from pincite_harness.scoring.figure_analysis.claims.verdicts import ClaimVerdict, could_stand_for, judge_claim

_NUMBERS_A_FINDING = 3
"""Numbers of the task's own tables and figures that one finding may rest on: a table copied out has numbers and no
finding, the bundled analyses have one and a half to two numbers for each finding."""


_MORE_FOR_FURTHER = 6
"""Claims that each wrong statement after the first costs beyond itself: one may be a slip, of the author or of the
rules; three are what swapping two of a table's rows makes, and leave nothing of an analysis of 18 claims."""


_BOUND = re.compile(r"\b(?:more|less|higher|lower) than\b|\b(?:above|below|within|up to)\b")
"""A limit such as "below 50 %" may be true without being printed; it stands for a claim that has a limit too."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """A number of an answer that nothing supports and that stands for no claim, with its sentence."""

    printed: str
    said: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The verdicts in the order of the claims, and the numbers without support."""

    verdicts: tuple[ClaimVerdict, ...]
    strangers: tuple[Stranger, ...]
    derived: bool = False
    """Whether rules took the claims from the gold's text."""

    def count(self, state: str) -> int:
        """How many claims have this state."""
        return sum(one.state == state for one in self.verdicts)

    @property
    def score(self) -> float | None:
        """(carried − contradicted − numbers without support) / decided claims, not below 0; None where all claims are
        undecided, which count neither way. A number that was handed to the author counts only beside a finding."""
        decided = len(self.verdicts) - self.count("undecided")
        if not decided:
            return None
        findings = sum(one.state == "carried" and not one.given for one in self.verdicts)
        given = self.count("carried") - findings
        wrong = self.count("contradicted") + len(self.strangers)
        lost = wrong + _MORE_FOR_FURTHER * max(0, wrong - 1)
        return max(0.0, (findings + min(given, _NUMBERS_A_FINDING * findings) - lost) / decided)


def check_answer(answer: str, claims: Claims, support: Support) -> Checked:
    """Every claim in the answer, by rule. A number without support contradicts the missing claim that it stands for,
    where there is one: the same subject and unit."""
    sentences = read_answer(answer, claims)
    verdicts = _each_number_once([judge_claim(one, claims, sentences) for one in claims.claims])
    verdicts = [replace(one, given=_is_given(one.claim, claims, support)) for one in verdicts]
    strangers: list[Stranger] = []
    for sentence, number in support.unsupported(sentences):
        index = _meant(verdicts, claims, sentence, number)
        if number.bound and (index is None or not _BOUND.search(verdicts[index].claim.text)):
            continue
        if index is None:
            strangers.append(Stranger(number.printed, sentence.text))
        else:
            reason = f"the answer says {number.printed}, which neither the gold nor the data give"
            verdicts[index] = replace(verdicts[index], state="contradicted", said=sentence.text, reason=reason)
    return Checked(tuple(verdicts), tuple(strangers))


def _is_given(claim: Claim, claims: Claims, support: Support) -> bool:
    """Whether a claim is a number as a table or figure of the task has it, and no finding about it. Of claims that
    rules derived this cannot be said: they are numbers for the most part."""
    if claim.value is None or claim.relation or claims.derived:
        return False
    read_off = any(abs(claim.value - one) <= claim.tolerance for one in claims.numbers)
    return read_off or support.prints(claim.value)


def _each_number_once(verdicts: Sequence[ClaimVerdict]) -> list[ClaimVerdict]:
    """A number that carries one claim contradicts no other that happens to have the same value."""
    used = {one.place for one in verdicts if one.state == "carried" and one.place}
    reason = "the number belongs to another claim"
    return [
        replace(one, state="missing", said="", reason=reason, place=None)
        if one.state == "contradicted" and one.place in used
        else one
        for one in verdicts
    ]


def _meant(verdicts: Sequence[ClaimVerdict], claims: Claims, sentence: Sentence, number: Number) -> int | None:
    """The missing claim that a number without support is said in place of."""
    for index, one in enumerate(verdicts):
        if one.state == "missing" and could_stand_for(one.claim, claims, sentence, number):
            return index
    return None
