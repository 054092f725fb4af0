"""Events: what the agent writes into the state of a trial, beside what the kernel does."""

from typing import Literal

from crew import Event
from pydantic import BaseModel, Field

Decision = Literal["allow", "refuse", "unsure"]
Level = Literal["must", "should", "may"]


class Gated(Event):
    """What the gate decided on the question: ``by`` rules, a model, or nobody (``nobody``: the model gave nothing)."""

    decision: Decision
    by: str
    category: str = ""
    why: str = ""


class Chosen(BaseModel):
    """A work that the selector took, and why."""

    id: str
    title: str = ""
    why: str = ""


class Selected(Event):
    """A search of the literature: how many works it brought, and those that were chosen to be read; ``by`` the model,
    or their order where it gave nothing."""

    query: str
    works: int
    chosen: list[Chosen]
    by: str


class Stocked(Event):
    """Papers were put into the library."""

    sources: list[str]
    states: dict[str, int]


class Scored(BaseModel):
    """A passage that a search brought, with its scores from 0 to 10 where it has any."""

    locator: str
    kind: str
    answers: int | None = None
    figure: int | None = None


class Retrieved(Event):
    """A search of the library; ``by`` says who scored its passages: the server, the reranker, or nobody."""

    query: str
    passages: list[Scored]
    by: str


class Queued(Event):
    """A passage makes a figure worth looking at, from 0 to 10."""

    paper: str
    figure: str
    score: int
    level: Level
    locator: str


class Looked(BaseModel):
    """One round of an inspection."""

    round: int
    view: str
    decision: str
    confidence: float | None = None
    reason: str = ""


class Inspected(Event):
    """An inspection of a figure: ``outcome`` is answered, unsure, wrong figure, or failed; ``by`` says who looked."""

    paper: str
    figure: str
    question: str
    outcome: str
    by: str
    answer: str = ""
    evidence: str = ""
    confidence: float | None = None
    locator: str = ""
    caption: str = ""
    rounds: list[Looked] = Field(default_factory=list[Looked])
    reason: str = ""


class Flagged(Event):
    """A figure was flagged as the wrong one by the orchestrator; an empty reason takes the flag back."""

    paper: str
    figure: str
    reason: str


class Held(Event):
    """The orchestrator wanted to end, and was told why not yet."""

    why: str
    figures: list[str]


class Stopped(Event):
    """The loop ended: ``by`` the orchestrator, or ``limit``, ``fault``, ``refused``, ``silence``, ``outage``."""

    basis: str
    by: str
    why: str
    chunks: list[str]
    unseen: list[str] = Field(default_factory=list[str])
    """Figures that should have been looked at and were not."""


class Evidenced(Event):
    """What the synthesis is shown: evidence by its id, with the place that it stands for."""

    shown: dict[str, str]


class Checked(Event):
    """The checks of a synthesis, and what did not stand in them; ``stage`` is ``first`` or ``mended``."""

    stage: str
    faults: list[str]


class Removed(Event):
    """A part of the synthesis that was taken out, and why."""

    what: str
    why: str


class Stood(Event):
    """The publication status of a cited work; ``retracted`` is yes, no, or unknown."""

    doi: str
    retracted: str
    summary: str


class LeftOut(Event):
    """A role gave nothing, and the others go on: ``cause`` is fault, refused, silence, spent or outage."""

    role: str
    cause: str
    why: str


class Delivered(Event):
    """How the trial ended: ``outcome`` is answered, declined, or refused_by_agent."""

    outcome: str
    basis: str
    sources: int
    note: str
    faults: list[str]
