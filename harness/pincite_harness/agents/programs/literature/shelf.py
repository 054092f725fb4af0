"""Shelf: what has been met so far: works with their abstracts, papers of the library, passages and their scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from .bench import Bench
from .events import Scored

DIGITS = 8
"""Hexadecimal digits of a paper's id in locators."""


@dataclass(frozen=True, slots=True)
class Work:
    """A work of the literature, or a paper of the library, as far as it is known."""

    title: str
    doi: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    abstract: str = ""
    source: str = ""
    """How the paper was put into the library: a file's path, or an identifier."""
    paper: str = ""
    """The digits by which its locators begin; empty where it is not in the library."""


@dataclass
class Shelf:
    """Everything that was met in one trial. ``papers`` are the names of the task's own."""

    bench: Bench
    papers: Sequence[str] = ()
    works: dict[str, Work] = field(default_factory=dict[str, Work])
    """Works by the id that models are told: w1, w2, …"""
    stock: dict[str, Work] = field(default_factory=dict[str, Work])
    """Papers of the library by the digits of their locators."""
    passages: dict[str, Scored] = field(default_factory=dict[str, Scored])
    """Passages by locator, with the best scores of all searches."""
    dropped: set[str] = field(default_factory=set[str])
    """Locators that prune_chunks dropped."""

    def note_works(self, found: Sequence[Mapping[str, Any]]) -> list[str]:
        """The ids of works of a search, new ones for those that were not met before."""
        return [self._id_of(_work(each)) for each in found]

    async def restock(self) -> None:
        """Read the library's list of papers again."""
        cursor = ""
        while True:
            page = await self.bench.data("list_papers", cursor=cursor)
            for entry in cast("list[Mapping[str, Any]]", page["papers"]):
                self.stock[str(entry["paper"])] = _stocked(entry, self.works.values())
            cursor = str(page.get("next_cursor") or "")
            if not cursor:
                return

    def of_locator(self, locator: str) -> Work | None:
        """The paper that a locator is in; None where the library's list does not have it."""
        return self.stock.get(digits_of(locator))

    def name_of(self, locator: str) -> str:
        """What the paper of a locator is called in calls of tools: a task's paper by its name."""
        work = self.of_locator(locator)
        if work is None:
            return digits_of(locator)
        return self.task_paper(work.source) or work.source or digits_of(locator)

    def task_paper(self, source: str) -> str:
        """The name of the task's paper of that source; empty for any other."""
        base = source.rpartition("/")[2]
        return next((name for name in self.papers if name in (source, base)), "")

    def called(self, named: str) -> str:
        """One name for a paper, however a call names it: by path, identifier or digits."""
        wanted = named.strip()
        for digits, work in self.stock.items():
            same = wanted.casefold() in (work.source.casefold(), work.doi) or base(wanted) == base(work.source)
            if digits in wanted or same:
                return self.name_of(digits)
        return self.task_paper(wanted) or wanted

    def note_passages(self, scored: Sequence[Scored]) -> None:
        """Keep passages; of two scores the higher stays."""
        for each in scored:
            there = self.passages.get(each.locator, each)
            best = {"answers": _higher(there.answers, each.answers), "figure": _higher(there.figure, each.figure)}
            self.passages[each.locator] = each.model_copy(update=best)

    def best(self, most: int) -> list[str]:
        """Locators of the passages that answer best, those found first where no score tells."""
        held = [each for each in self.passages.values() if each.locator not in self.dropped]
        held.sort(key=lambda each: -(each.answers if each.answers is not None else -1))
        return [each.locator for each in held[:most]]

    def _id_of(self, work: Work) -> str:
        for known, there in self.works.items():
            if (work.doi and work.doi == there.doi) or (not work.doi and work.title == there.title):
                if len(work.abstract) > len(there.abstract):
                    self.works[known] = work
                return known
        name = f"w{len(self.works) + 1}"
        self.works[name] = work
        return name


def digits_of(locator: str) -> str:
    """The digits of a locator's paper: ``46521428`` of ``pc:46521428#p1:3-9``."""
    return locator.strip().removeprefix("[").removeprefix("pc:")[:DIGITS]


def base(path: str) -> str:
    """The last part of a path."""
    return path.strip().rpartition("/")[2]


def _work(found: Mapping[str, Any]) -> Work:
    published = str(found.get("published") or "")
    year = int(published[:4]) if published[:4].isdigit() else None
    return Work(
        title=str(found.get("title") or ""),
        doi=str(found.get("doi") or "").casefold(),
        authors=tuple(map(str, found.get("authors") or ())),
        year=year,
        abstract=str(found.get("abstract") or ""),
    )


def _stocked(entry: Mapping[str, Any], works: Iterator[Work] | Any) -> Work:
    """A paper of the library; its authors are those of the same work in a search, where the list shortens them."""
    doi = str(entry.get("doi") or "").casefold()
    met = next((work for work in works if doi and work.doi == doi), None)
    authors = tuple(map(str, entry.get("authors") or ()))
    year = entry.get("year")
    return Work(
        title=str(entry.get("title") or ""),
        doi=doi,
        authors=met.authors if met is not None and met.authors else authors,
        year=int(year) if isinstance(year, int) else met.year if met is not None else None,
        abstract=met.abstract if met is not None else "",
        source=str(entry.get("source") or ""),
        paper=str(entry["paper"]),
    )


def _higher(one: int | None, other: int | None) -> int | None:
    scores = [score for score in (one, other) if score is not None]
    return max(scores, default=None)
