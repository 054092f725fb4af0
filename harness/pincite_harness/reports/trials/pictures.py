"""Pictures of pages for the reports of trials: each page of a paper once, whatever number of quotes stands on it."""

import io
from pathlib import Path
from types import TracebackType
from typing import Any

import anyio

from pincite_core.errors import PinciteError
from pincite_core.settings import Settings
from pincite_figures.jobs import FigureJobs
from pincite_figures.naming import target_of
from pincite_figures.viewing import DEFAULT_SIDE, DRAW
from pincite_papers.model import Paper
from pincite_papers.opening.store import PaperStore
from pincite_tasks.files import write_atomic

DPI = 110
"""Small print is legible at this, and a page of text takes about 100 kB."""
MOST_SIDE = 2000
"""Pixels of the longer side: a poster is drawn more coarsely."""
MOST_PICTURES = 1000
"""Of one run, about 100 MB: more pages are named without a picture."""
_QUALITY = 70
"""Quality of WebP: small type is legible. Set by judgement."""


class PageDrawer:
    """Draws whole pages of papers in worker processes; close it after use."""

    def __init__(self, settings: Settings, store: PaperStore) -> None:
        self._jobs = FigureJobs(settings, lambda: store)

    def draw(self, paper: Paper, page: int, *, dpi: float, max_side: int) -> bytes:
        """The encoded picture of a page; a PinciteError where it cannot be drawn, a source without pages among them."""
        whole = ["0", "0", "1", "1"]
        arguments: dict[str, Any] = {"target": {"page": page}, "region": whole, "max_side": max_side, "dpi": dpi}
        return anyio.run(self._jobs.run, DRAW, paper, arguments)[1]

    def draw_figure(self, paper: Paper, index: int) -> tuple[str, bytes]:
        """The media type and the encoded picture of a figure, its first picture where it has several; a PinciteError
        where it cannot be drawn."""
        target = target_of(paper, index, 0)
        arguments: dict[str, Any] = {"target": target, "region": ["0", "0", "1", "1"], "max_side": DEFAULT_SIDE}
        reply, data = anyio.run(self._jobs.run, DRAW, paper, arguments)
        return reply["mime_type"], data

    def close(self) -> None:
        """End the workers."""
        self._jobs.close()


class PagePictures:
    """Draws pages into the folder ``folder``; close it after use."""

    def __init__(self, settings: Settings, store: PaperStore, folder: Path) -> None:
        self._drawer = PageDrawer(settings, store)
        self._folder = folder
        self._known: dict[tuple[str, int], str] = {}

    def __enter__(self) -> "PagePictures":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._drawer.close()

    def of(self, paper: Paper, page: int) -> str:
        """The file name of a page's picture; empty where it cannot be drawn, or there are too many already."""
        key = (paper.paper_id, page)
        if key not in self._known:
            self._known[key] = self._draw(paper, page) if len(self._known) < MOST_PICTURES else ""
        return self._known[key]

    def _draw(self, paper: Paper, page: int) -> str:
        from PIL import Image

        digest = paper.paper_id.removeprefix("sha256:")
        name = f"{digest[:16]}-p{page}.webp"
        if (self._folder / name).is_file():
            return name
        try:
            data = self._drawer.draw(paper, page, dpi=DPI, max_side=MOST_SIDE)
        except PinciteError:
            return ""
        out = io.BytesIO()
        Image.open(io.BytesIO(data)).save(out, "WEBP", quality=_QUALITY)
        self._folder.mkdir(parents=True, exist_ok=True)
        write_atomic(self._folder / name, out.getvalue())
        return name
