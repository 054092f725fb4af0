"""Write the pages of a run's trials beside its report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from pincite_core.errors import PinciteError
from pincite_core.settings import load_settings
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.trials.page import TrialPage
from pincite_harness.reports.trials.pictures import PagePictures
from pincite_harness.reports.trials.quotations import locate, quotes_of
from pincite_harness.reports.trials.quotes_shown import QuoteView
from pincite_harness.reports.trials.subject import Subject, Subjects
from pincite_papers.model import Paper
from pincite_papers.opening.store import PaperStore
from pincite_tasks.answer import find_answer
from pincite_tasks.files import write_atomic
from pincite_trajectory.atif import Trajectory

PAGES = Path("report") / "trials"
"""Folder of the pages below a run's own."""
_PICTURES = Path("report") / "pages"
_MOST_TRAJECTORY = 100_000_000
"""Bytes: a larger trajectory.json is not read into a page."""


def page_name(trial: TrialRow) -> str:
    """The file name of a trial's page."""
    return f"{trial.name}.html"


def write_trial_pages(run: RunReport, measured: Sequence[Measured]) -> None:
    """One page for each trial with a record, with pictures of the pages that its quotes name."""
    ended = [trial for trial in run.trials if trial.record is not None]
    if not ended:
        return
    subjects = Subjects(run)
    by_family = {one.family: one for one in measured}
    about = {trial.name: subjects.of(trial) for trial in ended}
    roots = sorted({path.parent.resolve() for subject in about.values() for path in subject.papers.values()})
    settings = load_settings().model_copy(update={"roots": tuple(roots)})
    store = PaperStore(settings)
    (run.path / PAGES).mkdir(parents=True, exist_ok=True)
    try:
        with PagePictures(settings, store, run.path / _PICTURES) as pictures:
            for index, trial in enumerate(ended):
                names = [page_name(ended[k]) if 0 <= k < len(ended) else None for k in (index - 1, index + 1)]
                one = _Writing(run, by_family[trial.family], trial, about[trial.name])
                html = one.html(store, pictures, (names[0], names[1]))
                write_atomic(run.path / PAGES / page_name(trial), html.encode())
    finally:
        store.close()


class _Writing:
    def __init__(self, run: RunReport, measured: Measured, trial: TrialRow, subject: Subject) -> None:
        self._run = run
        self._trial = trial
        self._subject = subject
        self._folder = run.path / "trials" / trial.name
        self._page = TrialPage(run, measured, trial, subject, run.path / PAGES)

    def html(self, store: PaperStore, pictures: PagePictures, around: tuple[str | None, str | None]) -> str:
        answer = answer_left(self._folder)
        quotes = quotes_of(answer)
        papers = _opened(store, self._subject.papers) if quotes else {}
        located = [(quote, locate(quote, papers)) for quote in quotes]
        view = QuoteView(papers, pictures, self._run.path / _PICTURES, self._run.path / PAGES)
        return self._page.to_html(answer, located, view, read_trajectory(self._folder / "trajectory.json"), around)


def _opened(store: PaperStore, paths: Mapping[str, Path]) -> dict[str, Paper]:
    found: dict[str, Paper] = {}
    for name, path in paths.items():
        try:
            found[name] = store.open(path)
        except PinciteError:
            continue  # its quotes are said to be not looked for
    return found


def answer_left(folder: Path) -> Any:
    """What the agent left: JSON, or a text; None where there is none or it cannot be read."""
    path = find_answer(folder)
    if path is None:
        return None
    try:
        data = path.read_bytes()
        return orjson.loads(data) if path.suffix == ".json" else data.decode("utf-8-sig")
    except (OSError, ValueError):
        return None


def read_trajectory(path: Path) -> Trajectory | None:
    """A trajectory, None where there is none, or it cannot be read or is too large."""
    try:
        if path.stat().st_size > _MOST_TRAJECTORY:
            return None
        return Trajectory.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
