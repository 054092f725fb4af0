"""GoldCheck: whether gold is an answer that the schema allows, and whether it is true to its papers."""

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from jsonschema import Draft202012Validator

from pincite_core.errors import BadInputError
from pincite_core.settings import load_settings
from pincite_papers.opening.store import PaperStore
from pincite_scoring.case import Case, OpenedPapers
from pincite_scoring.scorer import GoldProblem, get_scorer
from pincite_tasks.family import Family
from pincite_tasks.task import Task

_SHOWN = 300
"""Characters of the schema's complaint."""


class GoldCheck:
    """Checks gold by the schema and the scorer of a family; papers lie under ``folders``; close it after use.

    ``notes`` gathers what may be meant so.
    """

    def __init__(self, family: Family, folders: Iterable[Path]) -> None:
        self._family = family
        self._scorer = get_scorer(family.settings.scorer)
        roots = tuple(folder.resolve() for folder in folders)
        self._store = PaperStore(load_settings().model_copy(update={"roots": roots}))
        self.notes: list[str] = []

    def __enter__(self) -> "GoldCheck":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._store.close()

    def case(self, task: Task, answer: Any = None) -> Case:
        """The task as its scorer sees it, with ``answer``."""
        papers = OpenedPapers({path.name: path for path in task.papers}, lambda path: self._store.open(path.resolve()))
        files = {path.name: path for path in task.files}
        return Case(answer, task.gold, papers, task.parameters, task.metadata, files, task.corpus)

    def check(self, task: Task) -> None:
        """BadInputError with every fault of one task's gold; a paper that cannot be opened is its own error."""
        problems = self._scorer.check(self.case(task))
        if not any(problem.fatal for problem in problems):
            problems = [*self._broken(task), *problems]
        self.notes += [f"{task.task_id}: {problem}" for problem in problems if not problem.fatal]
        if fatal := [str(problem) for problem in problems if problem.fatal]:
            raise BadInputError(f"The gold of {task.task_id} is wrong.", seen="; ".join(fatal), next="Correct it.")

    def _broken(self, task: Task) -> list[GoldProblem]:
        """Where the answer that the gold stands for breaks the schema."""
        validator: Any = Draft202012Validator(self._family.answer_schema(task))
        found = validator.iter_errors(self._scorer.ideal(task.gold))
        errors: list[Any] = sorted(found, key=lambda error: str(error.json_path))
        return [GoldProblem(None, error.json_path, error.message[:_SHOWN]) for error in errors]
