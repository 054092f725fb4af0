"""Values given respectively: which of them the words of a claim pick out, by lists of as many names or conditions."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pincite_provenance.claims.clauses import clauses_of
from pincite_provenance.claims.fitting import Matcher
from pincite_provenance.claims.lists import brackets_of
from pincite_provenance.claims.quantities import Quantity
from pincite_provenance.claims.sentences import Slot
from pincite_provenance.claims.terms import Terms

_RESPECTIVELY = re.compile(r"\b(?:respectively|resp\.|in (?:this|that) order)", re.IGNORECASE)
_BETWEEN_VALUES = re.compile(
    r"[\s_]*(?:[A-Za-zμΩ%°·/^0-9.-]{0,12}[\s_]*)?(?:,|;|/|,?\s*\b(?:and|or|versus|vs\.?)\b|&)[\s_]*(?:~|about|approximately)?\s*"
)
"""What stands between values of one list: a unit and a bracket, and a mark of a list."""
_VERSUS = re.compile(r"\b(?:versus|vs)\b")
_AGAINST = re.compile(r"\b(?:than|compared (?:to|with)|relative to|in comparison (?:to|with)|versus|vs)\b")
_MARK = re.compile(
    r"(?:\s*,\s*(?:and|or)\s+|\s*,\s+|\s+(?:and|or|&)\s+)(?!resp\.|respectively|in this order|in that order)"
)
_EDGE = re.compile(
    r"[,;:.()\[\]](?=\s|$|[A-Za-z(])|\b(?:the|an?|of|in|on|at|by|for|from|to|with|between|was|were|is|are|be|been|had|has|have|obtained"
    r"|using|as|while|after|before|when|following|values?|groups?|phases?)\b"
)
"""Where the first item of a list begins at the latest and the last one ends at the latest."""
_LONGEST = 70
"""Characters of an item; what is longer holds a clause."""

_Range = tuple[int, int]


def picked(matcher: Matcher, slot: Slot, rivals: Sequence[Slot], claimed: Sequence[Terms]) -> bool | None:
    """Whether the claim's words pick out this one of values given respectively.

    A word picks the item of a list that it stands in, where it stands in no other item. Lists are looked for in the
    clause of the values, from its subject on, and not before another value. None where the values are not
    given respectively, or where no list of as many items has a word of the claim in one of them only.
    """
    sentence = matcher.sentence
    start = sentence.segment_start(slot)
    end = start + len(sentence.segment(slot))
    if not _RESPECTIVELY.search(sentence.text, start, min(end + 1, len(sentence.text))):
        return _is_of_its_side(matcher, slot, (start, end), claimed[0])
    values = _run(matcher, slot, (start, end))
    if len(values) < 2:
        return None
    mine = values.index(slot.quantity)
    others = [each.quantity.end for each in rivals if each.quantity not in values]
    begin = max((at for at in others if start < at <= values[0].start), default=start)
    begin = max(begin, clauses_of(sentence.text).of(slot.quantity.start).subject[0])
    picks = [_picks(matcher, items, claimed) for items in _lists(sentence.text, (begin, end), values)]
    single = {index for each in picks if len(each) == 1 for index in each}
    return None if not any(picks) else single == {mine}


def _is_of_its_side(matcher: Matcher, slot: Slot, part: _Range, material: Terms) -> bool | None:
    """Whether the material stands on the number's side of a comparison whose values follow in brackets (``higher in A
    than in B (12 versus 8 g)``); None for other sentences, or for a material with words on both sides or none.
    """
    text = matcher.sentence.text
    values = _run(matcher, slot, part)
    if slot.bracket is None or len(values) != 2 or not _VERSUS.search(text, values[0].end, values[1].start):
        return None
    marks = list(_AGAINST.finditer(text, part[0], slot.bracket[0]))
    if len(marks) != 1:
        return None
    sides = [(part[0], marks[0].start()), (marks[0].end(), slot.bracket[0])]
    picks = _picks(matcher, sides, (material,))
    return picks == {values.index(slot.quantity)} if len(picks) == 1 else None


def _run(matcher: Matcher, slot: Slot, part: _Range) -> list[Quantity]:
    """The values in a row that the slot's number is one of, equal ones too; of a range one end."""
    brackets = matcher.sentence.brackets
    inside = [q for q in matcher.sentence.quantities if part[0] <= q.start < part[1]]
    ordered = [q for q in inside if _bracket(brackets, q) == slot.bracket or q == slot.quantity]
    runs: list[list[Quantity]] = [ordered[:1]]
    text = matcher.sentence.text
    for before, behind in pairwise(ordered):
        gap = text[before.end : behind.start]
        for low, high in brackets_of(gap):
            gap = gap[:low] + "_" * (high - low) + gap[high:]
        if before.other_end == behind.value and behind is not slot.quantity:
            runs[-1][-1] = behind if runs[-1][-1] is not slot.quantity else slot.quantity
        elif _BETWEEN_VALUES.fullmatch(gap):
            runs[-1].append(behind)
        else:
            runs.append([behind])
    found = (run for run in runs if slot.quantity in run)
    return next(found, ordered[:0])


def _bracket(brackets: Sequence[_Range], quantity: Quantity) -> _Range | None:
    return next((each for each in brackets if each[0] < quantity.start < each[1]), None)


def _lists(text: str, part: _Range, values: Sequence[Quantity]) -> list[list[_Range]]:
    """The lists of as many items as there are values, in the part of the sentence before and behind them."""
    low, high = values[0].start, values[-1].end
    found: list[list[_Range]] = []
    for begin, end in ((part[0], low), (high, part[1])):
        inner = [(b + begin, e + begin) for b, e in brackets_of(text[begin:end])]
        for region in ((begin, end), *inner):
            found += _lists_in(text, region, len(values), [b for b in inner if b != region])
    return found


def _lists_in(text: str, region: _Range, count: int, brackets: Sequence[_Range]) -> list[list[_Range]]:
    marks = [
        mark
        for mark in _MARK.finditer(text, *region)
        if not any(low < mark.start() < high <= region[1] for low, high in brackets)
    ]
    for low, high in brackets:
        text = text[:low] + " " * (high - low) + text[high:] if region[0] <= low and high <= region[1] else text
    found: list[list[_Range]] = []
    for last, mark in enumerate(marks):
        first = last
        while first and "," in marks[first - 1][0] and _is_item(text, marks[first - 1].end(), marks[first].start()):
            first -= 1
        ends_list = re.search(r"and|or|&", mark[0]) is not None or last + 1 == len(marks)
        if not ends_list or last - first + 2 < count:
            continue
        at = last - count + 2
        cuts = marks[at : last + 1]
        begin = marks[at - 1].end() if at > first else region[0]
        head, tail = _head(text, begin, cuts[0].start()), _tail(text, cuts[-1].end(), region[1])
        if at > first and head[0] == begin:
            continue
        items = [head, *((a.end(), b.start()) for a, b in pairwise(cuts)), tail]
        if all(re.search(r"\w", text[low:high]) for low, high in items):
            found.append(items)
    return found


def _is_item(text: str, low: int, high: int) -> bool:
    return 0 < high - low <= _LONGEST


def _head(text: str, low: int, high: int) -> _Range:
    edges = [edge.end() for edge in _EDGE.finditer(text, low, high)]
    inside = [at for at in edges if at < high and text[at:high].strip()]
    return max(inside, default=low), high


def _tail(text: str, low: int, high: int) -> _Range:
    edge = next((e.start() for e in _EDGE.finditer(text, low, high) if text[low : e.start()].strip()), high)
    return low, edge


def _picks(matcher: Matcher, items: Sequence[_Range], claimed: Sequence[Terms]) -> set[int]:
    """The items that a word of the claim stands in, and in no other; without such a word the one item that has no word
    besides the claim's (``CP`` beside ``CP + C60``).

    A word that stands outside of the list too picks nothing, and one that items may share (``contents`` in
    ``cholesterol and triglyceride contents``) picks only where no other word does.
    """
    sure: set[int] = set()
    shared: set[int] = set()
    for terms in claimed:
        for term in terms.terms:
            places = () if term.light else matcher.places(term, terms)
            inside = {k for k, (low, high) in enumerate(items) if any(low <= at < high for at in places)}
            if len(inside) != 1 or not all(any(low <= at < high for low, high in items) for at in places):
                continue
            at_edge = all(_may_be_shared(matcher.sentence.text, items, at) for at in places)
            (shared if at_edge else sure).update(inside)
    return sure or shared or _told_whole(matcher, items, claimed)


def _may_be_shared(text: str, items: Sequence[_Range], at: int) -> bool:
    """Whether a word is the last one of the last item, or the first one of the first, and not the whole of it."""
    (first, first_end), (last, last_end) = items[0], items[-1]
    begins = first <= at < first_end and not text[first:at].strip() and len(text[first:first_end].split()) > 1
    ends = last <= at < last_end and bool(text[last:at].strip()) and len(text[at:last_end].split()) == 1
    return begins or ends


def _told_whole(matcher: Matcher, items: Sequence[_Range], claimed: Sequence[Terms]) -> set[int]:
    """The one item with words of the claim and none besides."""
    places = {at for terms in claimed for term in terms.terms for at in matcher.places(term, terms)}
    words = [word for word in matcher.sentence.words if not word.stop]
    inside = [[word.start in places for word in words if low <= word.start < high] for low, high in items]
    whole = {k for k, said in enumerate(inside) if said and all(said)}
    return whole if len(whole) == 1 else set()
