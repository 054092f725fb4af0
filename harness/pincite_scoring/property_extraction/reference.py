"""The published scoring, quirks and all, for ``compat="reference"``.

Source: the public scoring code of the SuperCon property extraction study (recall, precision and value scoring).
Every gold record takes the best score among its matches and every answer record likewise, so one record may serve
many. Only the matcher differs: the study asks a language model.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pincite_materials.comparing import TOLERANCES
from pincite_materials.formulas import published_same_formula
from pincite_materials.published_values import published_same_value, published_spelling
from pincite_materials.symmetry import published_space_group
from pincite_scoring.property_extraction.candidates import directed
from pincite_scoring.property_extraction.compare import kind_of
from pincite_scoring.property_extraction.likeness import Likeness
from pincite_scoring.property_extraction.records import Record

Decide = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class Directed:
    """One direction: for each record of a side, the other side's matches and the best value score by tolerance."""

    matches: dict[int, list[int]]
    best: dict[int, dict[str, float]]


def published_value_score(answer: Record, gold: Record, tolerance: float) -> bool:
    """Whether any number of the answer meets the first of the gold value; text is equal where one holds the other.
    What reads the same is the same, which is ours: there a gold value that its rubric cannot read equals nothing."""
    a, b = (f"{record.value_string} {record.value_unit}".strip() for record in (answer, gold))
    if a == b:
        return True
    kind = kind_of(gold)
    if kind == "number":
        return published_same_value(a, b, tolerance)
    if kind == "formula":
        return published_same_formula(published_spelling(a), published_spelling(b))
    if kind == "space_group":
        number = published_space_group(b)
        return number is not None and published_space_group(a) == number
    return a.lower() in b.lower() or b.lower() in a.lower()


def same_published_material(a: str, b: str) -> bool:
    """The published comparison of materials, but for a name that pymatgen does not read (``YBa2Cu3O7-d``): it equals
    its own spelling here and nothing there, where gold would not match itself."""
    return a == b or published_same_formula(a, b)


def score_direction(
    candidates_of: Mapping[int, Record],
    scored: Mapping[int, Record],
    decide: Decide,
    likeness: Likeness,
    *,
    scored_is_gold: bool,
) -> Directed:
    """Candidates run from one side to the other, which is scored (published: recall from answers to gold)."""
    matches: dict[int, list[int]] = {index: [] for index in scored}
    best: dict[int, dict[str, float]] = {index: dict.fromkeys(TOLERANCES, 0.0) for index in scored}
    for other, index in directed(candidates_of, scored, likeness):
        answer, gold = (other, index) if scored_is_gold else (index, other)
        records = (candidates_of[other], scored[index]) if scored_is_gold else (scored[index], candidates_of[other])
        if not same_published_material(records[0].material_or_system, records[1].material_or_system):
            continue
        if not decide(answer, gold):
            continue
        matches[index].append(other)
        for name, tolerance in TOLERANCES.items():
            best[index][name] = max(best[index][name], float(published_value_score(*records, tolerance)))
    return Directed(matches, best)
