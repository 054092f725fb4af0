"""Looking one work up: by an identifier at the sources that know its kind, by a title at those that search."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_literature.catalog import AUTHORITIES, KNOWS, ROWS, SOURCES
from pincite_literature.date_cutoff import Cleared
from pincite_literature.entries import SourceEntry, shorten
from pincite_literature.identifiers import arxiv_of_doi, cut_short, doi, identify
from pincite_literature.model import Identifiers, Work
from pincite_literature.sources.source import Page, Query, Source
from pincite_literature.state import LiteratureState, none_answered

if TYPE_CHECKING:
    from pincite_literature.sources.arxiv import Arxiv

_TITLES_ASKED = 5
"""Hits of a search by title that are compared with it. Set by judgement."""
_NEAREST = 3
"""Works that an error names where none has the title."""
_LONGEST_TITLE = 500
"""Characters of a title to look up; a longer text is not one. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A work that was looked up, what each source said of it, and how the sources answered."""

    work: Cleared
    records: Mapping[str, Cleared]
    entries: tuple[SourceEntry, ...]


async def look_up(state: LiteratureState, text: str, *, brief: bool = False) -> Looked:
    """The work that an identifier or a title names. ``brief`` asks arXiv, which answers once in three seconds, for its
    own identifiers only: for calls about many works.

    NotFoundError when no source has it, when nothing is certain, or when it did not surely appear before the cutoff;
    UnavailableError when no source answered.
    """
    asked = text.strip()
    if not asked or len(asked) > _LONGEST_TITLE:
        raise BadInputError(
            "This does not identify a work.",
            seen=repr(asked[:60]),
            next="Give a DOI, arXiv id, PMID, PMCID or the title.",
        )
    ids = identify(asked)
    if ids is None and (error := cut_short(asked)) is not None:
        raise error
    known: Looked | None = state.memo.get(("work", ids or asked))
    if known is not None:
        return known
    looked = await (_by_title(state, asked) if ids is None else _by_ids(state, ids, asked, brief=brief))
    if not brief and all(entry["state"] == "answered" for entry in looked.entries):
        state.memo.put(("work", ids or asked), looked)
    return looked


async def _by_ids(state: LiteratureState, ids: Identifiers, asked: str, *, brief: bool) -> Looked:
    """Ask the sources that know the kind of ``ids``, then those that know what was learned from them."""
    inquiry = _Inquiry(state, ids)
    await inquiry.ask(SOURCES)
    await inquiry.ask(row.name for row in ROWS if not (brief and row.slow))
    if not inquiry.records and inquiry.others:
        nearest, _ = state.cutoff.keep(inquiry.others)
        raise _uncertain(asked, nearest, several=0, failed=inquiry.failed)
    if not inquiry.records:
        raise _unknown(asked, inquiry.errors) if inquiry.answered else none_answered(inquiry.errors)
    authority = "arxiv" if ids.arxiv is not None else AUTHORITIES[next(iter(ids.known()))]
    return await _finished(state, asked, inquiry.records, list(inquiry.entries.values()), authority)


class _Inquiry:
    """What sources say of the work with certain identifiers, and which identifiers that adds."""

    def __init__(self, state: LiteratureState, ids: Identifiers) -> None:
        self.records: dict[str, Work] = {}
        self.others: list[Work] = []
        """What sources gave instead of the work."""
        self.entries: dict[str, SourceEntry] = {}
        self.errors: list[PinciteError] = []
        self._state = state
        self._known = ids
        self._tried: dict[str, set[str]] = {name: set() for name in SOURCES}

    @property
    def failed(self) -> list[SourceEntry]:
        return [entry for entry in self.entries.values() if entry["state"] == "failed"]

    @property
    def answered(self) -> bool:
        """Whether any source answered."""
        return len(self.failed) < len(self.entries)

    async def ask(self, sources: Iterable[str]) -> None:
        """Ask those that did not give the work yet and know a kind of identifier that they were not asked for."""
        kinds, known = set(self._known.known()), self._known

        async def work(source: Source) -> Work | None:
            return await source.work(known)

        done = {*self.records, *(entry["source"] for entry in self.failed)}
        names = [name for name in sources if name not in done and (KNOWS[name] & kinds) - self._tried[name]]
        answers, entries, errors = await self._state.ask_each(names, work)
        self.errors += errors
        self.entries |= {entry["source"]: entry for entry in entries}
        for name in names:
            self._tried[name] |= KNOWS[name] & kinds
        self._sift({name: work for name, work in answers.items() if work is not None})
        self._learn()

    def _sift(self, given: Mapping[str, Work]) -> None:
        """Take the records of the work; those that bear its identifiers first, for the others to be compared with."""
        self.records |= {name: work for name, work in given.items() if _bears(work, self._known)}
        self.records |= {
            name: work for name, work in given.items() if _may_be(work, self._known, self.records.values())
        }
        for name in given.keys() - self.records.keys():
            self.entries[name] |= SourceEntry(source=name, state="answered", found=0, reason="gave another work")
            self.others.append(given[name])

    def _learn(self) -> None:
        """Add the identifiers of the records; the DOI of an article is of more use than that of its preprint."""
        known = self._known.known()
        for record in self.records.values():
            known = record.ids.known() | known
        dois = [work.ids.doi for work in self.records.values() if work.ids.doi]
        if known.get("arxiv"):
            dois += [found for work in self.records.values() for name in work.version_of if (found := doi(name))]
        article = next((found for found in dois if not arxiv_of_doi(found)), None)
        if article is not None and ("doi" not in known or arxiv_of_doi(known["doi"])):
            known["doi"] = article
        self._known = Identifiers(**known)


def _bears(work: Work, known: Identifiers) -> bool:
    """Whether a work has one of these identifiers."""
    return bool(
        set(known.known().items()) & set(work.ids.known().items()) or set(known.known().values()) & set(work.version_of)
    )


def _may_be(work: Work, known: Identifiers, sure: Iterable[Work]) -> bool:
    """Whether a work without identifiers to compare has a title like those of the works that have them."""
    from pincite_literature.titles import alike, read_title

    titles = [read_title(other.title) for other in sure]
    if work.ids.known().keys() & known.known().keys():
        return _bears(work, known)
    return any(alike(read_title(work.title), title) for title in titles)


async def _by_title(state: LiteratureState, title: str) -> Looked:
    """Search for a title; only works with that very title, slips of the pen aside, are taken for it."""
    from pincite_literature.merge import merge
    from pincite_literature.ranking import ranked
    from pincite_literature.titles import near, read_title

    query = Query(text=title, before=state.settings.before)

    async def search(source: Source) -> Page:
        return await source.search(query, limit=_TITLES_ASKED)

    pages, entries = await state.ask_all(SOURCES, search)
    wanted = read_title(title)
    fitting: list[dict[str, Work]] = []
    nearest: list[Cleared] = []
    sources = {id(work): name for name, page in pages.items() for work in page.works}
    for group in ranked(merge({name: page.works for name, page in pages.items()})):
        records = {sources[id(work)]: work for work in reversed(group.members)}
        shown = [work for work in state.cutoff.clear(list(records.values())) if work is not None]
        nearest += shown[:1]
        if shown and any(near(read_title(work.title), wanted) for work in shown):
            fitting.append(records)
    if len(fitting) == 1:
        return await _finished(state, title, fitting[0], entries, "")
    missing = [entry for entry in entries if entry["state"] == "failed"]
    raise _uncertain(title, nearest, several=len(fitting), failed=missing)


async def _finished(
    state: LiteratureState, asked: str, records: Mapping[str, Work], entries: Sequence[SourceEntry], authority: str
) -> Looked:
    """The work of these records, as the cutoff lets it be seen."""
    records = await _as_of_then(state, records)
    cleared = dict(zip(records, state.cutoff.clear(list(records.values())), strict=True))
    passed = {name: work for name, work in cleared.items() if work is not None}
    # The record of who registers the asked identifier dates it; without that, every record must pass.
    sure = authority in passed if authority in records else len(passed) == len(records) or not authority
    if state.cutoff.withheld.hides_any(records.values()):
        raise withheld_error(asked)
    if not passed or not sure:
        raise NotFoundError(
            f"{asked!r} is not available under the cutoff: it did not surely appear before {state.cutoff.before}.",
            next="Search for its title: an earlier version may be there.",
        )
    return Looked(state.cutoff.unite(passed), passed, tuple(entries))


def withheld_error(asked: str) -> NotFoundError:
    """What is said of a work that does not exist for this task."""
    return NotFoundError(f"{shorten(asked, 200)!r} is withheld here.", next="Do without this work.")


async def _as_of_then(state: LiteratureState, records: Mapping[str, Work]) -> Mapping[str, Work]:
    """Under a cutoff, arXiv's record of the first version where the newest one came too late."""
    newest, before = records.get("arxiv"), state.cutoff.before
    number = newest.ids.arxiv if newest is not None else None
    if before is None or newest is None or number is None or not state.cutoff.allows(newest):
        return records
    if newest.updated is None or newest.updated.surely_before(before):
        return records

    async def first(source: Source) -> Work | None:
        return await cast("Arxiv", source).version(number, 1)

    answers, _, _ = await state.ask_each(["arxiv"], first)
    version = answers.get("arxiv")
    return records if version is None else {**records, "arxiv": version}


def _unknown(asked: str, errors: Sequence[PinciteError]) -> NotFoundError:
    missing = " ".join(error.what for error in errors)
    return NotFoundError(
        f"No source that answered has {shorten(asked, 200)!r}.",
        seen=f"Not known to others, since they could not be asked: {missing}" if missing else "",
        next="Check it, or search for words of the title with search_papers.",
    )


def _uncertain(title: str, nearest: Sequence[Cleared], *, several: int, failed: Sequence[SourceEntry]) -> NotFoundError:
    listed = "; ".join(
        f"{shorten(work.title, 150)} ({work.cited_as_of or 'no date'}, {name_work(work)})"
        for work in nearest[:_NEAREST]
    )
    missing = " ".join(entry.get("reason", "") for entry in failed)
    many = f"{several} works bear the title" if several else "Nothing certain bears the title"
    return NotFoundError(
        f"{many} {shorten(title, 200)!r}.",
        seen=" ".join(part for part in (f"nearest: {listed}." if listed else "", missing) if part),
        next="Give an identifier instead." if listed else "Search for other words with search_papers.",
    )


def name_work(work: Work) -> str:
    """An identifier by which the tools find the work again, "no identifier" without one."""
    kinds = work.ids.known()
    kind = next(iter(kinds), "")
    if not kind:
        return "no identifier"
    return kinds[kind] if kind in {"s2", "openalex", "pmcid"} else f"{kind}:{kinds[kind]}"
