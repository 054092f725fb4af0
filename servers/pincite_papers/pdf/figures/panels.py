"""The panels of a PDF's figure: the letters of its parts, where they stand in it, and what the caption says of each."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_papers.model import Panel, Rect, Span
from pincite_papers.panels import FEWEST, caption_parts
from pincite_papers.pdf.elements import Line, Word

_IN_FIGURE = re.compile(r"^[(\[]?([A-Za-z])[)\]]?[.:,]?$")


@dataclass(frozen=True, slots=True)
class _Letter:
    """A letter printed in a figure: its box and the way it is set."""

    letter: str
    word: Word
    form: tuple[str, float, str]


def find_panels(lines: Sequence[Line], caption: str, start: int) -> tuple[Panel, ...]:
    """The panels of a figure with the print ``lines``, whose ``caption`` begins at offset ``start`` of the text.

    The caption's letters count if they run from a on; without such letters those in the figure do, if they run so.
    """
    printed = _printed(lines)
    parts = caption_parts(caption)
    if parts:
        return tuple(
            Panel(letter, _box(printed, letter), Span(start + span.start, start + span.end)) for letter, span in parts
        )
    alone = [each for each in printed if each.form == printed[0].form]
    letters = sorted({each.letter.casefold() for each in alone})
    if len(letters) < FEWEST or len(letters) != len(alone) or not _runs_from_a(letters):
        return ()
    return tuple(Panel(each.letter, _rect(each.word)) for each in sorted(alone, key=lambda e: e.letter.casefold()))


def _printed(lines: Sequence[Line]) -> list[_Letter]:
    """The single letters that open a line of a figure, those set as most of them are first."""
    found: list[_Letter] = []
    for line in lines:
        match = _IN_FIGURE.match(line.words[0].text) if line.words else None
        if match is not None and (len(line.words) == 1 or len(line.words[0].text) > 1):
            word = line.words[0]
            form = (word.style.font, round(word.style.size, 1), word.text.replace(match[1], "x"))
            found.append(_Letter(match[1], word, form))
    forms = Counter(each.form for each in found if each.letter.casefold() in "abcdefgh")
    return sorted(found, key=lambda each: -forms[each.form])


def _box(printed: Sequence[_Letter], letter: str) -> Rect | None:
    """The box of a letter in the figure, None where it is not printed as text."""
    return next((_rect(each.word) for each in printed if each.letter.casefold() == letter.casefold()), None)


def _rect(word: Word) -> Rect:
    return Rect(word.x0, word.y0, word.x1, word.y1)


def _runs_from_a(letters: Sequence[str]) -> bool:
    return list(letters) == [chr(ord("a") + k) for k in range(len(letters))]
