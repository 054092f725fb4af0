"""Task statistics: how large the tasks of a family are, what they are about, and how much gold they have."""

import re
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, cast

from pincite_core.errors import PinciteError
from pincite_core.settings import load_settings
from pincite_papers.model import Paper
from pincite_papers.opening.store import PaperStore
from pincite_tasks.family import Family
from pincite_tasks.metadata import keys_in, texts_at
from pincite_tasks.task import Task

CHARS_A_TOKEN = 4.0
"""Characters of a token of alphabetic text, by which tokens are estimated here and by the agents' programs."""
WIDE_CHARS_A_TOKEN = 1.5
"""Characters of a token of Chinese, Japanese and Korean text, estimated likewise."""
MOST_VALUES = 30
"""Distinct values up to which those of a key are listed; a key with more, such as a title, is only counted. Set by
judgement."""
_WIDE = re.compile(r"[　-鿿가-힯豈-﫿＀-￯]")
_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".bmp")
Sizes = dict[str, float]
"""Numbers of one task by what they count."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One number over the tasks that have it."""

    n: int
    mean: float
    deviation: float | None
    """Standard deviation of the sample; None for one task."""
    least: float
    quartiles: tuple[float, float, float]
    most: float
    total: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Summary":
        """The summary of at least one value; quartiles by linear interpolation over all values."""
        deviation = statistics.stdev(values) if len(values) > 1 else None
        cuts = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
        quartiles = (cuts[0], cuts[1], cuts[2])
        mean = statistics.fmean(values)
        return cls(len(values), mean, deviation, min(values), quartiles, max(values), float(sum(values)))


@dataclass(frozen=True, slots=True)
class TaskStatistics:
    """The tasks of a family: ``values`` counts the tasks with each value of each key, the commonest
    first, ``groups`` are the summaries of
    the tasks with one value of the key that was asked for."""

    family: str
    tasks: int
    with_gold: int
    papers: int
    """Different papers over all tasks."""
    sizes: dict[str, Summary] = field(default_factory=dict[str, Summary])
    values: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    groups: dict[str, dict[str, Summary]] = field(default_factory=dict[str, dict[str, Summary]])
    unread: dict[str, str] = field(default_factory=dict[str, str])
    """Papers that could not be read, with the reason: their tasks have no pages and tokens here."""


def count_tasks(
    family: Family,
    tasks: Sequence[Task],
    *,
    by: str = "",
    read: bool = True,
    done: Callable[[Task], None] | None = None,
) -> TaskStatistics:
    """The statistics of these tasks. ``read`` opens their papers for pages and tokens; ``by`` is a key of the metadata
    to group by; ``done`` is called with each task that was counted."""
    papers = _Lengths([path.parent for task in tasks for path in task.papers]) if read else None
    try:
        counted: list[Sizes] = []
        for task in tasks:
            counted.append(sizes_of(family, task, papers))
            if done is not None:
                done(task)
    finally:
        if papers is not None:
            papers.close()
    groups: dict[str, list[Sizes]] = {}
    for task, sizes in zip(tasks, counted, strict=True):
        for value in texts_at(_about(family, task), by) or ("none",) if by else ():
            groups.setdefault(value, []).append(sizes)
    return TaskStatistics(
        family=family.name,
        tasks=len(tasks),
        with_gold=sum(task.gold is not None for task in tasks),
        papers=len({path for task in tasks for path in task.papers}),
        sizes=_summaries(counted),
        values=_values(family, tasks),
        groups={value: _summaries(of) for value, of in sorted(groups.items())},
        unread=papers.unread if papers is not None else {},
    )


def sizes_of(family: Family, task: Task, papers: "_Lengths | None" = None) -> Sizes:
    """The numbers of one task; pages and tokens of its papers where ``papers`` reads them and all can be read."""
    found: Sizes = {"words of the prompt": len(family.fill_prompt(task).split()), "papers": len(task.papers)}
    pictures = sum(path.suffix.lower() in _PICTURES for path in task.files)
    if task.files:
        found |= {"pictures": pictures, "other files": len(task.files) - pictures}
    lengths = [papers.of(path) for path in task.papers] if papers is not None else []
    if lengths and None not in lengths:
        known = [length for length in lengths if length is not None]
        pages = sum(pages for pages, _ in known)
        found |= {"pages": pages} if pages else {}
        found["tokens of the papers"] = round(sum(tokens for _, tokens in known))
    return found | _gold_sizes(_mapping(task.gold))


def estimate_tokens(text: str) -> float:
    """About how many tokens a text takes."""
    wide = len(_WIDE.findall(text))
    return (len(text) - wide) / CHARS_A_TOKEN + wide / WIDE_CHARS_A_TOKEN


class _Lengths:
    """Pages and estimated tokens of papers, each opened once."""

    def __init__(self, folders: Sequence[Path]) -> None:
        roots = tuple(dict.fromkeys(folder.resolve() for folder in folders))
        self._store = PaperStore(load_settings().model_copy(update={"roots": roots}))
        self._known: dict[Path, tuple[int, float] | None] = {}
        self.unread: dict[str, str] = {}

    def of(self, path: Path) -> tuple[int, float] | None:
        """Pages and tokens; None where the paper cannot be read."""
        if path not in self._known:
            try:
                paper: Paper = self._store.open(path.resolve())
                self._known[path] = (len(paper.pages), estimate_tokens(paper.text))
            except PinciteError as error:
                self._known[path] = None
                self.unread[path.name] = error.short()
        return self._known[path]

    def close(self) -> None:
        """End the parsing processes."""
        self._store.close()


def _gold_sizes(gold: Mapping[str, Any]) -> Sizes:
    """What gold of the bundled scorers' kinds holds."""
    found: Sizes = {}
    for name, word in (("properties", "properties"), ("measurements", "measurements"), ("objects", "objects")):
        if isinstance(gold.get(name), list):
            found[f"gold {word}"] = len(gold[name])
    if isinstance(gold.get("objects"), list):
        objects = cast("list[dict[str, Any]]", gold["objects"])
        filled = [
            name for one in objects for name, value in one.items() if name != "evidence" and value not in (None, [])
        ]
        found["gold fields filled"] = len(filled)
    if isinstance(gold.get("rows"), list):
        rows = cast("list[dict[str, Any]]", gold["rows"])
        columns: list[str] = gold.get("columns") or list(dict.fromkeys(chain.from_iterable(rows)))
        found |= {"gold rows": len(rows), "gold columns": len(columns), "gold cells": len(rows) * len(columns)}
    if isinstance(gold.get("analysis"), str):
        found["words of the gold analysis"] = len(gold["analysis"].split())
    return found


def _about(family: Family, task: Task) -> dict[str, Any]:
    """A task's metadata with its set, and the kind of its gold where it has one."""
    kind = _mapping(task.gold).get("kind")
    return {"family": family.name, "set": task.set_name, **({"kind": kind} if kind else {}), **task.metadata}


def _mapping(gold: object) -> dict[str, Any]:
    return cast("dict[str, Any]", gold) if isinstance(gold, dict) else {}


def _values(family: Family, tasks: Sequence[Task]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for task in tasks:
        about = _about(family, task)
        for key in keys_in(about):
            if key != "family" and "decided_by" not in key.split("."):
                found.setdefault(key, Counter()).update(texts_at(about, key))
    return {key: dict(counts.most_common()) for key, counts in found.items()}


def _summaries(counted: Sequence[Sizes]) -> dict[str, Summary]:
    names = dict.fromkeys(chain.from_iterable(counted))
    return {name: Summary.of([sizes[name] for sizes in counted if name in sizes]) for name in names}
