"""Check: all claims of a gold analysis in one answer, and the numbers that nothing supports."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite_scoring.figure_analysis.claims.amounts import DIFFERENCES, is_amount
from pincite_scoring.figure_analysis.claims.conditions import with_conditions
from pincite_scoring.figure_analysis.claims.exchange import contradict_exchanged
from pincite_scoring.figure_analysis.claims.model import Claim, Claims
from pincite_scoring.figure_analysis.claims.reading import Number, Sentence, read_answer
from pincite_scoring.figure_analysis.claims.rows import Rows
from pincite_scoring.figure_analysis.claims.slips import changed_ranges, contradict_slips
from pincite_scoring.figure_analysis.claims.slots import range_ends, stands_in_slot
from pincite_scoring.figure_analysis.claims.support import Support
from pincite_scoring.figure_analysis.claims.verdicts import ClaimVerdict, could_stand_for, judge_claim

_NUMBERS_FOR_FINDINGS = 3
"""How much larger the share of the gold's plain numbers that counts may be than that of its findings after the first,
which may be there by chance: a table copied out has numbers and at most one, true paraphrases a third and more."""
_WRONG_SHARE = 0.25
"""Share of wrong statements, of those that carry or miss the claims, from which an answer has nothing: of what true
paraphrases say the rules take up to a sixth for wrong, of negated and altered gold a third and more."""
_FURTHER_SHARE = 0.05
"""Wrong statements after the first, as a share of the decided claims, that leave nothing: one may be a slip, of the
author or of the rules; a second one leaves nothing of an analysis of up to 20 claims."""
CREDITED_FROM, DENIED_BELOW = 0.8, 0.1
"""Scores from which a reader would sign that an analysis is right, and below which that it is wrong; set by judgement.
Between them, and wherever rules found one thing wrong, a judge has to look."""
_MOST_OPEN = 1.0
"""Claims that rules look for and leave undecided, as a share of those decided, above which the answer is not understood
well enough for a score; set by judgement."""
_BOUND = re.compile(r"\b(?:more|less|higher|lower) than\b|\b(?:above|below|within|up to)\b")
"""A limit such as "below 50 %" may be true without being printed; it stands for a claim that has a limit too."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """A number of an answer that nothing supports and that stands for no claim, with its sentence."""

    printed: str
    said: str
    reason: str = "neither the gold nor the task's tables and papers give this number"


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
        """(carried − wrong) / decided claims, steeply less for a second wrong statement. Undecided claims count neither
        way; None where rules leave more of those that they look for undecided than are decided. A number without a
        direction counts only beside findings."""
        decided = len(self.verdicts) - self.count("undecided")
        open_ones = sum(one.state == "undecided" and one.is_found_by_rule for one in self.verdicts)
        if not decided or open_ones > _MOST_OPEN * decided:
            return None
        findings = sum(one.state == "carried" and not one.given for one in self.verdicts)
        numbers = self.count("carried") - findings
        carried = findings + min(numbers, self._most_numbers(findings))
        wrong = self.count("contradicted") + len(self.strangers)
        if wrong and wrong >= _WRONG_SHARE * (self.count("carried") + wrong):
            return 0.0
        kept = 1 - max(0, wrong - 1) / (_FURTHER_SHARE * decided)
        return max(0.0, carried - wrong) / decided * max(0.0, kept)

    @property
    def credited(self) -> float | None:
        """1 for an analysis that carries nearly all and has nothing that rules found wrong, 0 for one with next to
        nothing; None for what only a judge can tell, such as a single wrong statement."""
        score = self.score
        if score is None:
            return None
        wrong = self.count("contradicted") + len(self.strangers)
        if score < DENIED_BELOW:
            return 0.0
        return 1.0 if score >= CREDITED_FROM and not wrong else None

    def _most_numbers(self, carried: int) -> float:
        """How many plain numbers count beside the findings that are ``carried``."""
        numbers = sum(one.given for one in self.verdicts)
        findings = [
            one for one in self.verdicts if not one.given and (one.is_found_by_rule or one.state != "undecided")
        ]
        if len(findings) <= 1:
            return float(numbers if carried == len(findings) else 0)
        share = max(0, carried - 1) / (len(findings) - 1)
        return min(1.0, _NUMBERS_FOR_FINDINGS * share) * numbers


def check_answer(
    answer: str, claims: Claims, support: Support, rows: Rows | None = None, gold_text: str = ""
) -> Checked:
    """Every claim in the answer, by rule. A number without support contradicts the missing claim that it stands for,
    where there is one: the same subject and unit. ``gold_text`` tells conditions and ends of ranges that the claims
    leave out."""
    sentences, reference = read_answer(answer, claims), read_answer(gold_text, claims)
    claims = with_conditions(claims, reference)
    verdicts = _each_number_once([judge_claim(one, claims, sentences) for one in claims.claims], sentences)
    verdicts = contradict_exchanged(verdicts, claims, sentences)
    verdicts = contradict_slips(verdicts, claims, sentences)
    verdicts = _contradict_replaced(verdicts, claims, sentences, support)
    verdicts = [replace(one, given=_is_given(one.claim, claims)) for one in verdicts]
    strangers: list[Stranger] = []
    for sentence, number in support.foreign(sentences):
        index = _meant(verdicts, claims, sentence, number)
        if number.bound and (index is None or not _BOUND.search(verdicts[index].claim.text)):
            continue
        if index is not None:
            reason = f"the answer says {number.printed}, which neither the gold nor the data give"
            verdicts[index] = replace(verdicts[index], state="contradicted", said=sentence.text, reason=reason)
        elif not support.prints(number):
            strangers.append(Stranger(number.printed, sentence.text))
    for sentence, number, key, owner in rows.misplaced(sentences, claims) if rows is not None else ():
        reason = f"the answer says it of {key}, the table of {owner}"
        strangers.append(Stranger(number.printed, sentence.text, reason))
    known = {one.said for one in verdicts if one.state == "contradicted"} | {one.said for one in strangers}
    for sentence, number, reason in changed_ranges(sentences, reference):
        if sentence.text not in known:
            strangers.append(Stranger(number.printed, sentence.text, reason))
    return Checked(tuple(verdicts), tuple(strangers))


def _contradict_replaced(
    verdicts: Sequence[ClaimVerdict], claims: Claims, sentences: Sequence[Sentence], support: Support
) -> list[ClaimVerdict]:
    """The verdicts, a missing value contradicted where another number stands in its place: one of its unit that is said
    of its subject, carries no claim, and is neither printed in the task's data nor said by the gold."""
    free = [
        (sentence, number)
        for sentence in sentences
        for number in sentence.numbers
        if not any(is_amount(claim, number) for claim in claims.claims) and not support.is_given(number)
    ]
    replaced = list(verdicts)
    for index, one in enumerate(verdicts):
        if one.state != "missing" or one.claim.value is None:
            continue
        for sentence, number in free:
            if stands_in_slot(one.claim, claims, sentence, number):
                reason = f"the answer says {number.printed} in its place"
                replaced[index] = replace(one, state="contradicted", said=sentence.text, reason=reason)
                free.remove((sentence, number))
                break
    return replaced


def _is_given(claim: Claim, claims: Claims) -> bool:
    """Whether a claim is a number without a direction or comparison: a value of a table, a place on an axis, and no
    finding. Where the gold has no findings beside its numbers, as with derived claims, they count as such."""
    if claims.derived or not any(_compares(one) for one in claims.claims):
        return False
    return claim.value is not None and not _compares(claim)


def _compares(claim: Claim) -> bool:
    return bool(claim.relation) or claim.unit in DIFFERENCES


def _each_number_once(verdicts: Sequence[ClaimVerdict], sentences: Sequence[Sentence]) -> list[ClaimVerdict]:
    """A number that carries one claim contradicts no other that happens to have the same value, nor does the other end
    of a range: "between 80 and 160"."""
    used = {one.place for one in verdicts if one.state == "carried" and one.place}
    used |= {end for place, end in range_ends(sentences) if place in used}
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
