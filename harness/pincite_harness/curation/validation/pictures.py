"""What can be read in a picture that an agent is given: what it says of itself, and what is printed in it."""

from collections.abc import Iterator
from pathlib import Path

from pincite_core.errors import BadInputError, LimitReachedError, UnavailableError

PICTURES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp"})
_SIDE, _MOST_ENLARGED = 2000, 4
"""Pixels towards which a smaller picture is enlarged, so that tesseract can read its print."""
_MARGIN = 40
"""Pixels of border around the picture: tesseract misses text at the edge."""
_DPI = 300.0
"""Dots per inch that tesseract is made to believe, so that it does not guess them."""


def picture_texts(path: Path) -> Iterator[str]:
    """Its metadata, then its print as OCR reads it; the print alone is missing where tesseract is not installed.

    BadInputError for a file that is not a picture.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            yield from (str(value) for value in picture.info.values() if isinstance(value, str | bytes))
            yield from (str(value) for value in picture.getexif().values())
            flat = Image.new("RGBA", picture.size, "white")
            flat.alpha_composite(picture.convert("RGBA"))
    except (UnidentifiedImageError, OSError) as error:
        raise BadInputError(f"{path.name} is not a picture that can be read.", seen=str(error)) from error
    factor = min(max(1, _SIDE // max(flat.size)), _MOST_ENLARGED)
    grey = flat.convert("L").resize((flat.width * factor, flat.height * factor))
    # Print that touches the border of a picture is not found.
    yield _printed(ImageOps.expand(grey, _MARGIN, 255))


def _printed(picture: object) -> str:
    import numpy as np

    from pincite_papers.pdf.ocr.tesseract import PAGE_SECONDS, Run, find_program

    try:
        run = Run(find_program(), np.asarray(picture), _DPI, "--psm", "11", seconds=PAGE_SECONDS)
        try:
            return run.result().decode("utf-8", errors="replace")
        finally:
            run.end()
    except (UnavailableError, LimitReachedError):
        return ""
