"""Dependencies: whether the fields of an object agree with each other as the schema demands."""

from pincite_scoring.record_filling.objects import Filled
from pincite_scoring.record_filling.schema import Allowed, Dependency, Field, Schema
from pincite_scoring.record_filling.values import same_value

_ANY = "*"


def violations(filled: Filled, schema: Schema) -> list[str]:
    """What is wrong with one object: values outside of a label set, several values in a field for one, strays, and
    dependencies that do not hold."""
    found = [f"{stray.field}: {stray.reason}" for stray in filled.strays]
    for field in schema.fields:
        values = filled.values.get(field.name, ())
        if len(values) > 1 and not field.many:
            found.append(f"{field.name}: {len(values)} values in a field for one")
        if field.labels:
            found += [
                f"{field.name}: {value!r} is none of the labels" for value in values if not _is_label(field, value)
            ]
    for dependency in schema.dependencies:
        if all(_holds(filled, schema, name, allowed) for name, allowed in dependency.when.items()):
            found += _broken(filled, schema, dependency)
    return found


def _is_label(field: Field, value: str) -> bool:
    return any(same_value(field, value, label) for label in field.labels)


def _holds(filled: Filled, schema: Schema, name: str, allowed: Allowed) -> bool:
    """Whether any value of the field is among those allowed."""
    field, values = schema.field(name), filled.values.get(name, ())
    choices = [allowed] if isinstance(allowed, str) else allowed
    if field is None or not values:
        return False
    return _ANY in choices or any(same_value(field, value, choice) for value in values for choice in choices)


def _within(filled: Filled, schema: Schema, name: str, allowed: Allowed) -> bool:
    """Whether all values of the field are among those allowed."""
    field = schema.field(name)
    choices = [allowed] if isinstance(allowed, str) else allowed
    return field is None or all(
        any(same_value(field, value, choice) for choice in choices) for value in filled.values.get(name, ())
    )


def _broken(filled: Filled, schema: Schema, dependency: Dependency) -> list[str]:
    found = [f"{name}: must be filled" for name in dependency.fills if name not in filled.values]
    found += [f"{name}: must be empty" for name in dependency.empties if name in filled.values]
    for name, allowed in dependency.then.items():
        if name not in filled.values or not _within(filled, schema, name, allowed):
            found.append(f"{name}: must be {_named(allowed)}")
    for name, allowed in dependency.allows.items():
        if not _within(filled, schema, name, allowed):
            found.append(f"{name}: may only be {_named(allowed)}")
    why = dependency.because or ", ".join(f"{name} is {_named(allowed)}" for name, allowed in dependency.when.items())
    return [f"{fault} ({why})" for fault in found]


def _named(allowed: Allowed) -> str:
    return allowed if isinstance(allowed, str) else " or ".join(allowed)
