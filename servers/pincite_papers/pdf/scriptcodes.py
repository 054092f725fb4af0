"""Codes of the scripts that have no spaces between words, or run from right to left."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

LAST_SPACED = "\u2e7f"
"""Every character of a script without spaces comes after this one."""

_TABLE = 0x10000
"""Codes that a table of scripts covers: the basic plane. Set by Unicode."""
_EAST_ASIAN = (
    (0x2E80, 0x2FE0),
    (0x3000, 0x3130),
    (0x3190, 0xA000),
    (0xF900, 0xFB00),
    (0xFE10, 0xFE20),
    (0xFE30, 0xFE50),
    (0xFF01, 0xFFA0),
    (0xFFE0, 0xFFE8),
)
"""Blocks of Unicode, from and before, of scripts without spaces between words."""
_HANGUL = ((0x1100, 0x1200), (0x3130, 0x3190), (0xA960, 0xA980), (0xAC00, 0xD7FC))
"""Blocks of Unicode, from and before, of Korean, which has spaces."""
_LEFTWARDS = ((0x0590, 0x0900), (0xFB1D, 0xFE00), (0xFE70, 0xFEFF))
"""Blocks of Unicode, from and before, of scripts that run from right to left."""
_EXTENSION = 0x20000
"""Code from which on characters are East Asian ideographs: the supplementary ideographic plane. Set by Unicode."""


def _table(ranges: tuple[tuple[int, int], ...]) -> npt.NDArray[np.bool_]:
    table = np.zeros(_TABLE, np.bool_)
    for start, end in ranges:
        table[start:end] = True
    return table


_EAST_ASIAN_TABLE, _HANGUL_TABLE, _LEFTWARDS_TABLE = map(_table, (_EAST_ASIAN, _HANGUL, _LEFTWARDS))


class CodeSet:
    """A set of codes of the basic plane that is asked of a whole page at once: a table in place of a search."""

    def __init__(self, codes: Iterable[int]) -> None:
        self._table = np.zeros(_TABLE, np.bool_)
        self._table[list(codes)] = True

    def among(self, codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
        """Which codes belong to the set."""
        return self._table[np.minimum(codes, _TABLE - 1)]


EAST_ASIAN, HANGUL, LEFTWARDS = 1, 2, 4
"""Bits of what a code belongs to."""
_KINDS = (_EAST_ASIAN_TABLE * EAST_ASIAN + _HANGUL_TABLE * HANGUL + _LEFTWARDS_TABLE * LEFTWARDS).astype(np.uint8)
_KINDS[0xD840:0xD880] = EAST_ASIAN


def scripts_of(codes: npt.NDArray[np.uint32]) -> int:
    """Which of these scripts any of the codes belongs to: flags, 0 for none."""
    if not len(codes):
        return 0
    kinds = _KINDS[np.minimum(codes, _TABLE - 1)]
    found = int(np.bitwise_or.reduce(kinds))
    return found | EAST_ASIAN if int(codes.max()) >= _EXTENSION else found


def is_east_asian(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Which codes are Chinese or Japanese: characters, kana, their punctuation and full-width forms; no Hangul."""
    halves = (codes >= 0xD840) & (codes < 0xD880)
    return _EAST_ASIAN_TABLE[np.minimum(codes, _TABLE - 1)] | (codes >= _EXTENSION) | halves


def is_hangul(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Which codes are Korean letters and syllables."""
    return _HANGUL_TABLE[np.minimum(codes, _TABLE - 1)]


def is_leftwards(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Which codes are letters of scripts that run from right to left: Hebrew, Arabic and their kin."""
    return _LEFTWARDS_TABLE[np.minimum(codes, _TABLE - 1)]


def unspaced(character: str) -> bool:
    """Whether a character belongs to a script that has no spaces between words (Chinese, Japanese)."""
    code = ord(character)
    return code >= _EXTENSION or (code < _TABLE and bool(_EAST_ASIAN_TABLE[code]))
