"""Site: what one desk serves: runs, papers, and the templates that draw them."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import HTMLResponse

from pincite_core.errors import ForbiddenError, NotFoundError, PinciteError
from pincite_core.settings import Settings
from pincite_harness.desk.addresses import Addresses
from pincite_harness.desk.answers import AnswerShown, show_answer
from pincite_harness.desk.audit_book import AuditBook
from pincite_harness.desk.charts import Charts
from pincite_harness.desk.library_book import LibraryBook
from pincite_harness.desk.listing import PAGE_ROWS
from pincite_harness.desk.papers import Papers
from pincite_harness.desk.run_book import ListedTrial, RunBook
from pincite_harness.desk.trajectories import Trajectories
from pincite_harness.desk.wire import WireBook
from pincite_harness.reports.loading import SCORE_FILE
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.statistics import show
from pincite_harness.reports.templating import make_environment
from pincite_harness.reports.trials.subject import Subject, Subjects
from pincite_harness.trial.faults import FAULTS_FILE
from pincite_harness.trial.workspace import LEDGER_FILE
from pincite_tasks.answer import ANSWER_FILES
from pincite_tasks.trial_record import TRIAL_FILE
from pincite_trajectory.build import MODEL_WIRE, TOOL_WIRE

_READ = (
    TRIAL_FILE,
    SCORE_FILE,
    "trajectory.json",
    "agent.log",
    FAULTS_FILE,
    LEDGER_FILE,
    MODEL_WIRE,
    TOOL_WIRE,
    *ANSWER_FILES,
)
"""Files of a trial that pages show."""
_FIRST = ("base.html", "run.html", "trial.html", "timeline.html")
"""Templates of the pages that most readers begin with."""
_PART = "x-part"
"""The header by which a script of the desk asks for a piece of a page instead of the whole."""


@dataclass
class Site:
    """``given`` are the keys of the papers that the desk was opened with."""

    settings: Settings
    runs: Sequence[RunBook]
    papers: Papers
    given: Sequence[str]
    links: Addresses
    audits: Sequence[AuditBook] = ()
    libraries: Sequence[LibraryBook] = ()
    trajectories: Trajectories = field(default_factory=Trajectories)
    charts: Charts = field(default_factory=Charts)
    wire: WireBook = field(default_factory=WireBook)
    _subjects: dict[int, Subjects] = field(default_factory=dict[int, Subjects])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._templates = make_environment("pincite_harness.desk")
        cast("dict[str, Any]", self._templates.globals)["links"] = self.links
        self._templates.filters.update(number=show, seconds=in_seconds, count=in_count, money=in_money, clock=on_clock)

    def close(self) -> None:
        """End the processes that read and draw papers."""
        self.papers.close()
        for book in self.libraries:
            book.close()

    def prepare(self) -> None:
        """What the first pages need: the templates of a run and a trial, and the first trials of the only run."""
        for name in _FIRST:
            self._templates.get_template(name)
        if len(self.runs) == 1:
            self.runs[0].first_trials(PAGE_ROWS)

    def warm(self) -> None:
        """Read all runs and templates ahead of their pages; a page reports what fails here."""
        for name in self._templates.list_templates(extensions=["html"]):
            self._templates.get_template(name)
        for book in self.runs:
            with suppress(PinciteError, OSError):
                book.trials()

    def render(self, template: str, **context: Any) -> str:
        """A template with every value escaped."""
        return self._templates.get_template(template).render(**context)

    def part(self, template: str, **context: Any) -> Markup:
        """A piece of a page, to be put into another as it is."""
        return Markup(self.render(template, part=True, site=self, **context))

    def page(self, request: Request, template: str, **context: Any) -> HTMLResponse:
        """A page, or where a script of the desk asks for it the part of it that changes."""
        part = request.headers.get(_PART) is not None
        return HTMLResponse(self.render(template, part=part, site=self, **context))

    def audit(self, number: int) -> AuditBook:
        """An audit by its number; NotFoundError where there is none."""
        if not 0 <= number < len(self.audits):
            raise NotFoundError("There is no such audit here.")
        return self.audits[number]

    def library(self, number: int) -> LibraryBook:
        """A library by its number; NotFoundError where there is none."""
        if not 0 <= number < len(self.libraries):
            raise NotFoundError("There is no such library here.")
        return self.libraries[number]

    def run(self, number: int) -> RunBook:
        """A run by its number; NotFoundError where there is none."""
        if not 0 <= number < len(self.runs):
            raise NotFoundError("There is no such run here.")
        return self.runs[number]

    def trial(self, number: int, name: str) -> tuple[ListedTrial, Path]:
        """A trial and its folder; NotFoundError where the run has none of that name."""
        run = self.run(number)
        if not run.has(name):
            raise NotFoundError("The run has no such trial.")
        folder = run.folder.trial(name)
        _check_links(folder)
        return run.trial(name), folder

    def subject(self, number: int, listed: ListedTrial) -> Subject:
        """What a trial was about: its gold and papers."""
        with self._lock:
            if number not in self._subjects:
                self._subjects[number] = Subjects(self.run(number).report)
            return self._subjects[number].of(listed.trial)

    def answer(self, number: int, name: str) -> AnswerShown:
        """The answer of a trial beside its gold."""
        listed, folder = self.trial(number, name)
        return show_answer(listed, folder, self.subject(number, listed), self.papers)

    def open_papers_of(self, number: int, name: str) -> None:
        """Open the papers of a trial's task, so that locators of them are found; those that cannot be are left out."""
        listed, _ = self.trial(number, name)
        try:
            self.papers.open_all(self.subject(number, listed).papers)
        except PinciteError:
            return


def _check_links(folder: Path) -> None:
    """ForbiddenError where a file that pages read is a link out of the trial's folder: a run may come from anyone."""
    for name in _READ:
        path = folder / name
        if not path.resolve().is_relative_to(folder.resolve()):
            raise ForbiddenError(f"{name} of this trial is a link out of its folder.")


def in_seconds(value: float | None) -> str:
    """A time as one reads it: ``4.2 s``, ``3 min 12 s``, ``2 h 05 min``."""
    if value is None:
        return "–"
    if value < 60:
        return f"{value:.1f} s"
    minutes, seconds = divmod(round(value), 60)
    return f"{minutes} min {seconds:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def on_clock(value: float) -> str:
    """A time since the beginning, short: ``2.1 s``, ``33:10``, ``2:05:10``."""
    if value < 60:
        return f"{value:.1f} s"
    minutes, seconds = divmod(int(value), 60)
    return f"{minutes}:{seconds:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def in_count(value: float | None) -> str:
    """A count with its thousands."""
    return "–" if value is None else f"{round(value):,}"


def in_money(value: float | None) -> str:
    """US dollars."""
    return "–" if value is None else f"${value:.4f}" if value < 1 else f"${value:.2f}"
