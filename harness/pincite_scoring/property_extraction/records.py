"""Answer records of the property_extraction family, read leniently in form and strictly in content."""

from typing import Annotated, Any, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

LONGEST_FIELD = 1000
"""Characters of a field; a longer one breaks the schema. Set by judgement."""
LONGEST_QUOTE = 10_000
"""Characters of a field and of a quote: what is longer breaks its record, before any pattern meets it."""


def _text(value: Any) -> Any:
    """None is empty and a bare number is its print; anything else must be a string already."""
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(value)
    return value.strip() if isinstance(value, str) else value


def _page(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.strip().isdecimal() else value


Text = Annotated[str, BeforeValidator(_text), Field(max_length=LONGEST_FIELD)]
RequiredText = Annotated[str, BeforeValidator(_text), Field(min_length=1, max_length=LONGEST_FIELD)]
Quote = Annotated[str, BeforeValidator(_text), Field(max_length=LONGEST_QUOTE)]


class Conditions(BaseModel):
    """Under what the value was taken; empty where the paper states nothing."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    temperature: Text = ""
    pressure: Text = ""
    field: Text = ""
    frequency: Text = ""
    orientation: Text = ""
    environment: Text = ""
    sample_state: Text = ""
    other_conditions: Text = ""

    @property
    def stated(self) -> tuple[str, ...]:
        """All of them in order: hashable, for caches."""
        return (
            self.temperature,
            self.pressure,
            self.field,
            self.frequency,
            self.orientation,
            self.environment,
            self.sample_state,
            self.other_conditions,
        )


class Location(BaseModel):
    """Where the value stands: ``page`` from 1, ``evidence`` an exact quote."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    page: Annotated[int | None, BeforeValidator(_page), Field(ge=1)] = None
    """None in gold that was published without places."""
    section: Text = ""
    figure_or_table: Text = ""
    source_type: Text = ""
    evidence: Quote = ""
    paper: Text = ""
    """File name of the paper, for a task with several; empty means any of them."""


class Record(BaseModel):
    """One value of one property of one material under one set of conditions."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    material_or_system: RequiredText
    property_name: RequiredText
    value_string: RequiredText
    location: Annotated[Location, BeforeValidator(lambda value: {} if value is None else value)] = Location()
    category: Text = ""
    value_unit: Text = ""
    qualifier: Text = ""
    value_detail: Text = ""
    conditions: Annotated[Conditions, BeforeValidator(lambda value: {} if value is None else value)] = Conditions()
    method: Text = ""
    model_or_fit: Text = ""
    notes: Text = ""
    rubric: Text = ""
    """By what rule a published gold says that its value is compared (``0.1% SI``, ``pymatgen``); "" unsaid."""

    @property
    def placed(self) -> bool:
        """Whether the record says where its value stands."""
        return self.location.page is not None


class Problem(BaseModel):
    """What is wrong with record ``index`` (None: with the answer as a whole)."""

    index: int | None
    message: str


class Reading(BaseModel):
    """The records of an answer: ``records`` by their index in it, ``problems`` of the rest, ``total`` of both."""

    records: dict[int, Record]
    problems: list[Problem]
    total: int

    @property
    def placed(self) -> bool:
        """Whether any record says where its value stands, or there is none that could."""
        return not self.records or any(record.placed for record in self.records.values())


def read_records(answer: object, *, placed: bool = True) -> Reading | Problem:
    """The records of ``answer``; a Problem where it is not an object with a list ``properties``. With ``placed`` each
    must name its page; gold that was published without places has none.

    The rule of salvage: a record that breaks the schema is dropped from matching and evidence, and still counts as an
    answer that is wrong; the others are scored as usual. Nulls count as absent, numbers as their print.
    """
    properties = cast("dict[str, object]", answer).get("properties") if isinstance(answer, dict) else None
    if not isinstance(properties, list):
        return Problem(index=None, message="the answer is not an object with a list 'properties'")
    items = cast("list[object]", properties)
    records: dict[int, Record] = {}
    problems: list[Problem] = []
    for index, item in enumerate(items):
        try:
            record = Record.model_validate(item)
            if placed and not record.placed:
                problems.append(Problem(index=index, message="location.page: Field required"))
                continue
            records[index] = record
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"]) or "record"
            problems.append(Problem(index=index, message=f"{where}: {first['msg']}"))
    return Reading(records=records, problems=problems, total=len(items))
