"""Said: what each role returns, as the kernel asks for it."""

from typing import Literal

from pydantic import BaseModel, Field

Confidence = Field(ge=0, le=1, description="a multiple of 0.1, by the rubric")


class Claim(BaseModel):
    """A value that stands on the page."""

    object: str = Field(default="*", description="name of the object; * where the page says it of all objects")
    value: str = Field(description="the value alone, as printed; NA where there is none")
    confidence: float = Confidence
    source: Literal["text", "table", "figure"] = "text"
    quote: str = Field(default="", description="the words of the page, copied: sentence, table row or caption words")
    place: str = Field(default="", description="table with row and column header, or figure; empty for text")


class FieldClaims(BaseModel):
    """All values of one field."""

    field: str
    claims: list[Claim]


class PageProbe(BaseModel):
    """All fields of a page."""

    fields: list[FieldClaims]


class CellProbe(BaseModel):
    """One field of a page."""

    claims: list[Claim]


class Ranking(BaseModel):
    """An order of the fields."""

    order: list[str] = Field(description="every field, once")
    rationale: str = Field(description="4 to 8 sentences: why this order")


class Challenge(BaseModel):
    """An objection to a candidate."""

    candidate: str = Field(description="its id, such as c2")
    why: str
    quote: str = Field(default="", description="words of your page that speak against it, copied")


class Reply(BaseModel):
    """An answer to an objection."""

    objection: str = Field(description="its id, such as j1")
    keep: bool = Field(description="whether you keep your position")
    why: str = ""


class Position(BaseModel):
    """What a page agent says in a round."""

    stance: Literal["support", "oppose", "abstain"]
    claims: list[Claim] = Field(description="all values that your page gives for this field; none to abstain")
    opposes: list[Challenge] = Field(default_factory=list[Challenge])
    replies: list[Reply] = Field(default_factory=list[Reply])
    notes: str = Field(default="", description="what you changed since the last round, and why")


class Choice(BaseModel):
    """A candidate that a constraint agent speaks for or against."""

    candidate: str = Field(description="its id, such as c2")
    stance: Literal["support", "oppose"]
    confidence: float = Confidence
    constraint: str = Field(description="the kind of constraint, one of those named")
    retrieved: str = Field(description="what you went by: the settled fields, the label set, the unit")
    summary: str = ""


class Conflict(BaseModel):
    """Two settled fields of an object that exclude each other."""

    object: str
    first: str
    second: str
    why: str


class Preference(BaseModel):
    """What a row or column agent says in a round; no choices mean no preference."""

    choices: list[Choice] = Field(description="at most one candidate an object; none for no preference")
    conflicts: list[Conflict] = Field(default_factory=list[Conflict])
    notes: str = ""


class Settled(BaseModel):
    """What became of an objection."""

    objection: str
    status: Literal["open", "answered", "validated", "withdrawn"]
    why: str = ""


class Consolidation(BaseModel):
    """What the coordinator makes of a round."""

    leading: list[str] = Field(description="ids of the leading candidates: one an object, all where many are allowed")
    same: list[list[str]] = Field(default_factory=list[list[str]], description="ids of candidates that are one value")
    objections: list[Settled] = Field(default_factory=list[Settled])
    history: str = Field(default="", description="who leads and why, what is open, what would settle it, who changed")
    mode_next: Literal["regular", "anti_bias", "re_thinking", "stop"] = "regular"
    converged: bool = False


class Task(BaseModel):
    """The check that supporters of the leading candidate are asked to make."""

    task: str


class Filling(BaseModel):
    """The values of one field for every object of a paper."""

    claims: list[Claim]
