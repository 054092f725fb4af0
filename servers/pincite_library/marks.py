"""What a library remembers of a paper so that text found in it can be located and marked without parsing it again."""

from bisect import bisect_right

from pincite_library.model import Marks
from pincite_papers.doubts import note_of, with_marks
from pincite_papers.model import Paper

_LOOKED_AT = 50
"""Recognised words of one passage whose confidence is looked at. Set by judgement."""


def marks_of(paper: Paper) -> Marks:
    """Pages, unreliable ranges and what OCR read, of a parsed paper."""
    return Marks(
        page_starts=tuple(page.start for page in paper.pages),
        suspects=tuple((span.start, span.end) for span in paper.suspects),
        recognised=tuple((part.start, part.end, part.confidence) for part in paper.recognised),
    )


def shown(marks: Marks, text: str, start: int) -> str:
    """``text``, which stands at ``start``, with marks around its unreliable characters."""
    return with_marks(text, doubtful_in(marks, start, start + len(text)), start)


def unreliable_in(marks: Marks, text: str, start: int) -> str:
    """What ``pincite_papers.doubts.note`` says of ``text``, which stands at ``start``."""
    return note_of(text[low - start : high - start] for low, high in doubtful_in(marks, start, start + len(text)))


def doubtful_in(marks: Marks, start: int, end: int) -> list[tuple[int, int]]:
    """The parts of ``text[start:end]`` whose characters are unreliable."""
    at = bisect_right(marks.suspects, start, key=lambda span: span[1])
    found: list[tuple[int, int]] = []
    for low, high in marks.suspects[at:]:
        if low >= end:
            break
        found.append((max(low, start), min(high, end)))
    return found


def ocr_in(marks: Marks, start: int, end: int) -> float | None:
    """The least confidence with which OCR read ``text[start:end]``; None where it read nothing of it."""
    at = bisect_right(marks.recognised, start, key=lambda part: part[1])
    found = [confidence for low, _, confidence in marks.recognised[at : at + _LOOKED_AT] if low < end]
    return round(min(found), 2) if found else None
