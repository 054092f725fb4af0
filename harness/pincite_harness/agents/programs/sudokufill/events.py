"""Events: what happens in a run, one line each in the state file. ``board`` folds them."""

from crew import Event
from pydantic import Field

from .records import Cell, Mode, Opposed, Replied, Stated, Status, Thing
from .said import Conflict


class Opening(Event):
    """The run begins with these pages and fields. ``archive`` says what other papers gave to this one, ``steady``
    whether a change without a reason counts only once it holds (option ``steady``)."""

    pages: list[str]
    fields: list[str]
    archive: str
    steady: bool = False


class Probed(Event):
    """A cell of the matrix: what page ``who`` gives for a field. ``fault`` says why it gives nothing."""

    field: str
    claims: list[Stated]
    fault: str = ""


class Ranked(Event):
    """The order of the fields; ``source`` is agent, repaired, fallback, schema, random or sequential."""

    order: list[str]
    source: str
    rationale: str = ""
    fault: str = ""


class Opened(Event):
    """A debate begins with the values of the matrix; ``debate`` is the field, or field/object."""

    debate: str


class RoundBegan(Event):
    """A round of a debate begins in a mode; ``task`` is what supporters are asked to check."""

    debate: str
    round: int
    mode: Mode
    hypothesis: list[str] = Field(default_factory=list[str])


class Positioned(Event):
    """Page agent ``who`` took a position; it replaces its earlier one unless there is a fault."""

    debate: str
    round: int
    phase: str
    stance: str = "abstain"
    claims: list[Stated] = Field(default_factory=list[Stated])
    opposes: list[Opposed] = Field(default_factory=list[Opposed])
    replies: list[Replied] = Field(default_factory=list[Replied])
    notes: str = ""
    fault: str = ""


class Preferred(Event):
    """The row or column agent (``who``) spoke for candidates (id to confidence) and against others."""

    debate: str
    round: int
    phase: str
    supports: dict[str, float] = Field(default_factory=dict[str, float])
    opposes: list[Opposed] = Field(default_factory=list[Opposed])
    conflicts: list[Conflict] = Field(default_factory=list[Conflict])
    dropped: list[str] = Field(default_factory=list[str])
    notes: str = ""
    fault: str = ""


class Tasked(Event):
    """The check that supporters are asked to make in an anti-bias round; ``source`` is coordinator or rules."""

    debate: str
    round: int
    task: str
    source: str


class Consolidated(Event):
    """A round ends: leaders by object, objections, what comes next. ``overruled`` tells where the guard decided
    otherwise than the coordinator."""

    debate: str
    round: int
    mode: Mode
    leaders: dict[str, list[str]]
    same: list[list[str]] = Field(default_factory=list[list[str]])
    statuses: dict[str, Status] = Field(default_factory=dict[str, Status])
    history: str = ""
    mode_next: Mode = "regular"
    converged: bool = False
    source: str = "coordinator"
    overruled: list[str] = Field(default_factory=list[str])
    fault: str = ""


class Written(Event):
    """A field is filled and stands in the document's state. ``why``: converged, rounds, empty, budget or sequential."""

    debate: str
    field: str
    cells: list[Cell]
    rounds: int
    modes: list[Mode]
    why: str
    things: list[Thing] = Field(default_factory=list[Thing])


class Reopened(Event):
    """A field is debated again because it excludes another one."""

    field: str
    against: str
    why: str


class Stray(Event):
    """Claims of a field that name no object of the paper; they are not candidates."""

    field: str
    names: list[str]


class Conditioned(Event):
    """A condition of the schema changed a cell at the end, or could not be met (``change`` is ``unmet``)."""

    object: str
    field: str
    change: str
    before: list[str]
    after: list[str]
    because: str


class Dropped(Event):
    """A value that the answer cannot hold: outside of the label set, or evidence that does not stand."""

    object: str
    field: str
    value: str
    why: str


class Assembled(Event):
    """The answer was written: its objects, its filled cells, and what does not fit the schema."""

    objects: int
    cells: int
    single_source: int
    faults: list[str]
