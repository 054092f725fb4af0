"""Canonical text under construction: characters with the page and the glyph that printed each."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf.elements import Line, Word
from pincite_papers.pdf.hyphens import Hyphenation
from pincite_papers.pdf.scriptcodes import LAST_SPACED, unspaced

_UNPRINTED = -1
"""The glyph of a character that no glyph printed: a blank or line break that was put in."""


@dataclass(slots=True)
class Canonical:
    """A text that grows at its end; pages must not go back."""

    hyphenation: Hyphenation
    parts: list[str] = field(default_factory=list[str])
    glyphs: list[int] = field(default_factory=list[int])
    page_runs: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    length: int = 0
    _last_page: int = 0

    def add_mark(self, text: str) -> None:
        """Append characters that were not printed: they belong to the page of the text before."""
        self.parts.append(text)
        self.glyphs.extend([_UNPRINTED] * len(text))
        self.page_runs.append((self._last_page, len(text)))
        self.length += len(text)

    def add_word(self, page: int, text: str, glyphs: list[int]) -> None:
        """Append characters printed on a page (index from 0)."""
        self.parts.append(text)
        self.glyphs.extend(glyphs)
        self.page_runs.append((page, len(text)))
        self.length += len(text)
        self._last_page = page

    def add_words(self, page: int, words: Sequence[Word]) -> None:
        """Append words parted by single spaces."""
        if not words:
            return
        glyphs = self.glyphs
        for word in words:
            glyphs += word.glyphs
            glyphs.append(_UNPRINTED)
        glyphs.pop()
        text = " ".join([word.text for word in words])
        self.parts.append(text)
        self.page_runs.append((page, len(text)))
        self.length += len(text)
        self._last_page = page

    def add_lines(self, lines: list[tuple[int, Line]], joint: str = " ") -> None:
        """Append print lines given as (page index, line), joined by ``joint``; hyphens at their ends are resolved."""
        self.add_word_lines([(page, line.words) for page, line in lines], joint)

    def add_word_lines(self, lines: "Sequence[tuple[int, Sequence[Word]]]", joint: str = " ") -> None:
        """Append print lines given as (page index, words), joined as in ``add_lines``."""
        for k, (page, words) in enumerate(lines):
            following = lines[k + 1][1] if k + 1 < len(lines) and joint == " " else None
            last = words[-1]
            if following is None or not last.text.endswith("-") or len(last.text) < 2:
                self.add_words(page, words)
                if k + 1 < len(lines) and not (following and self._runs_on(last.text, following[0].text)):
                    self.add_mark(joint)
                continue
            self.add_words(page, words[:-1])
            if len(words) > 1:
                self.add_mark(" ")
            if self.hyphenation.keeps(last.text, following[0].text):
                self.add_word(page, last.text, last.glyphs)
                if not _glues(last.text, following[0].text):
                    self.add_mark(joint)
            else:
                self.add_word(page, last.text[:-1], last.glyphs[:-1])

    def _runs_on(self, before: str, after: str) -> bool:
        """Whether no space stands at a line end."""
        if before[-1:] > LAST_SPACED or after[:1] > LAST_SPACED:
            ends = unspaced(before[-1]), unspaced(after[0])
            words = before[-1].isalnum() and after[0].isalnum()
            if any(ends) and (all(ends) or not words or not self.hyphenation.spaced):
                return True
        return _unbroken(before, after)

    def text(self) -> str:
        """The whole text."""
        return "".join(self.parts)

    def page_of_character(self) -> npt.NDArray[np.int32]:
        """Int32 (length): the page index of each character."""
        if not self.page_runs:
            return np.empty(0, np.int32)
        pages, counts = np.array(self.page_runs, np.int32).T
        return np.repeat(pages, counts)

    def glyph_of_character(self) -> npt.NDArray[np.int64]:
        """Int64 (length): the glyph, among its page's glyphs, of each character; -1 where none was printed."""
        return np.array(self.glyphs, np.int64)


def _unbroken(before: str, after: str) -> bool:
    """Whether no space stands at a line end: within an address, after a dash or slash that binds ("5–", "6")."""
    binds = len(before) > 1 and before[-1] in "–—/" and before[-2].isalnum() and after[:1].isalnum()
    return binds or _cut_address(before, after)


def _cut_address(before: str, after: str) -> bool:
    """Whether a line ends within a web address that the next line carries on."""
    if before.endswith(":") and before.casefold().endswith(("http:", "https:")):
        return after.startswith("//")
    inside = "://" in before or before.startswith(("//", "www.", "doi.org/")) or "(www." in before
    return inside and (before.endswith(("/", "_", "=", "?", "&", "#", "%")) or after.startswith(("/", "?", "#", "%")))


def _glues(before: str, after: str) -> bool:
    """Whether a hyphen that stays binds the words of two lines ("X-" and "ray"), unlike a dash ("high-", "or")."""
    return before[-2].isalnum() and after[:1].isalnum() and after not in {"and", "or", "to"}
