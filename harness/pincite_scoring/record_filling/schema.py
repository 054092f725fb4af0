"""Schema: what an object of a task is, as data: fields, label sets, dependencies, normalisation."""

import tomllib
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, Self

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic import Field as Constrained

from pincite_core.errors import BadInputError
from pincite_scoring.record_filling.forms import text_form
from pincite_tasks.task import describe_validation

EVIDENCE = "evidence"
"""The name in an object that no field may have."""

PARAMETER = "schema"
"""The task's parameter that holds the schema's text, which the prompt shows."""

Kind = Literal["text", "label", "number", "formula"]
Name = Annotated[str, Constrained(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Allowed = str | list[str]


class Field(BaseModel):
    """One field of an object."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    definition: str = Constrained(min_length=1)
    kind: Kind = "text"
    many: bool = False
    """Whether the field holds a set of values rather than one."""
    labels: list[str] = Constrained(default_factory=list)
    """All values that a field of the kind ``label`` may have."""
    synonyms: dict[str, list[str]] = Constrained(default_factory=dict)
    """Other words for a value; they count as it."""
    unit: str = ""
    """Unit of a number that states none."""
    tolerance: float = Constrained(default=1e-3, ge=0, lt=1)
    """Relative error up to which two numbers are one."""
    case_matters: bool = False
    """Whether a text in another case is another text."""
    judged: bool = False
    """Whether a judge may find two texts the same that no rule joins."""

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.name == EVIDENCE:
            raise ValueError(f"no field may be called {EVIDENCE!r}")
        if (self.kind == "label") != bool(self.labels):
            raise ValueError("a field has labels if and only if its kind is 'label'")
        if stray := sorted(set(self.synonyms) - set(self.labels)) if self.labels else []:
            raise ValueError(f"synonyms of what is not a label: {', '.join(stray)}")
        return self

    @property
    def sensitive(self) -> bool:
        """Whether case matters: always in formulas and units."""
        return self.case_matters or self.kind in ("formula", "number")

    @cached_property
    def lexicon(self) -> dict[str, str]:
        """The form of the main word by the form of each synonym."""
        return {
            text_form(other, self.sensitive): text_form(main, self.sensitive)
            for main, others in self.synonyms.items()
            for other in others
        }


class Dependency(BaseModel):
    """What follows for an object in which every field of ``when`` has one of the values named (``*``: any value)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    when: dict[str, Allowed] = Constrained(min_length=1)
    then: dict[str, Allowed] = Constrained(default_factory=dict)
    """Fields that must be filled, each with values among these."""
    allows: dict[str, Allowed] = Constrained(default_factory=dict)
    """Fields that may be empty, and otherwise hold values among these."""
    fills: list[str] = Constrained(default_factory=list)
    """Fields that must be filled."""
    empties: list[str] = Constrained(default_factory=list)
    """Fields that must be empty."""
    because: str = ""

    @property
    def names(self) -> set[str]:
        """All fields that it speaks of."""
        return {*self.when, *self.then, *self.allows, *self.fills, *self.empties}


class Reference(BaseModel):
    """How ``--compat reference`` counts: values as they are printed, or their words (NERRE), with links of words."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    words: list[str] = Constrained(default_factory=list)
    """Fields whose words are counted; none: whole values of all fields are."""
    link: Annotated[list[str], Constrained(max_length=2)] = Constrained(default_factory=list)
    """Two fields whose words are linked within an object."""


class Schema(BaseModel):
    """A schema; ``object`` says what one object is, ``identity`` which fields tell objects apart."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    object: str = Constrained(min_length=1)
    fields: list[Field] = Constrained(min_length=1)
    identity: list[str] = Constrained(default_factory=list)
    """Objects are only ever compared where at least one of these fields agrees; none: where any field does."""
    placeholders: list[str] = Constrained(default_factory=list)
    """Words that say that a field is empty."""
    dependencies: list[Dependency] = Constrained(default_factory=list[Dependency])
    reference: Reference = Reference()

    @model_validator(mode="after")
    def _agree(self) -> Self:
        names = [field.name for field in self.fields]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"fields that are there twice: {', '.join(twice)}")
        used = {*self.identity, *self.reference.words, *self.reference.link}
        for dependency in self.dependencies:
            used |= dependency.names
        if unknown := sorted(used - set(names)):
            raise ValueError(f"no such fields: {', '.join(unknown)}")
        return self

    def field(self, name: str) -> Field | None:
        """The field of that name."""
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> dict[str, Field]:
        return {field.name: field for field in self.fields}

    @cached_property
    def empty_forms(self) -> frozenset[str]:
        """The placeholders in comparable form."""
        return frozenset(map(text_form, self.placeholders))


def schema_of(parameters: Mapping[str, Any]) -> Schema:
    """The schema that a task's parameters hold; BadInputError where there is none or it is broken."""
    text = parameters.get(PARAMETER)
    if not isinstance(text, str) or not text.strip():
        raise BadInputError(
            f"The task has no parameter {PARAMETER!r}.", next="Give the schema as TOML or JSON in inputs.parameters."
        )
    return read_schema(text)


@lru_cache(maxsize=256)
def read_schema(text: str) -> Schema:
    """A schema from TOML, or from JSON where the text begins with a brace; BadInputError says what is wrong."""
    try:
        data: Any = orjson.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
        return Schema.model_validate(data)
    except (orjson.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInputError("The schema is neither TOML nor JSON.", seen=str(error), next="Correct it.") from error
    except ValidationError as error:
        raise BadInputError(
            "This describes no objects.", seen=describe_validation(error), next="Correct the schema."
        ) from error
