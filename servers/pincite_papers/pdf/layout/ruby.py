"""Ruby: the small kana that tell how the characters of a line are read, set apart from the line."""

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf.glyphs import Glyphs
from pincite_papers.pdf.layout.fragments import fragment_starts, printed
from pincite_papers.pdf.layout.lines import Fragment, fragments_of
from pincite_papers.pdf.scriptcodes import EAST_ASIAN

_KANA = (0x3040, 0x30FF)
"""First and last code of hiragana and katakana."""
_SMALLER = 0.65
"""Times the size of the line: smaller kana right above it tell how it is read. Ruby is set at about half the size.
Set by judgement."""
_ABOVE = (0.5, 1.7)
"""How far above its line ruby stands, in sizes of the line's type. Set by judgement."""


def find_ruby(glyphs: Glyphs, keep: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_] | None:
    """Bool (n): the glyphs of ``keep`` that are ruby; None where a page has none."""
    if not glyphs.scripts & EAST_ASIAN:
        return None
    kana = (glyphs.codes >= _KANA[0]) & (glyphs.codes <= _KANA[1]) & keep
    if not kana.any() or len({run.style.size for run in glyphs.objects}) < 2:
        return None
    ink = printed(glyphs, keep=keep)
    small = kana[ink.glyphs]
    found = np.zeros(len(glyphs.codes), np.bool_)
    fragments = fragments_of(ink, fragment_starts(ink))
    for k, fragment in enumerate(fragments):
        if not small[fragment.start : fragment.end].all():
            continue
        near = fragments[max(k - 3, 0) : k] + fragments[k + 1 : k + 4]
        if any(_reads(fragment, other) for other in near):
            found[ink.glyphs[fragment.start : fragment.end]] = True
    return found if found.any() else None


def _reads(fragment: Fragment, line: Fragment) -> bool:
    """Whether a fragment stands right above a part of a line that is set about twice as large."""
    rise = line.base - fragment.base
    shared = min(fragment.x1, line.x1) - max(fragment.x0, line.x0)
    level = fragment.turn == line.turn and fragment.size <= _SMALLER * line.size
    return level and _ABOVE[0] * line.size < rise < _ABOVE[1] * line.size and shared > -0.5 * line.size
