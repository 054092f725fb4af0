"""Schema: the fields of an object as the task gives them, read without pincite."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .forms import normal_form, text_form

ANY = "*"
_LABELS = "labels"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an object."""

    name: str
    definition: str
    kind: str = "text"
    many: bool = False
    labels: tuple[str, ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    unit: str = ""
    case_matters: bool = False

    def form(self, value: str) -> str:
        """The normal form of a value: that of the label or main word that it stands for, where the schema knows it."""
        own = normal_form(value, self.kind, case_matters=self.case_matters)
        for main, others in self.synonyms.items():
            forms = [normal_form(other, self.kind, case_matters=self.case_matters) for other in others]
            if own in forms:
                return normal_form(main, self.kind, case_matters=self.case_matters)
        return own

    def label(self, value: str) -> str | None:
        """The label that a value means; None where it is none of them."""
        wanted = self.form(value)
        return next((label for label in self.labels if self.form(label) == wanted), None)


@dataclass(frozen=True, slots=True)
class Condition:
    """What follows for an object in which every field of ``when`` has one of the values named (``*``: any value)."""

    when: Mapping[str, tuple[str, ...]]
    then: Mapping[str, tuple[str, ...]]
    allows: Mapping[str, tuple[str, ...]]
    fills: tuple[str, ...]
    empties: tuple[str, ...]
    because: str

    @property
    def targets(self) -> tuple[str, ...]:
        """The fields that it speaks about."""
        return tuple(dict.fromkeys([*self.then, *self.allows, *self.fills, *self.empties]))


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema; ``identity`` tells objects apart, and its first field is the one that names them."""

    object: str
    fields: tuple[Field, ...]
    identity: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    records: bool = False
    """Whether every name is an object, one that says less than another too: rows are records of a list."""

    @property
    def naming(self) -> Field:
        """The field that objects are found by: the first of the identity, else the first of all."""
        return self.field(self.identity[0]) if self.identity else self.fields[0]

    def field(self, name: str) -> Field:
        """The field of that name; KeyError where there is none."""
        for each in self.fields:
            if each.name == name:
                return each
        raise KeyError(name)

    def is_empty(self, value: str) -> bool:
        """Whether a value says that there is none."""
        form = text_form(value)
        return form in ("", "na", "n/a", "null") or form in {text_form(word) for word in self.placeholders}

    def depends_on(self, name: str) -> list[str]:
        """The fields that constrain a field, in the schema's order."""
        found = {source for each in self.conditions if name in each.targets for source in each.when}
        return [each.name for each in self.fields if each.name in found and each.name != name]


def read_schema(text: str) -> Schema:
    """A schema from TOML, or from JSON where the text begins with a brace; ValueError where it is neither."""
    data: dict[str, Any] = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    try:
        return Schema(
            object=str(data["object"]),
            fields=tuple(_field(each) for each in data["fields"]),
            identity=tuple(data.get("identity", ())),
            placeholders=tuple(data.get("placeholders", ())),
            conditions=tuple(_condition(each) for each in data.get("dependencies", ())),
        )
    except KeyError as error:
        raise ValueError(f"the schema has no {error}") from error


def _field(data: Mapping[str, Any]) -> Field:
    return Field(
        name=str(data["name"]),
        definition=str(data["definition"]),
        kind=str(data.get("kind", "text")),
        many=bool(data.get("many", False)),
        labels=tuple(data.get(_LABELS, ())),
        synonyms={str(main): tuple(others) for main, others in data.get("synonyms", {}).items()},
        unit=str(data.get("unit", "")),
        case_matters=bool(data.get("case_matters", False)),
    )


def _condition(data: Mapping[str, Any]) -> Condition:
    return Condition(
        when=_choices(data.get("when", {})),
        then=_choices(data.get("then", {})),
        allows=_choices(data.get("allows", {})),
        fills=tuple(data.get("fills", ())),
        empties=tuple(data.get("empties", ())),
        because=str(data.get("because", "")),
    )


def _choices(data: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {str(name): (held,) if isinstance(held, str) else tuple(held) for name, held in data.items()}
