"""Rescored: what came of scoring a run again."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Rescored:
    """How many trials have a new score, how many stay without one, and what a person should know; ``failed`` counts
    those whose scoring failed, which are unscored now."""

    scored: int = 0
    unscored: int = 0
    failed: int = 0
    notes: list[str] = field(default_factory=list[str])
