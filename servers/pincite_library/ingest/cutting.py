"""Cutting: papers parsed, cut and made into terms in one go, in the processes that parse."""

import threading
from typing import TYPE_CHECKING

from pincite_library.ingest.indexing import decode_chunks
from pincite_library.model import IndexedChunk
from pincite_papers.limits import ParseLimits
from pincite_papers.opening.pool import PARSE_SOURCE, ParsePool
from pincite_papers.pdf.ocr.options import OcrOptions

if TYPE_CHECKING:
    from pincite_core.settings import Settings
    from pincite_papers.model import Paper


class CuttingPool(ParsePool):
    """A pool of processes that cut what they parse: the chunks of a paper that was parsed here wait to be taken."""

    program = "pincite_library.ingest.worker"

    def __init__(self, settings: "Settings", *, entry: str = PARSE_SOURCE) -> None:
        limits, ocr = ParseLimits.of(settings), OcrOptions.of(settings)
        super().__init__(limits, workers=settings.parse_workers, entry=entry, ocr=ocr)
        # A backend changes the paper after the parse: then only the paper that comes of it can be cut.
        self._at_once = not settings.backend
        self._context = settings.library_context
        self._made: dict[str, bytes] = {}
        self._guard = threading.Lock()

    def parse(self, data: bytes) -> bytes:
        """The encoded Paper of ``data``; its chunks are kept for ``chunks_of``."""
        request = self.header() | {"cut": self._at_once, "context": self._context}
        header, body = self.ask(lambda _: (request, data))
        length: int = header["paper_bytes"]
        if self._at_once:
            with self._guard:
                self._made[header["paper"]] = body[length:]
        return body[:length]

    def chunks_of(self, paper: "Paper") -> list[IndexedChunk]:
        """The chunks of a paper with their terms: those that wait, else cut now."""
        from pincite_papers.codec import encode_paper

        with self._guard:
            made = self._made.pop(paper.paper_id, None)
        if made is None:
            request = {"parsed": True, "context": self._context}, encode_paper(paper)
            made = self.ask(lambda _: request)[1]
        return decode_chunks(made)
