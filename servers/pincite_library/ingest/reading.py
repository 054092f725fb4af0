"""Reading: one source becomes a paper with its chunks, or the reason why not. Runs in several threads at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pincite_core.errors import PinciteError, UnknownFormatError
from pincite_core.locator import digest_of
from pincite_library.ingest.finding import Candidate, Kind
from pincite_library.ingest.journal import Known, Standing, now, settled
from pincite_library.ingest.looking import ForeignError, Look, look, state_of
from pincite_library.ingest.outcome import Outcome, State

if TYPE_CHECKING:
    from pincite_library.chunks.describe import Describer
    from pincite_library.ingest.cutting import CuttingPool
    from pincite_library.ingest.versions import Versions
    from pincite_library.model import IndexedChunk
    from pincite_literature.fulltext.fetcher import Fetched
    from pincite_papers.model import Paper
    from pincite_papers.opening.store import PaperStore


REMOVED = "It was removed from the library before."
BACK = "Add it by its own path to have it back."


@dataclass(frozen=True, slots=True)
class Read:
    """A paper that is to be written: ``known`` is what is then known of its source, ``chunker`` what made the chunks,
    ``why`` what could not be done.
    """

    known: Known
    paper: "Paper"
    chunks: "list[IndexedChunk]"
    chunker: str
    record: Mapping[str, str] = field(default_factory=dict[str, str])
    why: str = ""

    @property
    def source(self) -> str:
        """Where the paper can be opened again."""
        return self.known.path or self.known.name


@dataclass(frozen=True, slots=True)
class Settled:
    """A source that gives nothing to write: its outcome, and what is known of it now (None: as before)."""

    outcome: Outcome
    known: Known | None


class Reader:
    """Reads candidates; ``held`` gives the ``PaperEntry.chunker`` of each paper that the library holds, by id.

    ``removed`` are the digests of those that the user removed: only by their own names do they come back.
    """

    def __init__(
        self,
        papers: "PaperStore",
        pool: "CuttingPool",
        held: Mapping[str, str],
        removed: frozenset[str],
        versions: "Versions",
        most_bytes: int,
        fetch: "Callable[[str], Fetched]",
        describers: "Sequence[Describer]" = (),
    ) -> None:
        self._papers = papers
        self._pool = pool
        self._held = held
        self._removed = removed
        self._versions = versions
        self._most_bytes = most_bytes
        self._fetch = fetch
        self._describers = describers

    def read(self, candidate: Candidate) -> Read | Settled:
        """The candidate's paper and chunks; settled where the library holds it already, or where there is none."""
        try:
            if candidate.problem is not None:
                raise candidate.problem
            if candidate.kind is Kind.FILE:
                return self._file(candidate)
            if candidate.kind is Kind.ADDRESS:
                return self._address(candidate.name)
            return self._identifier(candidate)
        except ForeignError as foreign:
            return _foreign(candidate.name, foreign)
        except PinciteError as error:
            return self.failed(candidate, error)

    def _file(self, candidate: Candidate) -> Read | Settled:
        looked = look(candidate.name, most=self._most_bytes, direct=candidate.direct)
        known = self._kept(candidate.name, looked)
        held = self._held_already(known)
        if held is None and not candidate.direct and looked.digest in self._removed:
            outcome = Outcome(candidate.name, State.SKIPPED, why=REMOVED, next=BACK)
            return Settled(outcome, replace(known, standing=Standing.REMOVED))
        return held or self._parsed(known, looked, {})

    def _identifier(self, candidate: Candidate) -> Read | Settled:
        fetched = self._fetch(candidate.name)
        looked = look(fetched.path, most=self._most_bytes, direct=True)
        known = replace(self._kept(candidate.name, looked), path=fetched.path)
        return self._held_already(known) or self._parsed(known, looked, fetched.record)

    def _kept(self, name: str, looked: Look) -> Known:
        size, mtime_ns, version = looked.size, looked.mtime_ns, self._versions.made
        return Known(name, Standing.KEPT, size=size, mtime_ns=mtime_ns, digest=looked.digest, version=version, at=now())

    def _address(self, address: str) -> Read | Settled:
        paper = self._papers.open(address)
        digest = digest_of(paper.paper_id)
        known = Known(address, Standing.KEPT, digest=digest, version=self._versions.made, at=now())
        return self._held_already(known) or self._cut(known, paper, {})

    def _parsed(self, known: Known, looked: Look, record: Mapping[str, str]) -> Read | Settled:
        paper = self._papers.open(looked.path)
        digest = digest_of(paper.paper_id)
        if digest != looked.digest:  # the file was changed between the look and the parse
            known = replace(known, digest=digest, mtime_ns=0)
        return self._cut(known, paper, record)

    def _cut(self, known: Known, paper: "Paper", record: Mapping[str, str]) -> Read:
        chunks = self._pool.chunks_of(paper)
        if not self._describers:
            return Read(known, paper, chunks, self._versions.made, record)
        from pincite_library.ingest.describing import described

        made = described(self._describers, paper, chunks)
        chunker = self._versions.chunker if made.complete else self._versions.made
        return Read(known, paper, made.chunks, chunker, record, made.why)

    def _held_already(self, known: Known) -> Settled | None:
        chunker = self._held.get(known.paper_id)
        if chunker is None or not self._versions.accepts(chunker):
            return None
        return Settled(Outcome(known.name, State.UNCHANGED, paper_id=known.paper_id), known)

    def failed(self, candidate: Candidate, error: PinciteError) -> Settled:
        """What comes of a candidate that could not be read."""
        outcome = Outcome.of(candidate.name, error)
        if candidate.problem is not None:  # there is no source to remember
            return Settled(outcome, None)
        size, mtime_ns = (candidate.kind is Kind.FILE and state_of(candidate.name)) or (0, 0)
        mtime_ns = settled(mtime_ns)
        if isinstance(error, UnknownFormatError) and not candidate.direct:  # an archive of something else
            return _foreign(candidate.name, ForeignError(error.what, size, mtime_ns))
        known = Known(
            candidate.name,
            Standing.FAILED,
            size=size,
            mtime_ns=mtime_ns,
            version=self._versions.made,
            code=outcome.code,
            why=outcome.why,
            next=outcome.next,
            at=now(),
        )
        return Settled(outcome, known)


def _foreign(name: str, found: ForeignError) -> Settled:
    outcome = Outcome(name, State.SKIPPED, why=found.why, foreign=True)
    size, mtime_ns = found.size, found.mtime_ns
    return Settled(outcome, Known(name, Standing.FOREIGN, size=size, mtime_ns=mtime_ns, why=found.why, at=now()))
