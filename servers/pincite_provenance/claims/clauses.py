"""Clauses: a sentence parted into statements, each with a verb of its own or a name that it says more of.

The parting is shallow: verbs of results and auxiliaries from a closed list, connectives, commas between two verbs,
participles behind a comma. A clause without a subject has that of the clause before it.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from pincite_provenance.claims.lists import brackets_of
from pincite_provenance.claims.pairing import HARD

_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|had|have|can|could|may|might|will|would|should|must|did|does|do"
    r"|(?:show|increas|decreas|rang|averag|exceed|exhibit|display|yield|produc|contain|compris|consist|account|represent"
    r"|amount|remain|obtain|achiev|demonstrat|reveal|declin|improv|surviv|develop|receiv|experienc|reach|drop|reduc"
    r"|lower|exceed|outperform|belong|includ|encod|correspond|occurr|occur|provid|indicat|suggest|possess|retain"
    r"|require|describ|detect|observ|identif|report|appear|last|cost|weigh|measur|perform|vari|peak|express|induc|inhibit"
    r"|generat|operat|score|end|start|differ|stay|die|migrat|elut|compar|attain|recover|crystalli[sz]|melt|found|find"
    r"|led|lead|gave|give|rose|rise|fell|fall|grew|grow|became|become|underwent|undergo|took|take|made|make|kept|keep"
    r"|held|hold|began|begin|lay|lie|got|get|went|go|came|come|saw|see|ran|run|cover|span|share)"
    r"(?:s|es|ed|d|ied|ies|r?red)?)\b(?!-)"
)
"""Verbs that may be finite: auxiliaries, and verbs with which results are told."""
_NOMINAL = re.compile(
    r"(?:\b(?:the|an?|of|in|by|for|with|to|its|their|this|these|no|mean|average|total|maximum|minimum|from)\s+"
    r"|-\s?)$",
    re.IGNORECASE,
)
"""What stands before such a word where it is a noun or an adjective (``the increase``, ``of reduced``)."""
_JOINED = re.compile(r"\b(?:and|or)\s+$")
_REDUCED = re.compile(
    r"(?:obtain|observ|detect|identif|report|describ|measur|perform|requir|produc|recover|compar|express|generat|induc"
    r"|inhibit|retain|contain|includ|achiev|reduc|found|made|taken|kept|held|seen|reveal|receiv|develop|encod|yield"
    r"|provid|lower|improv)(?:ed|ied|red)?\s+(?:in|for|by|at|from|with|on|using|to|under|as|during|after|before|among)\b"
)
"""A participle behind its noun (``the values obtained for A``): these verbs have an object where they are finite."""
_CONJUNCTION = re.compile(
    r",?\s*\b(?:while|whereas|although|though|but|because|whilst|where|which|who|whose|whilst)\b\s*", re.IGNORECASE
)
_COORDINATION = re.compile(r",?\s*\b(?:and|then|or)\b\s*|,\s+")
_PARTICIPLE = re.compile(
    r",\s+(?:and\s+|thus\s+|thereby\s+)?(?=(?:with|having|giving|yielding|resulting|reaching|showing|leading"
    r"|corresponding|"
    r"representing|indicating|suggesting|including|producing|followed|compared|ranging|being|containing|accounting"
    r"|consisting|comprising)\b)"
)
_DETERMINER = re.compile(r"(?:the|its|their|this|these|those|there|we|it|they|our)\b")
_BEHIND_NUMBER = re.compile(r"\d\s?[A-Za-z%°μ/^-]{0,8}$")
_CONTENT = re.compile(r"[A-Za-z]{2,}|[A-Z]")


@dataclass(frozen=True, slots=True)
class Clause:
    """The range of a clause, of its subject (its own, or that of a clause before), and of what the whole sentence
    begins with (``In mice, …``).
    """

    start: int
    end: int
    subject: tuple[int, int]
    front: tuple[int, int]

    def has(self, at: int) -> bool:
        """Whether the word at ``at`` stands in the clause itself."""
        return self.start <= at < self.end

    def inherits(self, at: int) -> bool:
        """Whether it stands in what the clause takes over from those before it."""
        return any(low <= at < high for low, high in (self.subject, self.front))

    def spans(self, at: int) -> bool:
        """Whether it is said in the clause, by its own words or by those it takes over."""
        return self.has(at) or self.inherits(at)


class Clauses:
    """The clauses of a text of one sentence or a few."""

    def __init__(self, text: str) -> None:
        flat = text
        for start, end in brackets_of(text):
            flat = flat[:start] + "_" * (end - start) + flat[end:]
        self._flat = flat
        self._verbs = [m.start() for m in _FINITE.finditer(flat) if self._is_finite(m)]
        self.all: list[Clause] = []
        low = 0
        for mark in [*HARD.finditer(flat), None]:
            high = mark.start() if mark else len(flat)
            self._part(low, high)
            low = mark.end() if mark else high
        self._starts = [clause.start for clause in self.all]

    def _is_finite(self, verb: re.Match[str]) -> bool:
        if _NOMINAL.search(self._flat, max(verb.start() - 12, 0), verb.start()):
            return False
        joined = _JOINED.search(self._flat, max(verb.start() - 5, 0), verb.start())
        if joined and not verb[0].endswith(("s", "ed")):
            return False
        return _REDUCED.match(self._flat, verb.start()) is None

    def of(self, at: int) -> Clause:
        """The clause that ``at`` stands in."""
        return self.all[max(bisect_right(self._starts, at) - 1, 0)]

    def _part(self, low: int, high: int) -> None:
        cuts = self._cuts(low, high)
        front = self._front(low, cuts[0][1] if cuts else high)
        subject = (low, low)
        begin = low
        for at, behind in [*cuts, (high, high)]:
            verb = self._verb(begin, at)
            if verb >= 0 and _CONTENT.search(self._flat, begin, verb):
                subject = (begin, verb)
            elif verb < 0 and begin == low:
                subject = (begin, at)
            self.all.append(Clause(begin, at, subject, front))
            begin = behind

    def _front(self, low: int, high: int) -> tuple[int, int]:
        """What stands before the first comma of a sentence, where it has no verb (``In mice, …``)."""
        comma = self._flat.find(", ", low, high)
        if comma < 0 or self._verb(low, comma) >= 0:
            return low, low
        return low, comma

    def _verb(self, low: int, high: int) -> int:
        index = bisect_right(self._verbs, low - 1)
        return self._verbs[index] if index < len(self._verbs) and self._verbs[index] < high else -1

    def _cuts(self, low: int, high: int) -> list[tuple[int, int]]:
        marks = {m.start(): m for m in _COORDINATION.finditer(self._flat, low, high)}
        sure = {m.start() for m in _CONJUNCTION.finditer(self._flat, low, high)}
        marks |= {m.start(): m for m in _CONJUNCTION.finditer(self._flat, low, high)}
        bare = {m.start() for m in _PARTICIPLE.finditer(self._flat, low, high)}
        marks |= {m.start(): m for m in _PARTICIPLE.finditer(self._flat, low, high)}
        ordered = [marks[at] for at in sorted(marks)]
        found: list[tuple[int, int]] = []
        begin = low
        for index, mark in enumerate(ordered):
            if mark.start() < begin:
                continue
            following = next((m.start() for m in ordered[index + 1 :] if m.start() >= mark.end()), high)
            if mark.start() in bare or (mark.start() in sure and (self._verb(mark.end(), high) >= 0)):
                pass
            elif self._lists_numbers(mark):
                continue
            elif self._verb(begin, mark.start()) < 0 or self._verb(mark.end(), following) < 0:
                new_subject = mark[0].lstrip().startswith(",") and _DETERMINER.match(self._flat, mark.end())
                if not new_subject or self._verb(begin, mark.start()) < 0 or self._verb(mark.end(), high) < 0:
                    continue
            if mark.start() == low:
                continue
            found.append((mark.start(), mark.end()))
            begin = mark.end()
        return found

    def _lists_numbers(self, mark: re.Match[str]) -> bool:
        """Whether a comma or "and" stands between two numbers."""
        return _BEHIND_NUMBER.search(self._flat, max(mark.start() - 16, 0), mark.start()) is not None and (
            self._flat[mark.end() : mark.end() + 1].isdigit()
        )


@lru_cache(maxsize=512)
def clauses_of(text: str) -> Clauses:
    """The clauses of a text, parted once."""
    return Clauses(text)
