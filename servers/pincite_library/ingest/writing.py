"""Writing: what was read goes into the library, and what is known of its source into the journal beside it.

The paper is written first, the source after it, a paper that no source gives any more is removed last, and that it is
to go is noted before: whenever the process is killed, the next ingest finds what is left to do.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite_library.ingest.entry import entry_of
from pincite_library.ingest.finding import Candidate, Found, Kind
from pincite_library.ingest.journal import Journal, Known, Standing
from pincite_library.ingest.looking import state_of
from pincite_library.ingest.outcome import Outcome, State
from pincite_library.ingest.reading import BACK, REMOVED, Read, Settled
from pincite_library.ingest.versions import Versions
from pincite_library.standing import status_of

if TYPE_CHECKING:
    from pincite_library.store.store import Store

_LASTING = frozenset((
    "unreadable", "unknown_format", "empty_source", "encrypted", "damaged", "image_only", "hostile", "limit_reached",
))  # fmt: skip
"""Codes of errors that come again while the file and pincite are the same."""


class Writer:
    """Writes to a store and its journal; for one thread. ``held``: the chunker of each paper in the store, by id."""

    def __init__(self, store: "Store", journal: Journal, versions: Versions) -> None:
        self._store = store
        self._journal = journal
        self.versions = versions
        self.held = {entry.paper_id: entry.chunker for entry in store.papers()}
        self._let_leave()

    def known_outcome(self, candidate: Candidate, *, retry: bool) -> Outcome | None:
        """What comes of a candidate that is as it was, without reading it; None when it must be read."""
        known = self._journal.of(candidate.name)
        if candidate.problem is not None or candidate.kind is Kind.ADDRESS or known is None:
            return None
        if state_of(known.path or known.name) != (known.size, known.mtime_ns):
            return None
        if known.standing is Standing.KEPT:
            chunker = self.held.get(known.paper_id)
            if chunker is not None and self.versions.accepts(chunker):
                return Outcome(known.name, State.UNCHANGED, paper_id=known.paper_id)
            return None
        if candidate.direct:
            return None
        if known.standing is Standing.FOREIGN:
            return Outcome(known.name, State.SKIPPED, why=known.why, foreign=True)
        if known.standing is Standing.REMOVED:
            return Outcome(known.name, State.SKIPPED, why=REMOVED, next=BACK)
        if retry or known.version != self.versions.made or known.code not in _LASTING:
            return None
        why = f"It failed before and has not changed: {known.why}"
        return Outcome(known.name, State.SKIPPED, code=known.code, why=why, next="Try it again with --retry.")

    def write(self, read: Read) -> Outcome:
        """Put a paper in the store, and its source in the journal."""
        paper, known = read.paper, read.known
        before = self.held.get(paper.paper_id)
        if before is not None and self.versions.accepts(before):  # another source gave it a moment ago
            return self.settle(Settled(Outcome(known.name, State.UNCHANGED, paper_id=paper.paper_id), known))
        chunker = read.chunker
        entry = entry_of(paper, source=read.source, chunker=chunker, chunks=len(read.chunks), record=read.record)
        self._store.put_paper(entry, paper.text, read.chunks)
        self.held[paper.paper_id] = chunker
        replaced = self._note(known)
        return Outcome(
            known.name,
            State.ADDED if before is None and replaced is None else State.UPDATED,
            paper_id=paper.paper_id,
            title=entry.title,
            status=status_of(entry),
            pages=entry.pages,
            chunks=len(read.chunks),
            why=read.why,
        )

    def settle(self, settled: Settled) -> Outcome:
        """Note what came of a source that gives nothing to write."""
        outcome, known = settled.outcome, settled.known
        if known is None:
            return outcome
        before = self._journal.of(known.name)
        if known.standing in (Standing.FAILED, Standing.FOREIGN):
            kept = before is not None and before.standing is not Standing.REMOVED
            self._journal.put(replace(known, digest=before.digest if before is not None and kept else ""))
            return outcome
        replaced = self._note(known)
        if outcome.state is not State.UNCHANGED or (before is not None and before.digest == known.digest):
            return outcome
        others = [other.name for other in self._journal.of_paper(known.digest) if other.name != known.name]
        why = f"The same paper as {others[0]}" if others else ""
        return replace(outcome, state=State.UNCHANGED if replaced is None else State.UPDATED, why=why)

    def gone(self, found: Found, *, prune: bool) -> Iterator[Outcome]:
        """Sources of the folders that were walked, or named themselves, that are not there any more.

        They stay known, and their papers in the library, unless ``prune``; those that never gave one are forgotten.
        """
        seen = {candidate.name for candidate in found.candidates if candidate.problem is None}
        named = [known for path in found.missing if (known := self._journal.of(path)) is not None]
        inside = [known for folder in (*found.folders, *found.missing) for known in self._journal.under(folder)]
        for known in {known.name: known for known in (*named, *inside)}.values():
            hidden = any(known.name.startswith(f"{folder}/") for folder in found.unseen)
            if known.name in seen or hidden or state_of(known.name) is not None:
                continue
            if not known.digest:
                self._journal.forget([known.name])
            elif prune:
                self._journal.forget([known.name], leaving=known.digest)
                if known.standing is not Standing.REMOVED:
                    self._let_leave(known)
                    yield Outcome(known.name, State.REMOVED, paper_id=known.paper_id)
            elif known.standing is not Standing.REMOVED:
                yield Outcome(known.name, State.GONE, paper_id=known.paper_id, next="Remove its paper with --prune.")

    def remove(self, papers: Collection[str]) -> int:
        """Remove papers by their digests: their sources are passed over until they are named themselves."""
        for digest in papers:
            sources = [replace(known, standing=Standing.REMOVED) for known in self._journal.of_paper(digest)]
            self._journal.put(*sources, leaving=digest)
        return self._let_leave()

    def _note(self, known: Known) -> Known | None:
        """Note a source that gives a paper; what it gave before, where that is another one, which leaves."""
        before = self._journal.of(known.name)
        given = before is not None and before.digest and before.standing is not Standing.REMOVED
        replaced = before if given and before is not None and before.digest != known.digest else None
        self._journal.put(known, leaving=replaced.digest if replaced is not None else "")
        if replaced is not None:
            self._let_leave(replaced)
        return replaced

    def _let_leave(self, source: Known | None = None) -> int:
        """Remove what is to go and no source gives; what others give than ``source`` is named after one of these."""
        digests = self._journal.leaving()
        count = self._store.remove_papers([f"sha256:{digest}" for digest in digests]) if digests else 0
        for digest in digests:
            self.held.pop(f"sha256:{digest}", None)
        self._journal.left()
        if source is not None and source.digest not in digests:
            self._name_after(source.digest, self._journal.of_paper(source.digest))
        return count

    def _name_after(self, digest: str, sources: Sequence[Known]) -> None:
        """Let a paper's entry tell of a source that gives it still."""
        from pincite_library.ingest.indexing import with_terms

        entry = self._store.paper(f"sha256:{digest}")
        places = [known.path or known.name for known in sources]
        if entry is None or not places or entry.source in places:
            return
        chunks = [with_terms(stored.chunk) for stored in self._store.chunks_of(entry.paper_id)]
        self._store.put_paper(replace(entry, source=places[0]), self._store.text(entry.paper_id), chunks)
