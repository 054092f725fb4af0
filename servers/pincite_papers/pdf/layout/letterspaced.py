"""Letterspaced lines: headings whose letters are set apart (``A B S T R A C T``), made words again."""

from itertools import pairwise
from statistics import median

from pincite_papers.pdf.elements import Line, Word

_FEWEST = 5
"""Letters of a line that can be told as letterspaced: a row of four is as likely a row of labels."""
_SINGLE = 0.6
"""Share of the words that are one letter; narrow pairs (``AC``, ``LT``) stay together where the spacing is small."""
_LONGEST = 3
"""Characters of one word of a letterspaced line; a longer word shows that the line is not set so. Set by judgement."""
_WIDEST = 0.75
"""The usual gap of letterspaced print at most, in type sizes: columns of letters stand further apart."""
_WORD_GAP = 0.13
"""What a space between words adds to the gap of letters at least, in type sizes: half of a narrow font's space."""
_BASES = frozenset("ACGTUN")


def join_letters(line: Line) -> None:
    """Join the letters of a line that is letterspaced throughout into its words, in place."""
    words = line.words
    first = next((k for k, word in enumerate(words) if word.text.isalpha()), len(words))
    spaced = words[first:]
    if first > 1 or not _is_letterspaced(spaced):
        return
    gaps = [other.x0 - one.x1 for one, other in pairwise(spaced)]
    usual = median(gaps)
    size = line.style.size
    if not 0 < usual < _WIDEST * size:
        return
    joined = [spaced[0]]
    for word, gap in zip(spaced[1:], gaps, strict=True):
        if gap < usual + _WORD_GAP * size:
            joined[-1] = _join(joined[-1], word)
        else:
            joined.append(word)
    line.replace_words(words[:first] + joined)


def _is_letterspaced(words: list[Word]) -> bool:
    """Whether most words are single letters, and these are neither a sequence of bases nor labels in their order."""
    texts: list[str] = []
    for word in words:
        text = word.text.strip("&’':.,;/-–")
        if len(text) > _LONGEST:
            return False
        if text:
            texts.append(text)
    letters = "".join(texts)
    if len(letters) < _FEWEST or not letters.isalpha():
        return False
    single = sum(len(text) < 2 for text in texts)
    alphabetical = all(ord(other) - ord(one) == 1 for one, other in pairwise(letters))
    return single >= _SINGLE * len(texts) and not (alphabetical or set(letters) <= _BASES or len(set(letters)) < 3)


def _join(one: Word, other: Word) -> Word:
    return Word(
        one.text + other.text,
        min(one.x0, other.x0),
        min(one.y0, other.y0),
        max(one.x1, other.x1),
        max(one.y1, other.y1),
        one.style,
        one.glyphs + other.glyphs,
    )
