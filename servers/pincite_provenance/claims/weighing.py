"""Weighing: how much the whole of a sentence speaks for a number being the claimed one, as a sum of weak signals.

The rules around it say *unsure* for what any one of them sees. What no single rule sees is a number that fits
the claim poorly everywhere: a few of its words in the clause, some elsewhere in the paper, other words beside the
number, another number that fits nearly as well. The signals are shares and yes-or-no answers; their weights are those
of a logistic regression on claims of known truth (``tests/benchmarks/claims_weights.py`` fits and cross-validates
them).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pincite_provenance.claims.clauses import Clause, clauses_of
from pincite_provenance.claims.fitting import Fit, Matcher
from pincite_provenance.claims.sentences import Slot
from pincite_provenance.claims.terms import Term
from pincite_provenance.claims.weights import WEIGHTS
from pincite_provenance.claims.words import Word

_MOST_WORDS = 10
"""Words beside the number that no term explains, from which on more of them say no more: set by judgement."""
_WIDEST = 0.5
"""Lead over the next number, in shares of the claim's terms, from which on more says no more: set by judgement."""

LEAST_WEIGHT = 0.2
"""Logarithm of the odds that a claim must reach beside the rules. Of the prose claims written from papers, with weights
fitted to other documents, 265 of 359 true ones reach it and 79 of 368 false ones (``claims_weights.py``)."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of a number: its fits, those of its rivals, the words beside it, the cues."""

    matcher: Matcher
    slot: Slot
    material: Fit
    property: Fit
    is_role_asked: bool
    """Whether the claim asks for what a label says of the number (``n``, ``P``); true without a label."""
    rivals: tuple[tuple[Fit, Fit], ...]
    """Material and property of each other number of the sentence that could be the value."""
    unexplained: tuple[Word, ...]
    is_near: Callable[[Term], bool]
    """Whether what stands around the sentence names a term."""
    is_in_paper: Callable[[Term], bool]
    cues: tuple[str, ...]
    is_contrary: bool
    """Whether a word beside the number excludes one of the property's."""
    picked: bool | None
    """Whether a list gives the number to the claim's words; None where there is no list."""


def signals(seen: Seen) -> dict[str, float]:
    """The signals by name, each between 0 and 1 (the lead between -0.5 and 0.5)."""
    clause = clauses_of(seen.matcher.sentence.text).of(seen.slot.quantity.start)
    beside = sum(clause.has(word.start) for word in seen.unexplained)
    found = {
        "another role": float(not seen.is_role_asked),
        "words beside": min(beside, _MOST_WORDS) / _MOST_WORDS,
        "picked from a list": float(seen.picked is True),
        "another of the list": float(seen.picked is False),
        "contrary word": float(seen.is_contrary),
        "bound": float(bool(seen.slot.quantity.bound)),
    }
    lead = _lead(seen)
    found |= {"lead": lead, "tied": float(abs(lead) < 0.05), "behind": float(lead <= -0.05)}
    for name, fit in (("material", seen.material), ("property", seen.property)):
        found |= {f"{name} {each}": value for each, value in _coverage(seen, fit, clause).items()}
    return found | {f"cue: {name}": 1.0 for name in seen.cues}


def weight_of(seen: Seen) -> float:
    """The logarithm of the odds that the claim is true of the number, by the weights of ``weights.py``."""
    return WEIGHTS[""] + sum(WEIGHTS.get(name, 0.0) * value for name, value in signals(seen).items())


def _lead(seen: Seen) -> float:
    """By how much the number fits better than the best of the others, in shares of the terms."""
    if not seen.rivals:
        return _WIDEST
    mine = _fitting(seen.material) + _fitting(seen.property)
    best = max(_fitting(material) + _fitting(named) for material, named in seen.rivals)
    return max(-_WIDEST, min(mine - best, _WIDEST))


def _fitting(fit: Fit) -> float:
    return fit.score / (fit.terms.total or 1.0)


def _coverage(seen: Seen, fit: Fit, clause: Clause) -> Mapping[str, float]:
    """Where the telling terms of a material or property are: shares of them; one without such terms (``number``) is
    said by any number.
    """
    terms = [term for term in fit.terms.terms if not term.light]
    if not terms:
        return {"in clause": 1.0, "in sentence": 1.0, "bound": 1.0}
    total = sum(term.weight for term in terms) or 1.0
    places = {term: seen.matcher.places(term, fit.terms) for term in terms}
    said = [term for term in terms if places[term] or term.keys & seen.matcher.implied]
    in_clause = [term for term in said if not places[term] or any(map(clause.spans, places[term]))]
    rest = [term for term in terms if term not in said]
    near = [term for term in rest if seen.is_near(term)]
    elsewhere = [term for term in rest if term not in near and seen.is_in_paper(term)]
    shares = {"in clause": in_clause, "in sentence": said, "near": near, "elsewhere": elsewhere}
    found = {name: sum(term.weight for term in group) / total for name, group in shares.items()}
    return found | {
        "bound": fit.share(fit.bound),
        "foreign": fit.share(fit.foreign),
    }
