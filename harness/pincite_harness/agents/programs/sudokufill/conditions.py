"""Conditions: the schema's dependencies, applied to a finished row by rule, with a record of what changed."""

from collections.abc import Sequence

from .events import Conditioned
from .schema import ANY, Condition, Field, Schema

Row = dict[str, list[str]]
_PASSES = 3
"""How often all conditions are gone through: one condition may be met by what another one changed."""


def applied(row: Row, schema: Schema, object_id: str) -> list[Conditioned]:
    """Change ``row`` in place until its conditions hold, as far as rules can: what must be empty is emptied, what
    follows alone is filled in, what is not allowed is taken out. Fields of the identity stay. The changes, and the
    conditions that cannot be met."""
    changes: list[Conditioned] = []
    for _ in range(_PASSES):
        found: list[Conditioned] = []
        for condition in schema.conditions:
            if _holds(condition, row, schema):
                found += _apply(condition, row, schema, object_id)
        changes += found
        if not found:
            break
    return [*changes, *_unmet(row, schema, object_id)]


def _holds(condition: Condition, row: Row, schema: Schema) -> bool:
    return all(_any_of(row.get(name, []), choices, schema.field(name)) for name, choices in condition.when.items())


def _any_of(values: Sequence[str], choices: Sequence[str], field: Field) -> bool:
    forms = {field.form(choice) for choice in choices}
    return bool(values) and (ANY in choices or any(field.form(value) in forms for value in values))


def _apply(condition: Condition, row: Row, schema: Schema, object_id: str) -> list[Conditioned]:
    found: list[Conditioned] = []
    for name in condition.empties:
        found += _put(row, name, [], schema, object_id, condition)
    for name, choices in condition.then.items():
        kept = _allowed(row.get(name, []), choices, schema.field(name))
        implied = [choices[0]] if len(choices) == 1 and choices[0] != ANY else []
        found += _put(row, name, kept or implied, schema, object_id, condition)
    for name, choices in condition.allows.items():
        kept = _allowed(row.get(name, []), choices, schema.field(name))
        found += _put(row, name, kept, schema, object_id, condition)
    return found


def _allowed(values: Sequence[str], choices: Sequence[str], field: Field) -> list[str]:
    return [value for value in values if _any_of([value], choices, field)]


def _put(
    row: Row, name: str, after: list[str], schema: Schema, object_id: str, condition: Condition
) -> list[Conditioned]:
    before = row.get(name, [])
    if before == after or name in schema.identity:
        return []
    row[name] = after
    change = "emptied" if not after else "filled" if not before else "replaced"
    why = condition.because or ", ".join(f"{each} is {' or '.join(held)}" for each, held in condition.when.items())
    return [Conditioned(object=object_id, field=name, change=change, before=before, after=after, because=why)]


def _unmet(row: Row, schema: Schema, object_id: str) -> list[Conditioned]:
    """Fields that must be filled and for which nothing was found."""
    found: list[Conditioned] = []
    for condition in schema.conditions:
        if not _holds(condition, row, schema):
            continue
        for name in [*condition.fills, *condition.then]:
            if not row.get(name):
                why = condition.because
                found.append(
                    Conditioned(object=object_id, field=name, change="unmet", before=[], after=[], because=why)
                )
    return found
