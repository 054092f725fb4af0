"""Check: all claims of a gold analysis in one answer, and the numbers that nothing supports."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite_harness.scoring.figure_analysis.claims.model import Claims
from pincite_harness.scoring.figure_analysis.claims.reading import Number, Sentence, read_answer
from pincite_harness.scoring.figure_analysis.claims.support import Support
from pincite_harness.scoring.figure_analysis.claims.verdicts import ClaimVerdict, could_stand_for, judge_claim


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

    def count(self, state: str) -> int:
        """How many claims have this state."""
        return sum(one.state == state for one in self.verdicts)

    @property
    def score(self) -> float | None:
        """(carried − contradicted − numbers without support) / decided claims, not below 0; None where all claims are
        undecided. Undecided claims count neither way."""
        decided = len(self.verdicts) - self.count("undecided")
        if not decided:
            return None
        earned = self.count("carried") - self.count("contradicted") - len(self.strangers)
        return max(0.0, earned / decided)


def check_answer(answer: str, claims: Claims, support: Support) -> Checked:
    """Every claim in the answer, by rule. A number without support contradicts the missing claim that it stands for,
    where there is one: the same subject and unit."""
    sentences = read_answer(answer, claims)
    verdicts = _each_number_once([judge_claim(one, claims, sentences) for one in claims.claims])
    strangers: list[Stranger] = []
    for sentence, number in support.unsupported(sentences):
        index = _meant(verdicts, claims, sentence, number)
        if index is None:
            strangers.append(Stranger(number.printed, sentence.text))
        else:
            reason = f"the answer says {number.printed}, which neither the gold nor the data give"
            verdicts[index] = replace(verdicts[index], state="contradicted", said=sentence.text, reason=reason)
    return Checked(tuple(verdicts), tuple(strangers))


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
