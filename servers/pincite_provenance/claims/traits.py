"""Traits: what speaks for and against a number being the claimed one, as figures that a score weighs."""

import math
import re
from collections.abc import Sequence

from pincite_provenance.claims.doubts import Doubt
from pincite_provenance.claims.fitting import Fit, Matcher
from pincite_provenance.claims.paper_words import PaperWords, paper_words_of
from pincite_provenance.claims.prose_check import ProseCheck
from pincite_provenance.claims.quantities import Quantity
from pincite_provenance.claims.roles import role_of
from pincite_provenance.claims.sentences import Slot
from pincite_provenance.claims.table_check import TableCheck
from pincite_provenance.claims.tablecells import Place
from pincite_provenance.claims.terms import Term
from pincite_provenance.claims.words import Word
from pincite_provenance.model import Check

Traits = dict[str, float]

_RAREST = 0.002
"""A share of the paper's text below which a word counts as found once."""

_NO_RIVAL = 2.0
"""The lead over other numbers where there are none; leads are cut there."""

_OWN = 0.9
_ALIKE = 0.5
"""Leads, in terms, below which another number fits a side of the claim about as well."""

_HEAD = re.compile(r"\s*(?:\([^()]*\)\s*)?([A-Za-z][\w-]+)")
_BEFORE = re.compile(r"([A-Za-z][\w-]+)\s+(?:of|was|were|is|are|=|:|at|to)?\s*(?:about |approximately |~|only )?$")
_MOST_CELLS = 600


def of_doubts(checks: Sequence[Check]) -> Traits:
    """The kinds of doubts among the checks, and how many do not hold."""
    traits: Traits = {f"doubt: {check.kind}": 1.0 for check in checks if isinstance(check, Doubt)}
    traits["doubts"] = float(sum(check.verdict == "unsure" for check in checks))
    traits["failures"] = float(sum(check.verdict == "fails" for check in checks))
    traits["value holds"] = float(checks[0].verdict == "holds")
    return traits


def of_prose(check: ProseCheck, quantity: Quantity) -> Traits:
    """The traits of a number of a sentence."""
    role = role_of(check.evidence.text, quantity)
    matcher = check.matcher(role)
    slot = next((s for s in matcher.sentence.slots if s.quantity.start == quantity.start), None)
    if slot is None:
        return {}
    words = paper_words_of.of(check.paper)
    material = matcher.fit(check.asked.material, slot, name=True)
    property_ = matcher.fit(check.asked.property, slot, matcher.acting_verb(slot))
    traits: Traits = {"another role": float(bool(role) and not check.asked.asks_for(role))}
    traits |= _of_side("material", check, material, words)
    traits |= _of_side("property", check, property_, words)
    traits |= _of_rivals(check, matcher, slot, (material, property_))
    traits |= _of_other_words(check, matcher, slot)
    sentence = matcher.sentence
    traits["respectively"] = float("respectively" in sentence.text)
    traits["value twice"] = float(sum(q.value == quantity.value for q in sentence.quantities) > 1)
    traits["one end"] = float(quantity.other_end is not None and len(check.asked.numbers) < 2)
    traits["left out"] = float(sentence.is_apart(quantity.start))
    return traits


def _rarity(term: Term, words: PaperWords) -> float:
    """How much a term tells in this paper: 1 for a heavy one that stands nowhere else, 0 for one that is everywhere."""
    return term.weight * math.log(max(words.share(term.keys), _RAREST)) / math.log(_RAREST)


def _of_side(side: str, check: ProseCheck, fit: Fit, words: PaperWords) -> Traits:
    if not fit.terms.terms:
        return {}
    near = [term for term in fit.absent if check.is_near(term)]
    gone = [term for term in fit.absent if term not in near]
    elsewhere = [term for term in gone if words.share(term.keys) > 0]
    rarities = {term: _rarity(term, words) for term in fit.terms.terms}
    total = sum(rarities.values()) or 1.0
    return {
        f"{side} bound": sum(rarities[term] for term in fit.bound) / total,
        f"{side} foreign": fit.share(fit.foreign),
        f"{side} rare words foreign": sum(rarities[term] for term in fit.foreign),
        f"{side} near": fit.share(near),
        f"{side} elsewhere": fit.share(elsewhere),
        f"{side} rare words elsewhere": sum(rarities[term] for term in elsewhere),
        f"{side} nowhere": fit.share([term for term in gone if term not in elsewhere]),
        f"{side} numbers elsewhere": float(sum(t.number is not None for t in (*gone, *fit.foreign))),
    }


def _of_rivals(check: ProseCheck, matcher: Matcher, slot: Slot, fits: tuple[Fit, Fit]) -> Traits:
    """By how much the number leads others that could be the value."""
    leads: list[tuple[float, float]] = []
    for other in matcher.sentence.slots:
        if other is slot or not check.could_be(slot.quantity, other.quantity):
            continue
        theirs = (matcher.fit(check.asked.material, other, name=True), matcher.fit(check.asked.property, other))
        leads.append((fits[0].score - theirs[0].score, fits[1].score - theirs[1].score))
    return {
        "rivals": float(min(len(leads), 8)),
        "lead": min((m + p for m, p in leads), default=_NO_RIVAL),
        "material lead": min((m for m, p in leads if p < _ALIKE), default=_NO_RIVAL),
        "property lead": min((p for m, p in leads if m < _ALIKE), default=_NO_RIVAL),
    }


def _of_other_words(check: ProseCheck, matcher: Matcher, slot: Slot) -> Traits:
    """Words with the number that the claim does not have: another reading of it."""
    sentence, quantity = matcher.sentence, slot.quantity
    unknown = matcher.unexplained(slot, [check.asked.material, check.asked.property])
    own = [word for word in unknown if sentence.weight(slot, word.start) >= _OWN]
    starts = {word.start for word in unknown}
    content = [
        word
        for word in sentence.words
        if not (word.stop or word.light) and not any(q.start <= word.start < q.end for q in sentence.quantities)
    ]
    before = [word for word in content if word.start < quantity.start][-3:]
    head = _HEAD.match(sentence.text, quantity.end)
    low = max(quantity.start - 50, 0)
    subject = _BEFORE.search(sentence.text[low : quantity.start])
    return {
        "other words": float(min(len(own), 12)),
        "other names": float(min(sum(word.entity for word in own), 6)),
        "other capitals": float(min(sum(word.text[:1].isupper() and word.start > 0 for word in own), 6)),
        "other words before": float(sum(word.start in starts for word in before)),
        "other word behind": float(head is not None and _at(sentence.words, head.start(1)) in starts),
        "other word ahead": float(subject is not None and _at(sentence.words, low + subject.start(1)) in starts),
    }


def _at(words: Sequence[Word], at: int) -> int:
    """Where the word begins that stands at ``at``, -1 for a word that names nothing."""
    return next((word.start for word in words if word.start <= at < word.end and not word.stop), -1)


def of_cell(check: TableCheck, place: Place) -> Traits:
    """The traits of a number of a table's cell."""
    mine, fewer, _ = check.fit(place.cell, place)
    traits: Traits = {"table": 1.0}
    rows: list[float] = []
    elsewhere: list[float] = []
    for other in list(place.grid.values())[:_MOST_CELLS]:
        if " ".join(other.text.split()) == " ".join(place.cell.text.split()):
            continue
        theirs, more, _ = check.fit(other, place)
        lead = mine - theirs + 0.1 * (fewer - more)
        (rows if other.row == place.cell.row else elsewhere).append(lead)
    traits["row lead"] = min(rows, default=_NO_RIVAL)
    traits["table lead"] = min(elsewhere, default=_NO_RIVAL)
    traits["cells as good in the row"] = float(min(sum(abs(lead) < 0.05 for lead in rows), 5))
    total = check.asked.material.total + check.asked.property.total
    traits["labels"] = mine / (total or 1.0)
    return traits
