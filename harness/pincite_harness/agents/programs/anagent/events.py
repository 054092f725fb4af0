"""Events: what anagent writes into the state of a trial, beside what the kernel does."""

from crew import Event


class Shown(Event):
    """What every role is shown of the task: its data type, and tokens (estimated) of the papers' text, of how many."""

    data_type: str
    files: list[str]
    pictures: int
    context_tokens: int
    context_of: int
    stated: list[str]
    """What is said of the analysis that is expected: length, width, depth."""


class Exemplified(Event):
    """A role was shown examples, named by their papers."""

    role: str
    papers: list[str]


class Planned(Event):
    """The planner's plan."""

    plan: str
    thought: str = ""
    given: bool = False
    """Whether a file gave it."""


class Learned(Event):
    """One entry of the knowledge: a tool was called and gave this. ``known`` where the same call was made before."""

    turn: int
    tool: str
    toolkit: str
    arguments: str
    outcome: str
    chars: int
    cut: bool
    pictures: int
    known: bool
    digest: str


class Summarised(Event):
    """The expert's summary: said in its loop, asked for once more, or cut from the knowledge."""

    summary: str
    how: str
    entries: int
    thought: str = ""


class Drafted(Event):
    """An analysis of the author's; the first one has the number 1."""

    number: int
    answer: str
    words: int
    thought: str = ""
    given: bool = False
    """Whether a file gave it."""


class Graded(Event):
    """The critic's grades and feedback of an analysis."""

    number: int
    grades: dict[str, int]
    total: int
    feedback: str
    thought: str = ""


class Advised(Event):
    """Feedback on an analysis that a file gave."""

    number: int
    feedback: str


class Guarded(Event):
    """A guard asked for a reply again: ``leak`` (a plan or summary that is an analysis) or ``repetition``. ``mended``
    says whether the second reply is free of it."""

    role: str
    guard: str
    mended: bool


class Lost(Event):
    """A role gave nothing and the others go on: its reply did not fit (``fault``), it refused, it was silent for too
    long, it could not be asked (``outage``), or there was no budget for it (``spent``)."""

    role: str
    cause: str
    why: str


class Answered(Event):
    """What became the answer: an analysis by its number, or the words of a reply in another form (``prose``), or where
    there is none the expert's summary (``summary``, number 0)."""

    source: str
    number: int
    leaks: int
    repeats: int
    faults: list[str]
