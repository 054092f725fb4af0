"""Papers: what the desk has open, with pictures of pages drawn in worker processes."""

import io
import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_core.locator import parse_locator
from pincite_core.settings import Settings
from pincite_figures.jobs import DRAW, FigureJobs
from pincite_papers.model import Page, Paper, Rect
from pincite_papers.opening.store import PaperStore

DPI = 144
"""Twice the size of print: sharp on ordinary screens, and marks of single characters are still seen."""
MOST_SIDE = 2400
"""Pixels of the longer side: a poster is drawn more coarsely."""
_QUALITY = 80
"""Quality of WebP: small type is sharp. Set by judgement."""
_MOST_KEPT = 96 << 20
"""Bytes of pictures that are kept in memory: some six hundred pages."""


class Papers:
    """Opens the papers that pages are about, and knows each by the first 16 digits of its id; safe in several threads.

    Nothing is opened here but paths that the caller names: an address of the desk only names what is open.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._base = PaperStore(settings)
        self._stores: dict[Path, PaperStore] = {}
        self._papers: dict[str, tuple[Paper, PaperStore, str]] = {}
        self._jobs = FigureJobs(settings, lambda: self)
        self._pictures: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._held = 0
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the parsing and drawing processes."""
        self._jobs.close()
        self._base.close()

    def open(self, path: Path) -> Paper:
        """The paper in a file; a PinciteError where it is none."""
        folder = path.parent.resolve()
        with self._lock:
            store = self._stores.get(folder)
            if store is None:
                store = self._stores[folder] = self._base.rooted((folder,))
        paper = store.open(folder / path.name)
        with self._lock:
            self._papers[key_of(paper)] = (paper, store, path.name)
        return paper

    def open_all(self, paths: Mapping[str, Path]) -> dict[str, Paper]:
        """By name those that can be read: of the others a page says that it did not look there."""
        found: dict[str, Paper] = {}
        for name, path in paths.items():
            try:
                found[name] = self.open(path)
            except PinciteError:
                continue
        return found

    def get(self, key: str) -> Paper:
        """The open paper of this key; NotFoundError where there is none."""
        return self._entry(key)[0]

    def name(self, key: str) -> str:
        """The name of the file that the paper was opened from."""
        return self._entry(key)[2]

    def named_in(self, locator: str) -> tuple[Paper, int, int]:
        """The open paper and the range that a short locator names; BadInputError where it names nothing there is."""
        short = parse_locator(locator)
        with self._lock:
            papers = [paper for paper, _, _ in self._papers.values()]
        fitting = [paper for paper in papers if paper.paper_id[7:15] == short.paper_prefix]
        if not fitting:
            raise NotFoundError("The paper of this locator is not open here.", seen=locator[:80])
        paper = fitting[0]
        if short.end > len(paper.text):
            raise BadInputError(
                "The locator ends behind the end of the paper's text: another version of the parser counted it.",
                seen=f"{locator[:80]}, and the text has {len(paper.text)} characters",
            )
        return paper, short.start, short.end

    def source_bytes(self, paper: Paper) -> bytes:
        """The bytes of an open paper, for the drawing processes."""
        return self._entry(key_of(paper))[1].source_bytes(paper)

    def picture(self, paper: Paper, number: int) -> bytes:
        """A page as WebP; a PinciteError where it cannot be drawn."""
        page_of(paper, number)
        kept = (key_of(paper), number)
        with self._lock:
            if kept in self._pictures:
                self._pictures.move_to_end(kept)
                return self._pictures[kept]
        data = self._draw(paper, number)
        with self._lock:
            self._pictures[kept] = data
            self._held += len(data)
            while self._held > _MOST_KEPT and len(self._pictures) > 1:
                self._held -= len(self._pictures.popitem(last=False)[1])
        return data

    def run(self, job: str, paper: Paper, arguments: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """Run a job of the figures server on an open paper; raises what the job raises."""
        return self._jobs.run_blocking(job, paper, arguments)

    def crop(self, paper: Paper, number: int, box: Rect) -> bytes:
        """A part of a page, in points, as PNG; a PinciteError where it cannot be drawn."""
        page_of(paper, number)
        target = {"page": number, "box": [box.x0, box.y0, box.x1, box.y1]}
        arguments: dict[str, Any] = {"target": target, "region": ["0", "0", "1", "1"], "png": True}
        return self.run(DRAW, paper, arguments | {"max_side": MOST_SIDE, "dpi": DPI})[1]

    def _draw(self, paper: Paper, number: int) -> bytes:
        from PIL import Image

        arguments: dict[str, Any] = {"target": {"page": number}, "region": ["0", "0", "1", "1"]}
        arguments |= {"max_side": MOST_SIDE, "dpi": DPI}
        drawn = self.run(DRAW, paper, arguments)[1]
        out = io.BytesIO()
        Image.open(io.BytesIO(drawn)).save(out, "WEBP", quality=_QUALITY)
        return out.getvalue()

    def _entry(self, key: str) -> tuple[Paper, PaperStore, str]:
        with self._lock:
            entry = self._papers.get(key)
        if entry is None:
            raise NotFoundError("This paper is not open.", next="Open the page that names it.")
        return entry


def key_of(paper: Paper) -> str:
    """What names an open paper in addresses: 16 digits of its id."""
    return paper.paper_id.removeprefix("sha256:")[:16]


def page_of(paper: Paper, number: int) -> Page:
    """A page by its number; NotFoundError where there is none."""
    found = next((page for page in paper.pages if page.number == number), None)
    if found is None:
        raise NotFoundError(f"The paper has no page {number}.")
    return found
