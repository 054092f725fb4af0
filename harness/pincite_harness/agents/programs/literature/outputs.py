"""Outputs: what each role has to return."""

from collections.abc import Callable
from typing import Literal

from pydantic import BaseModel, Field, field_validator, model_validator

from .events import Decision

Text = str | float | list[str] | None


class Verdict(BaseModel):
    decision: Decision
    category: str = Field(default="", description="the kind of harm, empty where it is allowed")
    why: str = Field(description="one sentence")


class Pick(BaseModel):
    id: str = Field(description="the id of a work as it is shown: w1")
    why: str = Field(description="one reason")


class Selection(BaseModel):
    chosen: list[Pick]


class Score(BaseModel):
    passage: int
    answers: int = Field(ge=0, le=10, description="10: states the answer, 5: a part of it, 0: nothing of it")
    figure: int = Field(ge=0, le=10, description="how much a look at the figure would help, 0 where there is none")


class Scores(BaseModel):
    scores: list[Score]


class Conclusion(BaseModel):
    basis: Literal["abstract", "passages", "figures", "nothing"] = Field(
        description="what the answer rests on; nothing where no answer was found"
    )
    chunks: list[str] = Field(
        default_factory=list[str], description="locators of the passages that carry the answer, the best first"
    )
    works: list[str] = Field(
        default_factory=list[str], description="ids (w1) of works whose abstracts carry the answer"
    )
    why: str = Field(description="why the search ends here, one sentence")


def conclusion(fault: Callable[[Conclusion], str]) -> type[Conclusion]:
    """A Conclusion that fits only where ``fault`` says nothing against it."""

    class Conclude(Conclusion):
        @model_validator(mode="after")
        def may_end(self) -> "Conclude":
            """Tells the orchestrator why it may not end yet."""
            if said := fault(self):
                raise ValueError(said)
            return self

    return Conclude


class Look(BaseModel):
    action: str
    answer: str = Field(default="", description="for answer: what the figure says")
    evidence: str = Field(default="", description="for answer: what in which view shows it")
    confidence: float = Field(default=0.0, ge=0, le=1, description="for answer: the probability that it is right")
    view: int = Field(default=1, ge=1, description="for zoom: the view that the box is in")
    bbox: list[float] = Field(
        default_factory=list[float], description="for zoom: x0, y0, x1, y1 in fractions (0 to 1) of that view"
    )
    reason: str = Field(default="", description="why, one sentence")


def look(*, zoom: bool, abstain: bool) -> type[Look]:
    """A Look whose actions are those that may be taken now."""
    actions = choices(zoom=zoom, abstain=abstain)

    class Chosen(Look):
        action: str = Field(json_schema_extra={"enum": [*actions]})

        @field_validator("action")
        @classmethod
        def may_be(cls, action: str) -> str:
            """Only the actions of this round."""
            if action not in actions:
                raise ValueError(f"choose one of {', '.join(actions)}")
            return action

    return Chosen


def choices(*, zoom: bool, abstain: bool) -> list[str]:
    """The actions that may be taken in a round."""
    return ["answer", *(["zoom"] if zoom else []), *(["wrong_figure"] if abstain else [])]


class Cited(BaseModel):
    evidence: str = Field(description="the id of a piece of evidence: e1")
    quote: str = Field(default="", description="exact words of that evidence; empty for what was read off a figure")


class Claim(BaseModel):
    text: str = Field(description="one statement that the answer rests on")
    computation: str = Field(
        default="", description='where a number is computed: the sum itself, "4.5 * 20 / 3 = 30", in bare numbers'
    )
    cited: list[Cited]


class Synthesis(BaseModel):
    answer: Text = Field(description="the answer in the form that the task asks for; null where there is none")
    claims: list[Claim] = Field(default_factory=list[Claim])
    note: str = Field(default="", description="what the answer cannot hold, or why it is declined; short")


class Conditions(BaseModel):
    pressure: str | None = None
    field: str | None = None
    temperature: str | None = None
    frequency: str | None = None
    orientation: str | None = None
    environment: str | None = None
    sample_state: str | None = None
    other_conditions: str | None = None


class Measured(BaseModel):
    material: str = Field(min_length=1, description="as the source writes it")
    value: str = Field(min_length=1, description="one number as printed")
    unit: str | None = None
    qualifier: str | None = None
    definition: str | None = None
    method: str | None = None
    conditions: Conditions | None = None
    cited: list[Cited]


class Related(BaseModel):
    material: str = Field(min_length=1)
    value: str | None = None
    unit: str | None = None
    cited: list[Cited]


class Phase(BaseModel):
    material: str = Field(min_length=1)
    phase: str = Field(min_length=1)
    temperature: str | None = None
    temperature_kind: Literal["transition", "measurement"] | None = None
    cited: list[Cited]


class Precedent(BaseModel):
    reported: Literal["Yes", "No", "Unknown"]
    cited: list[Cited] = Field(default_factory=list[Cited], description="the works that answer the question")
    measurements: list[Measured] = Field(default_factory=list[Measured])
    negative_measurements: list[Measured] = Field(default_factory=list[Measured])
    related: list[Related] = Field(default_factory=list[Related])
    phases: list[Phase] = Field(default_factory=list[Phase])
    note: str = Field(default="", description="what the fields cannot hold; short")
