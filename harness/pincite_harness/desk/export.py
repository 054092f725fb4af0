"""Export: a static copy of one trial or a small run, which opens from the disk without a server or a script: a folder,
or for one trial a single page."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError, PinciteError
from pincite_core.settings import Settings
from pincite_harness.desk.file_links import FileLinks, PageLinks
from pincite_harness.desk.papers import Papers
from pincite_harness.desk.run_book import RunBook
from pincite_harness.desk.site import Site
from pincite_harness.desk.steps import show_step, step_lines
from pincite_harness.desk.targets import Targets
from pincite_harness.desk.trajectories import Conversation, Told
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.templating import inline_digest
from pincite_harness.reports.trials.page import end_of
from pincite_harness.trial.faults import FAULTS_FILE
from pincite_tasks.files import write_atomic

MOST_TRIALS = 60
"""Of one copy: a larger run is for the desk itself."""
_MOST_STEPS = 400
"""Of one conversation, with all that they hold."""
_MOST_CHARS = 6_000_000
"""Of the steps of one page: a browser opens it at once."""
_STATIC = ("desk.css", "mark.svg")
_PAGE_ENDS = (".html", ".htm")


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: the first page, how many trials, and how many pictures and passages were left out."""

    index: Path
    trials: int
    left_out: int


def export(targets: Targets, settings: Settings, target: Path) -> Exported:
    """Write the copy of one run or trial into the folder ``target``, which must be new or empty, or of one trial into
    the new file ``target`` where that ends in .html; BadInputError for anything else."""
    if len(targets.runs) != 1 or targets.papers:
        raise BadInputError("One run or one trial is copied at a time.", next="Name its folder alone.")
    is_page = target.suffix.lower() in _PAGE_ENDS
    if target.exists() and (is_page or not target.is_dir() or any(target.iterdir())):
        raise BadInputError(
            f"{target} is there already.", next="Name a new folder, or for one trial a new file that ends in .html."
        )
    book = RunBook(targets.runs[0])
    rows = [row for row in book.trials() if row.trial.record is not None]
    if targets.trial:
        rows = [row for row in rows if row.trial.name == targets.trial]
    if not rows or len(rows) > MOST_TRIALS:
        raise BadInputError(
            f"A copy is of 1 to {MOST_TRIALS} trials that have ended.", seen=f"{len(rows)}", next="Name one trial."
        )
    if is_page and len(rows) > 1:
        raise BadInputError("A page holds one trial.", seen=f"{len(rows)} trials", next="Name a trial, or a folder.")
    papers = Papers(settings)
    links = PageLinks(target, papers, book) if is_page else FileLinks(target, papers, book)
    site = Site(settings, [book], papers, [], links)
    try:
        if isinstance(links, PageLinks):
            page = _trial_page(site, links, rows[0].trial.name, _static("desk.css").decode())
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(target, page.encode(errors="replace"))
            return Exported(target, 1, links.left_out)
        target.mkdir(parents=True, exist_ok=True)
        for row in rows:
            page = _trial_page(site, links, row.trial.name)
            write_atomic(target / f"{row.trial.name}.html", page.encode(errors="replace"))
        index = site.render("export_index.html", part=False, book=book, rows=rows)
        write_atomic(target / "index.html", index.encode(errors="replace"))
        for name in _STATIC:
            write_atomic(target / "static" / name, _static(name))
    finally:
        site.close()
    first = "index.html" if len(rows) > 1 else f"{rows[0].trial.name}.html"
    return Exported(target / first, len(rows), links.left_out)


def _static(name: str) -> bytes:
    return files("pincite_harness.desk").joinpath("static", name).read_bytes()


def _trial_page(site: Site, links: FileLinks, name: str, style: str = "") -> str:
    """The page of a trial; one that stands alone has its ``style`` in it."""
    links.begin_page()
    listed, folder = site.trial(0, name)
    shown = site.answer(0, name)
    answer = site.part("answer.html", run=0, name=name, shown=shown)
    told, why = None, ""
    try:
        told = site.trajectories.of(folder)
    except PinciteError as error:
        why = str(error)
    conversations = _conversations(site, told, name) if told is not None else []
    context: dict[str, Any] = {"run": 0, "listed": listed, "trial": listed.trial, "book": site.runs[0], "why": why}
    logs = [(path.name, end_of(path)) for path in (folder / "agent.log", folder / FAULTS_FILE)]
    return site.render(
        "export.html",
        part=False,
        answer=answer,
        conversations=conversations,
        logs=logs,
        places=list(links.places.values()),
        style=Markup(style),
        digest=inline_digest(style),
        **context,
    )


def _conversations(site: Site, told: Told, name: str) -> list[tuple[Conversation, list[tuple[Any, Markup]]]]:
    """Each conversation with its steps' lines and bodies, as long as there is room."""
    found: list[tuple[Conversation, list[tuple[Any, Markup]]]] = []
    left = _MOST_CHARS
    for conversation in told.conversations:
        steps: list[tuple[Any, Markup]] = []
        for line in step_lines(conversation, 1, _MOST_STEPS)[:_MOST_STEPS]:
            if left <= 0:
                break
            shown = show_step(told, conversation, line.number)
            body = site.part("step.html", run=0, name=name, conversation=conversation, shown=shown)
            left -= len(body)
            steps.append((line, body))
        found.append((conversation, steps))
    return found
