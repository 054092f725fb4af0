"""Filters: which trials become examples."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError
from pincite_harness.training.example import Example
from pincite_harness.training.trials import Trial
from pincite_models.dialects.fields import mapping
from pincite_tasks.task import Task

LEAST_WORDS = 15
"""Words of a gold analysis below which it is a remark; a decision of ours."""
_KEPT_APART = frozenset({"test", "eval", "evaluation", "heldout", "held_out", "held-out"})
"""Values of ``metadata.split`` that keep a task out of training."""
_CHARACTERS_A_TOKEN = 4
"""Characters of English a token, roughly."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Lengths are words of the gold or reply and tokens (estimated, four characters each) of the prompt; 0: any."""

    least: Mapping[str, float] = field(default_factory=dict[str, float])
    """Scores that a trial has at least, by metric."""
    where: Mapping[str, str] = field(default_factory=dict[str, str])
    """Values of the task's metadata by dotted key."""
    least_words: int = LEAST_WORDS
    most_words: int = 0
    most_context: int = 0
    held_out: frozenset[str] = frozenset()
    """Tasks that are kept apart, beside those whose metadata say so."""

    def refuses(self, trial: Trial) -> str:
        """Why a trial is not taken; empty where it is."""
        if is_held_out(trial.task, self.held_out):
            return "held out"
        for name, least in self.least.items():
            value = trial.row.metrics.get(name)
            if value is None:
                return f"{name} is not known"
            if value < least:
                return f"{name} below {least:g}"
        for key, wanted in self.where.items():
            if str(dotted(trial.task.metadata, key)) != wanted:
                return f"another {key}"
        return ""

    def refuses_text(self, text: str) -> str:
        """Why a gold answer or reply is too short or too long; empty where it is not."""
        words = len(text.split())
        if words < self.least_words:
            return f"fewer than {self.least_words} words"
        return f"more than {self.most_words} words" if self.most_words and words > self.most_words else ""

    def refuses_example(self, example: Example) -> str:
        """Why an example is not taken; empty where it is."""
        characters = sum(len(str(message["content"])) for message in example.prompt)
        if self.most_context and characters > self.most_context * _CHARACTERS_A_TOKEN:
            return f"a prompt of more than {self.most_context} tokens"
        return ""


def is_held_out(task: Task, named: frozenset[str] = frozenset()) -> bool:
    """Whether a task must not be learnt from: it is named, or ``metadata.held_out`` or ``metadata.split`` says so."""
    split = str(task.metadata.get("split") or "").lower()
    return task.task_id in named or task.metadata.get("held_out") is True or split in _KEPT_APART


def read_held_out(path: Path) -> frozenset[str]:
    """Ids of tasks, one a line; BadInputError for a file that cannot be read or is empty."""
    try:
        ids = frozenset(line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} cannot be read.", seen=str(error), next="Name a file of task ids.") from error
    if not ids:
        raise BadInputError(f"{path} names no task.", next="Write the id of a task on each line.")
    return ids


def dotted(metadata: Mapping[str, Any], key: str) -> Any:
    """The value below a dotted key; None where there is none."""
    value: Any = metadata
    for name in key.split("."):
        value = mapping(value).get(name)
    return value


def pairs(words: Sequence[str], read: Callable[[str], Any], what: str) -> dict[str, Any]:
    """``NAME=VALUE`` as a dictionary; BadInputError for another form, or a value that ``read`` refuses."""
    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        try:
            if not name or not equals:
                raise ValueError
            found[name] = read(value)
        except ValueError as error:
            raise BadInputError(f"{word!r} is not {what}.", next=f"Write it as {what}.") from error
    return found
