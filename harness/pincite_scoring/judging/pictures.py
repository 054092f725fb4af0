"""Pictures that a judge is shown beside the texts: brought into what all four APIs take.

Stated here, from the providers' limits: PNG, JPEG and WebP (Gemini takes no GIF), 5 MB of base64 a picture
(Anthropic), 20 MB a request (Gemini), 2,000 pixels a side where there are many (Anthropic; models see no more).
"""

import io
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pincite_core.errors import BadInputError, LimitReachedError, NotFoundError
from pincite_tasks.files import digest_bytes

if TYPE_CHECKING:
    from PIL import Image

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".tif", ".tiff", ".bmp"})
_MOST_PICTURES = 20
"""Pictures of one question: all four APIs take so many."""
_MOST_BYTES, _MOST_BYTES_IN_ALL = 3_750_000, 14_000_000
"""Bytes of a picture, and of all: 5 MB and 20 MB as base64, which all four APIs take."""
_MOST_SIDE = 2000
"""Pixels of the longer side: APIs scale larger ones down or refuse them."""
_MOST_PIXELS = 100_000_000
"""Pixels of a picture that is opened; a larger one is a bomb. Set by judgement."""
_PLAIN = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
_FORMATS = (*_PLAIN, "GIF", "TIFF", "BMP")
_MODES = frozenset({"1", "L", "LA", "P", "RGB", "RGBA"})
_QUALITY = 90
"""Quality of JPEG: small type is sharp. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's file as it lies on the disk; ``digest`` is that of its bytes."""

    name: str
    path: Path
    data: bytes
    digest: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as a model gets it, which may be smaller than its file: ``width`` and ``height`` in pixels."""

    picture: Picture
    media_type: str
    data: bytes
    width: int
    height: int

    @property
    def name(self) -> str:
        """The file's name."""
        return self.picture.name

    def to_json(self) -> dict[str, Any]:
        """What a record says of it; the digest is the file's."""
        return {
            "name": self.name,
            "path": str(self.picture.path.resolve()),
            "digest": self.picture.digest,
            "media_type": self.media_type,
            "width": self.width,
            "height": self.height,
            "bytes": len(self.data),
        }


def pictures_among(files: Mapping[str, Path]) -> dict[str, Path]:
    """The files that are pictures by their suffix."""
    return {name: path for name, path in files.items() if path.suffix.lower() in SUFFIXES}


def read_pictures(files: Mapping[str, Path]) -> tuple[Picture, ...]:
    """The bytes of picture files by name; NotFoundError where one is not there."""
    return tuple(_read(name, path) for name, path in files.items())


def show(pictures: tuple[Picture, ...]) -> tuple[Shown, ...]:
    """The pictures as every API takes them: as they are, or drawn again with at most 2,000 pixels a side.

    BadInputError for what is not a picture, LimitReachedError for more than 20 of them, 14 MB, or 100 million pixels.
    """
    if len(pictures) > _MOST_PICTURES:
        raise LimitReachedError(
            f"A judge is shown at most {_MOST_PICTURES} pictures at once.", seen=f"{len(pictures)} pictures"
        )
    shown = tuple(_show(picture) for picture in pictures)
    size = sum(len(each.data) for each in shown)
    if size > _MOST_BYTES_IN_ALL:
        raise LimitReachedError(
            f"A judge is shown at most {_MOST_BYTES_IN_ALL:,} bytes of pictures at once.", seen=f"{size:,} bytes"
        )
    return shown


def _read(name: str, path: Path) -> Picture:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NotFoundError(f"The picture {path} cannot be read.", seen=str(error), next="Check the path.") from error
    return Picture(name, path, data, digest_bytes(data))


def _show(picture: Picture) -> Shown:
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of sizes, which are checked here, and of broken metadata
            opened = Image.open(io.BytesIO(picture.data), formats=_FORMATS)
            if opened.width * opened.height > _MOST_PIXELS:
                raise _too_many_pixels(picture, f"{opened.width} x {opened.height}")
            opened.load()
    except Image.DecompressionBombError as error:
        raise _too_many_pixels(picture, str(error)) from error
    except (OSError, SyntaxError, ValueError) as error:
        raise BadInputError(f"{picture.name} is not a picture that can be shown.", seen=str(error)[:200]) from error
    small = max(opened.size) <= _MOST_SIDE and len(picture.data) <= _MOST_BYTES
    if small and opened.format in _PLAIN and opened.mode in _MODES and getattr(opened, "n_frames", 1) == 1:
        return Shown(picture, _PLAIN[opened.format], picture.data, *opened.size)
    return _drawn(picture, opened)


def _too_many_pixels(picture: Picture, seen: str) -> LimitReachedError:
    return LimitReachedError(f"The picture {picture.name} has too many pixels.", seen=seen)


def _drawn(picture: Picture, opened: "Image.Image") -> Shown:
    """The first frame within the limits, on white: PNG, or JPEG where that is too large."""
    from PIL import Image

    colours = Image.new("RGB", opened.size, "white")
    whole = (opened if opened.mode in _MODES or opened.mode == "CMYK" else _grey(opened)).convert("RGBA")
    colours.paste(whole, mask=whole)
    colours.thumbnail((_MOST_SIDE, _MOST_SIDE))
    for kind, options in (("PNG", {}), ("JPEG", {"quality": _QUALITY})):
        out = io.BytesIO()
        colours.save(out, kind, **options)
        if out.tell() <= _MOST_BYTES:
            return Shown(picture, _PLAIN[kind], out.getvalue(), *colours.size)
    raise LimitReachedError(f"The picture {picture.name} is too large to be shown.", seen=f"{out.tell():,} bytes")


def _grey(deep: "Image.Image") -> "Image.Image":
    """Deep grey as eight bits, the darkest black and the lightest white."""
    values = deep.convert("F")
    low, high = cast("tuple[float, float]", values.getextrema())
    scale = 255 / max(high - low, 1e-30)
    return values.point(lambda value: value * scale - low * scale).convert("L")
