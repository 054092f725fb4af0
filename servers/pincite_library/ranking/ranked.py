"""What a search found: passages with their places in every ranking, and which rankers ran."""

from dataclasses import dataclass
from typing import Literal

from pincite_library.model import StoredChunk

RankerName = Literal["bm25", "dense", "reranker", "judge"]
RankerState = Literal["ran", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Place:
    """A rank, from 1, and the score behind it: BM25, or the cosine."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model says of a passage, each from 0 to 10."""

    answers: int
    """How well it answers the question."""
    figure: int
    """How much it would help to look at the figure or table itself."""

    @property
    def worth(self) -> int:
        """What passages are ordered by: the higher of the two."""
        return max(self.answers, self.figure)


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that was found; None for the rankings that did not find it or did not look."""

    stored: StoredChunk
    fused: float
    """Score of the fusion, 0 to 1, by which passages stand where no reranker ran."""
    bm25: Place | None = None
    dense: Place | None = None
    rerank: float | None = None
    """Score of the reranker: higher is better, of no fixed scale."""
    judgement: Judgement | None = None


@dataclass(frozen=True, slots=True)
class RankerRun:
    """Whether a ranker had a say, and why not."""

    ranker: RankerName
    state: RankerState
    model: str = ""
    reason: str = ""
    """Why it failed or was skipped."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """The answer to a search, best passage first."""

    found: tuple[Found, ...]
    rankers: tuple[RankerRun, ...]
    """In the order bm25, dense, reranker, judge."""
    terms: tuple[str, ...]
    """What BM25 looked for; empty where the query is nothing but function words."""
    without_vectors: int = 0
    """Chunks that the dense ranking cannot find as they have no vector yet; 0 where there is no embedder."""

    @property
    def failures(self) -> tuple[RankerRun, ...]:
        """The rankers that should have had a say and had none."""
        return tuple(run for run in self.rankers if run.state == "failed")
