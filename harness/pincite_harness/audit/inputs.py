"""What is audited: a report, an answer, a trajectory, a session or a trial becomes a text whose claims can be found."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.settings import load_settings
from pincite_harness.audit.steps import Said, Showing, said_by, showings
from pincite_models.dialects.fields import mapping
from pincite_papers.opening.store import PaperStore
from pincite_provenance.audit.parsed import read_paper
from pincite_provenance.audit.reading import FORMS, read_report
from pincite_provenance.audit.text import ReportText
from pincite_tasks.answer import find_answer
from pincite_tasks.files import decode_text
from pincite_trajectory.atif import Trajectory
from pincite_trajectory.sources import TRAJECTORY_FILE, open_source

_TRIALS = "trials"
_SESSION_ENDS = (".jsonl",)
PARSED_ENDS = (".docx", ".pdf")
"""Reports that are read as papers are; their lines are those of the text that was read."""


@dataclass(frozen=True)
class Subject:
    """A text to audit: ``name`` and ``path`` of its file. ``shown`` is what its agent was shown, None where nothing is
    known of that; ``said`` are its agent's messages where these are the text."""

    name: str
    path: Path
    text: ReportText
    shown: tuple[Showing, ...] | None = None
    said: Said | None = None
    last_step: int | None = None
    trajectory: Trajectory | None = None


def open_subjects(path: Path) -> Iterator[Subject]:
    """The texts at ``path``: a report's file, a trajectory or a session, the answer of a trial's folder, and those of
    all trials of a run.

    NotFoundError where nothing is there, BadInputError for what is none of these.
    """
    if not path.exists():
        raise NotFoundError(f"There is nothing at {path}.", next="Name a report, a trajectory, a session or a run.")
    if (path / _TRIALS).is_dir():
        trials = [each for each in sorted((path / _TRIALS).iterdir()) if (each / TRAJECTORY_FILE).is_file()]
        if not trials:
            raise BadInputError(f"No trial of {path} has a trajectory.", next="Run it to its end, or name a report.")
        for trial in trials:
            yield _of_trial(trial)
    elif path.is_dir() and (path / TRAJECTORY_FILE).is_file():
        yield _of_trial(path)
    elif path.is_dir() or path.name.lower().endswith(_SESSION_ENDS) or _is_trajectory(path):
        yield _of_trajectory(path)
    else:
        yield _of_report(path)


def _of_report(path: Path) -> Subject:
    if path.suffix.lower() in PARSED_ENDS:
        with PaperStore(load_settings().model_copy(update={"roots": (path.resolve().parent,)})) as store:
            return Subject(path.name, path, read_paper(store.open(path.resolve())))
    form = FORMS.get(path.suffix.lower())
    if form is None:
        ends = ", ".join((*FORMS, *PARSED_ENDS, *_SESSION_ENDS))
        raise BadInputError(f"{path} is not a report that can be read.", next=f"Reports end in {ends}.")
    return Subject(path.name, path, read_report(_text_in(path), form))


def _of_trial(folder: Path) -> Subject:
    """The answer that a trial left, beside its trajectory; its agent's messages where it left none."""
    answer = find_answer(folder)
    if answer is None:
        return _of_trajectory(folder)
    trajectory = open_source(folder).trajectory
    last = trajectory.steps[-1].step_id
    text = read_report(_text_in(answer), FORMS.get(answer.suffix.lower(), "text"))
    name = f"{folder.name}/{answer.name}"
    return Subject(name, answer, text, tuple(showings(trajectory)), None, last, trajectory)


def _of_trajectory(path: Path) -> Subject:
    with tempfile.TemporaryDirectory(prefix="pincite-audit-") as folder:
        trajectory: Trajectory = open_source(path, Path(folder)).trajectory
    said = said_by(trajectory)
    return Subject(path.name, path, read_report(said.text), tuple(showings(trajectory)), said, None, trajectory)


def _is_trajectory(path: Path) -> bool:
    """Whether a JSON file is a trajectory or a session, and no answer."""
    if path.suffix.lower() != ".json":
        return False
    try:
        value = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError:
        return False
    names = set(mapping(value))
    return {"agent", "steps"} <= names or ("sessionId" in names and bool(names & {"messages", "projectHash"}))


def _text_in(path: Path) -> str:
    try:
        return decode_text(path.read_bytes())
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not text in UTF-8.", seen=str(error)) from error
