"""Exchange: answers that say of one thing what the gold says of another, and the other way round."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from pincite_scoring.figure_analysis.claims.model import Claim, Claims
from pincite_scoring.figure_analysis.claims.reading import Mention, Sentence
from pincite_scoring.figure_analysis.claims.verdicts import ClaimVerdict, judge_claim

_LEAST_GAIN = 3
"""By how many claims, carried less contradicted, an answer must fit better with two names exchanged: one claim that is
read wrongly makes two of them, so that this takes two."""


def contradict_exchanged(
    verdicts: Sequence[ClaimVerdict], claims: Claims, sentences: Sequence[Sentence]
) -> list[ClaimVerdict]:
    """The verdicts, those about two things contradicted where the answer fits the gold better once their names change
    places: then it has mistaken one for the other."""
    most, taken = _LEAST_GAIN - 1, list(verdicts)
    for one, other in _pairs(claims, sentences):
        places = [i for i, verdict in enumerate(verdicts) if {one, other} & _names(verdict.claim)]
        here = _balance([verdicts[i] for i in places])
        if len(places) - here <= most:
            continue
        changed = [_exchanged(sentence, one, other) for sentence in sentences]
        there = {i: judge_claim(verdicts[i].claim, claims, changed) for i in places}
        gain = _balance(list(there.values())) - here
        if gain > most:
            most = gain
            reason = f"the answer fits better with {one} and {other} in each other's place"
            said = [i for i in places if "missing" not in (verdicts[i].state, there[i].state)]
            taken = list(verdicts)
            for i in said:
                taken[i] = replace(verdicts[i], state="contradicted", reason=verdicts[i].reason or reason)
    return taken


def _pairs(claims: Claims, sentences: Sequence[Sentence]) -> Iterator[tuple[str, str]]:
    """Two entities of a kind that the answer names and that the claims tell apart."""
    named = {key for sentence in sentences for key in sentence.keys}
    for one, other in combinations([key for key in claims.entities if key in named], 2):
        if other in claims.kind_of([one]) and other not in claims.related([one]):
            yield one, other


def _names(claim: Claim) -> set[str]:
    return {*claim.subject, *claim.object, *claim.at}


def _balance(verdicts: Sequence[ClaimVerdict]) -> int:
    """Claims carried less claims contradicted."""
    return sum((one.state == "carried") - (one.state == "contradicted") for one in verdicts)


def _exchanged(sentence: Sentence, one: str, other: str) -> Sentence:
    """The sentence as if each of two names stood where the other does."""
    to = {one: other, other: one}
    mentions = tuple(Mention(to.get(m.key, m.key), m.start, m.end) for m in sentence.mentions)
    return replace(sentence, mentions=mentions, before=frozenset(to.get(key, key) for key in sentence.before))
