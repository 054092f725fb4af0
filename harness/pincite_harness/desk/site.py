"""Site: what one desk serves: runs, papers, and the templates that draw them."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from pincite_core.errors import NotFoundError, PinciteError
from pincite_core.settings import Settings
from pincite_harness.desk.addresses import Addresses
from pincite_harness.desk.answers import AnswerShown, show_answer
from pincite_harness.desk.papers import Papers
from pincite_harness.desk.run_book import ListedTrial, RunBook
from pincite_harness.desk.trajectories import Trajectories
from pincite_harness.reports.statistics import show
from pincite_harness.reports.trials.subject import Subject, Subjects

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
    trajectories: Trajectories = field(default_factory=Trajectories)
    _subjects: dict[int, Subjects] = field(default_factory=dict[int, Subjects])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._templates = Environment(
            loader=PackageLoader("pincite_harness.desk"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        cast("dict[str, Any]", self._templates.globals)["links"] = self.links
        self._templates.filters.update(number=show, seconds=in_seconds, count=in_count, money=in_money)

    def close(self) -> None:
        """End the processes that read and draw papers."""
        self.papers.close()

    def render(self, template: str, **context: Any) -> str:
        """A template with every value escaped."""
        return self._templates.get_template(template).render(**context)

    def page(self, request: Request, template: str, **context: Any) -> HTMLResponse:
        """A page, or where a script of the desk asks for it the part of it that changes."""
        part = request.headers.get(_PART) is not None
        return HTMLResponse(self.render(template, part=part, site=self, **context))

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
        return run.trial(name), run.folder.trial(name)

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


def in_seconds(value: float | None) -> str:
    """A time as one reads it: ``4.2 s``, ``3 min 12 s``, ``2 h 05 min``."""
    if value is None:
        return "–"
    if value < 60:
        return f"{value:.1f} s"
    minutes, seconds = divmod(round(value), 60)
    return f"{minutes} min {seconds:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def in_count(value: float | None) -> str:
    """A count with its thousands."""
    return "–" if value is None else f"{round(value):,}"


def in_money(value: float | None) -> str:
    """US dollars."""
    return "–" if value is None else f"${value:.4f}" if value < 1 else f"${value:.2f}"
