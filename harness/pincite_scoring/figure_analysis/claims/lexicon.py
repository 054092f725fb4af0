"""Lexicon: words that say a direction or a comparison, and whether they are negated."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("lexicon.toml")
_LEXICON: Mapping[str, Mapping[str, Any]] = tomllib.loads(_FILE.read_text("utf-8"))
CONCEPTS = tuple(_LEXICON)
OPPOSITES = {name: frozenset[str](entry["opposites"]) for name, entry in _LEXICON.items()}
DIRECTIONS = frozenset(
    {"up", "down", "fast", "slow", "lowest", "highest", "same", "differ", "closer", "apart", "cross"}
)
"""Concepts that say how one value stands to another."""
NEGATED = "no_"
_NOT = re.compile(
    r"\b(?:no|not|non|never|neither|nor|none|without|cannot|n't|fails? to|failed to|stops?|stopped|ceas\w* to"
    r"|hardly|barely|scarcely|unable|impossible|unlikely|los(?:es|t|ing)(?= (?:its |their |any |the )?significan)"
    r"|too (?:few|small|short) to|far from|by no means|depriv\w*|robs?|robbed|strip\w*|lacks?|lacked|lacking)\b|n't\b",
    re.IGNORECASE,
)
_RULED_OUT = re.compile(r"\b(?:rul(?:es?|ed|ing) out|excludes?|excluded|eliminat\w+)\b(?=.*\bas\b)", re.IGNORECASE)
_NEITHER = re.compile(r"[\w-]+\s+(?:\w+\s+){0,3}neither\b", re.IGNORECASE)
"""Behind a word, a negation of it: "the cause is neither"."""
_DENIED_BEHIND = re.compile(
    r"\s+(?:(?:almost|practically|virtually|next to)\s+)?nothing\b|[^.;]{0,40}\b(?:is|are|was|were|does|do|did)\s+"
    r"(?:no longer|not) so\b",
    re.IGNORECASE,
)
"""Behind a word, a negation of it: "adds nothing", "significant elsewhere, is no longer so"."""
_COMPARATIVE = re.compile(
    r"higher|greater|larger|bigger|more|above|better|stronger|steeper|ahead of|lower|less|fewer|smaller|below|weaker"
    r"|worse|behind|short of|deficit|exceed\w*|outperform\w*|surpass\w*|beats?|trail\w*|lag(?:s|ged|ging)?|leads? ",
    re.IGNORECASE,
)
_BECOMING = re.compile(
    r"\b(?:becom\w+|became|gets?|got|getting|grows?|grew|turns?|turned|ever|increasingly|progressively|steadily)\s+"
    r"(?:(?:ever|steadily|clearly|still|even|much|a little|slightly)\s+)?$",
    re.IGNORECASE,
)
"""Before a comparative that says how something changes: "the gap becomes smaller"."""
_REACH = 5
"""Words between a negation and what it negates: "does not by itself explain why"."""
_WORD = re.compile(r"\S+")
_ASIDE = re.compile(r"\([^()]*\)")
_NOR = re.compile(r"\bneither\b(?=.*\bnor\b)", re.IGNORECASE)
"""The first half of a negation in two."""
_CAUSE = re.compile(r"(?:^|[,(]|\b(?:by|on|upon|when|while|whereas|for|of|after|and|with))\s*$", re.IGNORECASE)
"""Before a word in -ing that names what somebody does, not what comes of it: "raising x to 0.2"."""
_WISHED = re.compile(r"\b(?:would|should|might)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
"""Before a word that says what could be, not what is."""
_NO_NEGATION = re.compile(
    r"\b(?:not only|no less than|no more than|not before|no later than|no doubt)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Said:
    """A concept at ``[start:end]`` of a text."""

    concept: str
    start: int
    end: int
    negated: bool
    comparative: bool = False
    """Whether it compares ("larger") rather than saying that something changes ("grows")."""
    cause: bool = False
    """Whether it may be what is done rather than what comes of it: "raising x", "as data are doubled"."""

    @property
    def name(self) -> str:
        """The concept, with ``no_`` before it where it is negated."""
        return f"{NEGATED}{self.concept}" if self.negated else self.concept


def said_in(text: str) -> list[Said]:
    """The concepts of a clause, in order; longer phrases hide the words that they hold."""
    found: list[Said] = []
    for concept, pattern in _patterns().items():
        for match in pattern.finditer(text):
            compares = _COMPARATIVE.fullmatch(match[0]) is not None
            negated = is_negated(text, match.start(), match.end())
            if _WISHED.search(text, 0, match.start()):
                continue
            compares = compares and _BECOMING.search(text, 0, match.start()) is None
            cause = match[0].endswith("ing") and _CAUSE.search(text, 0, match.start()) is not None
            cause = cause or match[0].lower().startswith(("doubl", "halv"))
            found.append(Said(concept, match.start(), match.end(), negated, compares, cause))
    whole = [one for one in found if not any(_holds(other, one) or _measures(text, one, other) for other in found)]
    return sorted(whole, key=lambda one: (one.start, one.concept))


def is_negated(text: str, at: int, end: int) -> bool:
    """Whether an odd number of negations stands in the few words before a word, or "neither" behind it."""
    text = _ASIDE.sub(lambda match: " " * len(match[0]), text) if "(" in text[:at] else text
    text = _NOR.sub(lambda match: " " * len(match[0]), text)
    words = list(_WORD.finditer(text, 0, at))
    start = words[-_REACH].start() if len(words) >= _REACH else 0
    near = _NO_NEGATION.sub(lambda match: " " * len(match[0]), text[:at])
    reached = [match for match in _NOT.finditer(near + text[at:]) if match.end() <= at]
    found = [match for match in reached if match.start() >= start or text.startswith(" that ", match.end())]
    behind = "neither" not in text[at:end] and _NEITHER.match(text, at) is not None
    behind = behind or _DENIED_BEHIND.match(text, end) is not None
    return (len(found) + len(_RULED_OUT.findall(text[:at])) + behind) % 2 == 1


def denies(said: str, claimed: str) -> bool:
    """Whether saying ``said`` contradicts the claim of ``claimed``; both may begin with ``no_``."""
    if said == claimed:
        return False
    plain_said, plain_claimed = said.removeprefix(NEGATED), claimed.removeprefix(NEGATED)
    if plain_said == plain_claimed:
        return True
    both_plain = not said.startswith(NEGATED) and not claimed.startswith(NEGATED)
    return both_plain and plain_said in OPPOSITES[plain_claimed]


def _holds(other: Said, one: Said) -> bool:
    longer = other.end - other.start > one.end - one.start
    return longer and other.start <= one.start and one.end <= other.end


def _measures(text: str, one: Said, other: Said) -> bool:
    """Whether ``one`` is the "more" of "more slowly"."""
    return text[one.start : one.end].lower() == "more" and text[one.end : other.start].isspace()


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return dict(_compiled())


def _compiled() -> Iterator[tuple[str, re.Pattern[str]]]:
    for name, entry in _LEXICON.items():
        words = sorted(entry["words"], key=len, reverse=True)
        yield name, re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)
