"""Strict pairing: candidates, verdicts, materials and values become one-to-one pairs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pincite_harness.scoring.property_extraction.assignment import assign
from pincite_harness.scoring.property_extraction.candidates import candidate_pairs
from pincite_harness.scoring.property_extraction.compare import compare
from pincite_harness.scoring.property_extraction.matcher import Matcher, Verdict
from pincite_harness.scoring.property_extraction.records import Record
from pincite_materials.comparing import TOLERANCES, Comparison
from pincite_materials.formulas import same_formula
from pincite_materials.property_names import similarity

_WEIGHTS = dict(zip(TOLERANCES, (64.0, 16.0, 4.0), strict=True))
"""A value right at a tolerance outweighs any number of pairs that only match; the pair itself weighs 1."""

_TIE = 1e-3
"""Settles ties: the likeness of the names, the same page, conditions that both state."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A candidate pair that matches in property and material, with its value compared."""

    answer: int
    gold: int
    verdict: Verdict
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class Outcome:
    """The pairs assigned, and for each record left over the best reason why."""

    pairs: tuple[Pairing, ...]
    reasons: Mapping[tuple[str, int], str]


def pair_up(answers: Mapping[int, Record], golds: Mapping[int, Record], matcher: Matcher) -> Outcome:
    """Match and assign by the best total: most values right at 0.1 %, then 1 %, 10 %, then most matches."""
    matching: dict[tuple[int, int], Pairing] = {}
    weights: dict[tuple[int, int], float] = {}
    near: dict[tuple[str, int], tuple[float, str]] = {}
    for i, j in candidate_pairs(answers, golds):
        answer, gold = answers[i], golds[j]
        verdict = matcher.decide(answer, gold)
        same_material = same_materials(answer.material_or_system, gold.material_or_system)
        if verdict.match and same_material:
            comparison = compare(answer, gold)
            matching[i, j] = Pairing(i, j, verdict, comparison)
            weights[i, j] = _weight(answer, gold, comparison)
            continue
        reason = (
            verdict.reason or f"the material differs: {answer.material_or_system} against {gold.material_or_system}"
        )
        closeness = similarity(answer.property_name, gold.property_name) + same_material + verdict.match
        for key in (("answer", i), ("gold", j)):
            if closeness > near.get(key, (0.0, ""))[0]:
                near[key] = (closeness, reason)
    pairs = tuple(matching[pair] for pair in assign(weights))
    taken = {("answer", pair.answer) for pair in pairs} | {("gold", pair.gold) for pair in pairs}
    for i, j in matching:
        for key in (("answer", i), ("gold", j)):
            if key not in taken:
                near[key] = (9.0, "its only counterparts are paired with other records")
    return Outcome(pairs, {key: reason for key, (_, reason) in near.items() if key not in taken})


@lru_cache(maxsize=65536)
def same_materials(a: str, b: str) -> bool:
    """Strict formula comparison, remembered."""
    return same_formula(a, b)


@lru_cache(maxsize=65536)
def _agreeing(answer: tuple[str, ...], gold: tuple[str, ...]) -> int:
    """How many conditions both records state in the same words."""
    return sum(bool(mine) and mine == true for mine, true in zip(answer, gold, strict=True))


def _weight(answer: Record, gold: Record, comparison: Comparison) -> float:
    weight = 1.0 + sum(_WEIGHTS[name] for name, tolerance in TOLERANCES.items() if comparison.within(tolerance))
    agreeing = _agreeing(answer.conditions.stated, gold.conditions.stated)
    same_place = answer.location.page == gold.location.page
    return weight + _TIE * (similarity(answer.property_name, gold.property_name) + same_place + agreeing)
