"""Is the reading of a number the only one? What else its sentence may say, where material and property fit."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from pincite_provenance.claims.clauses import Clause, clauses_of
from pincite_provenance.claims.cues import same_dimensions
from pincite_provenance.claims.denials import FALL
from pincite_provenance.claims.fitting import Fit, Matcher
from pincite_provenance.claims.other_readings import may_be_compared
from pincite_provenance.claims.quantities import Quantity
from pincite_provenance.claims.sentences import Slot
from pincite_provenance.claims.terms import Term
from pincite_provenance.claims.wanted import Asked
from pincite_provenance.claims.words import contrary_time, meaning, opposites
from pincite_provenance.model import Check, CheckName

_RESPECTIVELY = re.compile(r"\brespectively\b|\bin (?:this|that) order\b", re.IGNORECASE)
_LISTED = re.compile(
    r"\s*(?:[A-Za-zμ%°/^0-9-]{0,8})?\s*(?:,|;|/|,?\s*\b(?:and|or)\b|&)\s*(?:(?:by|at|to|of|with|in|for)\s+)?(?:~|about|"
    r"approximately)?\s*"
)
"""What stands between the numbers of a list."""

_JOINS = re.compile(r"[,;]|\b(?:and|but|or|while|whereas|then|vs|versus)\b|[.]\s")
_CLAUSE = re.compile(r"[,;:.]|\b(?:and|but|while|whereas|which|that)\b")
_LEFT_OUT = re.compile(
    r"\b(?:other than|except\w*|exclud\w+|apart from|aside from|besides|remaining|the rest|all but|outside)\b",
    re.IGNORECASE,
)
_CONTROLS = re.compile(
    r"\s*(?:[\w/%]+\s+)?(?:\([^()]*\)\s*)?(?:in|for|of|among|with|by)\s+(?:the\s+|their\s+)?(?:[\w-]+\s+){0,2}?"
    r"(?P<word>controls?|placebo|sham|vehicle|untreated|wild[\s-]?type|WT|healthy|na[iï]ve|mock|uninfected)\b",
    re.IGNORECASE,
)
_WITH_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|operates?|works?|shows?|reach(?:es)?|reached|exceeds?|needs?)\b"
)
_SAYS = re.compile(
    r"\w+ed|shows?|showing|gives?|gave|exhibits?|has|had|yields?|reaches|occurs?|amounts?|stands?|lies|rose|fell|went|is"
    r"|much|higher|lower|greater|larger|smaller|least|most|highest|lowest|increases|rises|drops|falls"
)
"""Verbs that say nothing of their own between a name and its number."""

_MULTIPLE = re.compile(
    r"\b(?:twice|half|double|triple|times|-fold|exceed\w*|surpass\w*|match\w*) (?:the|that|of the)\s*(?:about |~)?$"
)
_AFTERWARDS = re.compile(r"\s*(?:\([^()]*\)\s*)?(?:before|after|prior to|following|at baseline)\b")
_SIDES = (
    (re.compile(r"\b(?:before|prior to|pre-?|until)\s*$", re.IGNORECASE),
     re.compile(r"\b(?:after|following|post-?|upon|subsequent to|once)\s*$", re.IGNORECASE)),
    (re.compile(r"\b(?:with|using|containing|including|(?:in the )?presence of)\s*$", re.IGNORECASE),
     re.compile(r"\b(?:without|w/o|lacking|excluding|no|(?:in the )?absence of)\s*$", re.IGNORECASE)),
    (re.compile(r"\b(?:above|over|outside)\s*$", re.IGNORECASE),
     re.compile(r"\b(?:below|under|beneath|inside|within)\s*$", re.IGNORECASE)),
)  # fmt: skip
"""What stands before a name and turns it round: one against the other."""

_BETWEEN = r"(?:(?:the|an?|this|these|its|their|[A-Za-z-]{3,}(?:ed|al|ic|ing|ous))\s+){0,2}$"
_FALLS_BEHIND = re.compile(
    r"^\s*(?:\w+\s)?(reduction|decrease|drop|decline|loss|fall|lower|less|fewer|smaller|shorter)\b"
)
_AHEAD = 45
_PER = re.compile(r"\s*(?:[A-Za-z-]+\s+){0,2}(?:per|each|every)\s+(?P<of>[a-z]{3,})", re.IGNORECASE)
_OUT_OF = re.compile(r"\b(?:\d+|[a-z]+)\s+out of (?:the |a total of |all )?$")
_WHOLE = re.compile(
    r"\b(?:total|all|sample|examined|analy[sz]ed|studied|tested|investigated|overall|contacted|enrolled|included|screened)\b",
    re.IGNORECASE,
)
"""Words of a claim that ask for the whole of which a part is told."""
_VERSUS = re.compile(r"\s*%?\s*(?:versus|vs\.?)\s")
_AFTER_VERSUS = re.compile(r"\b(?:versus|vs\.?)\s*$")
_COMPARED_TO = re.compile(r"\bthan\b|\bcompared (?:to|with)\b")


def other_reading(
    asked: Asked, matcher: Matcher, slot: Slot, material: Fit, property_: Fit, *, is_picked: bool = False
) -> Check | None:
    """The first other reading of the number, an unsure check: its sentence may not give it for what the claim says.
    Of values given respectively the number may be ``picked`` by the claim's words already.
    """
    sides: dict[CheckName, Fit] = {"material": material, "property": property_}
    readings = _readings(asked, matcher, slot, material, property_)
    if not is_picked:
        readings = chain(_readings_of_lists(asked, matcher, slot, material, property_), readings)
    for name, why in readings:
        if why and sides[name].terms.terms:
            return Check(name, "unsure", why)
    return None


def _readings(
    asked: Asked, matcher: Matcher, slot: Slot, material: Fit, property_: Fit
) -> Iterator[tuple[CheckName, str]]:
    """Other readings: what each speaks against, and why; "" where there is none."""
    yield "material", _in_the_sentence_before(matcher, slot, material)
    yield "material", _of_controls(asked, matcher, slot)
    yield "material", _compared(matcher, slot, material)
    yield "material", _bracketed_clause(asked, matcher, slot, material)
    yield "material", _left_out(asked, matcher, slot)
    yield "property", _other_side(asked, matcher, slot, (material, property_))
    yield "material", _opposite(asked, matcher, slot, material)
    yield "property", _opposite(asked, matcher, slot, property_)
    yield "property", _turned_sign(asked, matcher, slot)
    yield "property", _own_predicate(asked, matcher, slot, property_)
    yield "property", _per_something(asked, matcher, slot)
    yield "property", _total_of_parts(asked, matcher, slot)
    yield "material", _other_of_two(matcher, slot, (material, property_))


def _readings_of_lists(
    asked: Asked, matcher: Matcher, slot: Slot, material: Fit, property_: Fit
) -> Iterator[tuple[CheckName, str]]:
    """The same, of values whose names stand away from them; a list of as many names leaves none of these."""
    yield "property", _unpaired(matcher, slot, material, property_)
    yield "property", of_other_condition(matcher, slot, material, property_)
    yield "material", _own_head(asked, matcher, slot, material)
    yield "property", _own_head(asked, matcher, slot, property_)
    yield "material", _in_the_clause_behind(asked, matcher, slot, material)
    yield "property", _in_the_clause_behind(asked, matcher, slot, property_)


def _per_something(asked: Asked, matcher: Matcher, slot: Slot) -> str:
    """``four trials per day``, where the claim says nothing of days."""
    found = _PER.match(matcher.sentence.text, slot.quantity.end)
    if found is None or re.search(rf"(?:\bper\b|/).*{found['of'][:3]}", asked.unit, re.IGNORECASE):
        return ""
    return "" if meaning(found["of"]) & _keys(asked) else f"{slot.quantity.printed} is given per {found['of']}"


def _total_of_parts(asked: Asked, matcher: Matcher, slot: Slot) -> str:
    """``15 out of 21``, where the claim gives 21 as the part."""
    start = slot.quantity.start
    total = _OUT_OF.search(matcher.sentence.text, max(start - _AHEAD, 0), start)
    return "" if total is None or _WHOLE.search(asked.property.text) else f"{slot.quantity.printed} is a whole"


def _other_of_two(matcher: Matcher, slot: Slot, fits: Sequence[Fit]) -> str:
    """``more A … than B (62 % versus 25 %)``, where the first is claimed of B or the second of A."""
    text, mine = matcher.sentence.text, slot.quantity
    is_first = _VERSUS.match(text, mine.end) is not None
    if not is_first and _AFTER_VERSUS.search(text, max(mine.start - _AHEAD, 0), mine.start) is None:
        return ""
    bracket = text.rfind("(", 0, mine.start)
    parted = list(_COMPARED_TO.finditer(text, 0, bracket)) if bracket > 0 else []
    if not parted:
        return ""
    behind: list[bool] = []
    for fit in fits:
        for term, places in _places(matcher, fit).items():
            there = [parted[-1].end() <= at < bracket for at in places]
            behind.append(any(there))
            if is_first and all(there):
                return f"{mine.printed} is that of the other, by the order, not of {term.text!r}"
    if is_first or any(behind):
        return ""
    return f"{mine.printed} is that of the other, by the order, of which the claim says nothing"


def _keys(asked: Asked) -> frozenset[str]:
    return frozenset(key for term in (*asked.material.terms, *asked.property.terms) for key in term.keys)


def _rivals(matcher: Matcher, slot: Slot) -> list[Slot]:
    return [s for s in matcher.sentence.slots if s is not slot and may_be_compared(slot.quantity, s.quantity)]


def _places(matcher: Matcher, fit: Fit) -> dict[Term, list[int]]:
    """Where the telling terms with the number stand; those that only the unit or the paper says are left out."""
    places = {term: matcher.places(term, fit.terms) for term in fit.bound if not term.light}
    return {term: found for term, found in places.items() if found}


def _unpaired(matcher: Matcher, slot: Slot, material: Fit, property_: Fit) -> str:
    """Several values given respectively: a list must give this one to a name of the claim."""
    sentence = matcher.sentence
    start = sentence.segment_start(slot)
    segment = sentence.segment(slot)
    if not _RESPECTIVELY.search(segment):
        return ""
    inside = [s for s in _rivals(matcher, slot) if start <= s.quantity.start < start + len(segment)]
    mine = list_around(sentence.text, slot.quantity, [s.quantity for s in inside])
    others = [s.quantity for s in inside if s.quantity not in mine]
    if not inside or (len(mine) < 2 and any(len(list_around(sentence.text, q, others)) > 1 for q in others)):
        return ""
    if len(mine) > 1 and _paired_conditions(matcher, mine, slot, material, property_):
        return ""
    places = [at for fit in (material, property_) for found in _places(matcher, fit).values() for at in found]
    for items in sentence.items:
        number = slot.quantity.start
        index = next((k for k, (low, high) in enumerate(items.elements) if low <= number < high), -1)
        if index >= 0 and any(items.names[index][0] <= at < items.names[index][1] for at in places):
            return ""
    return f"several values are given respectively, and {slot.quantity.printed} could not be paired with a name"


def list_around(text: str, quantity: Quantity, others: Sequence[Quantity]) -> list[Quantity]:
    """The numbers that stand in one list with ``quantity``, itself among them, with a list's words between only."""
    ordered = sorted({q.start: q for q in (*others, quantity)}.values(), key=lambda q: q.start)
    runs: list[list[Quantity]] = []
    for each in ordered:
        if runs and _LISTED.fullmatch(text, runs[-1][-1].end, each.start):
            runs[-1].append(each)
        else:
            runs.append([each])
    return next(run for run in runs if quantity in run)


def _paired_conditions(
    matcher: Matcher, mine: Sequence[Quantity], slot: Slot, material: Fit, property_: Fit
) -> bool | None:
    """Whether a number of the claim's names has the same place in a list as long; None where there is no such list."""
    quantities = [q for q in matcher.sentence.quantities if not q.word]
    for term in (*material.terms.terms, *property_.terms.terms):
        for given in quantities:
            if term.number is None or given.value != term.number or given in mine:
                continue
            alike = [q for q in quantities if q is not given and q not in mine and (q.unit in ("", given.unit))]
            names = list_around(matcher.sentence.text, given, alike)
            if len(names) == len(mine) > 1:
                return names.index(given) == mine.index(slot.quantity)
    return None


def of_other_condition(matcher: Matcher, slot: Slot, material: Fit, property_: Fit) -> str:
    """A number of the claim's names (``at 700 °C``) must be the one that goes with the value, where there are more."""
    text, number = matcher.sentence.text, slot.quantity
    mine = list_around(text, number, [s.quantity for s in _rivals(matcher, slot)])
    paired = _paired_conditions(matcher, mine, slot, material, property_) if len(mine) > 1 else None
    if paired is not None:
        return "" if paired else f"{number.printed} goes with another of the numbers given respectively"
    quantities = [q for q in matcher.sentence.quantities if q.start != number.start and not q.word]
    for term in (*material.terms.terms, *property_.terms.terms):
        mine = [q for q in quantities if q.value == term.number]
        if term.number is None or not mine:
            continue
        others = [q for q in quantities if q.value != term.number and _one_kind(q.unit, mine[0].unit)]
        others = [q for q in others if not _one_kind(q.unit, number.unit) or q.unit]
        if not others or not mine[0].unit or _one_kind(mine[0].unit, number.unit):
            continue
        conditions = sorted((*mine, *others), key=lambda q: q.start)
        values = [number, *(s.quantity for s in _rivals(matcher, slot))]
        behind = min(q.start for q in values) < conditions[0].start
        if behind:
            near = next((q for q in conditions if q.start > number.start), None)
        else:
            near = next((q for q in reversed(conditions) if q.start < number.start), None)
        if near is not None and near.value != term.number:
            return f"{near.printed} stands with {number.printed}, not {term.text}: {text[near.start : near.end]!r}"
    return ""


def _one_kind(a: str, b: str) -> bool:
    return a == b or bool(a and b and same_dimensions(a, b))


def _own_head(asked: Asked, matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """Words of the number's own between it and a number before (``… at 160 °C and calcination at 500 °C``), where all
    of the claim's words stand with the one before.
    """
    sentence = matcher.sentence
    start = sentence.segment_start(slot)
    earlier = [s for s in _rivals(matcher, slot) if start <= s.quantity.start < slot.quantity.start]
    places = _places(matcher, fit)
    if not earlier or not places or slot.bracket is not None:
        return ""
    last = max(s.quantity.end for s in earlier)
    gap = sentence.flat(last, slot.quantity.start)
    joins = list(_JOINS.finditer(gap))
    if not joins or not any(all(at < last for at in found) for found in places.values()):
        return ""
    unknown = matcher.unexplained(slot, [asked.material, asked.property])
    own = [w.text for w in unknown if last + joins[0].end() <= w.start < slot.quantity.start]
    own = [word for word in own if not _SAYS.fullmatch(word)]
    return f"{slot.quantity.printed} stands with {' '.join(own[:3])}" if own else ""


def _in_the_sentence_before(matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """All of the material's words stand in a sentence before, with a number there that could be the value."""
    start = matcher.sentence.segment_start(slot)
    places = _places(matcher, fit)
    in_bracket = slot.bracket is not None and slot.bracket[0] < start
    if not start or in_bracket or not places or any(at >= start for found in places.values() for at in found):
        return ""
    rivals = [s.quantity.printed for s in _rivals(matcher, slot) if s.quantity.start < start]
    if rivals:
        return f"the sentence before, which names {fit.terms.text!r}, gives {rivals[0]}"
    sibling = _sibling(matcher.sentence.segment(slot), fit)
    return f"the sentence before names {fit.terms.text!r}, that of {slot.quantity.printed} {sibling}" if sibling else ""


def _sibling(text: str, fit: Fit) -> str:
    """A name in the text that differs from one of the material's in its digits only (``MKP123`` for ``MKP122``)."""
    for term in fit.bound:
        if any(map(str.isdigit, term.text)) and any(map(str.isalpha, term.text)):
            alike = re.compile(r"\d+".join(re.escape(part) for part in re.split(r"\d+", term.text)), re.IGNORECASE)
            found = next((word for word in re.findall(r"[\w-]+", text) if alike.fullmatch(word)), "")
            if found:
                return found
    return ""


def _of_controls(asked: Asked, matcher: Matcher, slot: Slot) -> str:
    """Controls named directly behind the number, which the claim does not name."""
    found = _CONTROLS.match(matcher.sentence.text, slot.quantity.end)
    if found is None:
        return ""
    unknown = {w.start for w in matcher.unexplained(slot, [asked.material, asked.property])}
    return f"{slot.quantity.printed} is given{found[0]}" if found.start("word") in unknown else ""


def _bracketed_clause(asked: Asked, matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """A bracket that is a clause of its own (``(SOFCs operate at 800 °C)``) with another subject."""
    if slot.bracket is None:
        return ""
    low = slot.bracket[0]
    verb = _WITH_VERB.search(matcher.sentence.text, low, slot.quantity.start)
    if verb is None or all(any(low < at for at in found) for found in _places(matcher, fit).values()):
        return ""
    known = [term for terms in (asked.material, asked.property) for term in terms.terms]
    words = [w for w in matcher.sentence.words if low < w.start < verb.start() and not w.stop and not w.light]
    words = [w for w in words if not any(w.keys & term.keys for term in known)]
    return f"the bracket with {slot.quantity.printed} is about {words[0].text}" if words else ""


def _left_out(asked: Asked, matcher: Matcher, slot: Slot) -> str:
    """What the claim leaves out (``other than the first``), where the sentence leaves out nothing."""
    said = _LEFT_OUT.search(asked.names())
    if said is None or _LEFT_OUT.search(matcher.sentence.segment(slot)):
        return ""
    return f"the sentence leaves out nothing, the claim says {said[0]!r}"


def _other_side(asked: Asked, matcher: Matcher, slot: Slot, fits: tuple[Fit, ...]) -> str:
    """``before reduction`` in the claim where the sentence has ``after reduction`` only, and the like."""
    text = matcher.sentence.text
    behind = _AFTERWARDS.match(text, slot.quantity.end)
    if behind is not None:
        said = contrary_time(asked.names(), behind[0])
        if said:
            return f"{slot.quantity.printed} is given for {said!r}"
    for fit in fits:
        claimed = fit.terms.text
        for term in fit.bound:
            at = claimed.find(term.text)
            places = matcher.places(term, fit.terms)
            if at < 0 or not places:
                continue
            for sides in _SIDES:
                for side, other in (sides, sides[::-1]):
                    if not _stands_before(side, claimed, at):
                        continue
                    if any(_stands_before(side, text, place) for place in places):
                        continue
                    turned = [place for place in places if _stands_before(other, text, place)]
                    if turned:
                        return (
                            f"the sentence has {term.text!r} on the other side: {text[max(turned[0] - 20, 0) :][:40]!r}"
                        )
    return ""


def _stands_before(side: re.Pattern[str], text: str, at: int) -> bool:
    """Whether one of the words stands before ``at``, an article or adjective between at most."""
    before = re.sub(_BETWEEN, "", text[max(at - _AHEAD, 0) : at])
    return side.search(before) is not None


def _own_predicate(asked: Asked, matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """A share with a predicate of its own (``and 25 % show X``), where the claim's words stand in the clause before."""
    sentence, number = matcher.sentence, slot.quantity
    places = _places(matcher, fit)
    start = sentence.segment_start(slot)
    cuts = [m.end() for m in _CLAUSE.finditer(sentence.flat(start, number.start))]
    if not cuts or not places or number.unit != "%" or slot.bracket is not None:
        return ""
    cut = start + cuts[-1]
    if any(at >= cut for found in places.values() for at in found):
        return ""
    end = _CLAUSE.search(sentence.text, number.end)
    high = end.start() if end else len(sentence.text)
    unknown = [
        w.text for w in matcher.unexplained(slot, [asked.material, asked.property]) if number.end <= w.start < high
    ]
    return f"{number.printed} stands with {' '.join(unknown[:3])}" if unknown else ""


def _opposite(asked: Asked, matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """A word of the number's sentence that excludes one of the terms that stand in another sentence."""
    start = matcher.sentence.segment_start(slot)
    words = matcher.unexplained(slot, [asked.material, asked.property])
    for term in fit.bound:
        places = matcher.places(term, fit.terms)
        if places and all(at < start for at in places):
            excluded = opposites(term.text)
            for word in words:
                if word.start >= start and meaning(word.text) & excluded:
                    return f"the sentence says {word.text!r}, the claim {term.text!r}"
    return ""


def _is_within(text: str, mark: re.Match[str], clause: Clause) -> bool:
    """Whether an "and" joins two names of one clause, or a comma or point stands before a number."""
    if mark[0] == "and":
        return mark.end() < clause.end
    return mark[0] in (",", ".") and re.match(r"\s?\d", text[mark.end() :]) is not None


def _in_the_clause_behind(asked: Asked, matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """A name that stands behind the number in the next clause only, where the number's clause has another."""
    sentence, number = matcher.sentence, slot.quantity
    flat = sentence.flat(0, len(sentence.text))
    clause = clauses_of(sentence.text).of(number.start)
    ends = (m for m in _CLAUSE.finditer(flat, number.end) if not _is_within(flat, m, clause))
    end = next(ends, None)
    if end is None or slot.bracket is not None:
        return ""
    late = [t for t, found in _places(matcher, fit).items() if all(at >= end.end() for at in found)]
    cuts = [m.end() for m in _CLAUSE.finditer(flat, 0, number.start)]
    low = cuts[-1] if cuts else 0
    unknown = [
        w.text for w in matcher.unexplained(slot, [asked.material, asked.property]) if low <= w.start < end.start()
    ]
    if not late or not unknown:
        return ""
    return f"{late[0].text} stands in the clause behind, {' '.join(unknown[:3])} with the number"


def _turned_sign(asked: Asked, matcher: Matcher, slot: Slot) -> str:
    """``reduced by 0.04``, where the claim gives a change of +0.04: words give the number its sign."""
    before = matcher.sentence.text[matcher.sentence.segment_start(slot) : slot.quantity.start]
    falls = FALL.findall(before) + _FALLS_BEHIND.findall(matcher.sentence.text[slot.quantity.end :][:_AHEAD])
    is_change = asked.words.startswith("+") or re.search(r"\bchanges?\b", asked.property.text, re.IGNORECASE)
    if not is_change or not falls or slot.quantity.value < 0 or FALL.search(asked.property.text):
        return ""
    return f"the sentence says {falls[-1]!r}, the claim gives a change of {slot.quantity.value:g}"


def _compared(matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """A number that something is compared with (``larger than the 10.8 of B``, ``twice the 24 % of B``)."""
    sentence, number = matcher.sentence, slot.quantity
    before = sentence.text[max(number.start - 30, 0) : number.start]
    if _MULTIPLE.search(before):
        return f"something is compared with {number.printed}"
    places = _places(matcher, fit).values()
    if number.bound or not places or not sentence.is_apart(number.start):
        return ""
    outside = all(not sentence.is_apart(at) for found in places for at in found)
    return f"{number.printed} stands in what {fit.terms.text} is compared with" if outside else ""
