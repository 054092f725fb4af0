"""Other readings of a number: words of its sentence that make it another name's, another clause's, another value."""

import re

from pincite_materials.units import convert, known
from pincite_provenance.claims.fitting import Fit, Matcher
from pincite_provenance.claims.quantities import Quantity, find_quantities
from pincite_provenance.claims.sentences import Slot
from pincite_provenance.claims.terms import Term
from pincite_provenance.claims.wanted import Asked
from pincite_provenance.claims.words import meaning, negates, opposites

_CONTROLS = re.compile(
    r"(?:controls?|placebo|untreated|sham|vehicle|baseline|na[iï]ve|wild|WT|healthy|mock)$", re.IGNORECASE
)
_PLACED = re.compile(r"\s*(?P<preposition>in|for|among)\s+(?:the\s+)?(?P<word>[A-Za-z][\w-]{2,})")
_OWN_NUMBER = re.compile(r"(?:\s+[a-z-]{2,}){0,2}\s*\(\s*(?:n\s*=\s*|~\s*)?\d")
"""A number in brackets directly behind a name, which is that name's."""
_DEGREE = re.compile(
    r"(?:high|low|wide|narrow|large|small|great|long|short|maxim|minim|free|reliabl|least|most|single|total|overall|mean|median|average|initial|final|experienc|suffer|report|show|adult)\w*$",
    re.IGNORECASE,
)
"""Words of degree before a noun: the thing stays the same."""
_DEED = re.compile(r"\b(?:was|were|been)\s+$")
_TOTAL = re.compile(
    r"(?:(?:^|[,;(.]\s*)(?:[Oo]ut\s+)?[Oo]f\s+|\bout of\s+|\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|none)\s+of\s+)"
    r"(?:the\s+|these\s+|all\s+|a total of\s+)?$"
)
"""What stands before a total of which another number is a part: ``Of the 22 mice, 20 survived``."""
_PART = re.compile(
    r"\s*(?:\([^()]*\)\s*)?(?:were|was|had|have|has|are|is|did|died|survived|developed|showed|received)\b"
)
"""What stands behind a part of a total named before: ``of these 24 were recaptured``."""


_NUMBER_OF = re.compile(r"numbers?|counts?|total")
_SHARE_OF = re.compile(r"concentrations?|contents?|amount|level|proportion|percentage")
_NOUN_PHRASE = re.compile(
    r"\s*(?:w/v\s+|v/v\s+)?(?P<noun>(?:[A-Za-z][\w'-]*\s?){1,4}?)(?=\s*(?:[.,;:()\[]|$|\b(?:in|at|of|for|on|from"
    r"|with|by|to|and|or|were|was|are|is|had|have|who|which|that|per|distributed|over|within|across|among)\b))"
)
_LINKS = re.compile(r"(?:compared|versus|against|about|approximately|only|nearly|almost)$", re.IGNORECASE)
"""Words before a number in brackets that call it nothing."""
_CLAUSE_MARK = re.compile(r"[,;:.]\s|\b(?:and|but|while|which|who|that|whereas|although)\b")
_PART_OF = re.compile(r"\b(?:of|than|out of|about|first|last|another)\s+(?:the |these |those |a total of )?$")


def names_with_numbers(asked: Asked, text: str) -> frozenset[int]:
    """Where numbers of the sentence stand that the claim has in its names (``0.2 % chlorhexidine``), and others in
    the same unit; not those that could be the value."""
    numbers = {t.number for t in (*asked.material.terms, *asked.property.terms) if t.number is not None}
    quantities = find_quantities(text)
    values = [q for q in quantities if q.value in asked.numbers]
    units = {q.unit for q in quantities if q.value in numbers and q.unit}
    units -= {q.unit for q in values}
    measured = bool(asked.unit) and known(asked.unit)
    brackets = [m.span() for m in re.finditer(r"\([^()]*\)", text)] if measured else []
    aside = {
        q.start
        for q in quantities
        if any(low < q.start < high for low, high in brackets) and not any(may_be_compared(v, q) for v in values)
    }
    return frozenset(
        q.start
        for q in quantities
        if q not in values
        and (
            (_TOTAL.search(text, max(q.start - 30, 0), q.start) and not _PART.match(text, q.end))
            or q.start in aside
            or q.value in numbers
            or q.unit in units
            or (measured and q.word and q.unit != asked.unit)
        )
    )


def in_the_clause_before(matcher: Matcher, slot: Slot, fit: Fit) -> list[Term]:
    """The terms that stand in the clause before the number's own only."""
    start = matcher.sentence.clause(slot)
    places = {term: matcher.places(term, fit.terms) for term in fit.bound}
    return [term for term, found in places.items() if found and all(at < start for at in found)]


def contrary_word(asked: Asked, matcher: Matcher, slot: Slot, terms: tuple[Term, ...]) -> tuple[str, str] | None:
    """A word with the number that excludes one of the terms, and the term."""
    words = matcher.unexplained(slot, [asked.material, asked.property])
    for term in terms:
        excluded = opposites(term.text)
        for word in words:
            if meaning(word.text) & excluded or negates(word.text, term.text):
                return word.text, term.text
    return None


def of_another_sentence(matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """The property's words, where they stand before the number's sentence only and with a number there."""
    start = matcher.sentence.segment_start(slot)
    telling = [term for term in fit.bound if not term.light and matcher.places(term, fit.terms)]
    far = [term for term in telling if all(at < start for at in matcher.places(term, fit.terms))]
    owned = any(owner is not slot for term in far for owner in matcher.owners(term, fit.terms))
    return " ".join(term.text for term in far) if telling and far == telling and owned else ""


def with_own_number(matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """The bound name behind the number that another number stands behind in brackets, "" for none."""
    telling = [term for term in fit.bound if not term.light]
    if slot.bracket is not None or not telling:
        return ""
    text = matcher.sentence.text
    for term in telling:
        places = matcher.places(term, fit.terms)
        if not places or not all(at > slot.quantity.end for at in places):
            return ""
    last = max(at for term in telling for at in matcher.places(term, fit.terms))
    end = next((m.end() for m in re.finditer(r"[\w-]+", text) if m.start() <= last < m.end()), last)
    return text[last:end] if _OWN_NUMBER.match(text, end) else ""


def other_place(asked: Asked, matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """``in spleen`` behind the number, where all that is bound stands behind the same preposition before it."""
    text = matcher.sentence.text
    behind = _PLACED.match(text, slot.quantity.end)
    if behind is None or slot.bracket is not None:
        return ""
    unknown = {w.start for w in matcher.unexplained(slot, [asked.material, asked.property])}
    if behind.start("word") not in unknown:
        return ""
    places = [at for term in fit.bound if not term.light for at in matcher.places(term, fit.terms)]
    pattern = rf"\b{behind['preposition']}\s+(?:the\s+)?(?:[\w-]+\s+){{0,2}}$"
    last = [at for at in places if re.search(pattern, text[max(at - 40, 0) : at])]
    return behind[0].strip() if last and all(at < slot.quantity.start for at in places) else ""


def label_of(asked: Asked, matcher: Matcher, slot: Slot) -> str:
    """What a number in brackets is called there, where the claim has none of these words, "" for nothing."""
    if slot.bracket is None:
        return ""
    text = matcher.sentence.text
    inside = re.search(r"[A-Za-z][^,;()\d]*$", text[slot.bracket[0] + 1 : slot.quantity.start])
    if inside is None:
        return ""
    start = slot.bracket[0] + 1 + inside.start()
    words = [
        w
        for w in matcher.sentence.words
        if start <= w.start < slot.quantity.start and not w.stop and len(w.text) > 2 and not _LINKS.match(w.text)
    ]
    unknown = {w.start for w in matcher.unexplained(slot, [asked.material, asked.property])}
    return words[-1].text if words and all(w.start in unknown for w in words) else ""


def said_instead(asked: Asked, matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """What the sentence says where it lacks a word of the property, "" for nothing: a noun before the property's own
    (``spleen weight`` for the liver's), another deed (``were tagged`` for recaptured)."""
    absent = [term for term in fit.absent if not term.light]
    if not absent:
        return ""
    text = matcher.sentence.text
    heads = {at for term in fit.bound for at in matcher.places(term, fit.terms)}
    is_deed = any(term.text.endswith("ed") for term in absent)
    for word in matcher.unexplained(slot, [asked.material, asked.property]):
        behind = re.match(r"[ -]", text[word.end :])
        if (
            behind
            and word.end + 1 in heads
            and not _DEGREE.match(word.text)
            and not word.text.endswith(("ed", "ing", "ly", "al", "s", "ory", "ary", "ous", "ive"))
        ):
            noun = re.match(r"\w*", text[word.end + 1 :])
            return text[word.start : word.end + 1] + (noun[0] if noun else "")
        done = _DEED.search(text, max(word.start - 12, 0), word.start)
        if is_deed and done and word.text.endswith("ed"):
            return done[0] + word.text
    return ""


def control_word(asked: Asked, matcher: Matcher, slot: Slot) -> str:
    """A word with the number that says it is of the controls, where the claim does not say so, "" for none."""
    words = matcher.unexplained(slot, [asked.material, asked.property])
    words = [word for word in words if not matcher.sentence.is_apart(word.start)]
    return next((w.text for w in words if _CONTROLS.match(w.text)), "")


def other_clause(asked: Asked, matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """The subject of the number's own clause, where terms of the property stand in the clause before only."""
    sentence = matcher.sentence
    start = sentence.clause(slot)
    earlier = [
        t for t in fit.bound if not t.light and all(at < start for at in matcher.places(t, fit.terms) or [start])
    ]
    if not earlier or start <= sentence.element(slot)[0]:
        return ""
    words = matcher.unexplained(slot, [asked.material, asked.property])
    subject = [w.text for w in words if start <= w.start < slot.quantity.start and not w.text.endswith("ed")]
    if 2 * fit.share(earlier) <= fit.share(fit.bound):
        return ""
    return " ".join(subject[:3])


def amount_of(asked: Asked, matcher: Matcher, slot: Slot, fit: Fit) -> str:
    """What a number directly before its noun counts or measures out (``143 markers``, ``4% paraformaldehyde``), where
    the claim asks for just that, the number or concentration of what the noun names; "" where it does not.
    """
    number = slot.quantity
    if number.unit and not number.unit.endswith("%"):
        return ""
    asking = _SHARE_OF if number.unit else _NUMBER_OF
    absent = [term for term in fit.terms.terms if not matcher.places(term, fit.terms)]
    if not absent or not all(asking.fullmatch(term.text.lower()) for term in absent):
        return ""
    text = matcher.sentence.text
    ends = [mark.start() for mark in _CLAUSE_MARK.finditer(text, number.end)]
    starts = [mark.end() for mark in _CLAUSE_MARK.finditer(text, 0, number.start)]
    low, high = max(starts, default=0), min(ends, default=len(text))
    if any(not any(low <= at < high for at in matcher.places(term, asked.material)) for term in asked.material.terms):
        return ""
    phrase = _NOUN_PHRASE.match(matcher.sentence.text, number.end)
    if phrase is None or _PART_OF.search(matcher.sentence.text, max(number.start - 30, 0), number.start):
        return ""
    low, high = phrase.span("noun")
    words = [word for word in matcher.sentence.words if low <= word.start < high and not word.stop]
    sides = (asked.material, asked.property)
    places = {at for terms in sides for term in terms.terms for at in matcher.places(term, terms)}
    if not words or words[-1].start not in places or any(word.start not in places for word in words[:1]):
        return ""
    return phrase["noun"]


def is_placed(matcher: Matcher, fit: Fit) -> bool:
    """Whether a word of the sentence names some of the material or property, not only the unit or the paper."""
    return any(matcher.places(term, fit.terms) for term in fit.bound if not term.light) or not any(
        not term.light for term in fit.terms.terms
    )


def may_be_compared(a: Quantity, b: Quantity) -> bool:
    """Whether another number may be a value of the same property: units that convert, other number, no end of the
    same range."""
    if a.value == b.value and a.uncertainty == b.uncertainty:
        return False
    if (a.uncertainty is None) is not (b.uncertainty is None) and "" in (a.unit, b.unit):
        return False
    if a.other_end is not None and b.other_end is not None and {a.value, a.other_end} == {b.value, b.other_end}:
        return False
    if "%" in (a.unit, b.unit):
        return a.unit == b.unit
    return a.unit == b.unit or convert(1.0, a.unit, b.unit) is not None
