"""CaptionDraft: what a page's geometry says about a caption."""

from dataclasses import dataclass
from enum import StrEnum

from pincite_papers.model import Rect


class CaptionKind(StrEnum):
    """What a caption belongs to; ``OTHER`` are schemes, boxes, algorithms, listings, videos."""

    FIGURE = "figure"
    TABLE = "table"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class CaptionDraft:
    """A caption of one page: ``label`` as printed without the sign after it ("Fig. 3", "Table S1").

    ``lines`` are the indices of its lines in ``PageLayout.lines``, in reading order; ``turn`` is the
    direction of its print in degrees (0, 90, 270).
    """

    kind: CaptionKind
    label: str
    lines: tuple[int, ...]
    bbox: Rect
    turn: int = 0
