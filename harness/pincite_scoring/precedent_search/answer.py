"""Answers of the precedent_search family, read leniently in form and strictly in content; gold has the same shape."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from pincite_scoring.property_extraction.records import Conditions, Quote, RequiredText, Text

MOST, MOST_SOURCES, MOST_AUTHORS = 200, 20, 1000
"""Measurements, sources of each, and authors; an answer with more is none."""

Class = Literal["Yes", "No", "Unknown"]


def _class(value: Any) -> Any:
    return value.strip().capitalize() if isinstance(value, str) else value


def _absent(value: Any) -> Any:
    return {} if value is None else value


def _listed(value: Any) -> Any:
    return [] if value is None else value


def _authors(value: Any) -> Any:
    return [value] if isinstance(value, str) else _listed(value)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Source(_Part):
    """A cited work and the words of it that carry a claim."""

    doi: Text = ""
    title: Text = ""
    authors: Annotated[list[Text], BeforeValidator(_authors), Field(max_length=MOST_AUTHORS)] = Field(
        default_factory=list[str]
    )
    year: Text = ""
    quoted_span: Quote = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it another citation."""
        return self.doi, self.title, self.quoted_span


_List = BeforeValidator(_listed)
_Few = Field(max_length=MOST)
Sources = Annotated[list[Source], _List, Field(max_length=MOST_SOURCES)]


class Measurement(_Part):
    """One value of the property, or one lowest temperature of a search for it in vain, under its conditions."""

    material: RequiredText
    value: RequiredText
    unit: Text = ""
    """The parameter ``unit`` of the task where it is empty."""
    qualifier: Text = ""
    definition: Text = ""
    """What the value marks: onset, midpoint, zero resistance."""
    method: Text = ""
    conditions: Annotated[Conditions, BeforeValidator(_absent)] = Conditions()
    sources: Sources = Field(default_factory=list[Source])


class Related(_Part):
    """A related material that has the property."""

    material: RequiredText
    value: Text = ""
    unit: Text = ""
    sources: Sources = Field(default_factory=list[Source])


class Phase(_Part):
    """A phase of a material, and the temperature at which it begins or was seen."""

    material: RequiredText
    phase: RequiredText
    temperature: Text = ""
    temperature_kind: Text = ""
    sources: Sources = Field(default_factory=list[Source])


Measurements = Annotated[list[Measurement], _List, _Few]


class Answer(_Part):
    """Whether the property was reported, all that was measured, and who says so."""

    reported: Annotated[Class, BeforeValidator(_class)]
    sources: Sources = Field(default_factory=list[Source])
    measurements: Measurements = Field(default_factory=list[Measurement])
    negative_measurements: Measurements = Field(default_factory=list[Measurement])
    related: Annotated[list[Related], _List, _Few] = Field(default_factory=list[Related])
    phases: Annotated[list[Phase], _List, _Few] = Field(default_factory=list[Phase])
    note: Quote = ""

    @property
    def counted(self) -> list[Measurement]:
        """The measurements that its class speaks of; none for Unknown."""
        by_class = {"Yes": self.measurements, "No": self.negative_measurements}
        return by_class.get(self.reported, [])

    def claims(self) -> Iterator[Source]:
        """The sources of class and measurements, each once."""
        seen: set[tuple[str, str, str]] = set()
        groups = (self.sources, *(each.sources for each in (*self.measurements, *self.negative_measurements)))
        for source in (source for group in groups for source in group):
            if source.key not in seen:
                seen.add(source.key)
                yield source

    def first_claims(self, most: int) -> Iterator[Source]:
        """The first sources for the class, for the values and for the negative values, ``most`` of each."""
        for group in (
            self.sources,
            [source for each in self.measurements for source in each.sources],
            [source for each in self.negative_measurements for source in each.sources],
        ):
            yield from group[:most]


def read_answer(answer: object) -> Answer | str:
    """The answer, or why it cannot be read."""
    try:
        return Answer.model_validate(answer)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "answer"
        return f"{where}: {first['msg']}"
