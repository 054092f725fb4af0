"""Scaling: the pictures among a task's files as an agent that asks for a size is given them."""

import io
import math
import warnings
from pathlib import Path

from pincite_harness.agents.agent import Squares

_FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".gif": "GIF", ".webp": "WEBP"}
_MOST_PIXELS = 40_000_000
"""Pixels of a picture that is decoded: as many as the figures server takes."""


def scaled(path: Path, squares: Squares | None) -> bytes:
    """The bytes of a file; a picture whose number of pixels lies outside is scaled, its sides in proportion. What is no
    picture, or cannot be decoded, is left as it is: the model's API says what it does not take."""
    data = path.read_bytes()
    kind = _FORMATS.get(path.suffix.lower())
    return data if squares is None or kind is None else _scaled(data, kind, squares)


def _scaled(data: bytes, kind: str, squares: Squares) -> bytes:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of sizes, which are checked here, and of broken metadata
            picture = Image.open(io.BytesIO(data))
            area = picture.width * picture.height
            if area > _MOST_PIXELS or squares.least**2 <= area <= squares.most**2:
                return data
            factor = math.sqrt((squares.most if area > squares.most**2 else squares.least) ** 2 / area)
            rounded = math.floor if factor < 1 else math.ceil
            sides = [max(1, rounded(side * factor)) for side in picture.size]
            small = picture.convert("RGB" if kind == "JPEG" else "RGBA").resize((sides[0], sides[1]))
    except (Image.DecompressionBombError, OSError, SyntaxError, ValueError):
        return data
    out = io.BytesIO()
    small.save(out, kind)
    return out.getvalue()
