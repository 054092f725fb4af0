"""Outcomes: what became of each source, and who is told while it happens."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from pincite_core.errors import PinciteError


class State(StrEnum):
    """What became of a source."""

    ADDED = "added"
    UPDATED = "updated"
    """It gives another paper than before, or the same one made again by newer parts of pincite."""
    UNCHANGED = "unchanged"
    SKIPPED = "skipped"
    """Not a paper, removed by the user before, or failed before and unchanged since."""
    FAILED = "failed"
    GONE = "gone"
    """It is not in its folder any more; what it gave stays until it is pruned."""
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one source; ``why`` and ``next`` say it where the state alone does not."""

    name: str
    """The path, address or identifier."""
    state: State
    paper_id: str = ""
    title: str = ""
    status: str = ""
    """Whether the work was retracted or corrected, as ``standing.status_of`` has it."""
    pages: int = 0
    chunks: int = 0
    code: str = ""
    """Of the error, as ``PinciteError.code``."""
    why: str = ""
    next: str = ""
    foreign: bool = False
    """Whether it was skipped since it is not a paper at all: of no interest to most."""

    @classmethod
    def of(cls, name: str, error: PinciteError) -> "Outcome":
        """The outcome of a source that failed."""
        why = f"{error.what} Seen: {error.seen}" if error.seen else error.what
        return cls(name, State.FAILED, code=error.code, why=why, next=error.next)


@dataclass(slots=True)
class Report:
    """What came of one call: every outcome in the order of their ends, and what was embedded."""

    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    seconds: float = 0.0
    stopped: bool = False
    """Whether it was stopped before its end: the next call goes on."""
    embedded: int = 0
    """Chunks that got a vector."""
    unembedded: int = 0
    """Chunks that have none yet, where there is an embedder."""
    embedding_error: PinciteError | None = None

    @property
    def counts(self) -> dict[State, int]:
        """How many sources came to each state, those that occur, in the order of ``State``."""
        found = Counter(outcome.state for outcome in self.outcomes)
        return {state: found[state] for state in State if found[state]}

    @property
    def pages(self) -> int:
        """Pages of the papers that were added or updated."""
        return sum(outcome.pages for outcome in self.written)

    @property
    def written(self) -> list[Outcome]:
        """Those added or updated."""
        return [outcome for outcome in self.outcomes if outcome.state in (State.ADDED, State.UPDATED)]

    @property
    def failed(self) -> list[Outcome]:
        """Those that failed."""
        return [outcome for outcome in self.outcomes if outcome.state is State.FAILED]


@dataclass(frozen=True, slots=True)
class Options:
    """How sources are added."""

    retry: bool = False
    """Try again what failed before and is unchanged."""
    prune: bool = False
    """Remove what is gone from the folders that are named."""
    describe: bool = False
    """Have the text model describe tables and figures."""
    describe_figures: bool = False
    """Have the vision model describe figures, of which it is shown the picture."""


class Watcher:
    """Told what happens; the methods do nothing and are called from several threads."""

    def waiting(self, holder: str) -> None:
        """Another process writes to the library: ``holder`` says which. Told once, before the wait."""

    def found(self, total: int) -> None:
        """So many sources are looked at."""

    def started(self, name: str) -> None:
        """A source is being read and parsed."""

    def ended(self, outcome: Outcome) -> None:
        """A source came to its end."""

    def embedding(self, done: int, total: int) -> None:
        """So many chunks have got their vector, of so many that had none."""


def say_counts(outcomes: Iterable[Outcome]) -> str:
    """How many of each state, in words: "3 added, 1 failed"; what is not a paper is not counted as skipped."""
    found = Counter("not papers" if outcome.foreign else outcome.state.value for outcome in outcomes)
    names = [*(state.value for state in State), "not papers"]
    return ", ".join(f"{found[name]:,} {name}" for name in names if found[name]) or "nothing found"
