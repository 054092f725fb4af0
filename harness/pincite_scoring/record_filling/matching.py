"""Matching: which object of the answer is which object of the gold."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_scoring.property_extraction.assignment import assign
from pincite_scoring.record_filling.naming import NOTHING, Context
from pincite_scoring.record_filling.objects import Filled
from pincite_scoring.record_filling.schema import Field, Schema
from pincite_scoring.record_filling.values import form, right_values

_ROW, _VALUE = float(2**38), float(2**19)
"""A right row outweighs every number of right values, a right value every number of wrong ones; sums stay exact."""

Right = dict[str, list[tuple[int, int]]]
"""For each field the pairs (answer, gold) of values that are one."""


@dataclass(frozen=True, slots=True)
class Match:
    """An object of the answer and the gold object it is taken for."""

    answer: int
    gold: int
    right: Right


def match_objects(
    answers: Sequence[Filled], golds: Sequence[Filled], schema: Schema, context: Context = NOTHING
) -> list[Match]:
    """One to one, by the best total: most right rows, then most right values, then fewest wrong values in matched
    objects; equal totals by the smaller indices. Only objects that agree in a field of the identity are compared."""
    compared: dict[tuple[int, int], Right] = {}
    weights: dict[tuple[int, int], float] = {}
    for i, answer in enumerate(answers):
        for j, gold in enumerate(golds):
            right = compare(answer, gold, schema, context)
            count = sum(map(len, right.values()))
            if not count:
                continue
            compared[i, j] = right
            wrong = min(answer.entities - count, int(_VALUE) - 1)
            weights[i, j] = count * _VALUE - wrong + (_ROW if is_right(answer, gold, right) else 0.0)
    return [Match(i, j, compared[i, j]) for i, j in assign(weights)] if weights else []


def compare(answer: Filled, gold: Filled, schema: Schema, context: Context = NOTHING) -> Right:
    """The right values by field; none at all where the schema has an identity and no field of it agrees."""
    first = [field for field in schema.fields if field.name in schema.identity]
    right = _right(answer, gold, first, schema, context)
    if schema.identity and not right:
        return {}
    rest = [field for field in schema.fields if field.name not in schema.identity]
    return right | _right(answer, gold, rest, schema, context)


def _right(answer: Filled, gold: Filled, fields: Sequence[Field], schema: Schema, context: Context) -> Right:
    found: Right = {}
    for field in fields:
        mine, true = answer.values.get(field.name), gold.values.get(field.name)
        others = _others(gold, schema, field)
        pairs = right_values(field, mine, true, context.within(others)) if mine and true else []
        if pairs:
            found[field.name] = pairs
    return found


def _others(gold: Filled, schema: Schema, but: Field) -> list[str]:
    """The values of the object's other fields, each also by its synonyms of the schema."""
    found: list[str] = []
    for field in schema.fields:
        for value in gold.values.get(field.name, ()) if field.name != but.name else ():
            own = form(field, value)
            found += [value, *(name for name, meant in field.lexicon.items() if meant == own)]
    return found


def is_right(answer: Filled, gold: Filled, right: Right) -> bool:
    """Whether the row is right: every value of either object is one with a value of the other."""
    return answer.entities == gold.entities == sum(map(len, right.values()))
