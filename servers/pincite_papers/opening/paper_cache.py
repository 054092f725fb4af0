"""PaperCache: parsed papers by their digest, in memory and on the disk."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from pincite_core.cache import DiskCache

if TYPE_CHECKING:
    from pincite_papers.model import Paper

_FOLDER = "papers"


class PaperCache:
    """Papers of one ``version`` (parser, libraries, OCR), which is asked for when it is first needed.

    At most ``most_bytes`` of them, as they are on the disk, stay in memory, but always the last one. Safe to use from
    several threads."""

    def __init__(self, disk: DiskCache, version: Callable[[], str], most_bytes: int) -> None:
        self._disk = disk
        self._version = version
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._papers: OrderedDict[str, tuple[Paper, int]] = OrderedDict()

    def digests(self, prefix: str) -> list[str]:
        """The digests in memory that begin so."""
        with self._lock:
            return [digest for digest in self._papers if digest.startswith(prefix)]

    def held(self, digest: str) -> "Paper | None":
        """The paper, if it is in memory."""
        with self._lock:
            if digest not in self._papers:
                return None
            self._papers.move_to_end(digest)
            return self._papers[digest][0]

    def get(self, digest: str) -> "Paper | None":
        """The paper from memory or from the disk; a file that does not hold it is removed."""
        paper = self.held(digest)
        if paper is not None:
            return paper
        content = self._disk.get(_FOLDER, self._version(), digest)
        if content is None:
            return None
        try:
            return self._remember(digest, content)
        except ValueError:
            self._disk.remove(_FOLDER, self._version(), digest)
            return None

    def put(self, digest: str, content: bytes) -> "Paper":
        """Keep an encoded paper and return it; ValueError when the bytes are not a paper or another's."""
        self._disk.put(_FOLDER, self._version(), digest, content)
        return self._remember(digest, content)

    def _remember(self, digest: str, content: bytes) -> "Paper":
        from pincite_papers.codec import decode_paper

        paper = decode_paper(content)
        if paper.paper_id != f"sha256:{digest}":
            raise ValueError(f"the paper {paper.paper_id} was filed under {digest}")
        with self._lock:
            self._papers[digest] = (paper, len(content))
            self._papers.move_to_end(digest)
            held = sum(size for _, size in self._papers.values())
            while held > self._most_bytes and len(self._papers) > 1:
                held -= self._papers.popitem(last=False)[1][1]
        return paper
