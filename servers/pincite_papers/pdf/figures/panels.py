"""Panels: the letters of a figure's parts, where they stand in it, and what the caption says of each."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_papers.model import Panel, Rect, Span
from pincite_papers.pdf.layout.elements import Line, Word

_MOST = 26
"""Count of the letters of the alphabet: marks beyond z are not read, longer ranges are cut."""
_GROUP = r"[A-Za-z](?:\s?(?:[,&–\-]|and)\s?(?:and\s)?[A-Za-z])*"
_FORMS = (
    re.compile(rf"\(({_GROUP})\)"),
    re.compile(rf"(?:(?<=\s)|^)({_GROUP})\)(?=\s)"),
    re.compile(rf"(?:(?<=\s)|^)({_GROUP})[.:|,](?=\s)"),
    re.compile(r"(?:(?<=\s)|^)([a-z](?:\s?[,–\-]\s?[a-z])*)(?=\s[A-Z0-9])"),
)
_RANGE = re.compile(r"([A-Za-z])\s?[–\-]\s?([A-Za-z])")
_IN_FIGURE = re.compile(r"^[(\[]?([A-Za-z])[)\]]?[.:,]?$")
_FEWEST = 2
"""Count of letters: a single one in a caption or figure does not make panels. Set by judgement."""


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
    parts = _caption_parts(caption)
    if parts:
        return tuple(
            Panel(letter, _box(printed, letter), Span(start + span.start, start + span.end)) for letter, span in parts
        )
    alone = [each for each in printed if each.form == printed[0].form]
    letters = sorted({each.letter.casefold() for each in alone})
    if len(letters) < _FEWEST or len(letters) != len(alone) or not _runs_from_a(letters):
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


def _caption_parts(caption: str) -> list[tuple[str, Span]]:
    """Each letter of a caption with its part of it: from its mark to the next one."""
    for form in _FORMS:
        marks = _marks(form, caption)
        if sum(len(letters) for letters, _ in marks) >= _FEWEST:
            ends = [place for _, place in marks[1:]] + [len(caption)]
            return [
                (letter, Span(place, place + len(caption[place:end].rstrip(" ;,"))))
                for (letters, place), end in zip(marks, ends, strict=True)
                for letter in letters
            ]
    return []


def _marks(form: re.Pattern[str], caption: str) -> list[tuple[list[str], int]]:
    """The marks of one form in order, each the next letters after those before it, from a (or A) on."""
    marks: list[tuple[list[str], int]] = []
    expected, upper = 0, False
    for match in form.finditer(caption):
        letters = _letters(match[1])
        if not marks:
            upper = letters[0].isupper()
        places = [ord(letter) - ord("A" if upper else "a") for letter in letters]
        if places == list(range(expected, expected + len(places))) and expected + len(places) <= _MOST:
            marks.append((letters, match.start()))
            expected += len(places)
    return marks


def _letters(group: str) -> list[str]:
    """The letters that a mark names: "a", "a, b", "a and b", "a–c"."""
    spread = _RANGE.sub(lambda m: " ".join(map(chr, range(ord(m[1]), min(ord(m[2]), ord(m[1]) + _MOST) + 1))), group)
    return [part for part in re.split(r"[^A-Za-z]+|and", spread) if len(part) == 1] or [group[0]]


def _runs_from_a(letters: Sequence[str]) -> bool:
    return list(letters) == [chr(ord("a") + k) for k in range(len(letters))]
