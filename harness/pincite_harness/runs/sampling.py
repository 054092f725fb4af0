"""Sampling: which tasks of a family are run, by their metadata and by a draw that its seed repeats."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pincite_core.errors import BadInputError
from pincite_tasks.files import digest_json
from pincite_tasks.metadata import keys_in, texts_at
from pincite_tasks.task import Task

_SHOWN = 20
"""Names in an error at most."""


def tasks_where(family: str, tasks: Sequence[Task], conditions: Sequence[tuple[str, str]]) -> list[Task]:
    """The tasks that have all of these values; BadInputError where a condition leaves none."""
    left = list(tasks)
    for key, value in conditions:
        before = left
        left = [task for task in before if value in texts_at(known(task), key)]
        if not left:
            there = sorted({text for task in before for text in texts_at(known(task), key)})
            raise BadInputError(
                f"No task of {family} is left with {key}={value}.",
                seen=f"values of {key}: {', '.join(there[:_SHOWN]) or 'none'}",
                next="Name one of these, or another key: pincite tasks stats shows them.",
            )
    return left


def draw(
    tasks: Sequence[Task], size: int, seed: int, strata: Sequence[str] = (), *, balanced: bool = False
) -> set[str]:
    """The ids of ``size`` tasks. Each one's place in the draw follows from the seed and itself alone: a smaller sample
    lies in a larger one of the same seed and strata.

    With ``strata`` (keys of metadata, an object's for all its own) the tasks are drawn one after another so that the
    sample's share of every value of every key stays as near its share of all tasks as can be; ``balanced``: as near
    equal shares. BadInputError for a key that no task has.
    """
    by_id = {task.task_id: task for task in tasks}
    in_order = [by_id[task_id] for task_id in _in_order(list(by_id), seed)]
    keys = _keys(in_order, strata)
    if not keys:
        return {task.task_id for task in in_order[:size]}
    cells: dict[tuple[str, ...], list[str]] = {}
    for task in in_order:
        cells.setdefault(tuple(value_of(task, key) for key in keys), []).append(task.task_id)
    shares = _shares(cells, balanced=balanced)
    counts: list[Counter[str]] = [Counter() for _ in keys]
    place = {task.task_id: number for number, task in enumerate(in_order)}
    drawn: set[str] = set()
    while len(drawn) < min(size, len(in_order)):
        left = [cell for cell, ids in cells.items() if ids]
        lacking = {cell: _lack(cell, shares, counts, len(drawn) + 1) for cell in left}
        cell = min(left, key=lambda one: (-round(lacking[one], 9), place[cells[one][0]]))
        drawn.add(cells[cell].pop(0))
        for number, value in enumerate(cell):
            counts[number][value] += 1
    return drawn


def draw_ids(ids: Sequence[str], size: int, seed: int) -> set[str]:
    """The ids of a sample without strata; see ``draw``."""
    return set(_in_order(ids, seed)[:size])


def known(task: Task) -> Mapping[str, object]:
    """A task's metadata and its set."""
    return {"set": task.set_name, **task.metadata}


def value_of(task: Task, key: str) -> str:
    """A task's value of a key in one text, ``none`` where it lacks the key."""
    return " + ".join(texts_at(known(task), key)) or "none"


def _in_order(ids: Sequence[str], seed: int) -> list[str]:
    """The ids in the order in which they are drawn."""
    return sorted(ids, key=lambda task_id: digest_json([seed, task_id]))


def _keys(tasks: Sequence[Task], strata: Sequence[str]) -> list[str]:
    """The keys that strata mean: an object stands for all keys in it, but for who decided them."""
    there = dict.fromkeys(key for task in tasks for key in keys_in(known(task)))
    found: dict[str, None] = {}
    for name in strata:
        inside = [key for key in there if key == name or key.startswith(f"{name}.")]
        meant = [key for key in inside if "decided_by" not in key.split(".")]
        if not meant:
            raise BadInputError(
                f"No task has a key {name!r}.",
                seen=f"known keys: {', '.join(list(there)[:_SHOWN]) or 'none'}",
                next="Name one of these; keys inside others are joined by points: dimensions.type.",
            )
        found |= dict.fromkeys(meant)
    return list(found)


def _shares(cells: Mapping[tuple[str, ...], Sequence[str]], *, balanced: bool) -> list[dict[str, float]]:
    """The share of each value of each key that a sample aims at."""
    total = sum(map(len, cells.values()))
    shares: list[dict[str, float]] = []
    for number in range(len(next(iter(cells)))):
        counts: Counter[str] = Counter()
        for cell, ids in cells.items():
            counts[cell[number]] += len(ids)
        shares.append({value: 1 / len(counts) if balanced else count / total for value, count in counts.items()})
    return shares


def _lack(
    cell: Sequence[str], shares: Sequence[Mapping[str, float]], counts: Sequence[Mapping[str, int]], size: int
) -> float:
    """How many tasks with a cell's values a sample of ``size`` lacks, summed over the keys."""
    pairs = zip(cell, shares, counts, strict=True)
    return sum(size * share[value] - count.get(value, 0) for value, share, count in pairs)
