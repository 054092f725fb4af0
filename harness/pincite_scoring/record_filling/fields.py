"""Fields: F1 of each field's values, and their mean (macro F1), as published for the general materials set of NERRE."""

from collections.abc import Mapping, Sequence

from pincite_scoring.record_filling.matching import Match
from pincite_scoring.record_filling.objects import Filled
from pincite_scoring.record_filling.reference import count_field
from pincite_scoring.record_filling.schema import Schema
from pincite_scoring.record_filling.tally import Part

Metrics = dict[str, float | None]
F1 = "f1_"
"""Begins the names of the metrics of single fields."""
_COUNT = "n_field_"


def field_metrics(parts: Mapping[str, Part]) -> Metrics:
    """``f1_<field>``, None where neither side fills the field, ``macro_f1``, their mean, and the counts of both."""
    metrics: Metrics = {}
    for name, part in parts.items():
        metrics |= part.counts(f"field_{name}")
    return macro(parts) | metrics


def macro(parts: Mapping[str, Part]) -> Metrics:
    """``macro_f1`` and ``f1_<field>``."""
    found: Metrics = {name: part.f1 if part.answers or part.golds else None for name, part in parts.items()}
    values = [value for value in found.values() if value is not None]
    mean = sum(values) / len(values) if values else None
    return {"macro_f1": mean, **{f"{F1}{name}": value for name, value in found.items()}}


def counted(counts: Mapping[str, float]) -> dict[str, Part]:
    """The parts of all fields that have counts."""
    names = [name.removeprefix(_COUNT).removesuffix("_gold") for name in counts if name.startswith(_COUNT)]
    return {name: Part.of(counts, f"field_{name}") for name in names if f"{_COUNT}{name}_gold" in counts}


def strict_parts(
    answers: Sequence[Filled], golds: Sequence[Filled], matches: Sequence[Match], schema: Schema
) -> dict[str, Part]:
    """By field: values right in matched objects, of those answered and those of the gold."""
    return {
        field.name: _part(
            sum(len(match.right.get(field.name, ())) for match in matches),
            sum(len(filled.values.get(field.name, ())) for filled in answers),
            sum(len(filled.values.get(field.name, ())) for filled in golds),
        )
        for field in schema.fields
    }


def reference_parts(answers: Sequence[Filled], golds: Sequence[Filled], schema: Schema) -> dict[str, Part]:
    """By field, as the looser definitions count its values or words."""
    return {field.name: count_field(answers, golds, field.name, schema) for field in schema.fields}


def _part(right: int, answered: int, gold: int) -> Part:
    return Part(right, answered, right, gold)
