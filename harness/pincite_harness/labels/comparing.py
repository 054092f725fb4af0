"""Comparing: how two people agree on the items that both labelled, and which labels hold."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import BadInputError
from pincite_harness.labels.label_file import write_lines
from pincite_harness.labels.queue import LabelQueue, RubricItem
from pincite_scoring.judging.labelled import Line, read_lines
from pincite_scoring.statistics.kappa import Agreement, agree

ARBITER = "arbitrated"


@dataclass(frozen=True, slots=True)
class Two:
    """Two people's lines by item, and the items of the rubric."""

    rubric: Sequence[RubricItem]
    first: Mapping[str, Line]
    second: Mapping[str, Line]

    @property
    def names(self) -> tuple[str, str]:
        """Who they are; "first" and "second" where nobody says."""
        return (_by(self.first, "first"), _by(self.second, "second"))

    @property
    def shared(self) -> list[str]:
        """The items that both have labelled in part at least, in the order of the first."""
        both = [name for name, line in self.first.items() if line.labels and name in self.second]
        return [name for name in both if self.second[name].labels]

    @property
    def differing(self) -> list[str]:
        """The shared items on which they give other labels, or that one of them flagged or left undecided in part."""
        return [name for name in self.shared if self._differs(name)]

    def _differs(self, name: str) -> bool:
        mine, theirs = self.first[name], self.second[name]
        return mine.labels != theirs.labels or mine.flagged or theirs.flagged

    def agreements(self) -> list[tuple[RubricItem, Agreement]]:
        """Raw agreement and Cohen's kappa of each item of the rubric."""
        found: list[tuple[RubricItem, Agreement]] = []
        for item in self.rubric:
            mine = [self.first[name].labels.get(item.name) for name in self.shared]
            theirs = [self.second[name].labels.get(item.name) for name in self.shared]
            both = [
                (one, other) for one, other in zip(mine, theirs, strict=True) if one is not None and other is not None
            ]
            found.append((item, agree(item.labels, [one for one, _ in both], [other for _, other in both])))
        return found


def read_two(first: Path, second: Path, queue: LabelQueue) -> Two:
    """Two files of labels of one queue; BadInputError where a label or an item is none of it, or nothing is shared."""
    two = Two(queue.rubric_items, read_labels(first, queue), read_labels(second, queue))
    if not two.shared:
        raise BadInputError(
            "The two files share no labelled item.",
            seen=f"{len(two.first)} and {len(two.second)} items",
            next="Compare two people's files of one queue.",
        )
    return two


def settle(two: Two, arbiter: Mapping[str, Line]) -> tuple[list[Line], list[str]]:
    """The labels that hold: what both gave, else what the arbiter gave; and the items that still wait for one."""
    settled: list[Line] = []
    waiting: list[str] = []
    differing = set(two.differing)
    for name in two.shared:
        if name not in differing:
            settled.append(two.first[name].model_copy(update={"by": " and ".join(two.names)}))
        elif name in arbiter and arbiter[name].labels:
            settled.append(arbiter[name].model_copy(update={"by": f"{ARBITER} by {arbiter[name].by}"}))
        else:
            waiting.append(name)
    return settled, waiting


def write_settled(path: Path, lines: Sequence[Line], queue: LabelQueue, folder: Path) -> None:
    """Write the labels that hold, each with the pictures and the origin that its item has in the queue's ``folder``."""
    items = {item.id: item for item in queue.items}
    written: list[Line] = []
    for line in lines:
        item = items[line.id]
        pictures = [os.path.relpath((folder / name).resolve(), path.parent.resolve()) for name in item.pictures]
        written.append(line.model_copy(update={"pictures": pictures, "origin": item.origin}))
    write_lines(path, written)


def read_labels(path: Path, queue: LabelQueue) -> dict[str, Line]:
    """A file of labels by item; BadInputError where a label or an item is none of the queue, or an item is there
    twice."""
    known = {item.name: item.labels for item in queue.rubric_items}
    items = {item.id for item in queue.items}
    found: dict[str, Line] = {}
    for place, line in read_lines(path):
        if line.id not in items:
            raise BadInputError(
                f"{place}: the queue has no item {line.id!r}.", next="Name the queue that was labelled."
            )
        for name, label in line.labels.items():
            if label not in known.get(name, ()):
                raise BadInputError(f"{place}: the rubric has no label {label!r} for {name!r}.")
        if line.id in found:
            raise BadInputError(f"{place}: item {line.id!r} is labelled twice.", next="Keep one of its lines.")
        found[line.id] = line
    return found


def _by(lines: Mapping[str, Line], otherwise: str) -> str:
    named = {line.by for line in lines.values() if line.by}
    return named.pop() if len(named) == 1 else otherwise
