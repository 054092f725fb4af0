"""Binding: which of the named entities a number of a sentence belongs to."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pincite_scoring.figure_analysis.claims.reading import Clause, Mention, Number, Sentence

_LIST_GAP = re.compile(
    r"\s*(?:,|\(|\band\b|\bor\b|,\s*and\b|\bagainst\b|\bversus\b|\bvs\.?|\binstead of\b|\bcompared (?:with|to)\b"
    r"|\brather than\b|\bthan\b|,\s*against\b|,\s*compared (?:with|to)\b)\s*(?:about|only|roughly|ca\.?|~)?\s*",
    re.IGNORECASE,
)
_RANGE_GAP = re.compile(
    r"\s*(?:kg/ha|%)?\s*(?:to|up to|down to|and)\s*(?:about|only|roughly|ca\.?|~)?\s*", re.IGNORECASE
)
_LABEL_GAP = re.compile(
    r"\s*(?:\(|,?\s*(?:(?:earlier|later|sooner|faster|slower|higher|lower|more|less|better|worse|larger|smaller)\s+)?"
    r"(?:under|with|for|in|at|on|after|of)\s+(?:both\s+|either\s+|each of\s+)?(?:the\s+|an?\s+)?"
    r"(?:(?!(?:where|while|when|which|whereas|that|but|and|or|as|is|are|was|were)\b)\w+\s+){0,3}?)",
    re.IGNORECASE,
)
_PREPOSED = re.compile(r"(?:with|without|after|under|at|in|on|for)\s", re.IGNORECASE)
_NEAR = 14
"""Characters between a name and its number where nothing but a verb, preposition or bracket fits between them."""
_JOINED = re.compile(r"\b(?:and|or|while|but|than)\b", re.IGNORECASE)
_COMPARED = re.compile(
    r"\b(?:than|over|above|below|behind|against|to|from|versus|vs\.?|(?:beats?|exceed\w*|outperform\w*|surpass\w*"
    r"|trail\w*|leads?|leading|outdo\w*|overtak\w*|match\w*)(?!\s+by\b)|of|compared with"
    r"|short of|like|as|unlike|than with|than under)\s+"
    r"(?:(?:that|those|the \w+) (?:of|on|under|with|in|for)\s+)?(?:with\s+|under\s+|on\s+|in\s+)?"
    r"(?:the\s+|an?\s+)?(?:\w+\s)?$|\b(?:against|versus|compared (?:with|to)|instead of)\s[^,;]{0,60}$",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"\s+(?:(?:is|are|was|were|being|been|gets?|got)\s+)(?:\w+ly\s+)?"
    r"(?:beaten|exceeded|outperformed|surpassed|outdone|overtaken|matched|led|trailed)\s+by\b",
    re.IGNORECASE,
)
"""Behind the name that something else is compared with: "B is exceeded by A"."""
_SECOND_SIDE = re.compile(r"\b(?:as|than|against|versus|vs|compared)\b", re.IGNORECASE)
_UNNAMED = re.compile(r"\s+(?:with|under|for)\s[^,;.()]*", re.IGNORECASE)
_RELATIVE = re.compile(r",?\s*(?:which|who|whose)\b", re.IGNORECASE)
_BRACKET = re.compile(r"\s*\(\s*")
_TOLD_FROM = re.compile(r"\b(?:told|distinguish\w*|differs?|different|separated?|stands? out)\b", re.IGNORECASE)
"""Between two things that are set against each other as a whole."""
_BETWEEN = re.compile(r"\b(?:between|from)\s+(?:about\s+)?$", re.IGNORECASE)
"""Before the first of two numbers that are the ends of a range."""
_OTHER_SIDE = re.compile(
    r"\b(?:instead of|against|versus|vs\.?|compared (?:with|to)|rather than|(?<!more )(?<!less )than|down from"
    r"|up from|from)\s*(?:about\s+)?$",
    re.IGNORECASE,
)
"""Before a number that belongs to what is compared with, or to an earlier state."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Entities that a number belongs to, surely or as far as the sentence tells."""

    surely: tuple[str, ...] = ()
    likely: tuple[str, ...] = ()
    """The subject of its clause or of the clause before."""
    maybe: tuple[str, ...] = ()


def bind(sentence: Sentence, number: Number, kind: Collection[str]) -> Bound:
    """The entities of ``kind`` that a number belongs to.

    In this order: its place in a list of names, a name directly before it, one directly behind it, the subject of its
    clause, which is that of the clause before where it names none.
    """
    mentions = [one for one in sentence.mentions if one.key in kind]
    paired = _paired(sentence, mentions, number)
    if paired is not None:
        return Bound((paired,))
    clause = sentence.clause_at(number.start)
    earlier = [one for one in mentions if one.end <= number.start]
    inside = [one for one in earlier if clause.holds(one.start)]
    label = _label(sentence, mentions, number, bool(inside))
    maybe = tuple(one.key for one in (inside or earlier or mentions))
    last = inside[-1] if inside else None
    if last is not None and _is_beside(sentence, last, number) and not _is_label(sentence, last):
        sides = _either_side(sentence, inside, last, number)
        return Bound(maybe=sides) if sides else Bound((last.key,))
    if label is not None:
        return Bound((label.key,))
    if _OTHER_SIDE.search(sentence.text, 0, number.start):
        return Bound(maybe=tuple(one.key for one in mentions))
    if _is_of_others(sentence, last, number):
        return Bound(maybe=maybe)
    subject = subject_of(sentence, mentions, clause, number.start)
    return Bound((), (subject,) if subject else (), maybe)


def _either_side(sentence: Sentence, inside: Sequence[Mention], last: Mention, number: Number) -> tuple[str, ...]:
    """Both sides of a denied comparison with a number in brackets behind it, which may be of either: "A cannot be told
    from B (1.38)"; empty elsewhere."""
    subjects = [one for one in inside if not is_compared(sentence, one)]
    if not subjects or not _BRACKET.fullmatch(sentence.text, last.end, number.start):
        return ()
    denied = _TOLD_FROM.search(sentence.text, subjects[-1].end, last.start)
    return (subjects[-1].key, last.key) if denied else ()


def subject_of(sentence: Sentence, mentions: Sequence[Mention], clause: Clause, end: int) -> str:
    """The last name in a clause before ``end`` that nothing is measured by, else the first of the clause before."""
    inside = [one for one in mentions if clause.holds(one.start) and one.end <= end]
    free = [one for one in inside if not is_compared(sentence, one)]
    if inside:
        return free[-1].key if free else ""
    antecedent = relative_to(sentence, mentions, clause)
    if antecedent:
        return antecedent
    for earlier in reversed([one for one in sentence.clauses if one.end <= clause.start]):
        names = [one for one in mentions if earlier.holds(one.start) and not is_compared(sentence, one)]
        if names:
            return names[0].key
    return ""


def relative_to(sentence: Sentence, mentions: Sequence[Mention], clause: Clause) -> str:
    """The name directly before a relative clause, which is what it speaks of: "the fuel price, which …"; else empty."""
    if not _RELATIVE.match(sentence.text, clause.start):
        return ""
    return next((one.key for one in mentions if 0 <= clause.start - one.end <= 1), "")


def is_compared(sentence: Sentence, one: Mention) -> bool:
    """Whether a name stands behind a word of comparison: it is what something else is measured by."""
    passive = _PASSIVE.match(sentence.text, one.end) is not None
    return passive or _COMPARED.search(sentence.text, 0, one.start) is not None


def _is_beside(sentence: Sentence, one: Mention, number: Number) -> bool:
    gap = sentence.text[one.end : number.start]
    return len(gap) <= _NEAR and not _JOINED.search(gap) and not any(c.isdigit() for c in gap)


def _is_label(sentence: Sentence, one: Mention) -> bool:
    """Whether a name stands behind another number that it is the label of."""
    before = [number for number in sentence.numbers if number.end <= one.start]
    return bool(before) and _labels(sentence, before[-1].end, one)


def _labels(sentence: Sentence, end: int, one: Mention) -> bool:
    """Whether only a preposition or bracket leads from ``end`` to a name, or the name begins with one."""
    gap = sentence.text[end : one.start]
    preposed = gap == " " and _PREPOSED.match(sentence.text, one.start) is not None
    return preposed or _LABEL_GAP.fullmatch(gap) is not None


def _is_of_others(sentence: Sentence, last: Mention | None, number: Number) -> bool:
    """Whether a comparison leads from the last name to the number, or words without a name label it: "with 20 % of
    it", "as on the others (12 %)"."""
    if last is not None and _SECOND_SIDE.search(sentence.text, last.end, number.start):
        return True
    behind = _UNNAMED.match(sentence.text, number.end)
    return behind is not None and not any(behind.start() <= one.start < behind.end() for one in sentence.mentions)


def _label(sentence: Sentence, mentions: Sequence[Mention], number: Number, named: bool) -> Mention | None:
    """The name directly behind a number or the range that it begins: ``12 % (silver)``, ``from 4 to 9 kg at A``. Where
    a name stands before it (``named``), one behind a comma with a number of its own is the next of a list."""
    end = number.end
    for following in sentence.numbers:
        if following.start >= end and _RANGE_GAP.fullmatch(sentence.text[end : following.start]):
            end = following.end
    behind = next((one for one in mentions if one.start >= end), None)
    if behind is None or not _labels(sentence, end, behind):
        return None
    after = next((one.start for one in mentions if one.start >= behind.end), len(sentence.text))
    digits = [one for one in sentence.numbers if not one.word]
    own = any(behind.end <= one.start < after and one.unit == number.unit for one in digits)
    listed = named and own and sentence.text[end : behind.start].lstrip().startswith(",")
    return None if listed else behind


def _paired(sentence: Sentence, mentions: Sequence[Mention], number: Number) -> str | None:
    """The name at the number's place in a list of as many names as numbers before it: ``A and B (12 % and 15 %)``."""
    run = _run(sentence, number)
    if len(run) < 2 or _BETWEEN.search(sentence.text, 0, run[0].start):
        return None
    if len(run) == 2 and sentence.text[run[0].end : run[1].start].strip() == ",":
        return None
    names = _distinct([one for one in mentions if one.end <= run[0].start], sentence, run[0])
    if any(run[0].start <= one.start < run[-1].end for one in mentions) or len(names) != len(run):
        return None
    return names[run.index(number)]


def _distinct(mentions: Sequence[Mention], sentence: Sentence, first: Number) -> list[str]:
    """The names before a list of numbers, back to the number before it, each once."""
    same = [one.end for one in sentence.numbers if one.end <= first.start and one.unit == first.unit and not one.role]
    floor = max(same, default=0)
    keys: list[str] = []
    for one in mentions:
        if one.start >= floor and one.key not in keys:
            keys.append(one.key)
    return keys


def _run(sentence: Sentence, number: Number) -> list[Number]:
    """The numbers of one unit that stand in a list with this one."""
    same = [one for one in sentence.numbers if one.unit == number.unit and one.role == number.role]
    at = same.index(number)
    low, high = at, at
    while low and _LIST_GAP.fullmatch(sentence.text[same[low - 1].end : same[low].start]):
        low -= 1
    while high + 1 < len(same) and _LIST_GAP.fullmatch(sentence.text[same[high].end : same[high + 1].start]):
        high += 1
    return same[low : high + 1]
