"""Walk: the works of several sources as one list that only grows, so that paging neither repeats nor skips."""

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import anyio

from pincite_literature.date_cutoff import Cleared
from pincite_literature.entries import SourceEntry
from pincite_literature.model import CitationLink, Work
from pincite_literature.sources.source import LinkPage, Page, Sort, Source
from pincite_literature.state import LiteratureState, none_answered

Ask = Callable[[Source, int, str | None], Awaitable[Page | LinkPage | None]]
"""A page of a source: how many works at most, and from which cursor on."""

SMALLEST_BATCH = 20
"""Works that a source is asked for at least: one request fills several small pages. Set by judgement."""
_BATCHES_AT_ONCE = 3
"""Batches that one page may take from a source. Set by judgement."""
_MOST_FAILURES = 2
"""Failures after which a walk leaves a source out and says so. Set by judgement."""
_MASK_BITS = 8
"""Bits of a place that say which sources took part: one a source, and there are six."""


@dataclass(frozen=True, slots=True)
class Found:
    """A merged work, and what sources know of the citation it came by."""

    work: Cleared
    links: tuple[CitationLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """Which works of a walk are shown (``fits``), and their order within a batch."""

    fits: Callable[[Work, Mapping[str, Page]], bool] | None = None
    sort: Sort = "relevance"


class Walk:
    """Asks each source for one page after the other; a batch is what all of them give at once.

    Works of a batch are merged with all that came before: one that was found already is not found again. New ones are
    appended in the order of their fused ranks. A source that fails at first is left out of the walk, one that fails
    later is asked once more for the next batch.
    """

    def __init__(
        self, state: LiteratureState, names: Sequence[str], ask: Ask, *, size: int, choice: Choice | None = None
    ) -> None:
        self.found: list[Found] = []
        self.entries: dict[str, SourceEntry] = {}
        self.withheld = 0
        self.dropped = 0
        self.pages: dict[str, Page] = {}
        """The first page of each source of works."""
        self._state = state
        self._ask = ask
        self._size = max(size, SMALLEST_BATCH)
        self._choice = choice or Choice()
        self._next: dict[str, str | None] = dict.fromkeys(names)
        self._lists: dict[str, list[Work]] = {name: [] for name in names}
        self._links: dict[int, CitationLink] = {}
        self._taken: set[int] = set()
        self._failures: dict[str, int] = dict.fromkeys(names, 0)
        self._lock = anyio.Lock()

    @property
    def ended(self) -> bool:
        """Whether every source has given all it has."""
        return not self._next

    @property
    def answered(self) -> tuple[str, ...]:
        """The sources that answered at least once."""
        return tuple(name for name, entry in self.entries.items() if "found" in entry)

    @property
    def knowing(self) -> bool:
        """Whether a source knew what was asked about."""
        return any("reason" not in entry for entry in self.entries.values())

    async def reach(self, count: int) -> None:
        """Ask until ``count`` works are found, all sources have ended, or three batches brought too little."""
        async with self._lock:
            for _ in range(_BATCHES_AT_ONCE):
                if self.ended or len(self.found) >= count:
                    return
                failed = await self._more()
                self._arrange()
                if failed:
                    return

    async def _more(self) -> int:
        """Take one page of every source that goes on; how many failed."""
        from pincite_literature.records import read_records

        async def ask(source: Source) -> Page | LinkPage | None:
            name = source.policy.name
            page = await self._ask(source, min(self._size, source.most), self._next[name])
            # Titles and names are read (and remembered) now, while slower sources are still being waited for.
            read_records({name: _works(page)})
            return page

        pages, entries, errors = await self._state.ask_each(list(self._next), ask)
        if not pages and not self.entries:
            raise none_answered(errors)
        for entry in entries:
            name = entry["source"]
            given = self.entries[name].get("found") if name in self.entries else None
            if name in pages:
                self._take(name, pages[name], entry)
                entry["found"] = entry.get("found", 0) + (given or 0)
                self._failures[name] = 0
            else:
                self._failures[name] += 1
                if given is None or self._failures[name] >= _MOST_FAILURES:
                    del self._next[name]
                if given is not None:
                    entry["found"] = given
            self.entries[name] = entry
        return len(errors)

    def _take(self, name: str, page: Page | LinkPage | None, entry: SourceEntry) -> None:
        if page is None:
            entry["reason"] = "knows nothing of it"
        elif isinstance(page, Page):
            self.pages.setdefault(name, page)
        else:
            self._links |= {id(link.work): link for link in page.links}
        self._lists[name] += _works(page)
        if page is not None and page.total is not None and self._state.cutoff.before is None:
            entry["total"] = page.total
        if page is None or page.cursor is None:
            del self._next[name]
        else:
            self._next[name] = page.cursor

    def _arrange(self) -> None:
        """Merge all that came so far; append works that were not found before."""
        merged, self.withheld = self._state.cutoff.merge(self._lists, self._choice.sort)
        self.dropped = 0
        for one in merged:
            if self._choice.fits is not None and not self._choice.fits(one.work, self.pages):
                self.dropped += 1
                continue
            records = {id(record) for record in one.records}
            if not self._taken & records:
                links = (self._links.get(id(record)) for record in one.records)
                self.found.append(Found(one.work, tuple(link for link in links if link is not None)))
            self._taken |= records


def _works(page: Page | LinkPage | None) -> list[Work]:
    """The works of a page, in its order."""
    if isinstance(page, LinkPage):
        return [link.work for link in page.links]
    return list(page.works) if page is not None else []


@dataclass(frozen=True, slots=True)
class Place:
    """Where a call goes on: the position in a walk over the sources of ``mask`` (bits in the order of its names)."""

    position: int
    mask: int

    @classmethod
    def of(cls, number: int) -> "Place":
        """The place that a cursor holds."""
        return cls(number >> _MASK_BITS, number & (1 << _MASK_BITS) - 1)

    def __int__(self) -> int:
        return self.position << _MASK_BITS | self.mask


async def walk_from(
    state: LiteratureState,
    call: Hashable,
    names: Sequence[str],
    number: int,
    make: Callable[[Sequence[str]], Walk],
    count: int,
) -> tuple[Walk, Place]:
    """The walk of a call, ``count`` works beyond the place that ``number`` (of a cursor, 0 for none) holds.

    A walk goes on with the sources that answered at first: others would change the order of what was shown.
    """
    place = Place.of(number)
    everywhere = (1 << len(names)) - 1
    walk: Walk | None = state.memo.get((call, place.mask or everywhere))
    if walk is None:
        walk = make([name for bit, name in enumerate(names) if not place.mask or place.mask >> bit & 1])
    await walk.reach(place.position + count)
    mask = place.mask or sum(1 << bit for bit, name in enumerate(names) if name in walk.answered)
    state.memo.put((call, mask), walk)
    return walk, Place(place.position, mask)
