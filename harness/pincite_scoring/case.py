"""Case: what a scorer is given, and the papers of a task, opened when a scorer asks for them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite_papers.model import Paper

NO_PAPERS: Mapping[str, Paper] = {}


@dataclass(frozen=True, slots=True)
class Case:
    """One answer and what it is compared with."""

    answer: object
    """The valid answer as parsed JSON, or the text of a CSV or text answer; None: there is none."""
    gold: object | None
    """None: the answer cannot be scored."""
    papers: Mapping[str, Paper] = field(default_factory=dict[str, Paper])
    """By file name; only looking one up opens it."""
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The task's, the family's own among them."""
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    files: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """The task's files by name."""
    corpus: Path | None = None
    """Folder of the made-up literature that the task was about."""
    trial: Path | None = None
    """Folder of the trial that gave the answer, where there was one: what passed the doors lies in its ``wire/``."""


class OpenedPapers(Mapping[str, Paper]):
    """Papers by file name, each opened by ``opening`` when it is first looked up."""

    def __init__(self, paths: Mapping[str, Path], opening: Callable[[Path], Paper]) -> None:
        self._paths = paths
        self._opening = opening
        self._opened: dict[str, Paper] = {}

    def __getitem__(self, name: str) -> Paper:
        if name not in self._opened:
            self._opened[name] = self._opening(self._paths[name])
        return self._opened[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)
