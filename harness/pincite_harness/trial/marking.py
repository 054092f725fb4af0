"""Marking: a trial's answer is checked, and becomes score.json, in a process that can be killed."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import orjson

from pincite_core.errors import PinciteError
from pincite_core.settings import load_settings
from pincite_harness.marking.errors import pack_error
from pincite_harness.marking.processes import Frame, JobLimits, Lease, MarkingProcesses
from pincite_harness.marking.questions import unpack_question
from pincite_papers.codec import encode_paper
from pincite_papers.opening.store import PaperStore
from pincite_scoring import ScoringOptions
from pincite_scoring.judging.judge import Judge, RuleJudge, decide_all
from pincite_scoring.judging.model_judge import ModelJudge
from pincite_scoring.judging.notebook import Notebook, write_record
from pincite_tasks.family import Family
from pincite_tasks.task import Task

SCORE_FILE = "score.json"
_LEAST_WORKERS = 4
"""Marking processes at least, since some wait for the disk. Set by judgement."""
_WORKERS_WITH_MODEL = 16
"""Where a model judges, most processes wait for it."""


class Marker:
    """Checks and scores answers in processes of their own; opens papers through one store and asks the judge, both in
    this process. Its methods block: call them in a thread."""

    def __init__(self, tasks: Iterable[Task], options: ScoringOptions, roots: Iterable[Path] = ()) -> None:
        """Papers are those of ``tasks`` and of the folders ``roots``."""
        own = {paper.parent.resolve() for task in tasks for paper in task.papers}
        roots = sorted(own.union(root.resolve() for root in roots))
        settings = load_settings().model_copy(update={"roots": tuple(roots)})
        self.store = PaperStore(settings)
        self.options = options
        rules = isinstance(options.judge, RuleJudge)
        workers = max(_LEAST_WORKERS, os.cpu_count() or 1) if rules else _WORKERS_WITH_MODEL
        self.processes = MarkingProcesses(workers)

    def marking(self, family: Family, task: Task, folder: Path | None = None, record: Path | None = None) -> "Marking":
        """The marking of one answer to a task, by a trial whose folder may be known; what a model judge says of it is
        written into ``record``, by default that folder."""
        return Marking(self, family, task, folder, record or folder)

    def mark(self, family: Family, task: Task, answer: Any, folder: Path | None = None) -> dict[str, Any]:
        """The content of score.json for a valid answer as a value; None is scored as an empty answer. See Marking."""
        data = answer.encode() if isinstance(answer, str) else None if answer is None else orjson.dumps(answer)
        return self.marking(family, task, folder).mark(data)

    def break_off(self) -> None:
        """Let go of a model judge: who waits for it gets an UnavailableError. For the event loop's own thread."""
        if isinstance(self.options.judge, ModelJudge):
            self.options.judge.close()

    def close(self) -> None:
        """End the processes and let go of a model judge."""
        self.break_off()
        self.processes.close()
        self.store.close()


class Marking:
    """One answer: whether it is valid, and its score. Both are done in a process within the family's limits; what it
    raises beyond the scorer's own errors is a ScorerFailedError. ``end`` may be called from another thread."""

    def __init__(self, marker: Marker, family: Family, task: Task, folder: Path | None, record: Path | None) -> None:
        self._marker = marker
        self._family = family
        self._task = task
        self._folder = folder
        self._record = record
        self._lease = Lease()
        limits = family.settings.limits
        self._limits = JobLimits(limits.scoring_seconds, limits.scoring_memory_mb)

    def check(self, data: bytes | None) -> str | None:
        """What is wrong with what was left as the answer (None: nothing was left); None where it is valid."""
        name, limits = self._family.settings.answer, self._family.settings.limits
        if data is None:
            return f"The agent left no {name}."
        job = {
            "job": "check",
            "answer": name,
            "schema": self._family.answer_schema(self._task),
            "answer_bytes": limits.answer_bytes,
            "answer_records": limits.answer_records,
        }
        header, _ = self._marker.processes.ask(job, data, self._limits, _nothing, self._lease)
        return header["fault"]

    def mark_file(self, path: Path) -> tuple[str | None, dict[str, Any]]:
        """What is wrong with the answer that was left at ``path`` (see ``check``), and the content of score.json: that
        of an empty answer where it is missing or not valid."""
        data = path.read_bytes() if path.is_file() else None
        fault = self.check(data)
        return fault, self.mark(data if fault is None else None)

    def mark(self, data: bytes | None) -> dict[str, Any]:
        """The content of score.json, with the metrics by both definitions, unless a model judges: it would be asked
        twice. ``data`` is a valid answer's file; None is scored as an empty answer, and so is one that the scorer
        cannot read although its schema let it pass: nobody shall get out of a bad score. What a model was asked for it
        is written into the trial's folder too, also where it fails in the midst of it."""
        judge = self._marker.options.judge
        notebook = Notebook(judge) if isinstance(judge, ModelJudge) else None
        supplies = _Supplies(self._marker.store, self._task, notebook or judge)
        try:
            job = self._job(judge, answered=data is not None)
            _, body = self._marker.processes.ask(job, data or b"", self._limits, supplies.bring, self._lease)
        finally:
            if self._record is not None:
                write_record(notebook, self._record)
        judging = {"judging": notebook.summary()} if notebook is not None else {}
        return orjson.loads(body) | judging | {"family": self._family.name}

    def end(self) -> None:
        """Break it off: its process is killed."""
        self._lease.end()

    def _job(self, judge: Judge, *, answered: bool) -> dict[str, Any]:
        task = self._task
        return {
            "job": "score",
            "scorer": self._family.settings.scorer,
            "answer": self._family.settings.answer,
            "answered": answered,
            "gold": task.gold,
            "papers": list(task.paper_names),
            "parameters": dict(task.parameters),
            "metadata": dict(task.metadata),
            "files": {path.name: str(path.resolve()) for path in task.files},
            "corpus": str(task.corpus.resolve()) if task.corpus is not None else None,
            "trial": str(self._folder.resolve()) if self._folder is not None else None,
            "judge": None if isinstance(judge, RuleJudge) else judge.name,
            "compat": self._marker.options.compat,
        }


class _Supplies:
    """What a scorer needs in the midst of its work: papers, and the verdicts of a judge that is not a rule."""

    def __init__(self, store: PaperStore, task: Task, judge: Judge) -> None:
        self._store = store
        self._papers = {path.name: path.resolve() for path in task.papers}
        self._judge = judge

    def bring(self, header: dict[str, Any]) -> Frame:
        """The frame that answers a need; an error of ours goes to the scorer, which may know what to do."""
        try:
            if header["need"] == "paper":
                return self._paper(header["name"], header["holds"])
            return self._verdicts(header["questions"])
        except PinciteError as error:
            return pack_error(error), b""

    def _paper(self, name: str, held: Sequence[str]) -> Frame:
        paper = self._store.open(self._papers[name])
        return {"paper_id": paper.paper_id}, b"" if paper.paper_id in held else encode_paper(paper)

    def _verdicts(self, questions: Sequence[dict[str, Any]]) -> Frame:
        verdicts = decide_all(self._judge, [unpack_question(question) for question in questions])
        return {"verdicts": [verdict.to_json() for verdict in verdicts]}, b""


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


def _nothing(header: dict[str, Any]) -> Frame:
    raise KeyError(header["need"])
