"""Licence: under what a task may be passed on."""

from pincite_tasks.family import Family
from pincite_tasks.task import Task

NOT_STATED = "not stated"


def licence_of(family: Family, task: Task | None = None) -> str:
    """The SPDX name that a task states, else its family's; ``not stated`` where neither does."""
    own = task.metadata.get("licence", task.metadata.get("license")) if task is not None else None
    return str(own or family.settings.licence or NOT_STATED)
