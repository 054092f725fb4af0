"""Prints a picture file as PNG, or as JPEG where that is too large: argv is its path, the longest side in pixels, and
the most bytes. Ends with 1 and a sentence where it cannot be shown."""

import io
import os
import stat
import sys
from typing import BinaryIO

from PIL import Image

_FORMATS = ("PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP")
_MOST_PIXELS = 40_000_000
"""Pixels of a picture that is opened: 160 MB as RGBA, below the bench's memory."""
_QUALITIES = (92, 80, 60, 40, 20)
"""Of JPEG, one after another until it fits; the last is only the loop's end."""


def _opened(file: BinaryIO) -> Image.Image:
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        raise ValueError("it is not a regular file")
    return Image.open(file, formats=_FORMATS)


def shown(path: str, side: int, most: int) -> bytes:
    """The picture on white, at most ``side`` pixels and ``most`` bytes."""
    # Nothing waits for a pipe, and no link leads elsewhere.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file, _opened(file) as picture:
        if picture.width * picture.height > _MOST_PIXELS:
            raise ValueError(f"it has {picture.width} x {picture.height} pixels, more than {_MOST_PIXELS}")
        rgba = picture.convert("RGBA")
    white = Image.new("RGBA", rgba.size, (255, 255, 255, 255))
    white.alpha_composite(rgba)
    plain = white.convert("RGB")
    plain.thumbnail((side, side))
    out = io.BytesIO()
    plain.save(out, "PNG")
    for quality in _QUALITIES:
        if out.tell() <= most:
            return out.getvalue()
        out = io.BytesIO()
        plain.save(out, "JPEG", quality=quality)
    raise ValueError("it is too large to be shown")


try:
    sys.stdout.buffer.write(shown(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
except Exception as error:  # noqa: BLE001 - whatever the file is made to do to the reader
    sys.stderr.write(f"{type(error).__name__}: {error}"[:300])
    sys.exit(1)
