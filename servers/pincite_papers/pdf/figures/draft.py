"""FigureDraft: where a figure stands on a page."""

from dataclasses import dataclass

from pincite_papers.model import FigureKind, Rect


@dataclass(frozen=True, slots=True)
class FigureDraft:
    """A figure of one page: ``caption`` is an index into the page's captions, None if it has none.

    ``bbox`` encloses images, drawings and labels without the caption; ``lines`` are the indices, in
    ``PageLayout.lines``, of the lines printed inside the figure. ``kind`` is what paints it, None for print alone;
    ``found`` is False where only the room next to a caption is known.
    """

    caption: int | None
    bbox: Rect
    lines: tuple[int, ...]
    kind: FigureKind | None = None
    found: bool = True
