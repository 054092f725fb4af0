"""Guards: plans and summaries that are analyses, and analyses that repeat themselves, told by rule."""

import re
from collections import Counter
from collections.abc import Iterable

LEAK_WORDS = 60
"""Words of one paragraph: plans and summaries are bullets, and what is longer than this without one is an analysis."""
LEAK_NUMBERS = 3
"""Different numbers of the data in it."""
GRAM = 8
"""Words that stand in a row, counted."""
MOST_REPEATED = 3
"""Times that the same words in a row may stand in one analysis."""
_NUMBER = re.compile(r"(?<![\w.])[-\u2212]?\d+(?:\.\d+)?")
"""A comma parts two numbers: it parts the cells of a CSV file."""
_BULLET = re.compile(r"^\s*(?:[*\u2022\u2013-]|\d+[.)])\s+", re.MULTILINE)
LEAK_NOTE = (
    "This is a piece of the analysis itself, which is the author's work. Write it again as bullets that begin with "
    '"* ", without findings of your own.'
)
REPETITION_NOTE = "This says the same words again and again. Write the whole analysis again, each point once."


def numbers_of(texts: Iterable[str]) -> set[str]:
    """The numbers that stand in texts, one minus sign for all."""
    found = {number for text in texts for number in _NUMBER.findall(text)}
    return {number.replace("\u2212", "-") for number in found}


def leaks(text: str, data: set[str]) -> bool:
    """Whether a plan or summary is a piece of analysis: one paragraph of more than 60 words without a bullet, with at
    least three numbers of the data."""
    paragraphs = [part for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    if len(paragraphs) != 1 or _BULLET.search(text) or len(text.split()) <= LEAK_WORDS:
        return False
    return len(numbers_of([text]) & data) >= LEAK_NUMBERS


def repeats(text: str) -> bool:
    """Whether the most frequent eight words in a row stand more than three times in a text."""
    words = text.casefold().split()
    grams = Counter(tuple(words[start : start + GRAM]) for start in range(len(words) - GRAM + 1))
    return max(grams.values(), default=0) > MOST_REPEATED
