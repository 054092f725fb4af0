"""Settings: the switches and numbers of the agent with their defaults, in one table."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

SWITCHES = ("zoom", "abstain", "inspect", "grep", "abstracts", "fulltext", "status", "checks", "gate")
"""Components that are on by default and can be turned off, one by one."""
EFFORTS = {
    "gate": "low",
    "orchestrator": "medium",
    "selector": "low",
    "reranker": "low",
    "inspector": "medium",
    "synthesis": "low",
}
"""How hard the model of each role thinks; the last, careful round of the inspector is always ``high``."""
WORDS = {
    "rerank": ("on", "off", "cross", "judge"),
    "retracted": ("warn", "drop"),
}
"""The first word of each is its default."""
NUMBERS = {"papers": "5", "inspections": "6", "steps": "24", "candidates": "20", "rounds": "3", "kept": "12"}
"""Stated here, since the published description leaves them open: works that a selector takes from one search,
inspections of a question, replies of the orchestrator (21 to 32 calls were the most that was observed), passages that
are scored in one search, rounds of zooming before the careful one, and passages that the synthesis is shown where the
orchestrator names none."""
LEVELS = ("minimal", "low", "medium", "high")


def defaults() -> dict[str, str]:
    """Every option with its default."""
    table = dict.fromkeys(SWITCHES, "on")
    table |= {name: words[0] for name, words in WORDS.items()}
    table |= NUMBERS
    table |= dict.fromkeys(("fusion", "context", "describe"), "server")
    # The harness gives these to the library's server; they stand in the state with the others.
    table |= {f"effort.{role}": effort for role, effort in EFFORTS.items()}
    return table


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one trial as values."""

    zoom: bool
    abstain: bool
    inspect: bool
    grep: bool
    abstracts: bool
    fulltext: bool
    status: bool
    checks: bool
    gate: bool
    rerank: str
    drops_retracted: bool
    papers: int
    inspections: int
    steps: int
    candidates: int
    rounds: int
    kept: int
    efforts: Mapping[str, str]

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Self:
        """The options of a run; ValueError for a value that cannot be."""
        known = {name: str(given.get(name, default)) for name, default in defaults().items()}
        for name in SWITCHES:
            _check(name, known[name], ("on", "off"))
        for name, words in WORDS.items():
            _check(name, known[name], words)
        for name in NUMBERS:
            if not re.fullmatch(r"\d{1,6}", known[name]):
                raise ValueError(f"{name}={known[name]!r} is not a valid value; it is a whole number")
        efforts = {role: known[f"effort.{role}"] for role in EFFORTS}
        for role, effort in efforts.items():
            _check(f"effort.{role}", effort, LEVELS)
        return cls(
            zoom=known["zoom"] == "on",
            abstain=known["abstain"] == "on",
            inspect=known["inspect"] == "on",
            grep=known["grep"] == "on",
            abstracts=known["abstracts"] == "on",
            fulltext=known["fulltext"] == "on",
            status=known["status"] == "on",
            checks=known["checks"] == "on",
            gate=known["gate"] == "on",
            papers=int(known["papers"]),
            inspections=int(known["inspections"]),
            steps=int(known["steps"]),
            candidates=int(known["candidates"]),
            rounds=int(known["rounds"]),
            kept=int(known["kept"]),
            rerank=known["rerank"],
            drops_retracted=known["retracted"] == "drop",
            efforts=efforts,
        )

    @property
    def zoom_rounds(self) -> int:
        """Rounds of looking before the careful one; 0 is a single look at the whole figure."""
        return self.rounds if self.zoom else 0

    @property
    def scores(self) -> bool:
        """Whether passages are scored on two axes: the answer, and the worth of looking at the figure."""
        return self.rerank in ("on", "judge")


def _check(name: str, value: str, words: tuple[str, ...]) -> None:
    if value not in words:
        raise ValueError(f"{name}={value!r} is not a valid value; it is {' or '.join(words)}")
