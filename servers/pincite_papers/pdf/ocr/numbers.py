"""Numbers that OCR read: which of them look misread, and marking them as unreliable."""

import re
from collections import Counter
from collections.abc import Iterable

from pincite_papers.pdf.elements import Line, Word
from pincite_papers.pdf.glyphs import Glyphs

_EDGES = "()[]{}.,;:'\"“”‘’†‡"
_DIGIT = re.compile(r"\d")
_MISREAD = re.compile(
    r"[?!|\\£€¥$©®™»«¢§”“\"]"  # what a scan's raised digits, signs and specks become, inside a number
    r"|(?<![\d.])°"  # a degree sign behind a letter: R°=0.53
    r"|\d%[\d.]"  # 2.2%0.3 for ±
    r"|\d\+\d|[A-Za-z]\+\d+\.\d|^\+|\+$"  # 11.8+0.6 for ±: English data of tesseract has no ±
    r"|(?<!\w)\d+\.\d+\.\d+$"  # 11.840.6
    r"|(?<![\w.,:/-])0\d+(?:\.\d|\d$)"  # 040.7 and 0407 for ±0.7
    r"|(?<![\w.])\d[\d.]*(?:[OlIoSZQ]\d|[OQ](?![A-Za-z]))"  # letters for digits: 1O5, 3.4O, but not Fe2O3
    r"|(?<![\w)\]])(?:[OQIl][.,]\d|[OQ]0\d)"  # Q.09, O05, but not O2
    r"|\d['’`]\d"  # 1'0
)
_TEN = re.compile(r"(?:\d[x×X*]10|^[x×X*]10)$")
_TIMES = frozenset("x×X*")
_PREFIXED_NONSENSE = re.compile(r"(?=.*[a-z])(?=.*[A-Z])(?=.*[QO])")


def looks_misread(token: str, before: str = "", after: str = "") -> bool:
    """Whether a token with a digit cannot be printed so between its neighbours: a strange sign in it, two decimal
    points, a power of ten without its exponent, a word that is not a unit."""
    core = token.strip(_EDGES)
    if not _DIGIT.search(token):
        return False
    if _MISREAD.search(core):
        return True
    if _TEN.search(core) or (core == "10" and before.strip(_EDGES)[-1:] in _TIMES and before):
        return not after[:1].isdigit()
    unit = after.strip(_EDGES)
    return bool(unit) and core[-1:].isdigit() and _impossible_unit(unit)


def _impossible_unit(word: str) -> bool:
    """Whether a word behind a number is set like a unit, capitals inside, and holds a Q or O for an omega: ``pQcm``."""
    return len(word) <= 8 and _PREFIXED_NONSENSE.match(word) is not None and word[:1].islower() and word.isalpha()


def number_words(lines: Iterable[Line]) -> list[tuple[Word, str, str]]:
    """The words with a digit, each with the word before and the one after it in its line, "" at the ends."""
    found: list[tuple[Word, str, str]] = []
    for line in lines:
        words = line.words
        for k, word in enumerate(words):
            if _DIGIT.search(word.text):
                before = words[k - 1].text if k else ""
                after = words[k + 1].text if k + 1 < len(words) else ""
                found.append((word, before, after))
    return found


def mark(glyphs: Glyphs, word: Word) -> None:
    """Mark what printed a word as unreliable, in place."""
    for glyph in word.glyphs:
        if glyph >= 0:
            glyphs.suspects[glyph] = True


def mark_misread(lines: Iterable[Line], glyphs: Glyphs) -> None:
    """Mark the numbers that look misread, in place."""
    for word, before, after in number_words(lines):
        if looks_misread(word.text, before, after):
            mark(glyphs, word)


def mark_numbers(lines: Iterable[Line], glyphs: Glyphs, but: Counter[str] | None = None) -> None:
    """Mark every number, in place, ``but`` those that another reading of the page has as well."""
    left: Counter[str] = Counter() if but is None else but.copy()
    for word, _, _ in number_words(lines):
        if left[bare(word.text)] > 0:
            left[bare(word.text)] -= 1
        else:
            mark(glyphs, word)


def numbers_of(lines: Iterable[Line]) -> Counter[str]:
    """The numbers of a page without their punctuation, to compare two readings of it."""
    return Counter(bare(word.text) for word, _, _ in number_words(lines))


def bare(token: str) -> str:
    """A token without script marks, brackets and punctuation, its dashes as hyphens."""
    plain = token.translate(_PLAIN)
    return plain.strip(_EDGES)


_PLAIN = str.maketrans("−–—‐", "----", "^_{}")
