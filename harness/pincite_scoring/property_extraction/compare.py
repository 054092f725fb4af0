"""Is an answer's value the gold value? By what rule is told here; the rules are ``pincite_materials.comparing``."""

from functools import lru_cache

from pincite_materials.comparing import Comparison, Kind, Stated, compare_stated
from pincite_materials.formulas import parse_formula
from pincite_materials.property_lexicon import KINDS
from pincite_materials.property_names import read_name
from pincite_materials.symmetry import crystal_system, space_group_number
from pincite_materials.units import known
from pincite_materials.values import parse_value
from pincite_scoring.property_extraction.records import Record

RUBRICS: dict[str, Kind] = {
    "0.1% si": "number",
    "exact_match": "category",
    "categorical": "category",
    "pymatgen": "formula",
    "space_group": "space_group",
}
"""The rubrics of the published gold, in lower case."""


def kind_of(gold: Record) -> Kind:
    """By what rule a gold value is compared: by its rubric where it has one, by its property where the lexicon says,
    else as the value reads."""
    ruled = RUBRICS.get(gold.rubric.casefold().strip())
    if ruled is None:
        return _kind(gold.property_name, gold.value_string, gold.value_unit)
    return ruled if _readable(ruled, gold.value_string) else "category"


def _readable(kind: Kind, text: str) -> bool:
    """Whether a gold value is what its rubric says; else it is compared as it reads."""
    if kind == "number":
        return parse_value(text) is not None
    return kind != "space_group" or space_group_number(text) is not None


@lru_cache(maxsize=16384)
def _kind(name: str, text: str, stated_unit: str) -> Kind:
    kinds = {KINDS[concept] for concept in read_name(name).concepts if concept in KINDS}
    if "space_group" in kinds and space_group_number(text) is not None:
        return "space_group"
    if "crystal_system" in kinds and crystal_system(text) is not None:
        return "crystal_system"
    if "formula" in kinds and parse_formula(text) is not None:
        return "formula"
    if kinds:
        return "category"
    value = parse_value(text)
    return "number" if value is not None and (stated_unit or not value.unit or known(value.unit)) else "category"


def compare(answer: Record, gold: Record) -> Comparison:
    """Compare by the gold record's kind; raises MissingExtraError where the materials extra is needed and absent."""
    return compare_stated(kind_of(gold), stated(answer), stated(gold))


def stated(record: Record) -> Stated:
    """The value of a record as it states it."""
    return Stated(record.value_string, record.value_unit, record.qualifier)
