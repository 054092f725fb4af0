"""Marking: a trial's answer becomes score.json."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite_core.settings import load_settings
from pincite_harness.family import Family
from pincite_harness.judging.model_judge import ModelJudge
from pincite_harness.judging.notebook import Notebook, write_record
from pincite_harness.scoring import Case, Score, ScoringOptions, score
from pincite_harness.scoring.case import OpenedPapers
from pincite_harness.scoring.result import INVALID_ANSWER, OTHER
from pincite_harness.task import Task
from pincite_papers.store import PaperStore

SCORE_FILE = "score.json"


class Marker:
    """Scores answers; opens papers through one store. Its methods block: call them in a thread."""

    def __init__(self, tasks: Iterable[Task], options: ScoringOptions) -> None:
        roots = sorted({paper.parent.resolve() for task in tasks for paper in task.papers})
        settings = load_settings().model_copy(update={"roots": tuple(roots)})
        self._store = PaperStore(settings)
        self._options = options

    def mark(self, family: Family, task: Task, answer: Any, folder: Path | None = None) -> dict[str, Any]:
        """The content of score.json, with the metrics by both definitions, unless a model judges: it would be asked
        twice. ``answer`` None is scored as an empty answer, and so is one that the scorer cannot read although its
        schema let it pass: nobody shall get out of a bad score. What a model was asked for it is written into
        ``folder`` too, also where it fails in the midst of it."""
        papers = OpenedPapers({path.name: path for path in task.papers}, self._store.open)
        files = {path.name: path for path in task.files}
        case = Case(answer, task.gold, papers, task.parameters, task.metadata, files, task.corpus, folder)
        judge = self._options.judge
        notebook = Notebook(judge) if isinstance(judge, ModelJudge) else None
        options = self._options if notebook is None else replace(self._options, judge=notebook)
        try:
            marked = _score(family.settings.scorer, case, options)
        finally:
            if folder is not None:
                write_record(notebook, folder)
        if notebook is None:
            other = replace(options, compat=OTHER[options.compat])
            marked = replace(marked, also=_score(family.settings.scorer, case, other).metrics)
        judging = {"judging": notebook.summary()} if notebook is not None else {}
        return marked.to_json() | judging | {"family": family.name}

    def break_off(self) -> None:
        """Let go of a model judge: who waits for it gets an UnavailableError. For the event loop's own thread."""
        if isinstance(self._options.judge, ModelJudge):
            self._options.judge.close()

    def close(self) -> None:
        """End the parsing processes and let go of a model judge."""
        self.break_off()
        self._store.close()


def _score(scorer: str, case: Case, options: ScoringOptions) -> Score:
    marked = score(scorer, case, options)
    if marked.status == "unscored" and (marked.reason or "").startswith(INVALID_ANSWER):
        return replace(score(scorer, replace(case, answer=None), options), reason=marked.reason)
    return marked


def unscored(family: str, scorer: str, reason: str) -> dict[str, Any]:
    """score.json of a trial without a score: absent with its reason, never zero."""
    return {
        "family": family,
        "scorer": scorer,
        "scorer_version": None,
        "matcher": None,
        "status": "unscored",
        "reason": reason,
        "metrics": {},
        "records": [],
    }
