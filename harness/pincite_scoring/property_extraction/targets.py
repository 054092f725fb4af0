"""Targets: which records of a gold answer belong to a list of properties."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pincite_materials.property_names import normal_form, same_quantity

RECORDS = "properties"


def records_of(gold: object) -> list[dict[str, Any]] | None:
    """The records of a gold answer; None where it has none to choose from."""
    held = cast("Mapping[str, Any]", gold).get(RECORDS) if isinstance(gold, Mapping) else None
    return cast("list[dict[str, Any]]", held) if isinstance(held, list) else None


def restrict(records: Sequence[dict[str, Any]], targets: Sequence[str]) -> list[dict[str, Any]]:
    """The records of a property that one of the targets means."""
    return [record for record in records if is_target(str(record.get("property_name", "")), targets)]


def is_target(name: str, targets: Sequence[str]) -> bool:
    """Whether one of the targets means the property of this name: the same name, or the same quantity by the lexicon
    of property names."""
    form = normal_form(name)
    return any(form == normal_form(target) or same_quantity(name, target)[0] for target in targets)
