"""Making a queue: candidates of runs, or the questions of a file, chosen, placed on their pages and written down."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_core.settings import Settings
from pincite_harness.desk.evidence import Cited
from pincite_harness.desk.papers import Papers, page_of
from pincite_harness.labels.candidates import MAKERS, NOT_IN_PAPER, NOT_ON_PAGE, OF_RUBRIC, Candidate, trials_left
from pincite_harness.labels.choosing import Chosen, choose
from pincite_harness.labels.queue import KEY_FILE, LabelQueue, Place, QueueItem, id_of, make_queue, write_queue
from pincite_harness.reports.loading import load_runs
from pincite_papers.model import Rect
from pincite_scoring.judging.labelled import read_lines
from pincite_scoring.judging.rubrics import KnownRubric
from pincite_tasks.files import digest_json, write_atomic, write_json

MOST_BYTES = 200_000_000
"""Of all pages of a queue; what is beyond it is labelled without its page."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a queue is made: ``about`` is one of ``MAKERS``, "" for what the rubric is about."""

    rubric: str
    count: int = 100
    seed: int = 0
    doubtful: bool = False
    blind: bool = False
    about: str = ""


def make(sources: Sequence[Path], known: KnownRubric, wanted: Wanted, folder: Path, settings: Settings) -> LabelQueue:
    """Write a queue of runs, or of one file of questions, into ``folder``, which must be new or empty.

    NotFoundError where there is nothing to label, BadInputError where sources and rubric do not fit.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInputError(f"{folder} is there and not empty.", next="Name a new folder.")
    files = [path for path in sources if path.is_file()]
    if files:
        if len(sources) > 1:
            raise BadInputError("One file of questions is taken alone.", next="Name it alone, or name runs.")
        return _of_file(files[0], known, wanted, folder)
    papers = Papers(settings)
    try:
        return _of_runs(sources, known, wanted, folder, papers)
    finally:
        papers.close()


def _of_runs(sources: Sequence[Path], known: KnownRubric, wanted: Wanted, folder: Path, papers: Papers) -> LabelQueue:
    about = wanted.about or OF_RUBRIC.get(wanted.rubric, "")
    if about not in MAKERS:
        raise BadInputError(
            f"What of the runs is labelled by {wanted.rubric} is not clear.", next=f"--about {'|'.join(MAKERS)}"
        )
    candidates: list[Candidate] = []
    for left in trials_left(load_runs(sources), papers):
        candidates += MAKERS[about](left)
    if known.texts:
        names = {name.removesuffix("?") for name in known.texts}
        for each in candidates:
            each.subject = {name: text for name, text in each.subject.items() if name in names}
    fitting = [each for each in candidates if not known.fault(each.subject)]
    if not fitting:
        raise NotFoundError(
            f"The runs have nothing to label by {wanted.rubric}.",
            seen=f"{len(candidates)} {about} in them",
            next="Name runs of a family that has such answers, or another rubric.",
        )
    chosen = choose(fitting, wanted.count, wanted.seed, doubtful=wanted.doubtful)
    pages = Pages(folder, papers)
    items = [_item(each, pages, folder, blind=wanted.blind) for each in chosen]
    order = "doubtful first" if wanted.doubtful else f"a sample, seed {wanted.seed}"
    queue = make_queue(wanted.rubric, known, items, order, blind=wanted.blind)
    write_queue(folder, queue)
    key = {each.id: {"run": each.candidate.run, "trial": each.candidate.trial, "doubt": each.doubt} for each in chosen}
    write_json(folder / KEY_FILE, key)
    return queue


def _of_file(path: Path, known: KnownRubric, wanted: Wanted, folder: Path) -> LabelQueue:
    """The questions that ``judge collect`` wrote, without the labels that stand there."""
    items: list[QueueItem] = []
    for place, line in read_lines(path):
        if fault := known.fault(line.subject):
            raise BadInputError(f"{place} does not fit the rubric {known.rubric.name}.", seen=fault)
        pictures = [_copied(path.parent / name, folder) for name in line.pictures]
        name = line.id or id_of(line.subject)
        items.append(QueueItem(id=name, subject=line.subject, pictures=pictures, origin=line.origin))
    items.sort(key=lambda item: digest_json([wanted.seed, item.id]))
    queue = make_queue(wanted.rubric, known, items[: wanted.count], f"a sample, seed {wanted.seed}", blind=True)
    write_queue(folder, queue)
    return queue


def _item(chosen: Chosen, pages: "Pages", folder: Path, *, blind: bool) -> QueueItem:
    candidate = chosen.candidate
    return QueueItem(
        id=chosen.id,
        subject=candidate.subject,
        pictures=[_copied(path, folder) for path in candidate.pictures.values()],
        place=pages.place(candidate.cited) if candidate.cited is not None else None,
        facts={} if blind else candidate.facts,
        why=[] if blind else list(chosen.why),
        origin=candidate.origin,
    )


def _copied(path: Path, folder: Path) -> str:
    """A picture's path in the queue's folder, under the digest of where it was."""
    target = f"pictures/{id_of({'path': str(path)})}/{path.name}"
    write_atomic(folder / target, path.read_bytes())
    return target


class Pages:
    """Draws each page that quotes stand on once into the queue's folder."""

    def __init__(self, folder: Path, papers: Papers) -> None:
        self._folder = folder
        self._papers = papers
        self._drawn: dict[tuple[str, int], str] = {}
        self._bytes = 0

    def place(self, cited: Cited) -> Place | None:
        """Where a quote is shown: its page with the boxes of its characters, or the page that was named and a note."""
        name, number = cited.found.paper, cited.found.page
        if not cited.paper:
            return Place(paper=name, note=cited.found.remark or cited.found.verdict)
        paper = self._papers.get(cited.paper)
        note = "" if cited.placed else NOT_IN_PAPER if number is None else NOT_ON_PAGE
        if number is None or not paper.pages:
            return Place(paper=name, page=number, note=note)
        boxes = [box for page, box in self._boxes(cited) if page == number]
        page = page_of(paper, number)
        if cited.found.verdict == "wrong page":
            note = cited.found.remark
        return Place(
            paper=name,
            page=number,
            width=page.width,
            height=page.height,
            boxes=[(box.x0, box.y0, box.x1, box.y1) for box in boxes],
            picture=self._picture(cited.paper, number),
            note=note,
        )

    def _boxes(self, cited: Cited) -> Iterator[tuple[int, Rect]]:
        paper = self._papers.get(cited.paper)
        for span in cited.found.spans if cited.placed else ():
            yield from paper.boxes(span.start, span.end)

    def _picture(self, key: str, number: int) -> str:
        if (key, number) not in self._drawn:
            self._drawn[key, number] = self._draw(key, number)
        return self._drawn[key, number]

    def _draw(self, key: str, number: int) -> str:
        try:
            data = self._papers.picture(self._papers.get(key), number)
        except PinciteError:
            return ""
        if self._bytes + len(data) > MOST_BYTES:
            return ""
        self._bytes += len(data)
        target = f"pages/{key}-p{number}.webp"
        write_atomic(self._folder / target, data)
        return target
