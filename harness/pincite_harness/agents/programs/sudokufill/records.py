"""Records: what stands in events: claims with their evidence, objections, filled cells."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Kind = Literal["text", "table", "figure"]
Mode = Literal["regular", "anti_bias", "re_thinking"]
Status = Literal["open", "answered", "validated", "withdrawn"]
ALL = "*"
"""In place of an object's name: all objects."""


class Record(BaseModel):
    """A part of an event."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Place(Record):
    """Evidence: the words of a page, what they stand in, and where in it (row and column, words of a caption)."""

    paper: str = ""
    page: int = 0
    quote: str = ""
    kind: Kind = "text"
    where: str = ""
    stands: bool | None = None
    """Whether the quote was found on its page; None where nothing was checked."""


class Stated(Record):
    """A value that an agent states of an object, by the object's name."""

    object: str
    value: str
    confidence: float
    evidence: Place


class Opposed(Record):
    """An agent's objection to a candidate."""

    candidate: str
    why: str
    evidence: Place
    pointer: str = ""
    """Of a row or column agent: the settled field or record that it goes by."""

    @property
    def founded(self) -> bool:
        """Whether there is evidence for it: a quote that was not found missing, or a pointer."""
        return bool(self.pointer) or (bool(self.evidence.quote) and self.evidence.stands is not False)


class Replied(Record):
    """An answer to an objection: whether the agent keeps its position, and why."""

    objection: str
    keep: bool
    why: str = ""


class Objection(Record):
    """An objection with its history; ``candidate`` is the candidate's id."""

    id: str
    by: str
    candidate: str
    why: str
    evidence: Place
    founded: bool
    round: int
    status: Status = "open"


class Cell(Record):
    """A filled cell: the values of a field for one object, their evidence, and who stood for them."""

    object: str
    values: list[str]
    evidence: list[Place]
    supporters: list[str]
    pages: list[str]
    constrains: bool
    """Whether a supporter was surer than tau: only then later fields are shown it."""

    @property
    def single_source(self) -> bool:
        """Whether at most one page stands for it."""
        return len(self.pages) <= 1

    @property
    def confidence(self) -> str:
        """How sure it is, in a word."""
        if not self.constrains:
            return "weak"
        return "single source" if self.single_source else "several pages"


class Thing(Record):
    """An object: its id in the state (``o1``), its name, and its value in the naming field."""

    id: str
    name: str
    value: str
