"""Boxes: glyphs whose box is not that of the character that their code claims."""

from functools import cache

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf.glyphs import Glyphs
from pincite_papers.pdf.signs.shapes import known_shapes

_LAST = 0x3D0
"""Codes below have a reference box: Latin, diacritics and Greek."""
_EXCESS = 0.3
"""Ems, summed over a box's width, height, foot and head, by which it leaves the range of eight fonts. Old-style digits
and condensed letters stay below 0.25; an equals sign behind the code of a 5 has 0.6."""


@cache
def _ranges() -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """The least and most of each code's box (width, height, foot, head in ems), and which codes are known."""
    table = known_shapes()
    low, high = np.zeros((_LAST, 4), np.float32), np.zeros((_LAST, 4), np.float32)
    known = np.zeros(_LAST, np.bool_)
    for text, rows in table.rows.items():
        if ord(text) < _LAST:
            low[ord(text)], high[ord(text)] = table.places[rows].min(axis=0), table.places[rows].max(axis=0)
            known[ord(text)] = True
    return low, high, known


def misfits(
    glyphs: Glyphs, places: npt.NDArray[np.int64], codes: npt.NDArray[np.uint32], runs: npt.NDArray[np.int32]
) -> npt.NDArray[np.bool_]:
    """Bool (n): which of the glyphs at ``places`` have a box that no font gives the character of their code."""
    low, high, known = _ranges()
    at = np.minimum(codes, _LAST - 1).astype(np.int64)
    boxes = glyphs.boxes[places]
    sizes = np.maximum(glyphs.ink.sizes, 0.1)[runs]
    baselines = glyphs.ink.origins[runs, 1]
    foot, head = baselines - boxes[:, 3], baselines - boxes[:, 1]
    measures = np.stack((boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1], foot, head), axis=1) / sizes[:, None]
    excess = np.maximum(low[at] - measures, 0) + np.maximum(measures - high[at], 0)
    numbers: list[int] = runs.tolist()
    level = np.array([glyphs.objects[run].angle == 0 for run in numbers], np.bool_)
    return (excess.sum(axis=1) > _EXCESS) & known[at] & (codes < _LAST) & level
