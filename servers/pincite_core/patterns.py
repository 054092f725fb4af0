"""Search in a paper's text: linear-time regular expressions and literals that forgive how a PDF prints them.

All offsets are code points. A *span* is half-open. Words are letters, digits and what joins them in print: script
marks (``T_c``, ``10^-3``) and a point or comma between digits (``6.93``).
"""

import functools
import importlib
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pincite_core.characters import (
    DOUBLE_PRIME,
    DOUBLE_QUOTES,
    LETTER_APOSTROPHE,
    LINE_DASHES,
    PRIME,
    SINGLE_QUOTES,
    THIN_SPACES,
)
from pincite_core.errors import BadInputError, LimitReachedError, UnavailableError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MAX_PATTERN_CHARS = 1000
"""Longest pattern, in code points."""

MAX_PATTERN_MEMORY = 4 * 1024 * 1024
"""Bytes that RE2 may use for one compiled pattern."""

MAX_SEARCH_SECONDS = 5.0
"""Time for all matches of one pattern: each match is linear in the text, many of them are not."""

_MARKS = "^_{}"
_LOOKALIKES = str.maketrans(
    dict.fromkeys(LINE_DASHES, "-")
    | dict.fromkeys(SINGLE_QUOTES + LETTER_APOSTROPHE + PRIME, "'")
    | dict.fromkeys(DOUBLE_QUOTES + DOUBLE_PRIME, '"')
    | dict.fromkeys(THIN_SPACES + "\u2002\u2003\u2007\u200a\t", " ")
    | {"\u00b5": "\u03bc", "\u03d5": "\u03c6", "\u03f5": "\u03b5", "\u03d0": "\u03b2", "\u03d1": "\u03b8"}
    | {"\u03d6": "\u03c0", "\u03f0": "\u03ba", "\u03f1": "\u03c1", "\u017f": "s", "\u212a": "K", "\u212b": "\u00c5"}
)
_REGEX_DASHES = str.maketrans(dict.fromkeys(LINE_DASHES, "\\-"))
_RAISED_NUMBER = re.compile(r"\d\^\{?\d")
_PIECES = re.compile(r"\\.|\[:\^?\w+:\]|\[\^?\]?|\]|[^\\\[\]]+|\\", re.DOTALL)
_BRACES = str.maketrans("", "", "{}")


class _Match(Protocol):
    def span(self) -> tuple[int, int]: ...


class _Regex(Protocol):
    def finditer(self, text: str | bytes) -> Iterator[_Match]: ...


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text made comparable: ``folded[i]`` and ``lowered[i]`` stand for ``text[offsets[i]]``.

    Dashes and the minus sign become ``-``, curly quotes straight, runs of white space one space, script marks go;
    a blank line stays as one line break, so that no phrase runs from one block into the next.
    """

    text: str
    folded: str
    lowered: str
    offsets: "npt.NDArray[np.int64]"

    @classmethod
    def of(cls, text: str) -> "FoldedText":
        """Fold ``text``; linear in its length."""
        import numpy as np

        codes = _alike(np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32))
        newline = codes == ord("\n")
        blank = np.zeros_like(newline)
        blank[:-1] = newline[:-1] & newline[1:]
        blank[1:] |= newline[1:] & newline[:-1]
        codes[newline & ~blank] = ord(" ")
        space = codes == ord(" ")
        keep = np.ones_like(space)
        for mark in _MARKS:
            keep &= codes != ord(mark)
        keep[1:] &= ~((space[1:] & space[:-1]) | (blank[1:] & blank[:-1]))
        folded = codes[keep].tobytes().decode("utf-32-le")
        return cls(text, folded, _lower(folded), np.flatnonzero(keep))


def find_literal(
    text: FoldedText, literal: str, *, case_sensitive: bool = False, whole_word: bool = False
) -> Iterator[tuple[int, int]]:
    """The spans where ``literal`` stands, in order, without overlap.

    Script marks in the literal must be printed so (``T_c``); without marks they are forgiven (``Tc`` finds ``T_c``),
    except that a plain number is never a power (``105`` does not find ``10^5``).
    """
    _check(literal)
    wanted = _folded(literal.strip())
    needle, hay = (wanted.folded, text.folded) if case_sensitive else (wanted.lowered, text.lowered)
    if not needle.strip():
        raise BadInputError(
            "The pattern has only script marks (^ and _) in it.", next="Add the characters around them."
        )
    at = hay.find(needle)
    while at >= 0:
        after = at + len(needle)
        start, end = int(text.offsets[at]), int(text.offsets[after - 1]) + 1
        end = _closing_brace(text.text, start, end)
        marked = _same_marks(text.text[start:end], wanted.text)
        if marked and (not whole_word or is_whole_word(text.text, start, end)):
            yield start, end
            at = hay.find(needle, after)
        else:
            at = hay.find(needle, at + 1)


def find_regex(
    text: str, pattern: str, *, case_sensitive: bool = False, whole_word: bool = False
) -> Iterator[tuple[int, int]]:
    """The non-empty spans that the RE2 pattern matches, in order; time is linear in the text.

    ``^`` and ``$`` match at line ends, every dash and minus counts as ``-`` (in the pattern too), ``\\w`` outside
    brackets knows all letters. BadInputError for what RE2 does not have: look-around and back-references.
    """
    for start, end in _matches(_plain_dashes(text), pattern, case_sensitive):
        if start < end and (not whole_word or is_whole_word(text, start, end)):
            yield start, end


def find_regex_bytes(text: str, pattern: str, *, case_sensitive: bool = False) -> Iterator[bytes]:
    """What ``find_regex`` finds, in UTF-8 with every dash as ``-``: faster, for whoever need not know where."""
    data = _plain_dashes(text).encode()
    return (data[start:end] for start, end in _matches(data, pattern, case_sensitive) if start < end)


def _matches(text: str | bytes, pattern: str, case_sensitive: bool) -> Iterator[tuple[int, int]]:
    """The spans that the pattern matches, empty ones too, in the units of ``text``."""
    deadline = time.monotonic() + MAX_SEARCH_SECONDS
    for match in _compile(pattern, case_sensitive, isinstance(text, bytes)).finditer(text):
        if time.monotonic() > deadline:
            raise LimitReachedError(
                f"The search took longer than {MAX_SEARCH_SECONDS:g} s.",
                seen=f"{pattern[:80]!r} on {len(text)} characters",
                next="Search fewer pages or use a simpler pattern.",
            )
        yield match.span()


@functools.lru_cache(maxsize=16)
def _folded(literal: str) -> FoldedText:
    return FoldedText.of(literal)


def is_whole_word(text: str, start: int, end: int) -> bool:
    """Whether no word runs over the start or the end of ``text[start:end]``."""
    return not _joined(text, start) and not _joined(text, end)


def _joined(text: str, at: int) -> bool:
    """Whether the characters on both sides of the offset ``at`` belong to one word."""
    if at <= 0 or at >= len(text):
        return False
    before, after = text[at - 1], text[at]
    if before in ".," and after.isdigit():
        return at >= 2 and text[at - 2].isdigit()
    if after in ".," and before.isdigit():
        return at + 1 < len(text) and text[at + 1].isdigit()
    if before in "+-\u2212" and after.isdigit():
        return text[max(at - 2, 0)] in "^{"
    return _in_word(before) and _in_word(after)


def _in_word(character: str) -> bool:
    return character.isalnum() or character in _MARKS


def _closing_brace(text: str, start: int, end: int) -> int:
    """Take the brace that closes a script run into the span, when its opening one is in it."""
    if text.startswith("}", end) and text.count("{", start, end) > text.count("}", start, end):
        return end + 1
    return end


def _same_marks(found: str, wanted: str) -> bool:
    if "^" in wanted or "_" in wanted:
        return _mark_places(found) == _mark_places(wanted)
    return _RAISED_NUMBER.search(found) is None


def _mark_places(text: str) -> list[tuple[int, str]]:
    """Each mark with the number of characters before it, spaces and braces not counted."""
    bare = "".join(text.translate(_BRACES).split())
    return [(i, c) for i, c in enumerate(bare) if c in "^_"]


def _alike(codes: "npt.NDArray[np.uint32]") -> "npt.NDArray[np.uint32]":
    """The code points with those that print alike made one, in a new array; a table takes a tenth of str.translate."""
    table = _alike_table()
    if not len(codes) or codes.max() < len(table):
        return table[codes]
    import numpy as np

    return np.where(codes < len(table), table[np.minimum(codes, len(table) - 1)], codes)


@functools.cache
def _alike_table() -> "npt.NDArray[np.uint32]":
    import numpy as np

    table = np.arange(1 << 16, dtype=np.uint32)
    table[list(_LOOKALIKES)] = [ord(character) for character in _LOOKALIKES.values()]
    return table


def _plain_dashes(text: str) -> str:
    for dash in LINE_DASHES:
        if dash in text:
            text = text.replace(dash, "-")
    return text


def _lower(text: str) -> str:
    """Lower case, one code point for one, whatever stands beside it (``str.lower`` knows a final sigma)."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return lowered.replace("\u03c2", "\u03c3")


def _check(pattern: str) -> None:
    if not pattern.strip():
        raise BadInputError("The pattern is empty.", next="Give some characters to look for.")
    if any("\ud800" <= c <= "\udfff" for c in pattern):
        raise BadInputError("The pattern contains half of a surrogate pair.", next="Give whole characters.")
    if len(pattern) > MAX_PATTERN_CHARS:
        raise BadInputError(
            f"The pattern is longer than {MAX_PATTERN_CHARS} characters.",
            seen=f"{len(pattern)} characters",
            next="Search for a shorter part of it.",
        )


def _re2() -> Any:
    """The one door to google-re2; UnavailableError with its install line where it cannot be imported."""
    try:
        return importlib.import_module("re2")
    except ImportError as error:
        raise UnavailableError(
            "Regular expressions cannot be searched for: the package google-re2 is missing.",
            next="Install it with: pip install google-re2. Or leave regex off to search for the text as it is.",
        ) from error


@functools.lru_cache(maxsize=16)
def _compile(pattern: str, case_sensitive: bool, for_bytes: bool) -> _Regex:
    re2 = _re2()
    _check(pattern)
    options = re2.Options()
    options.max_mem = MAX_PATTERN_MEMORY
    options.case_sensitive = case_sensitive
    options.log_errors = False
    try:
        meant = "(?m)" + _unicode_words(pattern.translate(_REGEX_DASHES))
        return re2.compile(meant.encode() if for_bytes else meant, options)
    except re2.error as error:
        message = error.args[0].decode("utf-8", "replace")
        raise BadInputError(
            f"{pattern[:80]!r} is not a regular expression that can be searched for.",
            seen=message,
            next=_advice(pattern, message),
        ) from error
    finally:
        re2.purge()  # its own cache would hold 128 patterns, whatever they weigh


def _unicode_words(pattern: str) -> str:
    r"""Let ``\w`` and ``\W`` know every letter where they stand outside brackets, ``\w`` inside too."""
    parts: list[str] = []
    in_class = False
    for piece in _PIECES.findall(pattern):
        if piece == "\\w":
            parts.append(r"\pL\pN_" if in_class else r"[\pL\pN_]")
        elif piece == "\\W" and not in_class:
            parts.append(r"[^\pL\pN_]")
        else:
            parts.append(piece)
            if piece.startswith("[") and not in_class:
                in_class = True
            elif piece == "]":
                in_class = False
    return "".join(parts)


def _advice(pattern: str, message: str) -> str:
    if re.search(r"\(\?<?[=!]", pattern):
        return "RE2 has no look-around: match the words around it too, or use whole_word."
    if re.search(r"\\[1-9]|\(\?P=", pattern):
        return "RE2 has no back-references: write the repeated part out."
    if "too large" in message or "repetition size" in message:
        return "Use smaller repetition counts."
    return "Correct it (RE2 syntax), or leave regex off to search for the text as it is."
