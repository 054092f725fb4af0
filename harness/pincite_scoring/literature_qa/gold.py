"""The gold of one question: what is right, and where it stands."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pincite_core.errors import BadInputError
from pincite_tasks.task import describe_validation

Kind = Literal["choice", "text", "number", "formula", "list", "free"]
Text = Annotated[str, Field(min_length=1)]

TOLERANCE = 1e-6
"""Relative tolerance of a number whose gold names none; LABBench2's for exact numbers."""


class Source(BaseModel):
    """Where the answer stands: a paper of the task, or a work to be found, and the passage in it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paper: str | None = None
    """File name of one of the task's papers."""
    doi: str | None = None
    title: str | None = None
    page: int | None = Field(default=None, ge=1)
    place: Literal["text", "table", "figure"] = "text"
    label: str | None = None
    """As printed: ``Figure 2``."""
    quote: str | None = None
    """Exact words of the source on that page."""


class Gold(BaseModel):
    """What is right; which fields count depends on ``kind``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind
    answer: Text | list[Text | list[Text]]
    """The letter of the right option; a text, number or formula; or a list, an item of several spellings as a list."""
    accept: list[Text] = Field(default_factory=list)
    """Other right answers of kind text, number or formula."""
    tolerance: float = Field(default=TOLERANCE, ge=0, lt=1)
    unit: str | None = None
    """The unit that the question asks for: a number without a unit then has it."""
    ordered: bool = False
    source: Source | None = None
    route: list[str] = Field(default_factory=list)
    """Servers that lead to the source; any, where there are none."""

    @model_validator(mode="after")
    def _fits(self) -> "Gold":
        if (self.kind == "list") != isinstance(self.answer, list):
            raise ValueError(f"an answer of kind {self.kind} is {'a list' if self.kind == 'list' else 'one text'}")
        if self.accept and self.kind not in ("text", "number", "formula"):
            raise ValueError(f"accept is not for the kind {self.kind}")
        return self

    @property
    def items(self) -> list[list[str]]:
        """The items of a list, each with its spellings."""
        items = self.answer if isinstance(self.answer, list) else [self.answer]
        return [item if isinstance(item, list) else [item] for item in items]

    @property
    def spellings(self) -> list[str]:
        """The right answers of every kind but lists."""
        return [spelling for item in self.items for spelling in item] + self.accept

    @property
    def words(self) -> str:
        """The answer as one text."""
        return "; ".join(item[0] for item in self.items)


def read_gold(gold: Any) -> Gold:
    """The gold of a record; BadInputError with every fault."""
    try:
        return Gold.model_validate(gold)
    except ValidationError as error:
        raise BadInputError(
            "The gold of the question is broken.",
            seen=describe_validation(error),
            next="Run pincite tasks validate on the task family.",
        ) from error
