"""Do two records report the same measurement? The published study asks a model; the default here are rules."""

from dataclasses import dataclass
from typing import Protocol

from pincite_materials.same_property import relate, told_apart
from pincite_scoring.judging.judge import Verdict as Judged
from pincite_scoring.property_extraction.condition_classes import THEORY, classes
from pincite_scoring.property_extraction.conditions import conflict
from pincite_scoring.property_extraction.records import Record


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision, its reason, and by what two names were matched (direct, synonym, abbreviation, words, judge,
    evidence)."""

    match: bool
    reason: str
    via: str = ""
    judged: Judged | None = None
    """What the judge said, where one was asked."""
    undecided: bool = False
    """Whether no rule knows: the names may mean one quantity, and nothing contradicts."""


class Matcher(Protocol):
    """Decides whether an answer's record and a gold record are the same measurement. Materials are compared apart."""

    name: str
    """Stands in score.json."""

    def decide(self, answer: Record, gold: Record) -> Verdict:
        """The verdict on one pair; deterministic for one matcher name."""
        ...

    def ask(self, answer: Record, gold: Record) -> Verdict | None:
        """The verdict of a judge on a pair that ``decide`` leaves undecided; None without a judge."""
        ...


class LexiconMatcher:
    """Names by meaning, conditions by rule: the published matching prompt (SuperCon extraction) as a program.

    Same are synonyms, abbreviations, symbols and other orders of words. Different are onset, midpoint and zero;
    densities and absolutes; axes; upper and lower fields; orientations; and conditions that cannot be reconciled.
    Names that no rule knows are undecided, and do not match.
    """

    name = "lexicon/2"

    def __init__(self) -> None:
        self._conflicts: dict[tuple[object, ...], str | None] = {}

    def decide(self, answer: Record, gold: Record) -> Verdict:
        """Quantity first, then everything that could contradict."""
        relation = relate(answer.property_name, gold.property_name)
        if relation.answer == "different":
            return Verdict(False, relation.how)
        key = (*_facets(answer), *_facets(gold))
        if key not in self._conflicts:
            self._conflicts[key] = conflict(answer, gold)
        reason = self._conflicts[key] or _told_apart(answer, gold) or _theory_of_nothing(answer, gold)
        if reason:
            return Verdict(False, reason)
        if relation.answer == "unknown":
            return Verdict(False, relation.how, undecided=True)
        return Verdict(True, "", relation.how)

    def ask(self, answer: Record, gold: Record) -> Verdict | None:
        """Nobody to ask."""
        return None


def _theory_of_nothing(answer: Record, gold: Record) -> str | None:
    """An answer that calls a value computed where the gold says of no method: what is computed is said to be."""
    if gold.method or not classes(answer.method, THEORY):
        return None
    if classes(f"{gold.model_or_fit} {gold.location.evidence} {gold.property_name}", THEORY):
        return None
    return f"the answer calls theory what the gold does not: {answer.method}"


def _told_apart(a: Record, b: Record) -> str | None:
    for one, other in ((a, b), (b, a)):
        if told_apart(one.property_name, other.value_detail):
            return f"{one.property_name!r} is not what the other says of its value: {other.value_detail}"
    return None


def _facets(record: Record) -> tuple[object, ...]:
    """All of a record that a conflict can come from: tables repeat it row by row."""
    return record.property_name, record.conditions.stated, record.method, record.model_or_fit, record.value_detail
