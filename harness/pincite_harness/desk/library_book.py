"""LibraryBook: a library as the desk shows it: its papers, its collections, and a search with every ranking's say."""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pincite_core.errors import NotFoundError
from pincite_core.settings import Settings
from pincite_harness.desk.papers import Papers
from pincite_library.model import Filters, PaperEntry, StoredChunk
from pincite_library.ranking.ranked import Found, Ranked
from pincite_library.ranking.search import search
from pincite_library.ranking.terms import index_terms
from pincite_library.shelf import library_settings, open_library
from pincite_library.standing import status_of
from pincite_library.state import LibraryState
from pincite_library.tools.arguments import parse_kinds, parse_years
from pincite_papers.model import Paper, Span
from pincite_tasks.files import digest_file

RESULTS = 20
"""Passages of a search: two screens of them."""
PAGE_PAPERS = 200
"""Papers of one page of the list."""
_MOST_TEXT = 1600
"""Characters of a passage in the list of results: chunks are cut at about this length."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a reader asked for, as it was typed."""

    text: str = ""
    year: str = ""
    journal: str = ""
    section: str = ""
    kind: str = ""
    collection: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Asked":
        """What an address asks for."""
        names = ("q", "year", "journal", "section", "kind", "collection")
        return cls(*(query.get(name, "")[:400].strip() for name in names))

    @property
    def narrowed(self) -> dict[str, str]:
        """The filters by name, without the empty ones."""
        own = {"year": self.year, "journal": self.journal, "section": self.section, "kind": self.kind}
        return {name: value for name, value in (own | {"collection": self.collection}).items() if value}


@dataclass(frozen=True, slots=True)
class PassageShown:
    """A passage that was found, with what each ranking says of it. ``held`` and ``missing`` are terms of the query;
    ``share`` is its BM25 score as a part of the best one, from 0 to 1."""

    found: Found
    entry: PaperEntry | None
    held: Sequence[str]
    missing: Sequence[str]
    share: float | None

    @property
    def stored(self) -> StoredChunk:
        """The passage itself."""
        return self.found.stored

    @property
    def text(self) -> str:
        """Its text, at most as much as a list shows."""
        return self.stored.chunk.text[:_MOST_TEXT]

    @property
    def cut(self) -> bool:
        """Whether there is more of it."""
        return len(self.stored.chunk.text) > _MOST_TEXT

    @property
    def spans(self) -> str:
        """Its ranges in the paper's text, as an address gives them."""
        return ",".join(f"{start}-{end}" for start, end in self.stored.chunk.ranges()[:40])

    @property
    def status(self) -> str:
        """Whether its paper was retracted or corrected; "" where nothing says so."""
        return status_of(self.entry)


@dataclass(frozen=True, slots=True)
class Answer:
    """A search: its passages, best first, and what ranked them."""

    ranked: Ranked
    passages: Sequence[PassageShown]


class LibraryBook:
    """Safe in several threads. NotFoundError where the folder holds no library."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        self._settings = library_settings(settings, path)
        self._store = open_library(self._settings, empty=True)
        self._state = LibraryState(self._settings)
        self._lock = threading.Lock()
        self._entries: dict[str, PaperEntry] = {}
        self._counts: dict[str, int] = {}

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.path.name

    def close(self) -> None:
        """End the use of the store."""
        self._store.close()

    def counts(self) -> Mapping[str, int]:
        """How many papers, chunks and vectors it holds now."""
        return self._store.counts()

    def entries(self) -> list[PaperEntry]:
        """All papers, by title; read again where their number has changed."""
        counts = self._store.counts()
        with self._lock:
            if counts != self._counts:
                self._entries = {entry.paper_id: entry for entry in self._store.papers()}
                self._counts = dict(counts)
            return list(self._entries.values())

    def entry(self, prefix: str) -> PaperEntry:
        """A paper by the first digits of its id; NotFoundError where there is none."""
        entry = self._store.paper(prefix)
        if entry is None:
            raise NotFoundError("The library has no such paper.")
        return entry

    def collections(self) -> list[tuple[str, int]]:
        """The folders that papers were read from, with how many papers are from each, the largest first."""
        counts = Counter(collection_of(entry) for entry in self.entries())
        return counts.most_common()

    def listed(self, text: str, collection: str) -> list[PaperEntry]:
        """The papers of a collection whose title, authors, journal or DOI have this text, "" for all."""
        wanted = text.casefold()
        inside = [entry for entry in self.entries() if not collection or collection_of(entry) == collection]
        return [entry for entry in inside if wanted in _words_of(entry)]

    async def search(self, asked: Asked) -> Answer:
        """The best passages; a PinciteError where a filter means nothing or the store cannot be read."""
        rankers = self._state.rankers()
        ranked = await search(
            self._store,
            asked.text,
            RESULTS,
            self._filters(asked),
            embedder=rankers.embedder,
            reranker=rankers.reranker,
            judge=rankers.judge,
            by_ranks=self._settings.library_fusion == "rrf",
        )
        failed = rankers.failed or {}
        runs = [
            replace(run, state="failed", reason=failed[run.ranker].bracketed()) if run.ranker in failed else run
            for run in ranked.rankers
        ]
        ranked = replace(ranked, rankers=tuple(runs))
        return Answer(ranked, self._passages(ranked))

    def place(self, papers: Papers, entry: PaperEntry) -> Paper:
        """The paper of an entry, opened from the file that it was read from. NotFoundError where the file is gone or
        has changed: nothing else of what a library names is opened."""
        file = Path(entry.source)
        if not file.is_file() or digest_file(file) != entry.paper_id:
            raise NotFoundError("The file that this paper was read from is gone, or has changed since.")
        return papers.open(file)

    def text(self, entry: PaperEntry, spans: Sequence[Span], around: int) -> tuple[str, str, str]:
        """The library's own text of a passage, with what stands before and after it."""
        text = self._store.text(entry.paper_id)
        start, end = spans[0].start, spans[-1].end
        return text[max(0, start - around) : start], text[start:end], text[end : end + around]

    def _filters(self, asked: Asked) -> Filters:
        papers: frozenset[str] = frozenset()
        if asked.collection:
            inside = [entry.paper_id for entry in self.entries() if collection_of(entry) == asked.collection]
            papers = frozenset(inside) or frozenset({"none"})
        return Filters(papers, parse_years(asked.year), asked.journal, asked.section, parse_kinds(asked.kind))

    def _passages(self, ranked: Ranked) -> list[PassageShown]:
        best = max((found.bm25.score for found in ranked.found if found.bm25 is not None), default=0.0)
        shown: list[PassageShown] = []
        entries = {entry.paper_id: entry for entry in self.entries()}
        for found in ranked.found:
            terms = set(index_terms(found.stored.chunk.text).split())
            held = [term for term in ranked.terms if term in terms]
            missing = [term for term in ranked.terms if term not in terms]
            share = found.bm25.score / best if found.bm25 is not None and best else None
            shown.append(PassageShown(found, entries.get(found.stored.paper_id), held, missing, share))
        return shown


def collection_of(entry: PaperEntry) -> str:
    """The folder that a paper was read from, or the host of its address."""
    source = entry.source
    if "://" in source:
        return source.split("/", 3)[2]
    return str(Path(source).parent)


def is_library(path: Path) -> bool:
    """Whether a folder holds a library of any kind."""
    return (path / "library.db").is_file() or (path / "lance").is_dir()


def _words_of(entry: PaperEntry) -> str:
    return " ".join((entry.title, *entry.authors, entry.journal, entry.doi or "", entry.source)).casefold()
