"""Sources: the papers that claims are about, found again as they were when the claims were recorded."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.settings import Settings
from pincite_papers.limits import ParseLimits
from pincite_papers.model import Paper, SourceFormat
from pincite_papers.opening.store import PaperStore
from pincite_provenance.export.marked import Marked, mark_up
from pincite_provenance.export.pool import MarkingPool
from pincite_provenance.ledger.entry import LedgerEntry

_MOST_FILES = 5000


class Sources:
    """Finds papers under the settings' folders and in ``file``, and marks them up; ``close`` ends its processes."""

    def __init__(self, settings: Settings, file: Path | None = None) -> None:
        folders = [folder.resolve() for folder in settings.roots]
        if file is not None and not any(file.resolve().is_relative_to(folder) for folder in folders):
            settings = settings.model_copy(update={"roots": (*settings.roots, file.resolve().parent)})
        self._file = file
        self._folders = folders
        self._most_bytes = settings.max_source_bytes
        self._store = PaperStore(settings)
        self._pool = MarkingPool(ParseLimits.of(settings), workers=1, entry="")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._store.close()
        self._pool.close()

    def marked(self, entries: Sequence[LedgerEntry]) -> Marked:
        """The PDF of the paper that all these claims are about, with their quotes marked.

        BadInputError where the source has no pages or has changed since, NotFoundError where it is not there.
        """
        first = entries[0]
        _need_pages(first)
        if self._file is None:
            paper, data = self._by_id(first)
        else:
            paper = self._store.open(self._file)
            if paper.paper_id != first.paper["paper_id"]:
                raise changed(self._file, paper.paper_id, first)
            data = self._store.source_bytes(paper)
        return mark_up(paper, data, entries, self._pool)

    def _by_id(self, entry: LedgerEntry) -> tuple[Paper, bytes]:
        """The paper where it was opened before, else the file under the folders that has its bytes."""
        paper_id = entry.paper["paper_id"]
        with suppress(NotFoundError, BadInputError):
            paper = self._store.open(paper_id)
            return paper, self._store.source_bytes(paper)
        for file in islice(self._pdfs(), _MOST_FILES):
            if digest_of(file) == paper_id:
                paper = self._store.open(file)
                return paper, self._store.source_bytes(paper)
        raise NotFoundError(
            f"The source of {entry.paper['title'] or paper_id} was not found: it has changed, or lies elsewhere.",
            seen=f"no file with its bytes under {', '.join(map(str, self._folders))}",
            next="Name its file with --paper FILE.",
        )

    def _pdfs(self) -> Iterator[Path]:
        for folder in self._folders:
            for file in sorted(folder.rglob("*.pdf")):
                if file.is_file() and file.stat().st_size <= self._most_bytes:
                    yield file


def digest_of(file: Path) -> str:
    """The paper id that the bytes of a file have."""
    try:
        with file.open("rb") as opened:
            return f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()}"
    except OSError as error:
        raise NotFoundError(f"{file} cannot be read.", seen=str(error), next="Give the path of the paper.") from error


def changed(file: Path, found: str, entry: LedgerEntry) -> BadInputError:
    """The error for a file that is not, byte for byte, what claims were recorded about."""
    return BadInputError(
        f"{file.name} is not the file that the claims were recorded from: it has changed since, or is another copy.",
        seen=f"{found[:23]}…; the claims are about {entry.paper['paper_id'][:23]}… ({entry.paper['title'][:80]})",
        next="Give the very file, or record the claims again from this one.",
    )


def _need_pages(entry: LedgerEntry) -> None:
    kind, named = entry.paper["format"], entry.paper["title"] or entry.paper["paper_id"]
    if kind != SourceFormat.PDF:
        raise BadInputError(
            f"{named} was read from {kind.upper()}, which has no pages: there is no PDF to mark.",
            next="Export its claims as web-annotation.",
        )
