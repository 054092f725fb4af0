"""Verdicts: each claim of the gold in an answer, by rule."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_scoring.figure_analysis.claims.amounts import in_unit, is_amount
from pincite_scoring.figure_analysis.claims.binding import Bound, bind, is_compared, relative_to, subject_of
from pincite_scoring.figure_analysis.claims.conditions import other_condition
from pincite_scoring.figure_analysis.claims.denials import denied_amount, measures
from pincite_scoring.figure_analysis.claims.lexicon import DIRECTIONS, OPPOSITES, Said, denies, said_in
from pincite_scoring.figure_analysis.claims.model import Claim, Claims, State
from pincite_scoring.figure_analysis.claims.reading import Clause, Number, Sentence

RULES = "claims/2"
_BESIDE = 14
"""Characters behind a number within which a word of direction is its own: "1.7 points clearly above"."""
_THAN = re.compile(
    r"\b(?:than|above|below|over|behind|against|exceed\w*|beats?|outperform\w*|surpass\w*)\s+(?:\w+\s+){0,3}$",
    re.IGNORECASE,
)
_SUPERLATIVES = frozenset({"lowest", "highest"})
_LABELLED = re.compile(
    r"(?:\s+of\s+[^,;.]{1,25}?)?\s*\b(?:under|with|for|in|on|at)\s+(?:the\s+|either\s+)?", re.IGNORECASE
)
_BY = re.compile(r"\s+by\s+(?:the\s+|an?\s+)?", re.IGNORECASE)
"""From a passive verb of comparison to what is said to exceed: "is exceeded by the routed model"."""
_SIGNS = {"+": "up", "-": "down", "−": "down"}
_LABEL = re.compile(r"\b(?:Tables?|Figs?\.?|Figures?|Models?|Eqs?\.?|Sections?)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What became of a claim: the answer's sentence that settles it, by whom, and why."""

    claim: Claim
    state: State
    said: str = ""
    by: str = RULES
    reason: str = ""
    given: bool = False
    """Whether it is a number that was handed to the author, and no finding."""
    place: tuple[int, int] | None = None
    """The number that it rests on: which sentence, and where in it."""

    @property
    def is_found_by_rule(self) -> bool:
        """Whether rules look for the claim; else only a judge can."""
        return self.claim.value is not None or bool(self.claim.relation)


def judge_claim(claim: Claim, claims: Claims, sentences: Sequence[Sentence]) -> ClaimVerdict:
    """The verdict on one claim by rule."""
    if claim.value is not None:
        return _value(claim, claims, sentences)
    if claim.relation:
        return _relation(claim, claims, sentences)
    place = _about(claim, claims, sentences)
    if place is None and set(claim.subject) & set(claims.entities):
        return ClaimVerdict(claim, "missing", reason="nothing is said of it")
    return ClaimVerdict(claim, "undecided", "" if place is None else place.text, reason="only a judge can tell")


def _about(claim: Claim, claims: Claims, sentences: Sequence[Sentence]) -> Sentence | None:
    """The first sentence about the claim's subject, and what it is compared with."""
    subject = claims.related(claim.subject)
    others = claims.related([*claim.object]) if claim.object else set[str]()
    for one in sentences:
        keys = set(one.keys) | (set(one.before) if one.refers_back else set[str]())
        if (not subject or keys & subject) and (not others or keys & others) and (not claim.of or claim.of in keys):
            return one
    return None


def _value(claim: Claim, claims: Claims, sentences: Sequence[Sentence]) -> ClaimVerdict:
    best: ClaimVerdict | None = None
    for place, sentence in enumerate(sentences):
        for number in sentence.numbers:
            if _is_label(sentence, number) or not is_amount(claim, number):
                continue
            state, reason = _owned(claim, claims, sentence, number)
            verdict = ClaimVerdict(claim, state, sentence.text, reason=reason, place=(place, number.start))
            if state == "carried" and not _denied_by_name(best, claim, claims, sentence, sentences):
                return verdict
            if best is None or best.state == "undecided":
                best = verdict
    return best or ClaimVerdict(claim, "missing", reason="the answer has no such number")


def _denied_by_name(
    best: ClaimVerdict | None, claim: Claim, claims: Claims, sentence: Sentence, sentences: Sequence[Sentence]
) -> bool:
    """Whether a sentence that names what is compared with has contradicted the claim, and this one does not name it."""
    if best is None or best.state != "contradicted" or best.place is None:
        return False
    others = claims.related(claim.object)
    return bool(others & sentences[best.place[0]].keys) and not others & sentence.keys


def _is_label(sentence: Sentence, number: Number) -> bool:
    """Whether a number only names something: a table, a figure, the level of an interval."""
    return number.role == "level" or _LABEL.search(sentence.text, 0, number.start) is not None


def _owned(claim: Claim, claims: Claims, sentence: Sentence, number: Number) -> tuple[State, str]:
    """Whether a number with the claim's value is said of its subject, and in its direction."""
    condition = other_condition(claim, sentence, number)
    if condition:
        return "contradicted", f"the answer says it at {condition}"
    turned = denied_amount(claim, sentence, number) or _turned(claim, claims, sentence, number)
    if turned:
        return "contradicted", f"the answer says {turned!r}"
    against = _measured_by(claim, claims, sentence, number)
    if against:
        return "contradicted", f"the answer compares with {against}"
    elsewhere = _elsewhere(claim, claims, sentence, number)
    if elsewhere:
        return "contradicted", f"the answer says it of {elsewhere}"
    mine = claims.related(claim.subject)
    if not mine:
        return _with_direction(claim, sentence, number)
    allowed = mine | claims.related([*claim.beside]) | claims.related([*claim.object])
    bound = bind(sentence, number, claims.kind_of(claim.subject))
    if mine & {*bound.surely, *bound.likely}:
        return _with_direction(claim, sentence, number)
    if set(bound.surely) - allowed:
        return "contradicted", f"the answer says it of {bound.surely[0]}"
    if set(bound.likely) - allowed:
        reason = f"the answer seems to say it of {bound.likely[0]}"
        return ("undecided" if _may_own(mine, bound, sentence, number) else "contradicted"), reason
    state, reason = _loosely(mine, allowed, bound, sentence)
    return _with_direction(claim, sentence, number) if state == "carried" else (state, reason)


def _with_direction(claim: Claim, sentence: Sentence, number: Number) -> tuple[State, str]:
    """A number whose claim has a direction carries it where it has the sign of that direction, or its sentence a word
    of direction or comparison."""
    if _SIGNS.get(number.printed[:1]) in claim.relation:
        return "carried", ""
    said = {one.concept for clause in sentence.clauses for one in clause.said}
    if claim.relation and not said & DIRECTIONS:
        return "undecided", "the number is there, what it says is not"
    return "carried", ""


def _measured_by(claim: Claim, claims: Claims, sentence: Sentence, number: Number) -> str:
    """What a clause compares with, where that is neither the claim's object nor its subject; empty otherwise."""
    others, subject = claims.related([*claim.object]), claims.related(claim.subject)
    if not claim.object or others & (set(sentence.keys) | set(sentence.before)):
        return ""
    clause = sentence.clause_at(number.start)
    compared = [one for one in sentence.mentions if clause.holds(one.start) and is_compared(sentence, one)]
    allowed = subject | claims.related(claim.beside)
    for one in compared:
        if one.key in subject or (one.start >= number.end and one.key not in allowed):
            return one.key
    return ""


def _elsewhere(claim: Claim, claims: Claims, sentence: Sentence, number: Number) -> str:
    """Another of the kind of ``claim.at`` that the number is surely said of; empty where there is none."""
    if not claim.at:
        return ""
    bound = bind(sentence, number, claims.kind_of(claim.at))
    others = [key for key in (*bound.surely, *bound.likely) if key not in claim.at]
    return others[0] if others and not (set(claim.at) & set(sentence.keys)) else ""


def _may_own(mine: set[str], bound: Bound, sentence: Sentence, number: Number) -> bool:
    """Whether the number could be the claim's subject's after all: that is named in the number's clause, or before it
    where the clause names nothing."""
    clause = sentence.clause_at(number.start)
    names = [one for one in (*sentence.mentions, *sentence.attributes) if one.key in mine]
    here = [one for one in names if clause.holds(one.start)]
    if any(one.start < number.start or not is_compared(sentence, one) for one in here):
        return True
    if relative_to(sentence, sentence.mentions, clause) in bound.likely:
        return False
    inside = any(clause.holds(one.start) for one in sentence.mentions if one.key in bound.likely)
    referred = bool(mine & sentence.before) and sentence.refers_back
    return not inside and (referred or any(one.start < number.start for one in names))


def _loosely(mine: set[str], allowed: set[str], bound: Bound, sentence: Sentence) -> tuple[State, str]:
    """Where no name stands surely with the number: by the names of the clause, the sentence, and the one before."""
    named = set(sentence.keys)
    if mine & named or mine & set(sentence.before):
        return "carried", ""
    strangers = set(bound.maybe) - allowed
    if strangers and not sentence.refers_back:
        return "contradicted", f"the answer says it of {min(strangers)}"
    if not sentence.mentions and not sentence.before:
        return "carried", ""
    return "undecided", "the sentence does not name what has this number"


def _turned(claim: Claim, claims: Claims, sentence: Sentence, number: Number) -> str:
    """The word beside a number that says the opposite of the claim's direction; empty where there is none."""
    if not claim.relation:
        return ""
    clause = sentence.clause_at(number.start)
    said = _nearest(sentence, clause, number, claim)
    if said is None or said.concept == "same" or said.cause:
        return ""
    wanted = (
        [_reverse(one) for one in claim.relation]
        if _is_turned(claim, claims, sentence, clause, said)
        else claim.relation
    )
    if said.name in wanted or not any(denies(said.name, one) for one in wanted):
        return ""
    return sentence.text[said.start : said.end]


def _reverse(relation: str) -> str:
    """The relation seen from the other side: A is above B where B is below A."""
    pairs = {"up": "down", "fast": "slow", "lowest": "highest"}
    return ({**pairs, **{other: one for one, other in pairs.items()}}).get(relation, relation)


def _nearest(sentence: Sentence, clause: Clause, number: Number, claim: Claim) -> Said | None:
    """The word of direction nearest to a number in its clause, of those that bear on the claim."""
    concerned = {one.removeprefix("no_") for one in claim.relation}
    concerned |= {other for one in concerned for other in OPPOSITES[one]}
    words = [
        one
        for one in clause.said
        if one.concept in concerned and (claim.object or not one.comparative or measures(sentence, one, number))
    ]
    words = [one for one in words if measures(sentence, one, number) or not _measures_another(sentence, one, number)]
    behind = next((one for one in words if 0 <= one.start - number.end <= _BESIDE), None)
    before = next((one for one in reversed(words) if one.start < number.start), None)
    return behind or before or (words[0] if words else None)


def _measures_another(sentence: Sentence, said: Said, number: Number) -> bool:
    """Whether another number is how far a comparative goes: "1.7 points better, latency 39 % lower"."""
    return said.comparative and any(measures(sentence, said, one) for one in sentence.numbers if one is not number)


def _relation(claim: Claim, claims: Claims, sentences: Sequence[Sentence]) -> ClaimVerdict:
    """A comparison or direction: words that say it, or its opposite, in the clauses about its subject; those that name
    the subject count before those that refer back to it."""
    found: dict[int, dict[State, str]] = {}
    for sentence in sentences:
        for clause in sentence.clauses:
            rank = _concerns(claim, claims, sentence, clause)
            state = _said(claim, claims, sentence, clause) if rank else None
            if state == "contradicted" and (rank == 1 or _is_of_a_value(claim, claims, sentence, clause)):
                continue
            if state is not None:
                found.setdefault(rank, {}).setdefault(state, sentence.text)
    if found:
        states = found[max(found)]
        state, text = next(iter(states.items()))
        doubted = state == "contradicted" and any("carried" in others for others in found.values())
        if len(states) == 1 and not doubted:
            return ClaimVerdict(claim, state, text)
        return ClaimVerdict(claim, "undecided", text, reason="said and denied")
    usurped = _usurped(claim, claims, sentences)
    if usurped is not None:
        return usurped
    place = _about(claim, claims, sentences)
    if place is None:
        return ClaimVerdict(claim, "missing", reason="nothing is said of it")
    return ClaimVerdict(claim, "undecided", place.text, reason="no words that the rules know say it or deny it")


def _usurped(claim: Claim, claims: Claims, sentences: Sequence[Sentence]) -> ClaimVerdict | None:
    """The claim contradicted where its superlative, which only one thing can have, is said of another of its kind."""
    wanted = set(claim.relation) & _SUPERLATIVES
    if not wanted or not claim.of or not set(claim.subject) & set(claims.entities):
        return None
    for sentence in sentences:
        for clause in sentence.clauses:
            owner = _owner(claim, claims, sentence, clause)
            of = any(clause.holds(one.start) and one.key == claim.of for one in sentence.attributes)
            if owner and of and wanted & {said.name for said in clause.said}:
                return ClaimVerdict(claim, "contradicted", sentence.text, reason=f"the answer says it of {owner}")
    return None


def _owner(claim: Claim, claims: Claims, sentence: Sentence, clause: Clause) -> str:
    """The one thing of the subject's kind that a clause is about, where that is another; else empty."""
    mine = claims.related(claim.subject)
    inside = [one for one in sentence.mentions if clause.holds(one.start)]
    if any(one.key in mine for one in inside) or relative_to(sentence, sentence.mentions, clause) in mine:
        return ""
    free = {one.key for one in inside if not is_compared(sentence, one)} & claims.kind_of(claim.subject)
    return next(iter(free)) if len(free) == 1 else ""


def _is_of_a_value(claim: Claim, claims: Claims, sentence: Sentence, clause: Clause) -> bool:
    """Whether a clause's direction is that of a number which another claim about the same subject gives."""
    others = [one for one in claims.claims if one.relation and set(one.subject) & set(claim.subject)]
    inside = [one for one in sentence.numbers if clause.holds(one.start)]
    said = {one.name for one in clause.said}
    return any(is_amount(one, number) and said & set(one.relation) for one in others for number in inside)


def _concerns(claim: Claim, claims: Claims, sentence: Sentence, clause: Clause) -> int:
    """How surely a clause is about the claim: 3 where it names subject, attribute and object, less where it refers back
    to one of them, 0 where it is about something else."""
    names = {one.key for one in sentence.mentions if clause.holds(one.start)}
    names -= claims.of_other_kinds(claim.subject)
    attributes = {one.key for one in sentence.attributes if clause.holds(one.start)}
    here = names | attributes
    subject, others = claims.related(claim.subject), claims.related([*claim.object])
    allowed = subject | others | claims.related([*claim.beside])
    rank = 3
    if claim.of and claim.of not in attributes:
        rank -= 1
        if attributes or claim.of not in sentence.keys:
            return 0
    if others and not here & others:
        rank -= 1
        if not others & set(sentence.keys):
            return 0
    if not others and _compares(sentence, clause, names - allowed, subject):
        return 0
    if subject and not here & subject:
        rank -= 1
        if set(claim.relation) & _SUPERLATIVES and _owner(claim, claims, sentence, clause):
            return 0
        if names - allowed or _inherited(claim, claims, sentence, clause) - allowed:
            return 0
        if attributes - allowed - {claim.of}:
            rank = 1
        if not subject & set(sentence.keys):
            rank = 1 if subject & set(sentence.before) and sentence.refers_back else 0
    return rank


def _inherited(claim: Claim, claims: Claims, sentence: Sentence, clause: Clause) -> set[str]:
    """The subject that a clause without a name takes from the clauses before it, if it is of the claim's kind."""
    mentions = [one for one in sentence.mentions if one.key in claims.kind_of(claim.subject)]
    subject = subject_of(sentence, mentions, clause, clause.end)
    return {subject} if subject else set()


def _compares(sentence: Sentence, clause: Clause, strangers: set[str], subject: set[str]) -> bool:
    """Whether a clause sets its subject against something else, or something else against it, which tells nothing of
    the subject alone."""
    inside = [one for one in sentence.mentions if clause.holds(one.start)]
    against = any(is_compared(sentence, one) for one in inside if one.key in strangers)
    mine = [one for one in inside if one.key in subject]
    return against or (bool(mine) and all(_THAN.search(sentence.text, 0, one.start) for one in mine))


def _said(claim: Claim, claims: Claims, sentence: Sentence, clause: Clause) -> State | None:
    """What a clause says of a claim; None where it has no word for it or words for and against."""
    yes = no = False
    for said in clause.said:
        turned = _is_turned(claim, claims, sentence, clause, said)
        wanted = [_reverse(one) for one in claim.relation] if turned else claim.relation
        if said.name in wanted:
            yes = True
        elif any(denies(said.name, one) for one in wanted) and not said.cause:
            no = no or bool(claim.object) or not said.comparative or _is_comparative(claim)
    if yes == no:
        return None
    return "carried" if yes else "contradicted"


def _is_comparative(claim: Claim) -> bool:
    """Whether the claim itself says its relation by a comparative, without naming what it compares with."""
    return any(said.comparative and said.name in claim.relation for said in said_in(claim.text))


def _is_turned(claim: Claim, claims: Claims, sentence: Sentence, clause: Clause, said: Said) -> bool:
    """Whether the object of the comparison is what the word of comparison is said of."""
    if not claim.object:
        return False
    subject, others = claims.related(claim.subject), claims.related([*claim.object])
    inside = [one for one in sentence.mentions if clause.holds(one.start) and one.key in subject | others]
    label = next((one for one in inside if one.start >= said.end), None)
    if label is not None and _LABELLED.fullmatch(sentence.text[said.end : label.start]):
        return label.key in others - subject
    before = [one for one in inside if one.end <= said.start and not is_compared(sentence, one)]
    if before:
        return before[-1].key in others - subject
    if label is not None and _BY.fullmatch(sentence.text[said.end : label.start]):
        return label.key in others - subject
    inherited = "" if inside else subject_of(sentence, sentence.mentions, clause, clause.start)
    if inherited:
        return inherited in others - subject
    behind = [one for one in inside if one.start >= said.end and is_compared(sentence, one)]
    return bool(behind) and behind[0].key in subject - others


def could_stand_for(claim: Claim, claims: Claims, sentence: Sentence, number: Number) -> bool:
    """Whether a number could be said in place of the claim's value: of its unit, in a sentence about its subject."""
    if claim.value is None or in_unit(number, claim.unit) is None or bool(number.unit) is not bool(claim.unit):
        return False
    subject = claims.related(claim.subject)
    return not subject or bool(subject & set(sentence.keys))
