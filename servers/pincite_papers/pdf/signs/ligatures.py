"""Ligatures: several letters that a font prints as one glyph, and names so that PDFium takes it for a sign."""

from collections.abc import Sequence

TH = "\ufdd0"
"""Stands for Th, which has no code point of its own: a noncharacter, so that no text holds it."""

LETTERS = {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", TH: "Th"}
"""The letters of each ligature whose shape is known."""


def stands_in_word(ligature: str, at: int, codes: Sequence[int]) -> bool:
    """Whether the glyphs right before and after place ``at`` make a word with a ligature: ``Th`` begins one."""
    before = chr(codes[at - 1]) if at else " "
    after = chr(codes[at + 1]) if at + 1 < len(codes) else " "
    if ligature == TH:
        return after.islower() and not before.isalnum()
    return before.isalpha() or after.islower()
