"""A sentence as numbers with what belongs to each: which words stand for this number, which for another one.

The text between two numbers is parted where a connective parts it: ``32 % for A | and 47 % for B``,
``A was 32 % | and B was 47 %``. What stands before the first number goes for later ones too, where they have nothing
like it of their own; lists of equal length are paired in order.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pincite_provenance.claims.lists import brackets_of
from pincite_provenance.claims.pairing import HARD, Items, Slot, paired, unpaired
from pincite_provenance.claims.quantities import Quantity, find_quantities
from pincite_provenance.claims.roles import Role, role_of
from pincite_provenance.claims.words import Word, read_words

OWN, LABEL, SHARED, FAR, ELSEWHERE = 1.0, 1.0, 0.85, 0.35, 0.1
CLAUSE = 0.5
"""How surely a word goes with a number: in its own part (or a label in its brackets), in what it shares with others,
beyond a full stop, in another number's part, in the clause before its own. Set by hand on sentences of real papers:
only their order, and that 0.35 still counts as found, matter.
"""

_STRONG = re.compile(r",?\s*\b(?:while|whereas|but|although|though|however|in contrast|with)\b", re.IGNORECASE)
_MEDIUM = re.compile(
    r"\s*,\s*and\b|,|\band\b|\bor\b|\bversus\b|\bvs\b\.?|\bthan\b|\bcompared (?:with|to)\b|\bfollowed by\b|&|/",
    re.IGNORECASE,
)
_APART = re.compile(
    r"\b(?:with the exception of|except(?: for)?|excluding|other than|unlike|in contrast (?:to|with)|rather than"
    r"|instead of|apart from|than|(?<=times )as [a-z]+ as|as (?:[a-z]+ )?as (?:that|those)"
    r"|(?:as )?compared (?:to|with)|in comparison (?:to|with)|relative to|versus|vs\.?|(?:above|below|over|from) "
    r"(?:that of )?(?:the )?controls?|(?:above|below) that of)\b[^,;()]*(?:\([^()]*\)[^,;()]*)?",
    re.IGNORECASE,
)
"""What is left out, or what something is compared with."""

_VERB = re.compile(
    r"\b(?:is|are|was|were|had|has|have|having|showed|shows|showing|exhibited|reached|yielded|gave|revealed|displayed"
    r"|achieved|reported"
    r"|experienced|developed|received|underwent|represent(?:s|ed|ing)|contain(?:s|ed|ing)|comprised|consisted|accounted"
    r"|increased|decreased|remained|became)\b"
)  # fmt: skip
_ASIDE = re.compile(
    r",\s*(?:which|whereas|while|although|consistent|suggesting|indicating|corresponding|comparable|similar|thus|but"
    r"|where)\b"
)
"""What begins a remark on a number."""
_CLAUSE_CUT = re.compile(r",?\s+(?:and|but|while|whereas|although)\s+|;\s+|,\s+(?=the\s)")
_VERBAL = re.compile(r"\b(?:is|are|was|were|had|has|have|showed|shows|\w{2,}ed)\b")
_PREPOSITION = re.compile(r"\b(?:of|in|on|at|by|for|from|to|with|within|among|during|per|after|before|under)\b")
_CONTENT = re.compile(r"[A-Za-z]{2,}|[A-Z]")
_MOST_SLOTS = 60


@dataclass(slots=True)
class _Element:
    """A number, or a bracket with numbers, of the main line of the sentence; ``low:high`` is all that goes with it."""

    start: int
    end: int
    low: int = 0
    high: int = 0
    bracket: bool = False


class Sentence:
    """The words of a text of one sentence or a few, and its numbers of one role; numbers of other roles are words."""

    def __init__(self, text: str, role: Role = "", names: frozenset[int] = frozenset()) -> None:
        self.text = text
        self.role: Role = role
        self._names = names
        self.words: list[Word] = read_words(text)
        self.quantities = find_quantities(text)
        self.brackets = brackets_of(text)
        self._elements: list[_Element] = []
        self.slots: list[Slot] = []
        self._place(self.quantities[:_MOST_SLOTS])
        self._part()
        self._hard = [match.start() for match in HARD.finditer(text)]
        self.items: list[Items] = []
        self.items = paired(self)
        self._apart = [match.span() for match in _APART.finditer(text)]
        self.unpaired = unpaired(self)

    def _place(self, quantities: Sequence[Quantity]) -> None:
        for quantity in quantities:
            role = role_of(self.text, quantity)
            if role != self.role or quantity.start in self._names:
                continue
            bracket = next((b for b in self.brackets if b[0] < quantity.start < b[1]), None)
            elements = self._elements
            if bracket is not None:
                joined = elements and (elements[-1].start == bracket[0] or self._beside(elements[-1], bracket))
                if joined:
                    elements[-1].end = max(elements[-1].end, bracket[1])
                else:
                    elements.append(_Element(bracket[0], bracket[1], bracket=True))
            elif elements and self._one(elements[-1], quantity):
                elements[-1].end = quantity.end
            else:
                elements.append(_Element(quantity.start, quantity.end))
            self.slots.append(Slot(quantity, role, len(elements) - 1, bracket))

    def _beside(self, element: _Element, bracket: tuple[int, int]) -> bool:
        """Whether a bracket says more about the number before it: ``12 patients (23%)``, ``45% (9/20)``."""
        between = self.text[element.end : bracket[0]]
        return len(between) < 40 and not re.search(r"[,;]|\b(?:in|for|of|with|by|to|and|than|was|had|at)\b", between)

    def _one(self, element: _Element, quantity: Quantity) -> bool:
        """Whether a number is the other end of a range, a spread, or a fraction of the element before it."""
        between = self.text[element.end : quantity.start]
        if quantity.other_end is not None and re.fullmatch(r"\s*(?:-|to|and|…)?\s*", between) and not element.bracket:
            return True
        return re.fullmatch(r"\s*(?:±|\+/-|/)\s*", between) is not None

    def _part(self) -> None:
        elements = self._elements
        for index, element in enumerate(elements):
            element.low = elements[index - 1].high if index else 0
            following = elements[index + 1] if index + 1 < len(elements) else None
            element.high = len(self.text) if following is None else self._split(element, following)

    def _split(self, element: _Element, following: _Element) -> int:
        """Where what goes with ``element`` ends and what goes with the ``following`` one begins."""
        low, high = element.end, following.start
        gap = self.flat(low, high)
        hard = HARD.search(gap)
        if hard:
            return low + hard.start()
        strong = _STRONG.search(gap)
        if strong and _CONTENT.search(gap, strong.end()):
            return low + strong.start()
        cuts = [match.start() for match in _MEDIUM.finditer(gap)]
        if cuts:
            first = not _CONTENT.search(gap[: cuts[0]])
            tail_has_verb = _VERB.search(gap, cuts[0]) is not None
            if first or (element.bracket and following.bracket) or (element.bracket and tail_has_verb):
                return low + cuts[0]
            return low + cuts[-1]
        if following.bracket:
            return low + (0 if element.bracket else len(gap) if not _CONTENT.search(gap) else 0)
        verb = _VERB.search(gap)
        if verb:
            return low + verb.start()
        tied = list(_PREPOSITION.finditer(gap))
        return low + (tied[-1].start() if tied else len(gap))

    def flat(self, low: int, high: int) -> str:
        """``text[low:high]`` with what stands in brackets blanked, one character for one."""
        gap = self.text[low:high]
        for start, end in self.brackets:
            if start >= low and end <= high:
                gap = gap[: start - low] + "_" * (end - start) + gap[end - low :]
        return gap

    def element(self, slot: Slot) -> tuple[int, int]:
        """The range of text of all that goes with the slot's element."""
        element = self._elements[slot.element]
        return element.low, element.high

    def is_apart(self, at: int) -> bool:
        """Whether the word at ``at`` is of what is left out or compared with (``than B``)."""
        return any(start <= at < end for start, end in self._apart)

    def rest(self, at: int) -> str:
        """The rest of the sentence, or of its part before a semicolon, behind ``at``."""
        end = next((mark for mark in self._hard if mark >= at), len(self.text))
        return self.text[at : end + 1]

    def segment(self, slot: Slot) -> str:
        """The text around the slot's number, from one semicolon or full stop to the next."""
        high = next((mark for mark in self._hard if mark >= slot.quantity.end), len(self.text))
        return self.text[self.segment_start(slot) : high]

    def segment_start(self, slot: Slot) -> int:
        """Where ``segment`` begins."""
        return max((mark for mark in self._hard if mark < slot.quantity.start), default=0)

    def shares(self, slot: Slot) -> bool:
        """Whether the slot's number has no verb of its own before it, so that what stands before others counts."""
        element = self._elements[slot.element]
        return slot.element > 0 and not _VERB.search(self.text, element.low, slot.quantity.start)

    def shared(self, slot: Slot) -> str:
        """What stands before the first number of the slot's sentence."""
        at = max((mark for mark in self._hard if mark < slot.quantity.start), default=0)
        first = next(e for e in self._elements if e.high > at)
        return self.text[max(first.low, at) : first.start]

    def weight(self, slot: Slot, at: int, *, name: bool = False, compares: bool = False) -> float:
        """How surely the word at ``at`` goes with the slot: 1 in its own part, less in what it shares with others.
        A ``name`` is of one side only where two are compared ("A had more than B (12 vs 8)").
        """
        listed = self._listed(slot, at, name)
        if listed is not None:
            return listed
        if not compares and any(
            start <= at < end and not start <= slot.quantity.start < end for start, end in self._apart
        ):
            return ELSEWHERE
        if not name and any(start <= slot.quantity.start < end and not start <= at < end for start, end in self._apart):
            return SHARED
        here = self._elements[slot.element]
        if here.low <= at < here.high:
            return self._within(slot, here, at)
        if at < here.low:
            return self._earlier(here, slot.element, at, name)
        return self._later(slot, here, at)

    def is_of_another(self, slot: Slot, places: Sequence[int]) -> bool:
        """Whether lists give the words at ``places`` to other numbers, and none of them to the slot's."""
        given = [self._listed(slot, at, True) for at in places]
        return ELSEWHERE in given and OWN not in given

    def _listed(self, slot: Slot, at: int, name: bool) -> float | None:
        for items in self.items:
            number = slot.quantity.start
            mine = next((k for k, (low, high) in enumerate(items.elements) if low <= number < high), -1)
            if mine < 0:
                continue
            if name and items.compared and mine == 1 and at < items.names[1][0] and at < items.elements[0][0]:
                return ELSEWHERE
            for index, (start, end) in enumerate(items.names):
                if start <= at < end:
                    return OWN if index == mine else ELSEWHERE
        return None

    def _within(self, slot: Slot, here: _Element, at: int) -> float:
        if at < slot.quantity.start and at < self.clause(slot):
            return CLAUSE
        if at > slot.quantity.end:
            aside = _ASIDE.search(self.text, slot.quantity.end, at)
            if aside:
                return ELSEWHERE
        if slot.bracket is None:
            inside = next((b for b in self.brackets if b[0] <= at < b[1] and b[0] >= here.start), None)
            return OWN if inside is None else 0.5 * OWN
        if not slot.bracket[0] <= at < slot.bracket[1]:
            return 0.9 * OWN
        same = [s for s in self.slots if s.bracket == slot.bracket]
        index = same.index(slot)
        low = same[index - 1].quantity.end if index else slot.bracket[0]
        high = same[index + 1].quantity.start if index + 1 < len(same) else slot.bracket[1]
        if low <= at < high:
            gap_behind = self.text[slot.quantity.end : high] if at >= slot.quantity.end else ""
            cut = re.search(r"[,;]|\bvs\b|\bversus\b|\band\b", gap_behind)
            if cut and at >= slot.quantity.end + cut.start():
                return ELSEWHERE
            gap_before = self.text[low : slot.quantity.start] if index and at < slot.quantity.start else ""
            cuts = list(re.finditer(r"[,;]|\bvs\b|\bversus\b|\band\b", gap_before))
            if cuts and at < low + cuts[0].start():
                return ELSEWHERE
            return LABEL
        return ELSEWHERE if at > slot.quantity.end or index else SHARED

    def clause(self, slot: Slot) -> int:
        """Where the clause begins that the slot's number stands in, of several in its part of the sentence."""
        here = self._elements[slot.element]
        begin = slot.bracket[0] if slot.bracket else slot.quantity.start
        text = self.flat(here.low, begin)
        for match in reversed(list(_CLAUSE_CUT.finditer(text))):
            behind = _VERBAL.search(text, match.end())
            if (
                behind
                and _CONTENT.search(text[match.end() : behind.start()])
                and _VERBAL.search(text, 0, match.start())
            ):
                return here.low + match.end()
        return here.low

    def _earlier(self, here: _Element, number: int, at: int, name: bool) -> float:
        index = next(i for i, element in enumerate(self._elements) if at < element.high)
        other = self._elements[index]
        apart = bisect_right(self._hard, here.start) - bisect_right(self._hard, at)
        if apart > 0:
            return FAR
        if at < other.start:
            if other.bracket and here.bracket and self._names_bracket(other, at) and self._own_name(here):
                return ELSEWHERE
            return SHARED * 0.93 ** (number - index - 1)
        if at < other.end:
            return ELSEWHERE
        own = self.flat(here.end, here.high)
        marker = self._marker(other.end, at)
        replaced = marker in {self._marker(here.end, here.end + m.start()) for m in _CONTENT.finditer(own)}
        before = _CONTENT.search(re.sub(_MEDIUM, " ", self.flat(here.low, here.start)))
        return ELSEWHERE if replaced or before else SHARED * 0.8

    def _names_bracket(self, element: _Element, at: int) -> bool:
        """Whether the word at ``at`` is of the name directly before a bracket: ``A (12)``."""
        before = self.flat(element.low, element.start)
        cuts = [m.end() for pattern in (_PREPOSITION, _VERB, _MEDIUM) for m in pattern.finditer(before)]
        return at >= element.low + max(cuts, default=0)

    def _own_name(self, element: _Element) -> bool:
        return _CONTENT.search(re.sub(_MEDIUM, " ", self.flat(element.low, element.start))) is not None

    def _later(self, slot: Slot, here: _Element, at: int) -> float:
        index = next((i for i, element in enumerate(self._elements) if at < element.high), len(self._elements) - 1)
        other = self._elements[index]
        apart = bisect_right(self._hard, at) - bisect_right(self._hard, here.end)
        if apart > 0 or at < other.end:
            return ELSEWHERE
        elements = self._elements[slot.element : index + 1]
        between = (self.flat(a.end, b.start) for a, b in pairwise(elements))
        if any(
            _CONTENT.search(re.sub(_MEDIUM, " ", re.sub(r"^\s?[A-Za-zμ%°/^0-9-]{1,8}(?=\W)", "", gap)))
            for gap in between
        ):
            return ELSEWHERE
        return SHARED * 0.8

    def _marker(self, low: int, at: int) -> str:
        """The preposition or verb that the word at ``at`` hangs on, "" for none."""
        found = ""
        for pattern in (_PREPOSITION, _VERB):
            for match in pattern.finditer(self.text, low, max(at, low)):
                found = "verb" if pattern is _VERB else "in" if match[0] in ("for", "among", "of", "on") else match[0]
        return found


@lru_cache(maxsize=512)
def read_sentence(text: str, role: Role = "", names: frozenset[int] = frozenset()) -> Sentence:
    """The sentence as numbers of one role, those that begin at ``names`` left out; read once."""
    return Sentence(text, role, names)
