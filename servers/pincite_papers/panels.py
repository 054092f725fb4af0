"""Panels: the letters by which a caption names the parts of a figure, and what it says of each."""

import re

from pincite_papers.model import Panel, Span

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
FEWEST = 2
"""Count of letters: a single one in a caption or figure does not make panels. Set by judgement."""


def panels_of_caption(caption: str, start: int) -> tuple[Panel, ...]:
    """The panels that a caption names, which begins at offset ``start`` of the text; none has a box."""
    return tuple(
        Panel(letter, None, Span(start + span.start, start + span.end)) for letter, span in caption_parts(caption)
    )


def caption_parts(caption: str) -> list[tuple[str, Span]]:
    """Each letter of a caption with its part of it: from its mark to the next one."""
    for form in _FORMS:
        marks = _marks(form, caption)
        if sum(len(letters) for letters, _ in marks) >= FEWEST:
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
