"""Strict pairing: candidates, verdicts, materials and values become one-to-one pairs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pincite_materials.comparing import TOLERANCES, Comparison
from pincite_materials.property_names import similarity
from pincite_materials.same_property import akin, relate
from pincite_scoring.property_extraction.assignment import assign
from pincite_scoring.property_extraction.compare import compare
from pincite_scoring.property_extraction.evidence import Library, misread
from pincite_scoring.property_extraction.matcher import Matcher, Verdict
from pincite_scoring.property_extraction.materials import Materials
from pincite_scoring.property_extraction.records import Record

_WEIGHTS = dict(zip(TOLERANCES, (64.0, 16.0, 4.0), strict=True))
"""A value right at a tolerance outweighs any number of pairs that only match; the pair itself weighs 1."""

_TIE = 1e-3
"""Settles ties: the likeness of the names, the same page, conditions that both state."""

Pair = tuple[int, int]
Side = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Pairing:
    """A candidate pair that matches in property and material, with its value compared."""

    answer: int
    gold: int
    verdict: Verdict
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class Nearest:
    """The record of the other side that one left over comes nearest to, and why they are not a pair."""

    other: int
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The pairs assigned, and for each record left over what it was compared with and why it was refused."""

    pairs: tuple[Pairing, ...]
    refused: Mapping[Side, Nearest]


@dataclass(slots=True)
class Pairer:
    """Pairs answers with gold records: by their names and conditions, else by their evidence (``via: evidence``)."""

    answers: Mapping[int, Record]
    golds: Mapping[int, Record]
    matcher: Matcher
    library: Library
    materials: Materials
    _near: dict[Side, tuple[float, Nearest]] = field(default_factory=dict[Side, tuple[float, Nearest]])

    def pair_up(self) -> Outcome:
        """Match and assign by the best total: most values right at 0.1 %, then 1 %, 10 %, then most matches."""
        matching: dict[Pair, Pairing] = {}
        weights: dict[Pair, float] = {}
        for i, answer in self.answers.items():
            for j, gold in self.golds.items():
                pairing = self._decide(i, j)
                if pairing is not None:
                    matching[i, j] = pairing
                    weights[i, j] = _weight(answer, gold, pairing.comparison)
        pairs = tuple(matching[pair] for pair in assign(weights))
        taken: set[Side] = {("answer", pair.answer) for pair in pairs} | {("gold", pair.gold) for pair in pairs}
        refused = {side: near for side, (_, near) in self._near.items() if side not in taken}
        for i, j in matching:
            for side, other in ((("answer", i), j), (("gold", j), i)):
                if side not in taken:
                    refused[side] = Nearest(other, "its only counterparts are paired with other records")
        return Outcome(pairs, refused)

    def left_open(self, i: int, j: int) -> bool:
        """Whether neither rules nor evidence decide on a pair of one material: a judge may."""
        answer, gold = self.answers[i], self.golds[j]
        if not self.materials.same(answer.material_or_system, gold.material_or_system):
            return False
        undecided = self.matcher.decide(answer, gold).undecided
        return undecided and not self.told_by_evidence(answer, gold, compare(answer, gold))

    def _decide(self, i: int, j: int) -> Pairing | None:
        """The pair where it matches; else what refused it is remembered for both."""
        answer, gold = self.answers[i], self.golds[j]
        same_material = self.materials.same(answer.material_or_system, gold.material_or_system)
        verdict = self.matcher.decide(answer, gold)
        if same_material and (verdict.match or verdict.undecided):
            comparison = compare(answer, gold)
            if comparison.within(TOLERANCES["0.1%"]) and misread(answer, gold):
                comparison = replace(comparison, misread=True)
            if verdict.undecided and self.told_by_evidence(answer, gold, comparison):
                verdict = Verdict(True, "", "evidence")
            if verdict.undecided and verdict.judged is None:
                verdict = self._judged(answer, gold, verdict)
            if verdict.match:
                return Pairing(i, j, verdict, comparison)
        reason = verdict.reason
        if not same_material and (verdict.match or verdict.undecided):
            reason = f"the material differs: {answer.material_or_system} against {gold.material_or_system}"
        closeness = similarity(answer.property_name, gold.property_name) + same_material + verdict.match
        closeness += _TIE * (answer.value_string == gold.value_string)
        for side, other in ((("answer", i), j), (("gold", j), i)):
            if side not in self._near or closeness > self._near[side][0]:
                self._near[side] = (closeness, Nearest(other, reason))
        return None

    def _judged(self, answer: Record, gold: Record, verdict: Verdict) -> Verdict:
        """The judge's verdict on what no rule decides; the rule's own where there is no judge."""
        asked = self.matcher.ask(answer, gold)
        return asked if asked is not None else replace(verdict, reason=f"undecided: {verdict.reason}")

    def told_by_evidence(self, answer: Record, gold: Record, comparison: Comparison) -> bool:
        """Whether the evidence tells that two records of one material, in no conflict, are one whatever their names:
        the same value and unit, and quotes that overlap at one place. It does not where the answer's name is that of
        another gold record or of something elsewhere in the paper, or names another kind of the same thing."""
        if not comparison.within(TOLERANCES["0.1%"]) or not akin(
            answer.property_name, gold.property_name, _told_of(gold)
        ):
            return False
        if self._named_elsewhere(answer.property_name, gold.property_name):
            return False
        if self.library.names_another(answer.property_name, gold):
            return False
        return self.library.overlap(answer, gold)

    def _named_elsewhere(self, name: str, gold_name: str) -> bool:
        """Whether ``name`` is that of a gold record that means another quantity than this one's."""
        others = {record.property_name for record in self.golds.values()} - {gold_name}
        return any(
            relate(name, other).answer == "same" and relate(gold_name, other).answer != "same" for other in others
        )


def _told_of(gold: Record) -> str:
    """What a record says of its value besides the name: it may hold the words that the answer's name adds."""
    conditions = gold.conditions
    parts = (gold.value_detail, gold.method, gold.model_or_fit, conditions.sample_state, conditions.other_conditions)
    return " ; ".join((*parts, gold.location.evidence))


@lru_cache(maxsize=65536)
def _agreeing(answer: tuple[str, ...], gold: tuple[str, ...]) -> int:
    """How many conditions both records state in the same words."""
    return sum(bool(mine) and mine == true for mine, true in zip(answer, gold, strict=True))


def _weight(answer: Record, gold: Record, comparison: Comparison) -> float:
    weight = 1.0 + sum(_WEIGHTS[name] for name, tolerance in TOLERANCES.items() if comparison.within(tolerance))
    agreeing = _agreeing(answer.conditions.stated, gold.conditions.stated)
    same_place = answer.location.page == gold.location.page
    return weight + _TIE * (similarity(answer.property_name, gold.property_name) + same_place + agreeing)
