"""Pictures: the picture of a figure, drawn from the paper's source or found beside it."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import anyio

from pincite_core.errors import NotFoundError, PinciteError
from pincite_core.settings import Settings
from pincite_figures.jobs import FigureJobs
from pincite_figures.naming import target_of
from pincite_figures.viewing import DRAW
from pincite_harness.curation.building.collect import base_of
from pincite_papers.labels import read_label
from pincite_papers.model import BlockKind, Figure, Paper, Rect
from pincite_papers.opening.store import PaperStore

MAX_SIDE = 1600
"""Pixels of a picture's longer side: small type is legible. Set by judgement."""
_MARGIN = 3.0
"""Points around a table's box that are drawn too: its rules."""
_ASCENDERS = 1.0
"""Points by which letters may reach above the box of their line."""
_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.HEADING, BlockKind.FOOTNOTE})
_BESIDE = (".png", ".jpg", ".jpeg")
_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg"}


Picture = tuple[str, bytes]
"""Suffix and bytes."""


class Pictures:
    """Draws figures in worker processes; close it after use."""

    def __init__(self, settings: Settings, store: PaperStore) -> None:
        self._store = store
        self._jobs = FigureJobs(settings, lambda: store)

    def __enter__(self) -> "Pictures":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._jobs.close()

    def of(self, paper: Paper, path: Path, index: int) -> list[Picture]:
        """The pictures of a figure, all of its parts: from the paper's source, else the files that the figure names
        beside it (or in a folder of the paper's name), else from the same paper as PDF; none where one is missing."""
        try:
            return self._drawn(paper, index)
        except PinciteError:
            return _beside(paper, path, index) or self._of_twin(paper, path, index)

    def _drawn(self, paper: Paper, index: int) -> list[Picture]:
        """A figure of a PDF is one picture, one of a LaTeX source has as many as it includes."""
        parts = 1 if paper.figures[index].page is not None else max(len(paper.figures[index].graphics), 1)
        return [self._draw(paper, index, target_of(paper, index, part)) for part in range(parts)]

    def _draw(self, paper: Paper, index: int, target: dict[str, Any]) -> Picture:
        if "box" in target:
            target["box"] = _with_labels(paper, index, target["box"])
        arguments: dict[str, Any] = {"target": target, "region": ["0", "0", "1", "1"], "max_side": MAX_SIDE}
        reply, data = anyio.run(self._jobs.run, DRAW, paper, arguments)
        return _SUFFIXES[reply["mime_type"]], data

    def _of_twin(self, paper: Paper, path: Path, index: int) -> list[Picture]:
        twin = base_of(path).with_name(base_of(path).name + ".pdf")
        wanted = read_label(paper.figures[index].label)
        if twin == path or wanted is None or not twin.is_file():
            return []
        try:
            printed = self._store.open(twin)
            same = [i for i, figure in enumerate(printed.figures) if read_label(figure.label) == wanted]
            return self._drawn(printed, same[0]) if same else []
        except PinciteError:
            return []


def _beside(paper: Paper, path: Path, index: int) -> list[Picture]:
    """The files of all graphics of a figure; none where one is missing."""
    files = [_file_beside(graphic, base_of(path)) for graphic in paper.figures[index].graphics]
    found = [file for file in files if file is not None]
    return (
        [(file.suffix.replace("jpeg", "jpg"), file.read_bytes()) for file in found] if len(found) == len(files) else []
    )


def _file_beside(graphic: str, base: Path) -> Path | None:
    name = Path(graphic.rpartition("/")[2]).name
    stem = Path(name).stem if Path(name).suffix.lower() in {*_BESIDE, ".tif", ".tiff", ".eps", ".gif"} else name
    places = (folder / f"{stem}{suffix}" for folder in (base.parent, base) for suffix in _BESIDE)
    return next((file for file in places if file.is_file()), None)


def _with_labels(paper: Paper, index: int, box: list[float]) -> list[float]:
    """A figure's box with a margin, widened to the text inside it, but not into its caption or the prose around it."""
    figure = paper.figures[index]
    if figure.page is None or figure.bbox is None:
        raise NotFoundError("The figure has no box.")
    x0, y0, x1, y1 = box
    if figure.text is not None:
        for page, rect in paper.boxes(figure.text.start, figure.text.end):
            if page == figure.page:
                x0, y0, x1, y1 = min(x0, rect.x0), min(y0, rect.y0), max(x1, rect.x1), max(y1, rect.y1)
    y0, y1 = y0 - _MARGIN, y1 + _MARGIN
    middle = (figure.bbox.y0 + figure.bbox.y1) / 2
    rects = list(_around(paper, figure, figure.page, figure.bbox))
    y0 = max([y0, *(rect.y1 for rect in rects if rect.y1 < middle)])
    y1 = min([y1, *(rect.y0 - _ASCENDERS for rect in rects if rect.y0 > middle)])
    return [x0 - _MARGIN, y0, x1 + _MARGIN, y1]


def _around(paper: Paper, figure: Figure, page: int, box: Rect) -> Iterator[Rect]:
    """The lines of the figure's caption, and the prose whose middle lies above or below the figure."""
    if figure.caption is not None:
        yield from (rect for at, rect in paper.boxes(figure.caption.start, figure.caption.end) if at == page)
    prose = (block.bbox for block in paper.blocks if block.page == page and block.kind in _PROSE)
    beside = (rect for rect in prose if rect is not None and rect.x0 < box.x1 and rect.x1 > box.x0)
    yield from (rect for rect in beside if not box.y0 <= (rect.y0 + rect.y1) / 2 <= box.y1)
