"""Labels of numbers: the words right beside each number of a list (``A (12), B (15)``; ``12 for A and 15 for B``)."""

import re
from collections.abc import Sequence

from pincite_provenance.claims.fitting import Matcher
from pincite_provenance.claims.roles import role_of
from pincite_provenance.claims.sentences import Slot
from pincite_provenance.claims.terms import Terms

_CUT = re.compile(
    r"[,;:()]|[.]\s|\b(?:and|or|but|while|whereas|versus|vs|than|compared|followed|then)\b|&|\bto\b(?=\s*[\d~(])"
)
_CUT_BEHIND = re.compile(rf"{_CUT.pattern}|(?<=s)\s+[a-z]+ed\b")
"""The same, and the verb behind a plural (``of shrubs changed``)."""
_PREPOSITION = r"for|of|in|among|at|with|from|against|by|on|under|after|during"
_BEFORE_NAME = re.compile(
    rf"\b(?:{_PREPOSITION}|to|into|is|are|was|were|has|had|have|showed|shows|gave|reached|contained?|including|the)\b"
)
_BEHIND = re.compile(rf"(?:\s*\([^()]*\))?\s*(?:{_PREPOSITION})\s+(?=\S)")
_IN_BRACKET = re.compile(r"\s*\((?P<label>[^()]*)\)")
_KEY = re.compile(r"(?P<key>[^=≈]*?)\s*(?:[=≈]|\b(?:was|were|is|are))\s*(?:about|approximately|~)?\s*$")
_CONNECTIVE = re.compile(r"compared|followed|while|whereas|versus|vs|instead|contrast")
_LONGEST = 80
"""Characters of a label; what is longer is a clause."""
_LONGEST_PART = 250
"""Characters of all that goes with a number, the begin of its sentence with the first one."""

_Range = tuple[int, int]


def is_labelled_alone(matcher: Matcher, slot: Slot, rivals: Sequence[Slot], claimed: Sequence[Terms]) -> bool:
    """Whether all of these numbers have labels in one manner, and only the slot's own has the claim's words.

    It is not so where another's label has a word of the claim that the own one lacks, or a label has no word of its
    own. What stands before the first number goes for all of them, so that its label may have more of the claim where
    the own one has nothing but words of the claim.
    """
    if not rivals:
        return False
    one_bracket = slot.bracket is not None and any(each.bracket == slot.bracket for each in rivals)
    first = min((slot, *rivals), key=lambda each: each.quantity.start)
    labels = [_labels(matcher, each) for each in (slot, *rivals)]
    one_part = any(each.element == slot.element for each in rivals)
    for manner in ("before", "behind", "bracket", "key", "part"):
        ranges = [of_slot.get(manner) for of_slot in labels]
        if None in ranges or (manner == "before" and one_bracket) or (manner == "part" and one_part):
            continue
        mine, *theirs = [_terms_in(matcher, each, claimed) for each in ranges if each is not None]
        own = _own_words(matcher, [each for each in ranges if each is not None], claimed, (slot, *rivals))
        if manner == "part" and (slot is first or own[0]):
            continue
        if not mine - frozenset[str]().union(*theirs) or not all(own[1:]):
            continue
        pairs = zip(theirs, rivals, strict=True)
        if all(their <= mine or (rival is first and not own[0]) for their, rival in pairs):
            return True
    return False


def _labels(matcher: Matcher, slot: Slot) -> dict[str, _Range]:
    """The label of a number by the manner in which it is given."""
    text, number = matcher.sentence.text, slot.quantity
    first = min((q.start for q in matcher.sentence.quantities if q.start > number.end), default=len(text))
    found: dict[str, _Range] = {}
    if slot.bracket is not None:
        found["before"] = (_begin(text, slot.bracket[0], _BEFORE_NAME), slot.bracket[0])
    bracket = _IN_BRACKET.match(text, number.end)
    if bracket is not None:
        starts = [other.quantity.start for other in matcher.sentence.slots]
        if not any(bracket.start() < start < bracket.end() for start in starts):
            found["bracket"] = bracket.span("label")
    behind = _BEHIND.match(text, number.end)
    if behind is not None and behind.end() <= first:
        cut = _CUT_BEHIND.search(text, behind.end())
        found["behind"] = (behind.end(), cut.start() if cut else len(text))
    key = _KEY.search(text, _begin(text, number.start), number.start)
    if key is not None:
        found["key"] = key.span("key")
    found = {manner: (low, high) for manner, (low, high) in found.items() if low < high <= low + _LONGEST}
    low, high = matcher.sentence.element(slot)
    return found | ({"part": (low, high)} if low < high <= low + _LONGEST_PART else {})


def _begin(text: str, end: int, further: re.Pattern[str] | None = None) -> int:
    """Where the name before ``end`` begins: behind the last comma, connective or one of ``further``."""
    low = max(end - 2 * _LONGEST, 0)
    cuts = [m.end() for pattern in (_CUT, further) if pattern is not None for m in pattern.finditer(text, low, end)]
    return max(cuts, default=low)


def _terms_in(matcher: Matcher, label: _Range, claimed: Sequence[Terms]) -> frozenset[str]:
    """The telling words of the claim that a label has."""
    return frozenset(
        term.text
        for terms in claimed
        for term in terms.terms
        if not term.light and any(label[0] <= at < label[1] for at in matcher.places(term, terms))
    )


def _own_words(
    matcher: Matcher, labels: Sequence[_Range], claimed: Sequence[Terms], slots: Sequence[Slot]
) -> list[frozenset[str]]:
    """Of each label the words and numbers that the claim has not, but for those that all of the labels have."""
    numbers = [each.quantity for each in slots]
    places = {at for terms in claimed for term in terms.terms for at in matcher.places(term, terms)}
    found: list[frozenset[str]] = []
    for low, high in labels:
        words = [w for w in matcher.sentence.words if low <= w.start < high and not w.stop and not w.light]
        words = [w for w in words if not any(q.start <= w.start < q.end for q in numbers)]
        own = (w.text.lower() for w in words if w.start not in places and not _is_count(matcher, w.start))
        found.append(frozenset(word for word in own if not _CONNECTIVE.fullmatch(word)))
    common = found[0].intersection(*found)
    return [words - common for words in found]


def _is_count(matcher: Matcher, at: int) -> bool:
    """Whether the number at ``at`` says how many were examined (``n = 5``)."""
    found = (q for q in matcher.sentence.quantities if q.start == at)
    return any(role_of(matcher.sentence.text, q) in ("n", "p", "confidence", "level", "spread") for q in found)
