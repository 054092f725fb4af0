"""What a library remembers of a paper so that text found in it can be located and marked without parsing it again."""

from bisect import bisect_right

from pincite_library.model import Marks
from pincite_papers.model import Paper

_SHOWN = 5
_LOOKED_AT = 50


def marks_of(paper: Paper) -> Marks:
    """Pages, unreliable ranges and what OCR read, of a parsed paper."""
    return Marks(
        page_starts=tuple(page.start for page in paper.pages),
        suspects=tuple((span.start, span.end) for span in paper.suspects),
        recognised=tuple((part.start, part.end, part.confidence) for part in paper.recognised),
    )


def unreliable_in(marks: Marks, start: int, end: int) -> str:
    """The offsets of unreliable characters in ``text[start:end]``, as ``papers.passages.suspect_note`` writes them."""
    at = bisect_right(marks.suspects, start, key=lambda span: span[1])
    found: list[tuple[int, int]] = []
    for low, high in marks.suspects[at:]:
        if low >= end:
            break
        found.append((max(low, start), min(high, end)))
    shown = ",".join(f"{low}-{high}" for low, high in found[:_SHOWN])
    return shown + (f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else "")


def ocr_in(marks: Marks, start: int, end: int) -> float | None:
    """The least confidence with which OCR read ``text[start:end]``; None where it read nothing of it."""
    at = bisect_right(marks.recognised, start, key=lambda part: part[1])
    found = [confidence for low, _, confidence in marks.recognised[at : at + _LOOKED_AT] if low < end]
    return round(min(found), 2) if found else None
