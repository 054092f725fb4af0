"""Split the lines of a reference section into entries: by printed numbers, else by hanging indents, else by room."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from pincite_papers.pdf.elements import Line
from pincite_papers.references.draft import ReferenceDraft
from pincite_papers.references.identifiers import find_arxiv, find_doi, find_pmid

_NUMBERS = (
    re.compile(r"^\[(?P<n>\d{1,4})\]"),
    re.compile(r"^\((?P<n>\d{1,4})\)"),
    re.compile(r"^(?P<n>\d{1,4})[.)](?=\s|$|[A-Z])"),
    re.compile(r"^\^?\{?(?P<n>\d{1,4})\}?(?=\s|$)"),
)
_KEY = re.compile(r"^\[(?P<key>[A-Za-z][^\]\s]{1,15})\]")
_YEAR = re.compile(r"\b(?P<year>(?:17|18|19|20)\d\d[a-z]?)\b")
_MOST_SKIPPED = 2
"""Numbers that may be missing between two entries: one that was not read. Set by judgement."""
_INDENT = 0.4
"""Indent, in sizes of the type, from which a line goes on with an entry. Set by judgement."""
_ROOM = 1.15
"""Step between lines, in usual steps, from which a new entry begins. Set by judgement."""
_SHORT = 0.85
"""Share of the column's width below which a line ends its entry. Set by judgement."""


def split_references(lines: Sequence[Line]) -> list[ReferenceDraft]:
    """The entries among ``lines``, the lines of a reference section in reading order, its heading left out.

    Every line belongs to one entry; lines before the first printed number belong to none.
    """
    if not lines:
        return []
    texts = [line.text for line in lines]
    numbered = _numbered_starts(texts)
    if numbered:
        starts = [(index, str(number)) for index, number in numbered]
    else:
        starts = [(index, "") for index in _set_starts(lines, texts)]
    ends = [index for index, _ in starts[1:]] + [len(lines)]
    return [
        _entry(key, start, end, texts) for (start, key), end in zip(starts, ends, strict=True) if texts[start].strip()
    ]


def _entry(key: str, start: int, end: int, texts: list[str]) -> ReferenceDraft:
    part = texts[start:end]
    return ReferenceDraft(key or _author_year(part), start, end, find_doi(part), find_arxiv(part), find_pmid(part))


def _numbered_starts(texts: list[str]) -> list[tuple[int, int]]:
    """The lines that start with the next number of a sequence, with their numbers; empty where no style fits."""
    best: list[tuple[int, int]] = []
    for pattern in _NUMBERS:
        starts: list[tuple[int, int]] = []
        expected: int | None = None
        for index, text in enumerate(texts):
            match = pattern.match(text)
            if match is None:
                continue
            number = int(match["n"])
            fits = number <= 3 if expected is None else expected <= number <= expected + _MOST_SKIPPED
            if fits:
                starts.append((index, number))
                expected = number + 1
        if len(starts) > len(best):
            best = starts
    enough = len(best) >= 2 and best[0][0] <= 2 and len(best) * 12 >= len(texts)
    lone = len(best) == 1 and best[0] == (0, 1)
    return best if enough or lone else []


def _set_starts(lines: Sequence[Line], texts: list[str]) -> list[int]:
    """The lines at which entries without numbers start: at the left edge of a hanging indent, or after some room."""
    keyed = [index for index, text in enumerate(texts) if _KEY.match(text)]
    if len(keyed) >= 2 and keyed[0] == 0:
        return keyed
    columns = _columns(lines)
    indented = _by_indent(lines, columns)
    starts = indented if indented is not None else _by_room(lines, columns)
    parted = [index for index in starts if index and not _level(lines[index - 1], lines[index])]
    return [0, *parted]


def _columns(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """The runs of lines that stand below each other in one column: (start, end)."""
    cuts = [0]
    for index in range(1, len(lines)):
        before, line = lines[index - 1], lines[index]
        if line.baseline < before.baseline - line.style.size or (line.x0 > before.x1 and not _level(before, line)):
            cuts.append(index)
    return list(zip(cuts, [*cuts[1:], len(lines)], strict=True))


def _level(before: Line, line: Line) -> bool:
    """Whether two lines are one print line that a wide space parts."""
    return abs(line.baseline - before.baseline) < 0.3 * line.style.size


def _by_indent(lines: Sequence[Line], columns: list[tuple[int, int]]) -> list[int] | None:
    """The lines at the left edge of their column, None where no indent hangs."""
    indents = [lines[i].x0 - min(line.x0 for line in lines[a:b]) for a, b in columns for i in range(a, b)]
    wide = [indent for indent in indents if indent > _INDENT * lines[0].style.size]
    if len(wide) < 0.15 * len(lines) or len(wide) > 0.95 * len(lines):
        return None
    depth = median(wide)
    starts: list[int] = []
    for a, b in columns:
        left = min(line.x0 for line in lines[a:b])
        flush = [i for i in range(a, b) if lines[i].x0 - left < depth / 2]
        if len(flush) == b - a and b - a < 4 and a > 0 and not _opens(lines[a].text):
            continue
        starts += flush
    return starts


def _opens(text: str) -> bool:
    """Whether a line looks like the first of an entry: it starts with a name."""
    return bool(re.match(r"^[A-ZÀ-ÞŁŚŠŽÖÜ][\w'’\-]*[A-Za-z]?[,. ]", text))


def _by_room(lines: Sequence[Line], columns: list[tuple[int, int]]) -> list[int]:
    """The lines after more room than within entries; without such room, those after a line that ends a sentence."""
    steps = {index: lines[index].baseline - lines[index - 1].baseline for a, b in columns for index in range(a + 1, b)}
    tight = [step for step in steps.values() if step > 0.5 * lines[0].style.size]
    leading = median(tight) if tight else 0.0
    roomy = {index for index, step in steps.items() if leading and step > _ROOM * leading}
    if len(roomy) >= 2 or (roomy and len(lines) < 12):
        tops = {a for (b, c), (a, _) in pairwise(columns) if _closes(lines[b:c]) and _opens(lines[a].text)}
        return sorted(roomy | tops | {0})
    return [0, *[i for i in range(1, len(lines)) if _ends(lines[i - 1].text) and _opens(lines[i].text)]]


def _closes(column: Sequence[Line]) -> bool:
    """Whether the last line of a column ends an entry: with a full stop, or well before the column's right edge."""
    left, right = min(line.x0 for line in column), max(line.x1 for line in column)
    return _ends(column[-1].text) or column[-1].x1 - left < _SHORT * (right - left)


def _ends(text: str) -> bool:
    return text.rstrip().endswith((".", "]", ")")) or "10." in text.rsplit(" ", 1)[-1]


def _author_year(texts: list[str]) -> str:
    """The key of an entry without a number: its printed key in brackets, or the first surname and the year."""
    text = " ".join(texts)
    keyed = _KEY.match(text)
    if keyed is not None:
        return keyed["key"]
    year = _YEAR.search(text)
    surname = re.split(r"[,(]|\s(?=[A-Z]{1,3}\b)", text, maxsplit=1)[0].strip(" .")
    if year is None or not surname or len(surname) > 40:
        return ""
    return f"{surname} {year['year']}"
