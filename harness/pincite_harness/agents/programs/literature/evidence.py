"""Evidence: what the synthesis is shown, each piece with its id, its own words, and the work that it is from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from crew import Data, fan
from door import DoorError
from locators import Place

from .bench import Bench
from .events import Inspected
from .shelf import Shelf, Work

MOST_CHARS = 40_000
"""Characters of one chunk with its source: above the longest chunk that the library makes."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A piece of evidence. ``kind`` is passage, figure or abstract."""

    id: str
    kind: str
    text: str
    """The source's own words, which may be quoted."""
    work: Work
    locator: str = ""
    paper: str = ""
    """Name of the task's paper that it is from; empty for any other."""
    reading: str = ""
    """What a model read off a figure: it carries numbers, but is not quoted."""
    status: str = ""

    @property
    def page(self) -> int | None:
        """The page that its locator names."""
        place = Place.read(self.locator) if self.locator else None
        return place.page if place is not None else None

    @property
    def everything(self) -> str:
        """All text in which a number may stand."""
        return f"{self.text}\n{self.reading}"

    @property
    def data(self) -> Data:
        """It as a model is shown it."""
        words = [f"{self.id}: {self.kind}", self.work.title or self.paper or "an unnamed paper"]
        words += [str(self.work.year)] if self.work.year is not None else []
        words += [self.work.doi] if self.work.doi else []
        words += [f"status: {self.status}"] if self.status else []
        text = self.text
        if self.reading:
            text = f"Read off the figure by a model: {self.reading}\nCaption: {self.text or '(none)'}"
        return Data(text, ", ".join(words))


async def gather(
    bench: Bench, shelf: Shelf, chunks: Iterable[str], works: Iterable[str], looks: Iterable[Inspected]
) -> list[Evidence]:
    """The chunks, the abstracts of works, and the inspections that gave an answer; what cannot be read is left out."""
    names = list(dict.fromkeys(chunk.strip().strip("[]") for chunk in chunks))
    read = await fan(names, lambda name: _chunk(bench, shelf, name))
    found = [each for each in read if isinstance(each, Evidence)]
    found += [_look(shelf, look) for look in looks if look.outcome in ("answered", "unsure")]
    known = [shelf.works[name] for name in dict.fromkeys(works) if name in shelf.works]
    found += [Evidence("", "abstract", work.abstract, work) for work in known if work.abstract]
    return [_numbered(each, number) for number, each in enumerate(found, start=1)]


async def _chunk(bench: Bench, shelf: Shelf, name: str) -> Evidence:
    """A chunk whole; of a composed one its source's own words."""
    try:
        found = await bench.data("read_chunk", chunk=name, before=0, after=0, max_chars=MOST_CHARS)
    except LookupError as error:
        raise DoorError(str(error)) from error
    chunks = cast("list[Mapping[str, Any]]", found["chunks"])
    chunk = next(each for each in chunks if each.get("asked"))
    source = cast("list[Mapping[str, Any]]", chunk.get("source") or [])
    text = "\n".join(str(part["text"]) for part in source) if source else str(chunk["text"])
    locator = str(chunk["locator"])
    work = shelf.of_locator(locator) or Work(title=str(found.get("paper") or ""))
    status = str(chunk.get("status") or found.get("status") or "")
    reading = str(chunk["text"]) if source else ""
    return Evidence("", "passage", text, work, locator, shelf.task_paper(work.source), reading, status)


def _look(shelf: Shelf, look: Inspected) -> Evidence:
    sure = "" if look.outcome == "answered" else " (unsure)"
    reading = f"{look.figure}, asked: {look.question} Answer{sure}: {look.answer}. {look.evidence}"
    work = shelf.of_locator(look.locator) or Work(title=look.paper)
    paper = look.paper if look.paper in shelf.papers else ""
    return Evidence("", "figure", look.caption, work, look.locator, paper, reading)


def _numbered(each: Evidence, number: int) -> Evidence:
    return Evidence(
        f"e{number}",
        each.kind,
        each.text,
        each.work,
        each.locator,
        each.paper,
        each.reading,
        each.status,
    )
