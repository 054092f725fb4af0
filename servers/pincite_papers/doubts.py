"""Doubts: characters that a paper's source maps unreliably, as tools show them to a model.

Where text is shown, each run of them stands between two marks that no paper uses. Locators, offsets and the canonical
text know nothing of the marks, and a quote that is given back with them is the same quote.
"""

from collections.abc import Iterable

from pincite_papers.model import Paper
from pincite_papers.passages import suspects_in

OPENING, CLOSING = "\u2045", "\u2046"
"""Square brackets with a quill: in no paper of those that were looked at."""

EXPLAINED = f"{OPENING} {CLOSING} stand around characters that are read unreliably; they are not part of the text"

_SHOWN = 5
"""Different characters that a note names."""

_BARE = str.maketrans("", "", OPENING + CLOSING)


def bare(text: str) -> str:
    """A text that a model gives back, without the marks."""
    return text.translate(_BARE) if OPENING in text or CLOSING in text else text


def with_marks(text: str, spans: Iterable[tuple[int, int]], start: int = 0) -> str:
    """``text`` with marks around the ranges ``spans``, whose offsets count from ``start`` before it."""
    parts: list[str] = []
    at = 0
    for first, last in spans:
        low, high = max(first - start, at), min(last - start, len(text))
        if low < high:
            parts += [text[at:low], OPENING, text[low:high], CLOSING]
            at = high
    return "".join([*parts, text[at:]])


def show(paper: Paper, start: int, end: int) -> str:
    """``text[start:end]`` with marks around its unreliable characters."""
    end = min(end, len(paper.text))
    return with_marks(paper.text[start:end], suspects_in(paper, start, end), start)


def show_name(paper: Paper, name: str, start: int, end: int) -> str:
    """A title or heading with marks, where it stands as it is in ``text[start:end]``; else as it is."""
    at = paper.text.find(name, start, end) if name else -1
    return show(paper, at, at + len(name)) if at >= 0 else name


def note(paper: Paper, start: int, end: int) -> str:
    """How many characters of ``text[start:end]`` are unreliable and what they are read as; empty where none is."""
    return note_of(paper.text[low:high] for low, high in suspects_in(paper, start, end))


def note_of(doubtful: Iterable[str]) -> str:
    """The same for these pieces of text."""
    characters = "".join(doubtful)
    if not characters:
        return ""
    different = list(dict.fromkeys(characters))
    named = ", ".join(different[:_SHOWN]) + (", …" if len(different) > _SHOWN else "")
    return f"{len(characters)} character{'s' if len(characters) > 1 else ''}, read as {named}"


def count(paper: Paper) -> int:
    """The unreliable characters of a paper."""
    return sum(span.end - span.start for span in paper.suspects)
